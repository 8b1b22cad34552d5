//! Settings with a fixed list of values.

/// Declares a setting with a fixed list of values, written in kebab-case.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub enum $name { $($(#[$vdoc])* #[cfg_attr(feature = "serde", serde(rename = $text))] $variant,)+ }

        impl $name {
            /// Every value, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name in files.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }
        }

        crate::base::persist_choices! { $name { $($variant),+ } }
    };
}

choice! {
    /// How units avoid each other.
    AvoidanceModel {
        /// Simplified reciprocal avoidance: a unit keeps passing on the side it chose.
        OrcaLite = "orca-lite",
        /// Optimal reciprocal collision avoidance (ORCA): half-planes and linear programming.
        #[default] Orca = "orca",
        /// Boids: separation, alignment and cohesion.
        SimpleBoids = "simple-boids",
        /// Sampled velocity obstacles.
        VoSampling = "vo-sampling",
        /// No avoidance: the game itself keeps units apart.
        None = "none",
    }
}

choice! {
    /// Which units push others out of their way.
    PushMechanics {
        /// Units that stand still are obstacles: they are not pushed and do not make way.
        None = "none",
        /// Allies that stand still and do not hold their position make way and are pushed. Other units that stand still are obstacles.
        #[default] Gentle = "gentle",
        /// As `gentle`. Units also press through enemies and holding units that stand in their way, and shove them aside slowly.
        Aggressive = "aggressive",
    }
}

choice! {
    /// The formation of a group whose order names none.
    FormationType {
        /// Chosen by the size of the group and the ground.
        #[default] Adaptive = "adaptive",
        /// The shape the selection had.
        Relative = "relative",
        /// A block.
        Box = "box",
        /// One rank, side by side.
        Line = "line",
        /// One file, one behind the other.
        Column = "column",
        /// A wedge.
        Wedge = "wedge",
        /// A ring.
        Circle = "circle",
        /// Spread out.
        Scatter = "scatter",
        /// Hexagonal packing.
        Hex = "hex",
    }
}

choice! {
    /// How fast the members of a group move.
    GroupSpeed {
        /// Each member at its own speed.
        #[default] Own = "own",
        /// All members at the speed of the slowest, so that the group stays together.
        Slowest = "slowest",
    }
}

choice! {
    /// Whether groups whose order names a formation hold it on the way.
    FormationMarch {
        /// They form up at the goal. Crowds get there soonest.
        #[default] Goal = "goal",
        /// They hold it at the mean speed of their members, and wait for no member.
        Close = "close",
        /// They hold it at the speed of the slowest member, and wait for members that lag.
        Wait = "wait",
    }
}

choice! {
    /// What happens to units on ground that an edit has closed: under a new building, or where a bridge is gone.
    Eviction {
        /// They stay. With an order they head for open ground by themselves.
        #[default] Stay = "stay",
        /// They walk straight to the nearest open cell, through the building. Their orders wait until then.
        Walk = "walk",
        /// They are put onto the nearest free cell at once.
        Put = "put",
        /// They are removed.
        Die = "die",
    }
}

choice! {
    /// How a route of cells is smoothed before units follow it.
    PathSmoothing {
        /// Not at all.
        None = "none",
        /// String pulling.
        #[default] Funnel = "funnel",
        /// String pulling, then rounded turns.
        Spline = "spline",
    }
}

choice! {
    /// How often units check their routes after the map has changed. Routes are not checked while nothing changes.
    RepathFrequency {
        /// Every 8 ticks.
        Low = "low",
        /// Every 4 ticks.
        Medium = "medium",
        /// Every 2 ticks.
        High = "high",
        /// Every tick.
        #[default] Adaptive = "adaptive",
    }
}

choice! {
    /// Which players' units heed threat.
    InfluenceAvoidance {
        /// No units.
        None = "none",
        /// Units of computer players.
        #[default] AiOnly = "ai-only",
        /// All units.
        All = "all",
    }
}
