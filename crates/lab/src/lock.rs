//! One writer per store.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use crate::error::{LabError, Result};

/// A lock beside a store. The operating system lets it go when the process ends, however it ends,
/// so it never has to be removed by hand; the file itself stays.
///
/// It is a file of its own because SQLite's locks on the store are lost when any handle of the
/// process to the store's file is closed.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
}

/// A process that another thread is just starting shares the file until its program is loaded, and would
/// keep the lock so long if closing the file were all.
impl Drop for Lock {
    fn drop(&mut self) {
        // What cannot be unlocked is unlocked by closing it.
        let _ = self.file.unlock();
    }
}

impl Lock {
    /// Takes the lock of a store, or says that somebody else has it.
    pub(crate) fn take(store: &Path) -> Result<Lock> {
        let path = beside(store, ".lock");
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(|e| LabError::io(store, "make the store", e))?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { file }),
            Err(TryLockError::WouldBlock) => Err(LabError::Busy { path: store.to_owned() }),
            Err(TryLockError::Error(e)) => Err(LabError::io(store, "lock the store", e)),
        }
    }
}

/// The path of a file that belongs to a store.
pub(crate) fn beside(store: &Path, suffix: &str) -> PathBuf {
    let mut name = store.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
