//! The terminal while it gives single keys.

#[cfg(not(unix))]
pub(super) use others::Keyboard;
#[cfg(unix)]
pub(super) use unix::Keyboard;

#[cfg(unix)]
mod unix {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::Errno;
    use rustix::termios::{OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcsetattr};
    use std::fs::File;
    use std::io::{self, IsTerminal};
    use std::os::fd::{AsFd, OwnedFd};
    use std::sync::{Mutex, PoisonError};

    /// How soon a question hears that it was withdrawn: 50 ms.
    const SOON: Timespec = Timespec {
        tv_sec: 0,
        tv_nsec: 50_000_000,
    };

    pub(in super::super) struct Keyboard {
        input: OwnedFd,
        /// How the terminal was, until it is given back for good.
        before: Mutex<Option<Termios>>,
    }

    impl Keyboard {
        /// Makes the terminal give keys one by one, without echo.
        pub(in super::super) fn open() -> io::Result<Self> {
            let input = input()?;
            let before = tcgetattr(&input)?;
            let mut raw = before.clone();
            raw.make_raw();
            raw.output_modes = before.output_modes;
            tcsetattr(&input, OptionalActions::Now, &raw)?;
            let before = Mutex::new(Some(before));
            Ok(Self { input, before })
        }

        /// Drops the keys that nobody has read.
        pub(in super::super) fn forget(&self) -> io::Result<()> {
            Ok(tcflush(&self.input, QueueSelector::IFlush)?)
        }

        /// Waits a moment for a key.
        pub(in super::super) fn has_key(&self) -> io::Result<bool> {
            let mut waited = [PollFd::new(&self.input, PollFlags::IN)];
            match poll(&mut waited, Some(&SOON)) {
                Ok(ready) => Ok(ready > 0),
                Err(Errno::INTR) => Ok(false),
                Err(error) => Err(error.into()),
            }
        }

        /// Makes the terminal what it was, unless it was given back.
        pub(in super::super) fn restore(&self) {
            let before = self.before.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(before) = &*before {
                let _ = tcsetattr(&self.input, OptionalActions::Now, before);
            }
        }

        /// Gives the terminal back: from now on it may be somebody else's.
        pub(in super::super) fn close(&self) {
            self.restore();
            let mut before = self.before.lock().unwrap_or_else(PoisonError::into_inner);
            *before = None;
        }
    }

    /// Where keys are read from, as `console` has it.
    fn input() -> io::Result<OwnedFd> {
        let stdin = io::stdin();
        if stdin.is_terminal() {
            return stdin.as_fd().try_clone_to_owned();
        }
        let terminal = File::options().read(true).write(true).open("/dev/tty")?;
        Ok(terminal.into())
    }
}

/// Where nothing but a key ends the wait for one.
#[cfg(not(unix))]
mod others {
    use std::io;

    pub(in super::super) struct Keyboard;

    impl Keyboard {
        pub(in super::super) fn open() -> io::Result<Self> {
            Ok(Self)
        }

        pub(in super::super) fn forget(&self) -> io::Result<()> {
            Ok(())
        }

        pub(in super::super) fn has_key(&self) -> io::Result<bool> {
            Ok(true)
        }

        pub(in super::super) fn restore(&self) {}

        pub(in super::super) fn close(&self) {}
    }
}
