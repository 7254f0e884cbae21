//! `#[toolset]`: the tools of an `impl` block or of an inline module.

use crate::attribute::{Attribute, Prefix};
use crate::check::{check, check_attribute, check_set, check_shared};
use crate::expand;
use crate::function::{Function, not_a_function};
use crate::key;
use crate::model::Tool;
use crate::owner::without_self;
use crate::report::Report;
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Error, Generics, LitStr, Meta, Result, Token, Type, Visibility, WhereClause};

/// What stands below the attribute, with the tools taken apart and all else as it was.
struct Toolset {
    /// All before the body.
    head: TokenStream,
    kind: Kind,
    body: Group,
}

enum Kind {
    /// `impl T`
    Type(Box<Type>),
    /// `mod name`
    Module(Ident),
    /// Reported already.
    Neither,
}

enum Item {
    Tool(Box<Member>),
    /// Reported already: the mark is on something else.
    Marked(TokenStream),
    Other(TokenStream),
}

/// A function marked `#[tool(..)]`.
struct Member {
    keys: TokenStream,
    /// The mark without its keys: rustc has to find the attribute that the user names.
    mark: TokenStream,
    function: Function,
}

/// Parse, model, check, expand. Every item comes out whatever happens.
pub(crate) fn toolset_tokens(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut report = Report::default();
    let keys = key::parse(attribute, &mut report);
    let mut shared = Attribute::of_toolset(keys, &mut report);
    let toolset = Toolset::parse(item.clone(), &mut report);
    if let Some(toolset) = &toolset {
        toolset.set_prefix(&mut shared);
    }
    check_attribute(&shared, &mut report);
    match toolset {
        Some(toolset) => toolset.expand(&shared, report),
        None => {
            let errors = report.into_errors();
            quote!(#item #errors)
        }
    }
}

impl Toolset {
    /// `None` for an item without a body, once that is reported.
    fn parse(item: TokenStream, report: &mut Report) -> Option<Self> {
        let mut head: Vec<TokenTree> = item.into_iter().collect();
        let body = match head.pop() {
            Some(TokenTree::Group(body)) if body.delimiter() == Delimiter::Brace => Some(body),
            last => {
                head.extend(last);
                None
            }
        };
        let head: TokenStream = head.into_iter().collect();
        let kind = Kind::parse.parse2(head.clone()).unwrap_or_else(|error| {
            report.push(error);
            Kind::Neither
        });
        if let (Kind::Module(name), None) = (&kind, &body) {
            let message = "`#[toolset]` has to see the module's body; write `mod name { .. }`, or `prefix = module` on each tool of the file";
            report.on(name, message);
        }
        body.map(|body| Self { head, kind, body })
    }

    /// A module's name stands before those of its tools.
    fn set_prefix(&self, shared: &mut Attribute) {
        if let (Kind::Module(name), None) = (&self.kind, &shared.prefix) {
            let text = LitStr::new(&name.unraw().to_string(), name.span());
            shared.prefix = Some(Prefix::Text(text));
        }
    }

    fn expand(&self, shared: &Attribute, mut report: Report) -> TokenStream {
        let items = |input: ParseStream<'_>| items(input, &mut report);
        // What does not parse is rustc's to explain, and it does that once if nothing changes.
        let Ok(items) = items.parse2(self.body.stream()) else {
            let (head, body) = (&self.head, &self.body);
            return quote!(#head #body);
        };
        let mut expansion = Expansion::default();
        for item in &items {
            match item {
                Item::Marked(tokens) | Item::Other(tokens) => {
                    expansion.inside.extend(tokens.clone())
                }
                Item::Tool(member) => expansion.add(member, &self.kind, shared),
            }
        }
        let has_mark = |item: &Item| matches!(item, Item::Tool(_) | Item::Marked(_));
        if !matches!(self.kind, Kind::Neither) && !items.iter().any(has_mark) {
            let message =
                "no function in it is a tool; put `#[tool]` above one, or remove `#[toolset]`";
            report.on(&self.head, message);
        }
        check_set(&expansion.tools, &mut report);
        self.assemble(shared, &expansion, report)
    }

    fn assemble(&self, shared: &Attribute, expansion: &Expansion, report: Report) -> TokenStream {
        let Expansion { inside, beside, .. } = expansion;
        let list = match self.kind {
            Kind::Neither => None,
            Kind::Type(_) | Kind::Module(_) => Some(expand::list(&expansion.tools, shared)),
        };
        let mut body = Group::new(Delimiter::Brace, quote!(#inside #list));
        body.set_span(self.body.span());
        let (head, errors) = (&self.head, report.into_errors());
        quote!(#head #body #beside #errors)
    }
}

/// What becomes of the items.
#[derive(Default)]
struct Expansion {
    inside: TokenStream,
    /// Behind the `impl` block.
    beside: TokenStream,
    /// The sound ones.
    tools: Vec<Tool>,
}

impl Expansion {
    fn add(&mut self, member: &Member, kind: &Kind, shared: &Attribute) {
        let Member { function, mark, .. } = member;
        self.inside.extend(quote!(#mark #function));
        let owner = match kind {
            Kind::Neither => return,
            Kind::Module(_) => None,
            Kind::Type(owner) => Some(&**owner),
        };
        let mut report = Report::default();
        let tool = member.tool(owner, shared, &mut report);
        check(&tool, &mut report);
        let errors = report.into_errors();
        let has_errors = errors.is_some();
        let beside = if has_errors {
            let named = expand::named_arguments(&tool, function);
            quote!(#named #errors)
        } else {
            expand::hidden_item(&tool, function).to_tokens(&mut self.inside);
            expand::beside(&tool, function)
        };
        match owner {
            Some(_) => self.beside.extend(beside),
            None => self.inside.extend(beside),
        }
        self.tools.extend((!has_errors).then_some(tool));
    }
}

impl Member {
    fn tool(&self, owner: Option<&Type>, shared: &Attribute, report: &mut Report) -> Tool {
        let replaced = |tokens: TokenStream| match owner {
            Some(owner) => without_self(tokens, owner),
            None => tokens,
        };
        let keys = key::parse(replaced(self.keys.clone()), report);
        let own = Attribute::new(keys, report);
        check_attribute(&own, report);
        check_shared(&own, shared, report);
        let function = self.function.map_head(replaced);
        Tool::new(own.inherit(shared), &function, owner, report)
    }
}

impl Kind {
    fn parse(head: ParseStream<'_>) -> Result<Self> {
        head.call(syn::Attribute::parse_outer)?;
        head.parse::<Visibility>()?;
        if head.peek(Token![mod]) {
            head.parse::<Token![mod]>()?;
            let name = head.parse()?;
            head.parse::<Option<Token![;]>>()?;
            return Ok(Self::Module(name));
        }
        head.parse::<Option<Token![unsafe]>>()?;
        if !head.peek(Token![impl]) {
            let message = "`#[toolset]` goes on an `impl` block or an inline module; move it there, or mark a single function `#[tool]`";
            let error = head.error(message);
            head.parse::<TokenStream>()?;
            return Err(error);
        }
        Self::parse_impl(head)
    }

    fn parse_impl(head: ParseStream<'_>) -> Result<Self> {
        head.parse::<Token![impl]>()?;
        let generics: Generics = head.parse()?;
        let ty: Type = head.parse()?;
        if let Some(word) = head.parse::<Option<Token![for]>>()? {
            let rest: TokenStream = head.parse()?;
            let message =
                "a toolset is the `impl` block of a type itself; move the tools out of the trait";
            return Err(Error::new_spanned(quote!(#ty #word #rest), message));
        }
        head.parse::<Option<WhereClause>>()?;
        if !generics.params.is_empty() {
            let message = "the type of a toolset has to be concrete; write `impl Db<Postgres>`, or `impl Db<'_>` for a lifetime";
            return Err(Error::new_spanned(generics, message));
        }
        if let Type::TraitObject(_) = ty {
            let message = "the type of a toolset has to be concrete; write the `impl` block of one that has the trait";
            return Err(Error::new_spanned(ty, message));
        }
        Ok(Self::Type(Box::new(ty)))
    }
}

/// Finds the marked functions; nothing else has to parse.
fn items(input: ParseStream<'_>, report: &mut Report) -> Result<Vec<Item>> {
    let mut items = Vec::new();
    while !input.is_empty() {
        // An inner attribute, `#![..]`, goes the way of everything else: token by token.
        let attributes = if input.peek2(Token![!]) {
            Vec::new()
        } else {
            input.call(syn::Attribute::parse_outer)?
        };
        let (marks, attributes): (Vec<_>, Vec<_>) = attributes.into_iter().partition(is_mark);
        if marks.is_empty() {
            let next: Option<TokenTree> = input.parse()?;
            items.push(Item::Other(quote!(#(#attributes)* #next)));
        } else if input.is_empty() {
            // rustc expects an item, and says so.
            return Err(input.error(""));
        } else if let Some(error) = not_a_function(&input.fork().parse()?) {
            report.push(error);
            items.push(Item::Marked(quote!(#(#attributes)*)));
        } else {
            items.push(Item::Tool(Box::new(Member {
                keys: keys(&marks, report),
                mark: inert(marks[0].path()),
                function: Function::parse_member(attributes, input)?,
            })));
        }
    }
    Ok(items)
}

/// Whether it is `#[tool]`, under whatever path.
fn is_mark(attribute: &syn::Attribute) -> bool {
    let last = attribute.path().segments.last();
    last.is_some_and(|last| last.ident == "tool")
}

/// The attribute for a function whose toolset has made the tool.
fn inert(tool: &syn::Path) -> TokenStream {
    quote!(#[#tool(__in_toolset)])
}

/// Whether these are the keys of an inert mark.
pub(crate) fn is_inert(keys: &TokenStream) -> bool {
    keys.to_string() == "__in_toolset"
}

/// What stands between the parentheses of the one mark.
fn keys(marks: &[syn::Attribute], report: &mut Report) -> TokenStream {
    for second in &marks[1..] {
        report.on(second, "the function is marked twice; keep one `#[tool]`");
    }
    match &marks[0].meta {
        Meta::List(list) => list.tokens.clone(),
        Meta::Path(_) => TokenStream::new(),
        Meta::NameValue(_) => {
            report.on(&marks[0], "`tool` takes a list; write `#[tool(..)]`");
            TokenStream::new()
        }
    }
}
