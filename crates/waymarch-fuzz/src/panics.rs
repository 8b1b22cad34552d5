//! Panics as texts.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs `work`; a panic becomes its message with its place, and is not printed.
///
/// # Errors
/// The message of the panic.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if CATCHING.get() {
                LAST_PANIC.set(info.to_string());
            } else {
                usual(info);
            }
        }));
    });
    let before = CATCHING.replace(true);
    let answer = panic::catch_unwind(AssertUnwindSafe(work));
    CATCHING.set(before);
    // A panic on a thread of a pool is printed there; here only its payload arrives.
    answer.map_err(|payload| match (LAST_PANIC.take(), payload.downcast_ref::<String>()) {
        (text, Some(payload)) if text.is_empty() => payload.clone(),
        (text, None) if text.is_empty() => String::from("a panic on another thread"),
        (text, _) => text,
    })
}
