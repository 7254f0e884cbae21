//! What happens between a question and its answer.

use chatluna_tool::{
    Answer, ApprovalRequest, Approver, BoxFuture, BuildError, CallContext, ErrorKind, Event,
    EventKind, GrantError, GrantStore, MemoryGrants, PendingApproval, Permission, PermissionPolicy,
    Risk, Rule, Runtime, RuntimeBuilder, Session, SessionInfo, Subject, ToolCall, ToolError,
    TurnInfo, approver, testing::ScriptedApprover, tool, tools,
};
use serde_json::{Value, json};
use std::error::Error;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Deploys
#[tool(permission = |args| Permission::new("deploy:run").target(&args.env), traits(parallel))]
async fn deploy(env: String) -> String {
    format!("deployed {env}")
}

/// Reads
#[tool(traits(parallel, effect = "read"))]
async fn look(n: u64) -> u64 {
    n
}

/// Writes
#[tool(traits(effect = "write"))]
async fn save(text: String) -> String {
    text
}

/// Burns
#[tool(permission = |_| Permission::new("house:burn").risk(Risk::Critical))]
async fn burn() {}

/// Asks by itself
#[tool(traits(parallel, effect = "read"))]
async fn wonder(about: String, call: &CallContext) -> Result<String, ToolError> {
    call.ask(about.clone()).await?;
    Ok(about)
}

/// Asks from a thread
#[tool(traits(parallel, effect = "read"))]
fn wonder_blocking(call: &CallContext) -> Result<&'static str, ToolError> {
    call.ask_blocking("from a thread")?;
    Ok("asked")
}

fn builder() -> RuntimeBuilder {
    Runtime::builder()
        .tools(tools![deploy, look, save, burn, wonder, wonder_blocking])
        .policy(PermissionPolicy::new())
}

fn scripted(
    answers: impl IntoIterator<Item = Answer>,
) -> Result<(Session, ScriptedApprover), BuildError> {
    let approver = ScriptedApprover::new(answers);
    let runtime = builder().approver(approver.clone()).build()?;
    Ok((runtime.session(SessionInfo::new("s")), approver))
}

fn to(env: &str) -> Value {
    json!({"env": env})
}

async fn deployed(session: &Session, env: &str) -> Option<ErrorKind> {
    session.call("deploy", to(env)).await.error()
}

