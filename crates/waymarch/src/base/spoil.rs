//! Rubbish for lists that mean nothing between calls, so that tests notice who reads them all the same.

use alloc::vec::Vec;

/// Makes all entries of a list rubbish, and adds one.
pub(crate) fn spoil<T: Clone>(list: &mut Vec<T>, rubbish: T) {
    list.fill(rubbish.clone());
    list.push(rubbish);
}
