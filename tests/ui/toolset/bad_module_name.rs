use chatluna_tool::{tool, toolset};

#[toolset]
mod données {
    /// Does nothing.
    #[super::tool]
    pub fn nothing() {}
}

fn main() {
    données::nothing();
}
