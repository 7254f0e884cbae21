use chatluna_tool::tool;

#[tool(nmae = "plus", traits(effect = "delete", timeout = 0))]
async fn add<T: From<i64>>((left, right): (i64, &str), db: &mut T) -> impl ToString {
    *db = T::from(left);
    right.len()
}

fn main() {
    drop(add::<i64>);
}
