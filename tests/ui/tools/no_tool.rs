use chatluna_tool::tools;

pub fn weather() {}

fn main() {
    let _ = tools![weather];
}
