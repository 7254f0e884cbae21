//! The command line with right and wrong input.

use std::error::Error;
use std::io::Write;
#[cfg(unix)]
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

type Tested = Result<(), Box<dyn Error>>;

struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

fn run(arguments: &[&str], input: &str) -> Result<Ran, Box<dyn Error>> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_quickstart"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    // A command that reads nothing may be gone already.
    let _ = child
        .stdin
        .take()
        .map(|mut stdin| stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output()?;
    Ok(Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout)?,
        err: String::from_utf8(output.stderr)?,
    })
}

#[test]
fn without_a_command_it_prints_the_help_and_the_tools() -> Tested {
    let ran = run(&[], "")?;
    assert_eq!(ran.code, Some(0));
    assert!(
        ran.out.contains("Usage: quickstart [COMMAND]"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("Tools:\n  crawl"), "{}", ran.out);
    assert!(
        ran.out.contains("  weather      read   查询天气"),
        "{}",
        ran.out
    );
    Ok(())
}

#[test]
fn list_as_json_is_an_array_of_definitions() -> Tested {
    let ran = run(&["list", "--json"], "")?;
    let out = ran.out.replace([' ', '\n'], "");
    assert!(
        out.starts_with(r#"[{"name":"crawl","title":"crawl","description":"#),
        "{out}"
    );
    assert!(out.contains(r#""name":"deploy","title":"deploy","description":"执行部署任务","effect":"exec","parallel":false,"timeout_ms":null"#));
    Ok(())
}

#[test]
fn show_and_schema_tell_of_one_tool() -> Tested {
    let shown = run(&["show", "weather"], "")?;
    assert!(shown.out.contains("timeout   30s"), "{}", shown.out);
    assert!(
        shown
            .out
            .contains("quickstart::tools::weather (examples/src/tools.rs:")
    );
    let schema = run(&["schema", "weather"], "")?;
    assert!(
        schema.out.starts_with("{\n  \"type\": \"object\""),
        "{}",
        schema.out
    );
    Ok(())
}

#[test]
fn call_prints_the_result() -> Tested {
    let ran = run(&["call", "weather", r#"{"city": "北京"}"#], "")?;
    assert_eq!(
        (ran.code, &*ran.out, &*ran.err),
        (Some(0), "北京:晴 26℃,1 天\n", "")
    );
    Ok(())
}

#[test]
fn a_failed_call_names_the_tool_and_the_field_and_exits_with_1() -> Tested {
    let ran = run(&["call", "weather", r#"{"days": 300}"#], "")?;
    assert_eq!((ran.code, &*ran.out), (Some(1), ""));
    assert_eq!(
        ran.err,
        "error: `weather`: error (invalid_arguments): \
         /days: must be between 0 and 255, got 300\n/city: is required and missing\n"
    );
    let failed = run(&["call", "math_divide", r#"{"a": 1, "b": 0}"#], "")?;
    assert_eq!(failed.code, Some(1));
    Ok(())
}

#[test]
fn yes_approves_what_asks() -> Tested {
    let arguments = ["call", "deploy", r#"{"env": "prod"}"#];
    let refused = run(&arguments, "")?;
    assert_eq!(refused.code, Some(1));
    assert!(
        refused.err.ends_with("; `--yes` approves it\n"),
        "{}",
        refused.err
    );
    for approving in [
        ["call", "--yes", "deploy", r#"{"env": "prod"}"#],
        ["call", "deploy", r#"{"env": "prod"}"#, "--yes"],
    ] {
        let approved = run(&approving, "")?;
        assert_eq!(
            (approved.code, &*approved.out),
            (Some(0), "已触发 prod 环境部署\n")
        );
    }
    Ok(())
}

#[test]
fn turn_reads_standard_input_and_answers_as_an_array() -> Tested {
    let reply = r#"{"role": "assistant", "tool_calls": [{"id": "a", "type": "function",
        "function": {"name": "math_add", "arguments": "{\"a\": 1, \"b\": 2}"}}]}"#;
    let ran = run(&["turn", "-"], reply)?;
    assert_eq!(ran.code, Some(0));
    assert_eq!(
        ran.out.replace([' ', '\n'], ""),
        r#"[{"role":"tool","tool_call_id":"a","content":"3"}]"#
    );
    assert!(
        ran.err
            .contains("math_add {\"a\": 1, \"b\": 2} -> 3\n1 calls, 0 not done"),
        "{}",
        ran.err
    );
    assert!(!ran.err.contains('\u{1b}'), "colour without a terminal");
    let done = run(
        &["turn", "-"],
        r#"{"role": "assistant", "content": "Hello"}"#,
    )?;
    assert_eq!(
        (&*done.out, &*done.err),
        ("[]\n", "no calls: the model is done\n")
    );
    Ok(())
}

#[test]
fn what_a_terminal_would_obey_is_made_visible() -> Tested {
    let reply = r#"[{"id": "a", "function": {"name": "x\u001b[2J", "arguments": "\u0007"}}]"#;
    let ran = run(&["turn", "-"], reply)?;
    assert!(ran.err.contains(r"x\u{1b}[2J \u{7}"), "{:?}", ran.err);
    Ok(())
}

#[test]
fn usage_mistakes_exit_with_2_and_say_what_is_wrong() -> Tested {
    let unknown = "error: no tool is named `wether`; did you mean `weather`?\n";
    for (arguments, input, expected) in [
        (&["show", "wether"][..], "", unknown),
        (&["schema", "wether"], "", unknown),
        (&["call", "wether"], "", unknown),
        (&["check", "weather", "wether"], "", unknown),
        (
            &["turn", "nope.json"],
            "",
            "error: cannot read `nope.json`: No such file or directory (os error 2)\n",
        ),
        (
            &["turn", "-"],
            "{",
            "error: `-`: the reply is not valid JSON: EOF while parsing an object at line 1 column 1\n",
        ),
        (
            &["turn", "-"],
            "7",
            "error: `-`: the reply has neither `choices` nor `tool_calls`; give a Chat Completions response or message\n",
        ),
    ] {
        let ran = run(arguments, input)?;
        assert_eq!(
            (ran.code, &*ran.out, &*ran.err),
            (Some(2), "", expected),
            "{arguments:?}"
        );
    }
    for arguments in [
        &["frobnicate"][..],
        &["call"],
        &["turn"],
        &["list", "--nope"],
        &["check", "--dialect", "nope"],
    ] {
        assert_eq!(run(arguments, "")?.code, Some(2), "{arguments:?}");
    }
    Ok(())
}

#[test]
fn arguments_may_be_flags_text_of_files_and_standard_input() -> Tested {
    let scratch = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (city, json) = (scratch.join("city.txt"), scratch.join("arguments.json"));
    std::fs::write(&city, "上海")?;
    std::fs::write(&json, r#"{"city": "file", "days": 2}"#)?;
    let (city, json) = (
        format!("@{}", city.display()),
        format!("@{}", json.display()),
    );
    for (arguments, input, expected) in [
        (
            &["--city", "北京", "--days", "3"][..],
            "",
            "北京:晴 26℃,3 天\n",
        ),
        (&["--city=北京"], "", "北京:晴 26℃,1 天\n"),
        (
            &["--arg", "city=a=b", "--arg", "days=2"],
            "",
            "a=b:晴 26℃,2 天\n",
        ),
        (&["--city", &city], "", "上海:晴 26℃,1 天\n"),
        (&["--city", "@@home"], "", "@home:晴 26℃,1 天\n"),
        (&["--city", "5"], "", "5:晴 26℃,1 天\n"),
        (&[&json], "", "file:晴 26℃,2 天\n"),
        (&[&json, "--days", "7"], "", "file:晴 26℃,7 天\n"),
        (&["-"], r#"{"city": "stdin"}"#, "stdin:晴 26℃,1 天\n"),
    ] {
        let ran = run(&[&["call", "weather"], arguments].concat(), input)?;
        assert_eq!((&*ran.out, &*ran.err), (expected, ""), "{arguments:?}");
    }
    let negative = run(&["call", "math_add", "--a", "-1.5", "--b", "2"], "")?;
    assert_eq!(negative.out, "0.5\n");
    Ok(())
}

#[test]
fn flags_that_make_no_sense_say_so() -> Tested {
    for (arguments, code, expected) in [
        (
            &["--days", "abc", "--city", "x"][..],
            1,
            "/days: expected an integer, got \"abc\"",
        ),
        (
            &["--city", "a", "--city", "b"],
            2,
            "`--city` is given 2 times; it takes one value",
        ),
        (
            &["--arg", "city"],
            2,
            "`--arg city` has no `=`; write `--arg name=value`",
        ),
        (&["--cty", "a"], 2, "unexpected argument '--cty' found"),
        (&["--city", "@nope.txt"], 2, "cannot read `nope.txt`"),
        (&["[1]", "--city", "a"], 2, "the JSON is no object"),
    ] {
        let ran = run(&[&["call", "weather"], arguments].concat(), "")?;
        assert_eq!(ran.code, Some(code), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(expected), "{arguments:?}: {}", ran.err);
    }
    Ok(())
}

#[test]
fn help_of_a_tool_shows_its_arguments() -> Tested {
    let ran = run(&["call", "weather", "--help"], "")?;
    for part in [
        "Usage: quickstart call weather",
        "--city <STRING>",
        "城市名 (required)",
        "--days <INTEGER>",
    ] {
        assert!(ran.out.contains(part), "{}", ran.out);
    }
    Ok(())
}

/// Interrupts a turn as soon as its one call tells of itself.
#[cfg(unix)]
fn interrupted() -> Result<Ran, Box<dyn Error>> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_quickstart"))
        .args(["turn", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let reply =
        r#"[{"id": "a", "function": {"name": "crawl", "arguments": "{\"latency\": 2000}"}}]"#;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(reply.as_bytes())?;
    }
    let mut lines = BufReader::new(child.stderr.take().ok_or("no stderr")?).lines();
    let first = lines.next().ok_or("nothing is told")??;
    assert_eq!(first, "crawl: 5% reading");
    let id = child.id().to_string();
    Command::new("kill").args(["-INT", &id]).status()?;
    let rest = lines.collect::<Result<Vec<String>, _>>()?;
    let output = child.wait_with_output()?;
    Ok(Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout)?,
        err: rest.join("\n"),
    })
}

#[test]
#[cfg(unix)]
fn an_interrupted_turn_answers_every_call() -> Tested {
    // On a machine that is busy the call may time out before it is interrupted.
    let mut tries = (0..10).map(|_| interrupted());
    let ran = tries.find(|ran| !matches!(ran, Ok(Ran { code: Some(0), .. })));
    let ran = ran.ok_or("never interrupted")??;
    assert_eq!(ran.code, Some(130), "{}", ran.err);
    assert!(ran.out.contains("error (cancelled): "), "{}", ran.out);
    assert!(ran.out.contains(" of 20 parts are read"), "{}", ran.out);
    assert!(ran.out.contains("\"tool_call_id\": \"a\""), "{}", ran.out);
    assert!(ran.err.contains("1 calls, 1 not done"), "{}", ran.err);
    Ok(())
}

#[test]
fn turn_speaks_every_provider() -> Tested {
    for (provider, reply, expected) in [
        (
            "openai-responses",
            r#"{"output": [{"type": "function_call", "call_id": "a", "name": "math_add", "arguments": "{\"a\": 1, \"b\": 2}"}]}"#,
            r#"[{"type":"function_call_output","call_id":"a","output":"3"}]"#,
        ),
        (
            "anthropic",
            r#"{"content": [{"type": "tool_use", "id": "a", "name": "math_add", "input": {"a": 1, "b": 2}}]}"#,
            r#"[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"3"}]}]"#,
        ),
        (
            "gemini",
            r#"{"candidates": [{"content": {"parts": [{"functionCall": {"name": "math_add", "args": {"a": 1, "b": 2}}}]}}]}"#,
            r#"[{"role":"user","parts":[{"functionResponse":{"name":"math_add","response":{"output":"3"}}}]}]"#,
        ),
    ] {
        let ran = run(&["turn", "-", "--provider", provider], reply)?;
        assert_eq!(ran.out.replace([' ', '\n'], ""), expected, "{}", ran.err);
    }
    Ok(())
}

#[test]
fn schema_speaks_every_dialect_and_completions_every_shell() -> Tested {
    for (dialect, key) in [
        ("openai", "function"),
        ("openai-strict", "function"),
        ("openai-responses", "strict"),
        ("anthropic", "input_schema"),
        ("anthropic-strict", "strict"),
        ("gemini", "parameters"),
        ("mcp", "inputSchema"),
    ] {
        let ran = run(&["schema", "weather", "--dialect", dialect], "")?;
        assert!(
            ran.out.contains(&format!("\"{key}\"")),
            "{dialect}: {}",
            ran.out
        );
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = run(&["completions", shell], "")?;
        assert_eq!(ran.code, Some(0));
        for word in ["math_divide", "check", "deny-warnings"] {
            assert!(ran.out.contains(word), "{shell}: {word}");
        }
    }
    Ok(())
}

#[test]
fn losses_of_a_dialect_are_printed_below_the_schema() -> Tested {
    let ran = run(
        &["schema", "weather", "--dialect", "gemini", "--losses"],
        "",
    )?;
    let loss = "the root: `additionalProperties` dropped";
    assert_eq!(ran.out.lines().last(), Some(loss), "{}", ran.err);
    let ran = run(&["schema", "weather", "--losses"], "")?;
    assert_eq!(ran.code, Some(2));
    Ok(())
}

#[test]
fn check_exits_with_1_where_warnings_are_denied() -> Tested {
    let ran = run(&["check", "weather", "--deny-warnings"], "")?;
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    let last = "1 tool: no errors, no warnings; about 66 tokens";
    assert_eq!(ran.out.lines().last(), Some(last));
    let ran = run(&["check", "math_add", "--deny-warnings"], "")?;
    assert_eq!((ran.code, &*ran.err), (Some(1), ""));
    assert!(
        ran.out.starts_with("  math_add  2 warnings "),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains('\u{1b}'), "colour without a terminal");
    Ok(())
}

#[test]
fn check_tells_what_is_questionable_about_a_policy_in_a_file() -> Tested {
    let policy = "[[rules]]\nverdict = 'deny'\naction = 'tool:wether'\n";
    let ran = run(&["check", "weather", "--policy", "-"], policy)?;
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    let lint = "\nwarning: the rule deny `tool:wether` names no tool of this program; ";
    assert!(ran.out.contains(lint), "{}", ran.out);
    let ran = run(&["check", "--policy", "-", "--deny-warnings"], policy)?;
    assert_eq!(ran.code, Some(1));
    let ran = run(&["check", "--policy", "-"], "rules = 7")?;
    assert_eq!(ran.code, Some(2));
    Ok(())
}
