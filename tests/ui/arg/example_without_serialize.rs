use chatluna_tool::tool;

struct Opaque;
/// Does something.
#[tool]
async fn act(#[arg(example = Opaque)] city: String) {
    let _ = city;
}

fn main() {}
