//! Figures of code that runs in a process of its own: this executable again.
//!
//! Instructions and allocations are counted by valgrind (callgrind, and the
//! heap summary of memcheck). A count is the difference between a process
//! that runs the code `2 * count` times and one that runs it `count` times,
//! so that start-up and the making of inputs cancel out. Where a run does what
//! is not to count, the latter process does that as often by itself. Nothing
//! counts in the timed process, so no allocator is replaced.

use std::process::{Command, exit};
use std::time::Instant;

/// Processes that the median of a time is taken over.
const ROUNDS: usize = 9;

/// Prepares the inputs of so many runs and gives what does one run.
type Make = Box<dyn Fn(usize) -> Box<dyn FnMut()>>;

/// Something to measure.
pub(crate) struct Scenario {
    name: String,
    count: usize,
    tools: Option<usize>,
    make: Make,
    /// What a run does that does not count.
    besides: Box<dyn Fn()>,
}

/// Of one call, or of one tool.
#[derive(Clone, Copy)]
struct Figures {
    instructions: Option<f64>,
    allocations: Option<f64>,
    nanoseconds: f64,
}

impl Scenario {
    /// Adds a call; its time is that of a warm process.
    pub(crate) fn call(
        all: &mut Vec<Self>,
        name: String,
        make: impl Fn(usize) -> Box<dyn FnMut()> + 'static,
    ) {
        all.push(Self {
            name,
            count: 2_000,
            tools: None,
            make: Box::new(make),
            besides: Box::new(|| ()),
        });
    }

    /// Leaves out of the figures of the last one what each of its runs does besides.
    pub(crate) fn without(all: &mut [Self], besides: impl Fn() + 'static) {
        if let Some(last) = all.last_mut() {
            last.besides = Box::new(besides);
        }
    }

    /// Adds what is done `count` times with so many tools, at first in a cold process.
    pub(crate) fn tools(
        all: &mut Vec<Self>,
        name: String,
        (count, tools): (usize, usize),
        make: impl Fn(usize) -> Box<dyn FnMut()> + 'static,
    ) {
        all.push(Self {
            name,
            count,
            tools: Some(tools),
            make: Box::new(make),
            besides: Box::new(|| ()),
        });
    }

    /// Starts the processes.
    fn figures(&self) -> Figures {
        let per = (self.count * self.tools.unwrap_or(1)) as f64;
        let mut times: Vec<u64> = (0..ROUNDS).filter_map(|_| self.time()).collect();
        times.sort_unstable();
        Figures {
            instructions: self
                .difference("callgrind", "Collected :")
                .map(|count| count / per),
            allocations: self
                .difference("memcheck", "total heap usage:")
                .map(|count| count / per),
            nanoseconds: times
                .get(times.len() / 2)
                .map_or(f64::NAN, |time| *time as f64 / per),
        }
    }

    fn time(&self) -> Option<u64> {
        let output = Command::new(std::env::current_exe().ok()?)
            .args(["child", &self.name, "time"])
            .output()
            .ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse().ok()
    }

    fn difference(&self, tool: &str, label: &str) -> Option<f64> {
        let once = self.counted(tool, label, "once")?;
        Some(self.counted(tool, label, "twice")? - once)
    }

    /// The number after `label` in what a tool of valgrind says.
    fn counted(&self, tool: &str, label: &str, mode: &str) -> Option<f64> {
        let output = Command::new("valgrind")
            .arg(format!("--tool={tool}"))
            .args(flags(tool))
            .arg(std::env::current_exe().ok()?)
            .args(["child", &self.name, mode])
            .output()
            .ok()
            .filter(|output| output.status.success())?;
        let text = String::from_utf8(output.stderr).ok()?;
        let (_, rest) = text.split_once(label)?;
        rest.split_whitespace()
            .next()?
            .replace(',', "")
            .parse()
            .ok()
    }

