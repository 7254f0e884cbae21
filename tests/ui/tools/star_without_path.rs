use chatluna_tool::tools;

fn main() {
    let _ = tools![*];
}
