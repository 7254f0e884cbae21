mod tools_for_people_who_write_very_long_names_for_modules {
    /// Does something.
    #[chatluna_tool::tool(prefix = module)]
    pub async fn and_for_functions() {}
}

fn main() {}
