//! A program with all that it has started.

use tokio::process::Child;

/// A process group, which is killed when this is dropped.
pub(super) struct Group {
    #[cfg(unix)]
    leader: Option<rustix::process::Pid>,
}

#[cfg(unix)]
impl Group {
    /// The group that a child leads.
    pub(super) fn of(child: &Child) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        Self {
            leader: id.and_then(rustix::process::Pid::from_raw),
        }
    }

    /// Nobody has to listen.
    pub(super) fn ask_to_end(&self) {
        self.signal(rustix::process::Signal::TERM);
    }

    /// An error says that nobody is left.
    fn signal(&self, signal: rustix::process::Signal) {
        if let Some(leader) = self.leader {
            let _ = rustix::process::kill_process_group(leader, signal);
        }
    }
}

#[cfg(unix)]
impl Drop for Group {
    fn drop(&mut self) {
        self.signal(rustix::process::Signal::KILL);
    }
}

/// Elsewhere the child alone is killed, by tokio.
#[cfg(not(unix))]
impl Group {
    pub(super) fn of(_: &Child) -> Self {
        Self {}
    }

    pub(super) fn ask_to_end(&self) {}
}