/// Lets everything come to rest.
async fn settle() {
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn once_is_once() -> Result<(), BuildError> {
    let (session, approver) = scripted([Answer::Once])?;
    assert_eq!(deployed(&session, "a").await, None);
    assert_eq!(deployed(&session, "a").await, Some(ErrorKind::DeniedByUser));
    assert_eq!(approver.questions().len(), 2);
    Ok(())
}

#[tokio::test]
async fn an_answer_for_the_turn_holds_until_the_next() -> Result<(), BuildError> {
    let (session, approver) = scripted([Answer::Turn, Answer::Turn])?;
    session.begin_turn(TurnInfo::new("1"));
    assert_eq!(deployed(&session, "a").await, None);
    assert_eq!(deployed(&session, "a").await, None);
    session.begin_turn(TurnInfo::new("2"));
    assert_eq!(deployed(&session, "a").await, None);
    assert_eq!(approver.questions().len(), 2);
    Ok(())
}

#[tokio::test]
async fn an_answer_for_the_turn_without_one_is_for_once() -> Result<(), BuildError> {
    let (session, approver) = scripted([Answer::Turn, Answer::Turn])?;
    assert_eq!(deployed(&session, "a").await, None);
    assert_eq!(deployed(&session, "a").await, None);
    assert_eq!(approver.questions().len(), 2);
    Ok(())
}

#[tokio::test]
async fn an_answer_for_the_session_is_for_its_very_target() -> Result<(), BuildError> {
    let (session, approver) = scripted([Answer::Session, Answer::Session])?;
    assert_eq!(deployed(&session, "*").await, None);
    assert_eq!(deployed(&session, "*").await, None);
    session.begin_turn(TurnInfo::new("next"));
    assert_eq!(deployed(&session, "*").await, None);
    assert_eq!(approver.questions().len(), 1);
    assert_eq!(deployed(&session, "other").await, None);
    assert_eq!(approver.questions().len(), 2);
    Ok(())
}

#[tokio::test]
async fn always_and_never_are_kept_for_the_user() -> Result<(), BuildError> {
    let grants = Arc::new(MemoryGrants::default());
    let approver = ScriptedApprover::new([Answer::Always, Answer::Never]);
    let runtime = builder()
        .approver(approver.clone())
        .grants(Arc::clone(&grants))
        .build()?;
    let of = |session: &str, user: &str| {
        let subject = Subject::user(user).platform("matrix");
        runtime.session(SessionInfo::new(session).subject(subject))
    };
    assert_eq!(deployed(&of("1", "li"), "a").await, None);
    assert_eq!(deployed(&of("2", "li"), "a").await, None);
    assert_eq!(approver.questions().len(), 1);
    assert_eq!(
        deployed(&of("3", "wu"), "a").await,
        Some(ErrorKind::DeniedByUser)
    );
    let refused = of("4", "wu").call("deploy", to("a")).await;
    assert_eq!(
        refused.text(),
        "error (denied_by_policy): the call was refused: a remembered answer says deny `deploy:run` on `a` \
         for user `wu`, platform `matrix`; nothing was run; do not try it again"
    );
    let kept: Vec<String> = grants.rules().iter().map(ToString::to_string).collect();
    assert_eq!(
        kept,
        [
            "allow `deploy:run` on `a` for user `li`, platform `matrix`",
            "deny `deploy:run` on `a` for user `wu`, platform `matrix`",
        ]
    );
    Ok(())
}

#[tokio::test]
async fn a_final_ask_asks_whatever_was_answered() -> Result<(), BuildError> {
    let approver = ScriptedApprover::new([Answer::Always, Answer::Session, Answer::Once]);
    let policy = PermissionPolicy::new().rule(Rule::ask("deploy:*").is_final());
    let runtime = builder()
        .policy(policy)
        .approver(approver.clone())
        .build()?;
    let session = runtime.session(SessionInfo::new("s"));
    for _ in 0..3 {
        assert_eq!(deployed(&session, "a").await, None);
    }
    assert_eq!(approver.questions().len(), 3);
    Ok(())
}

#[tokio::test]
async fn what_is_critical_is_never_remembered() -> Result<(), BuildError> {
    let (session, approver) = scripted([Answer::Always, Answer::Session, Answer::Never])?;
    for error in [None, None, Some(ErrorKind::DeniedByUser)] {
        assert_eq!(session.call("burn", "{}").await.error(), error);
    }
    let after = session.call("burn", "{}").await;
    assert_eq!(after.error(), Some(ErrorKind::DeniedByUser));
    assert_eq!(approver.questions().len(), 4);
    Ok(())
}

/// Keeps nothing.
struct Broken;

impl GrantStore for Broken {
    fn rules(&self) -> Arc<[Rule]> {
        Arc::new([])
    }

    fn add(&self, _: &[Rule]) -> Result<(), GrantError> {
        Err(GrantError::new("the disk is full"))
    }
}

#[tokio::test]
async fn an_answer_that_cannot_be_kept_holds_for_the_session() -> Result<(), BuildError> {
    let approver = ScriptedApprover::new([Answer::Always]);
    let runtime = builder()
        .approver(approver.clone())
        .grants(Broken)
        .build()?;
    let session = runtime.session(SessionInfo::new("s"));
    assert_eq!(deployed(&session, "a").await, None);
    assert_eq!(deployed(&session, "a").await, None);
    assert_eq!(approver.questions().len(), 1);
    Ok(())
}

#[tokio::test]
async fn edited_arguments_get_all_the_looks_that_sent_ones_get() -> Result<(), BuildError> {
    let edits = [
        to("staging"),
        to("prod"),
        json!({"town": "x"}),
        json!({"env": 5}),
    ];
    let approver = ScriptedApprover::new(edits.map(Answer::Edited));
    let policy = PermissionPolicy::new().rule(Rule::deny("deploy:run").target("prod"));
    let runtime = builder().policy(policy).approver(approver).build()?;
    let session = runtime.session(SessionInfo::new("s"));
    let edited = session.call("deploy", to("a")).await;
    assert_eq!(edited.text(), "deployed staging");
    assert_eq!(
        edited.repairs()[0].to_string(),
        "the arguments are those of whoever approved the call"
    );
    // Also beside another call, on the way of a batch.
    let calls = [to("a"), to("b"), to("c")].map(|env| ToolCall::new("deploy", env));
    let results = session.execute(calls).await;
    let kinds: Vec<_> = results.iter().map(|result| result.error()).collect();
    assert_eq!(
        kinds,
        [
            Some(ErrorKind::DeniedByPolicy),
            Some(ErrorKind::InvalidArguments),
            Some(ErrorKind::InvalidArguments),
        ]
    );
    Ok(())
}

#[tokio::test]
async fn a_tool_that_asks_by_itself_is_answered_for_its_reason() -> Result<(), BuildError> {
    let (session, approver) = scripted([Answer::Session, Answer::Edited(json!({}))])?;
    for _ in 0..2 {
        let result = session.call("wonder", json!({"about": "it"})).await;
        assert_eq!(result.text(), "it");
    }
    let other = session.call("wonder", json!({"about": "more"})).await;
    assert_eq!(other.error(), Some(ErrorKind::DeniedByUser), "{other:?}");
    let asked: Vec<String> = approver
        .questions()
        .iter()
        .map(|question| format!("{:?}", question.permission().targets()))
        .collect();
    assert_eq!(asked, [r#"["it"]"#, r#"["more"]"#]);
    Ok(())
}

#[tokio::test]
async fn a_rule_answers_a_tool_that_asks_by_itself() -> Result<(), BuildError> {
    let policy = PermissionPolicy::new()
        .rule(Rule::allow("ask:wonder").target("it"))
        .rule(Rule::deny("ask:wonder").target("that"));
    let session = builder()
        .policy(policy)
        .build()?
        .session(SessionInfo::new("s"));
    let mut kinds = Vec::new();
    for about in ["it", "that", "more"] {
        kinds.push(
            session
                .call("wonder", json!({"about": about}))
                .await
                .error(),
        );
    }
    let expected = [
        None,
        Some(ErrorKind::DeniedByPolicy),
        Some(ErrorKind::NoApprover),
    ];
    assert_eq!(kinds, expected);
    Ok(())
}

#[tokio::test]
async fn a_thread_can_ask_too() -> Result<(), BuildError> {
    let (session, _) = scripted([Answer::Once])?;
    let results = [
        session.call("wonder_blocking", "{}").await,
        session.call("wonder_blocking", "{}").await,
    ];
    let kinds = results.map(|result| result.error());
    assert_eq!(kinds, [None, Some(ErrorKind::DeniedByUser)]);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_question_holds_up_only_what_could_not_run_beside_its_call() -> Result<(), BuildError> {
    let (approver, mut questions) = approver::channel();
    let runtime = builder().approver(approver.clone()).build()?;
    let session = runtime.session(SessionInfo::new("s"));
    let mut events = session.events();
    let step = session.clone();
    let running = tokio::spawn(async move {
        let calls = [
            ToolCall::new("look", json!({"n": 1})).id("before"),
            ToolCall::new("deploy", to("a")).id("asked"),
            ToolCall::new("look", json!({"n": 2})).id("beside"),
            ToolCall::new("save", json!({"text": "x"})).id("alone"),
            ToolCall::new("look", json!({"n": 3})).id("after"),
        ];
        step.execute(calls).await
    });
    let first = questions.next().await;
    let second = questions.next().await;
    let asked = [first, second].map(|question| question.map(|question| question.id));
    assert_eq!(asked, [Some(0), Some(1)]);
    settle().await;
    let mut started = || {
        let mut ids = Vec::new();
        while let Some(Some(event)) = futures_util::FutureExt::now_or_never(events.next()) {
            if let Event::Call(event) = event
                && matches!(event.kind, EventKind::Started)
            {
                ids.push(event.id);
            }
        }
        ids
    };
    assert_eq!(started(), ["before", "beside"]);
    // A yes to the later one changes nothing for those before it.
    assert!(approver.answer(1, Answer::Once));
    settle().await;
    assert_eq!(started(), [""; 0]);
    assert!(approver.answer(0, Answer::Reject("no".into())));
    let results = running.await.unwrap_or_default();
    assert_eq!(started(), ["alone", "after"]);
    let kinds: Vec<_> = results
        .iter()
        .map(|result| (result.id(), result.error()))
        .collect();
    assert_eq!(
        kinds,
        [
            ("before", None),
            ("asked", Some(ErrorKind::DeniedByUser)),
            ("beside", None),
            ("alone", None),
            ("after", None),
        ]
    );
    Ok(())
}

#[tokio::test]
async fn many_questions_are_raised_in_call_order() -> Result<(), BuildError> {
    let (approver, mut questions) = approver::channel();
    let runtime = builder().approver(approver.clone()).build()?;
    let session = runtime.session(SessionInfo::new("s"));
    let calls: Vec<_> = (0..100)
        .map(|number| ToolCall::new("deploy", to(&number.to_string())).id(number.to_string()))
        .collect();
    let running = tokio::spawn(async move { session.execute(calls).await });
    for number in 0..100 {
        let question = questions.next().await;
        let id = question
            .as_ref()
            .and_then(|question| question.request.call_id());
        assert_eq!(id, Some(&*number.to_string()));
    }
    for question in approver.open() {
        assert!(approver.answer_code(&format!(" {} ", question.code), Answer::Once));
    }
    let results = running.await.unwrap_or_default();
    assert_eq!(results.len(), 100);
    assert!(results.iter().all(|result| result.error().is_none()));
    assert!(approver.open().is_empty());
    Ok(())
}

#[tokio::test]
async fn equal_questions_share_an_answer() -> Result<(), BuildError> {
    let (approver, mut questions) = approver::channel();
    let runtime = builder().approver(approver.clone()).build()?;
    let session = runtime.session(SessionInfo::new("s"));
    let calls = [
        ToolCall::new("deploy", r#"{"env": "a"}"#),
        ToolCall::new("deploy", r#" {"env":"a"}"#),
        ToolCall::new("deploy", r#"{"env": "b"}"#),
        ToolCall::new("burn", "{}"),
        ToolCall::new("burn", "{}"),
    ];
    let running = tokio::spawn(async move { session.execute(calls).await });
    let mut open = Vec::new();
    for _ in 0..4 {
        open.extend(questions.next().await);
    }
    settle().await;
    assert_eq!(
        approver.open().len(),
        4,
        "a critical one is asked for each call"
    );
    for question in open {
        let answer = match question.request.arguments() {
            Some(text) if text.contains('a') => Answer::Once,
            _ => Answer::Reject("no".into()),
        };
        assert!(approver.answer(question.id, answer));
    }
    let kinds: Vec<_> = running
        .await
        .unwrap_or_default()
        .iter()
        .map(|result| result.error().is_none())
        .collect();
    assert_eq!(kinds, [true, true, false, false, false]);
    Ok(())
}

#[tokio::test]
async fn a_shared_answer_is_kept_once() -> Result<(), BuildError> {
    for answer in [Answer::Always, Answer::Never] {
        let (approver, mut questions) = approver::channel();
        let grants = Arc::new(MemoryGrants::default());
        let runtime = builder()
            .approver(approver.clone())
            .grants(Arc::clone(&grants))
            .build()?;
        let session = runtime.session(SessionInfo::new("s"));
        let calls = vec![ToolCall::new("deploy", to("a")); 3];
        let running = tokio::spawn(async move { session.execute(calls).await });
        let question = questions.next().await;
        settle().await;
        assert!(question.is_some_and(|question| approver.answer(question.id, answer)));
        assert_eq!(running.await.unwrap_or_default().len(), 3);
        assert_eq!(grants.rules().len(), 1);
    }
    Ok(())
}

#[tokio::test]
async fn an_answer_for_the_session_is_for_the_user_who_was_asked_for() -> Result<(), BuildError> {
    let approver = ScriptedApprover::new([Answer::Session, Answer::Turn]);
    let runtime = builder().approver(approver.clone()).build()?;
    let of = |user: &str| runtime.session(SessionInfo::new("group").subject(Subject::user(user)));
    let (li, wu) = (of("li"), of("wu"));
    li.begin_turn(TurnInfo::new("1"));
    for session in [&li, &li, &wu, &wu, &li] {
        assert_eq!(deployed(session, "a").await, None);
    }
    assert_eq!(approver.questions().len(), 2);
    assert_eq!(
        deployed(&of("chen"), "a").await,
        Some(ErrorKind::DeniedByUser)
    );
    Ok(())
}

#[tokio::test]
async fn an_answer_settles_the_questions_that_it_covers() -> Result<(), BuildError> {
    let (approver, mut questions) = approver::channel();
    let runtime = builder().approver(approver.clone()).build()?;
    let session = runtime.session(SessionInfo::new("s"));
    let calls: Vec<_> = ["one", "two", "three"]
        .map(|text| ToolCall::new("save", json!({"text": text})))
        .into();
    let running = tokio::spawn(async move { session.execute(calls).await });
    let first = questions.next().await;
    settle().await;
    assert_eq!(approver.open().len(), 3);
    assert!(first.is_some_and(|first| approver.answer(first.id, Answer::Session)));
    let results = running.await.unwrap_or_default();
    assert!(
        results.iter().all(|result| result.error().is_none()),
        "{results:?}"
    );
    assert!(approver.open().is_empty());
    Ok(())
}

/// Never answers, and counts who waits.
#[derive(Clone, Default)]
struct Silent(Arc<Mutex<i32>>);

impl Silent {
    fn waiting(&self) -> i32 {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, by: i32) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) += by;
    }
}

struct Waiting(Silent);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.count(-1);
    }
}

impl Approver for Silent {
    fn ask<'a>(&'a self, _: &'a ApprovalRequest) -> BoxFuture<'a, Answer> {
        Box::pin(async {
            self.count(1);
            let _waiting = Waiting(self.clone());
            std::future::pending().await
        })
    }
}

/// What may end a question that nobody answers.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Abort,
    Cancel,
    Drop,
    Timeout,
}

#[tokio::test(start_paused = true)]
async fn a_question_that_ends_unanswered_denies_and_leaves_nothing() -> Result<(), BuildError> {
    for tool in ["deploy", "wonder", "wonder_blocking"] {
        for end in [End::Abort, End::Cancel, End::Drop, End::Timeout] {
            for count in [1, 3] {
                unanswered(tool, end, count).await?;
            }
        }
    }
    Ok(())
}

async fn unanswered(tool: &'static str, end: End, count: usize) -> Result<(), BuildError> {
    let case = format!("{tool} {end:?} {count}");
    let silent = Silent::default();
    let runtime = builder()
        .approver(silent.clone())
        .approval_timeout(Duration::from_secs(60))
        .build()?;
    let session = runtime.session(SessionInfo::new("s"));
    let arguments = match tool {
        "deploy" => to("a"),
        "wonder" => json!({"about": "it"}),
        _ => json!({}),
    };
    let calls: Vec<_> = (0..count)
        .map(|_| ToolCall::new(tool, arguments.clone()).id("id"))
        .collect();
    let (step, mut events) = (session.clone(), session.events());
    let running = tokio::spawn(async move { step.execute(calls).await });
    let mut asked = 0;
    while asked < count {
        if let Some(Event::Call(event)) = events.next().await {
            asked += usize::from(matches!(event.kind, EventKind::Asked { .. }));
        }
    }
    while silent.waiting() == 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(session.pending().len(), 1, "{case}");
    match end {
        End::Abort => assert_eq!(session.abort(), count, "{case}"),
        End::Cancel => assert_eq!(session.cancel("id"), count, "{case}"),
        End::Drop => running.abort(),
        // By hand: while a thread waits, time does not pass by itself.
        End::Timeout => {
            while !running.is_finished() {
                tokio::time::advance(Duration::from_secs(61)).await;
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }
    let results = running.await.unwrap_or_default();
    let expected = match end {
        End::Abort | End::Cancel => ErrorKind::Cancelled,
        End::Timeout => ErrorKind::Expired,
        End::Drop => ErrorKind::Failed,
    };
    let expected = if end == End::Drop {
        vec![]
    } else {
        vec![Some(expected); count]
    };
    let kinds: Vec<_> = results.iter().map(|result| result.error()).collect();
    assert_eq!(kinds, expected, "{case}");
    // A thread hears of it a moment later.
    for _ in 0..1_000 {
        if silent.waiting() == 0 && session.pending().is_empty() && session.abort() == 0 {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(1));
        settle().await;
    }
    panic!("{case}: {} wait, {:?}", silent.waiting(), session.pending());
}

#[tokio::test(start_paused = true)]
async fn an_approval_does_not_keep() -> Result<(), BuildError> {
    let approver = ScriptedApprover::new([Answer::Once]);
    let runtime = Runtime::builder()
        .tools(tools![slow, save])
        .policy(PermissionPolicy::new())
        .approver(approver)
        .approval_timeout(Duration::from_secs(5))
        .build()?;
    let session = runtime.session(SessionInfo::new("s"));
    let calls = [
        ToolCall::new("slow", "{}"),
        ToolCall::new("save", json!({"text": "x"})),
    ];
    let results = session.execute(calls).await;
    assert_eq!(
        results[1].text(),
        "error (expired): the approval of the call has expired; nothing was run; do not try it again"
    );
    Ok(())
}

/// Takes its time
#[tool(traits(effect = "read"))]
async fn slow() {
    tokio::time::sleep(Duration::from_secs(10)).await;
}

#[tokio::test]
async fn without_a_timer_a_question_does_not_hang() -> Result<(), BuildError> {
    let silent = Silent::default();
    let runtime = builder().approver(silent).build()?;
    let session = runtime.session(SessionInfo::new("s"));
    let bare = std::thread::spawn(move || {
        futures_util::FutureExt::now_or_never(async move { session.call("burn", "{}").await })
    });
    let result = bare.join().ok().flatten();
    let kind = result.and_then(|result| result.error());
    assert_eq!(kind, Some(ErrorKind::Unavailable));
    Ok(())
}

/// The questions of a session that is gone.
async fn left_behind(calls: Vec<ToolCall>) -> Result<Vec<String>, Box<dyn Error>> {
    let runtime = builder().approver(Silent::default()).build()?;
    let subject = Subject::user("li");
    let session = runtime.session(SessionInfo::new("s").subject(subject));
    let step = session.clone();
    let running = tokio::spawn(async move { step.execute(calls).await });
    while session.pending().is_empty() {
        tokio::task::yield_now().await;
    }
    let pending = session.pending();
    running.abort();
    let texts = pending.iter().map(serde_json::to_string);
    Ok(texts.collect::<Result<_, _>>()?)
}

#[tokio::test]
async fn a_question_can_be_answered_by_another_process() -> Result<(), Box<dyn Error>> {
    let calls = vec![ToolCall::new("deploy", to("a")).id("call_1")];
    let [text] = &left_behind(calls).await?[..] else {
        return Err("one question was expected".into());
    };
    let pending = || serde_json::from_str::<PendingApproval>(text);
    assert_eq!(pending()?.call_id.as_deref(), Some("call_1"));
    assert_eq!(pending()?.targets, ["a"]);
    let li = || SessionInfo::new("s").subject(Subject::user("li"));
    let resumed = async |builder: RuntimeBuilder, info: SessionInfo, answer| {
        let session = builder.build()?.session(info);
        Ok::<_, Box<dyn Error>>(session.resume(pending()?, answer).await)
    };
    let yes = resumed(builder(), li(), Answer::Once).await?;
    assert_eq!((yes.id(), &*yes.text()), ("call_1", "deployed a"));
    let no = resumed(builder(), li(), Answer::Reject("no".into())).await?;
    assert_eq!(no.error(), Some(ErrorKind::DeniedByUser));
    let edited = resumed(builder(), li(), Answer::Edited(to("b"))).await?;
    assert_eq!(edited.text(), "deployed b");
    // The policy has changed since.
    let denying = || PermissionPolicy::new().deny("deploy:*");
    let denied = resumed(builder().policy(denying()), li(), Answer::Once).await?;
    assert_eq!(denied.error(), Some(ErrorKind::DeniedByPolicy));
    // It is somebody else's.
    for other in [
        SessionInfo::new("s"),
        SessionInfo::new("t").subject(Subject::user("li")),
    ] {
        let refused = resumed(builder(), other, Answer::Once).await?;
        assert_eq!(refused.error(), Some(ErrorKind::DeniedByUser));
    }
    // It comes too late.
    let mut late = pending()?;
    late.expires_at = late.asked_at;
    let session = builder().build()?.session(li());
    let late = session.resume(late, Answer::Once).await;
    assert_eq!(late.error(), Some(ErrorKind::Expired));
    // The question is another one by now, and nobody is there to answer it.
    let mut other = pending()?;
    other.targets = vec!["b".to_owned()];
    let other = session.resume(other, Answer::Once).await;
    assert_eq!(other.error(), Some(ErrorKind::NoApprover));
    Ok(())
}

#[tokio::test]
async fn a_call_that_had_begun_is_not_begun_again() -> Result<(), Box<dyn Error>> {
    let calls = vec![ToolCall::new("wonder", json!({"about": "it"}))];
    let left = left_behind(calls).await?;
    let pending: PendingApproval = serde_json::from_str(&left[0])?;
    assert!(pending.has_begun);
    let session = builder()
        .build()?
        .session(SessionInfo::new("s").subject(Subject::user("li")));
    let result = session.resume(pending, Answer::Once).await;
    assert_eq!(result.error(), Some(ErrorKind::Unavailable));
    Ok(())
}

#[tokio::test]
async fn a_channel_whose_other_end_is_gone_refuses() -> Result<(), BuildError> {
    let (approver, questions) = approver::channel();
    drop(questions);
    let session = builder()
        .approver(approver)
        .build()?
        .session(SessionInfo::new("s"));
    let refused = session.call("burn", "{}").await;
    assert_eq!(
        refused.text(),
        "error (denied_by_user): the call was refused: nobody takes questions any more; nothing was run; do not try it again"
    );
    Ok(())
}

/// What was written to it.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        log.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Logs in
#[tool]
async fn login(user: &str, #[arg(secret)] password: &str) -> usize {
    user.len() + password.len()
}

#[tokio::test]
async fn every_decision_is_a_line_of_the_audit_log() -> Result<(), Box<dyn Error>> {
    let log = Log::default();
    let runtime = Runtime::builder()
        .tools(tools![login, look])
        .policy(PermissionPolicy::new().ask("tool:login"))
        .approver(ScriptedApprover::new([Answer::Session]))
        .audit(log.clone())
        .build()?;
    let subject = Subject::user("li").platform("matrix");
    let session = runtime.session(SessionInfo::new("s").agent("planner").subject(subject));
    session.call("look", json!({"n": 1})).await;
    let login = ToolCall::new("login", json!({"user": "li", "password": "cod"})).id("call_1");
    session.execute([login]).await;
    let refused = session
        .authorize(Permission::new("plugin:load").target("x"))
        .await;
    assert!(refused.is_err());
    let bytes = log.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let text = String::from_utf8(bytes)?;
    assert!(!text.contains("cod"), "{text}");
    let mut lines = text
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<Vec<Value>, _>>()?;
    let times: Vec<_> = lines.iter_mut().map(|line| line["at"].take()).collect();
    assert!(
        times
            .iter()
            .all(|at| at.as_str().is_some_and(|at| at.ends_with('Z')))
    );
    let who = |mut line: Value| {
        line["at"] = Value::Null;
        line["session"] = json!("s");
        line["agent"] = json!("planner");
        line["user"] = json!("li");
        line["platform"] = json!("matrix");
        line
    };
    let arguments = r#"{"user":"li","password":"***"}"#;
    let rule = json!({"verdict": "ask", "action": "tool:login"});
    let expected = [
        json!({"event": "judged", "call": "", "tool": "look", "arguments": r#"{"n":1}"#,
            "action": "tool:look", "targets": [], "verdict": "allow", "reason": "the tool only reads"}),
        json!({"event": "judged", "call": "call_1", "tool": "login", "arguments": arguments,
            "action": "tool:login", "targets": [], "verdict": "ask",
            "reason": "the policy says ask `tool:login`", "rule": rule}),
        json!({"event": "answered", "call": "call_1", "tool": "login", "arguments": arguments,
            "action": "tool:login", "targets": [], "verdict": "session",
            "reason": "the policy says ask `tool:login`", "by": "approver"}),
        json!({"event": "judged", "action": "plugin:load", "targets": ["x"], "verdict": "ask",
            "reason": "the tool executes and no rule covers it"}),
        json!({"event": "answered", "action": "plugin:load", "targets": ["x"], "verdict": "reject",
            "reason": "the call was refused: the test has no more answers; nothing was run; do not try it again", "by": "approver"}),
    ];
    for (line, expected) in lines.iter().zip(expected.map(who)) {
        assert_eq!(*line, expected);
    }
    assert_eq!(lines.len(), 5);
    Ok(())
}
