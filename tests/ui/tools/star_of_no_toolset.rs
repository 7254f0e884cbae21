use chatluna_tool::tools;

mod text {}

fn main() {
    let _ = tools![text::*];
}
