//! How the winner tells the others, once the election has built a tree.

use bellwether_core::prelude::*;

/// Which way the announcement goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Announcement {
    /// Down the tree that the election has built: once to each node.
    Tree,
    /// Over every link, as if there were no tree.
    Flood,
}

impl Announcement {
    /// The parameter.
    pub(super) const SETTING: Setting = Setting {
        name: "announce",
        help: "the result goes down the tree, or floods every link",
        values: Values::OneOf(&["tree", "flood"]),
        meaning: Meaning::Flood,
    };

    /// What it costs.
    pub(super) const COST: Formula = Formula {
        text: "n - 1, or 2m - n + 1 if flooded",
        of: |s| if s.flood { 2.0 * s.m - s.n + 1.0 } else { s.n - 1.0 },
    };

    /// The way that was asked for.
    pub(super) fn asked(local: &Local) -> Self {
        if local.setting(Self::SETTING.name) == Some(Meaning::FLOODED) { Self::Flood } else { Self::Tree }
    }

    /// Passes the announcement on: to the children in the tree, or to all but its sender.
    pub(super) fn pass_on<'a, M: Clone>(
        self,
        from: Option<Port>,
        kids: impl IntoIterator<Item = &'a Port>,
        msg: M,
        ctx: &mut impl Context<M>,
    ) {
        match self {
            Self::Tree => kids.into_iter().for_each(|&kid| ctx.send(kid, msg.clone())),
            Self::Flood => ctx.send_all_but(from, msg),
        }
    }
}
