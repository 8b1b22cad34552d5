//! Links between corners while the hierarchy is built.

/// A link to another node during contraction. Every link exists at both of its ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) to: u32,
    pub(super) cost: u32,
    /// The number of original links that it stands for.
    pub(super) hops: u32,
    /// The two links that it is made of.
    pub(super) halves: Halves,
}

/// The two links that a link is made of. Both are links of the node `via`: one to the owner of the link, one to its other end. They are
/// given by their indices in the list of `via`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Halves {
    pub(super) via: u32,
    pub(super) to_owner: u16,
    pub(super) to_end: u16,
}

impl Halves {
    /// Marks an original link, which is not made of others.
    pub(super) const NONE: Self = Self { via: u32::MAX, to_owner: 0, to_end: 0 };

    pub(super) const fn turned(self) -> Self {
        Self { via: self.via, to_owner: self.to_end, to_end: self.to_owner }
    }
}
