// const TOOLS: T = tools![weather, math::add, Db:: *];

const TOOLS: T = [
    &[__chatluna_tool_weather] as &[_],
    &[math::__chatluna_tool_add] as &[_],
    Db::__chatluna_toolset,
]
    .concat();