    /// Ends the process: inputs that are left over must not be dropped, as
    /// `once` has more of them than `twice`.
    fn run(&self, mode: &str) -> ! {
        let mut run = (self.make)(2 * self.count);
        let mut several = |times: usize| (0..times).for_each(|_| run());
        let besides = || (0..self.count).for_each(|_| (self.besides)());
        match mode {
            "once" => {
                several(self.count);
                besides();
            }
            "twice" => several(2 * self.count),
            _ => {
                if self.tools.is_none() {
                    several(self.count);
                }
                let started = Instant::now();
                several(self.count);
                let all = started.elapsed();
                besides();
                let besides = started.elapsed() - all;
                println!("{}", all.saturating_sub(besides).as_nanos());
            }
        }
        exit(0)
    }
}

fn flags(tool: &str) -> &'static [&'static str] {
    match tool {
        "callgrind" => &["--callgrind-out-file=/dev/null"],
        _ => &["--leak-check=no", "--undef-value-errors=no"],
    }
}

/// Runs the benchmark of this name, or the part of it that a process of its own is for.
pub(crate) fn main(name: &str, scenarios: fn() -> Vec<Scenario>) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["child", scenario, mode] => child(&scenarios(), scenario, mode),
        _ if words.contains(&"--bench") => report(&scenarios()),
        _ => println!("a benchmark: cargo bench -p chatluna-tool --bench {name}"),
    }
}

/// The part of a process that [`Scenario::figures`] started.
fn child(scenarios: &[Scenario], name: &str, mode: &str) -> ! {
    match scenarios.iter().find(|scenario| scenario.name == name) {
        Some(scenario) => scenario.run(mode),
        None => panic!("no scenario is named `{name}`"),
    }
}

/// Measures everything and prints two tables: of calls, and of what is done with all tools.
fn report(scenarios: &[Scenario]) {
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("valgrind is not installed: no instructions and no allocations, only times\n");
    }
    let (calls, rest): (Vec<_>, Vec<_>) = scenarios.iter().partition(|row| row.tools.is_none());
    println!(
        "{:<32}{:>13}{:>9}{:>8}{:>8}{:>9}{:>8}{:>7}",
        "a call", "instructions", "x floor", "budget", "allocs", "+ floor", "budget", "ns"
    );
    let mut floor = None;
    for call in calls {
        let figures = call.figures();
        if call.name.starts_with("floor") {
            floor = Some(figures);
        }
        report_call(&call.name, &figures, floor.as_ref().unwrap_or(&figures));
    }
    println!(
        "\n{:<32}{:>13}{:>8}{:>7}{:>8}",
        "a tool or call", "instructions", "allocs", "ns", "budget"
    );
    for row in rest {
        let figures = row.figures();
        let budget = if row.name.starts_with("build") {
            "600"
        } else {
            ""
        };
        let instructions = number(figures.instructions, 0);
        let allocations = number(figures.allocations, 2);
        let (name, time) = (&row.name, figures.nanoseconds);
        println!("{name:<32}{instructions:>13}{allocations:>8}{time:>7.0}{budget:>8}");
    }
}

fn report_call(name: &str, figures: &Figures, floor: &Figures) {
    let (ratio, allocations) = match name.split(' ').next() {
        Some("bare") => ("1.25", "1"),
        Some("execute") => ("2.50", ""),
        _ => ("", ""),
    };
    let both = |of: fn(&Figures) -> Option<f64>| Some((of(figures)?, of(floor)?));
    let times = both(|figures| figures.instructions).map(|(own, floor)| own / floor);
    let more = both(|figures| figures.allocations).map(|(own, floor)| own - floor);
    println!(
        "{name:<32}{:>13}{:>9}{ratio:>8}{:>8}{:>9}{allocations:>8}{:>7.0}",
        number(figures.instructions, 0),
        number(times, 2),
        number(figures.allocations, 2),
        number(more, 2),
        figures.nanoseconds,
    );
}

fn number(value: Option<f64>, places: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.places$}"))
}
