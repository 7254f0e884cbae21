//! What a policy is asked to judge.

use super::pattern::Text;
use super::{Permission, Risk};
use crate::definition::ToolDefinition;
use crate::identity::SessionInfo;
use crate::tool::Effect;

/// A wish that a policy judges.
///
/// ```
/// use chatluna_tool::{Effect, Permission, PermissionPolicy, PermissionRequest, SessionInfo};
///
/// let policy = PermissionPolicy::new().allow("deploy:run").deny("deploy:*");
/// let (session, wish) = (SessionInfo::new("s"), Permission::new("deploy:run").target("prod"));
/// let explained = policy.explain(&PermissionRequest::new(&wish, Effect::Exec, &session));
/// assert_eq!(
///     explained.to_string(),
///     "deny `deploy:run` on `prod`: the policy says deny `deploy:*`\nbeaten: allow `deploy:run`"
/// );
/// ```
#[derive(Clone, Debug)]
pub struct PermissionRequest<'wish> {
    /// `tool:<name>`, unless a host program asks for itself.
    pub(crate) tool: Option<&'wish str>,
    /// What the permission hook said.
    pub(crate) permission: Option<&'wish Permission>,
    /// `None` for what nothing but a rule can decide.
    pub(crate) effect: Option<Effect>,
    pub(crate) session: &'wish SessionInfo,
}

impl<'wish> PermissionRequest<'wish> {
    /// A wish of the host program: what no rule covers is judged by `effect`.
    pub fn new(permission: &'wish Permission, effect: Effect, session: &'wish SessionInfo) -> Self {
        Self {
            tool: None,
            permission: Some(permission),
            effect: Some(effect),
            session,
        }
    }

    /// A call of a tool. `permission` is what its hook says, if it has one.
    pub fn of_tool(
        tool: &'wish ToolDefinition,
        permission: Option<&'wish Permission>,
        session: &'wish SessionInfo,
    ) -> Self {
        Self {
            tool: Some(tool.tool_name().action()),
            permission,
            effect: Some(tool.effect()),
            session,
        }
    }

    /// The action that decides.
    pub(crate) fn action(&self) -> &'wish str {
        let own = self.permission.map(Permission::action);
        own.or(self.tool).unwrap_or_default()
    }

    pub(crate) fn targets(&self) -> &'wish [String] {
        self.permission.map_or(&[], Permission::targets)
    }

    pub(super) fn risk(&self) -> Risk {
        self.permission
            .map_or(Risk::Normal, |permission| permission.risk)
    }

    /// What is judged: each action on each of its targets. The hook's come last.
    pub(super) fn wishes(&self) -> impl Iterator<Item = Wish<'wish>> {
        let own = self.permission.map(Permission::action);
        let actions = [(self.tool, own.is_none()), (own, true)];
        let targets = self.targets();
        actions.into_iter().flat_map(move |(action, decides)| {
            let each = targets.iter().map(|target| Some(Text::from(target)));
            let none = targets.is_empty().then_some(None);
            action.map(Text::from).into_iter().flat_map(move |action| {
                each.clone().chain(none).map(move |target| Wish {
                    action,
                    target,
                    decides,
                })
            })
        })
    }
}

/// One action on one target.
pub(super) struct Wish<'wish> {
    pub(super) action: Text<'wish>,
    pub(super) target: Option<Text<'wish>>,
    /// Whether more than a denial of it counts.
    pub(super) decides: bool,
}

impl<'wish> Wish<'wish> {
    /// An action that is denied or not, without a target.
    pub(super) fn bare(action: &'wish str) -> Self {
        Self {
            action: Text::from(action),
            target: None,
            decides: false,
        }
    }
}
