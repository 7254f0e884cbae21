use chatluna_tool::tool;

/// Does something.
#[tool]
async fn act(#[arg(default = "e", length(2..))] language: String) {
    let _ = language;
}

fn main() {}
