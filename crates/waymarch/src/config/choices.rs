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

            /// As written in files.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }
        }

        crate::base::persist_choices! { $name { $($variant),+ } }
    };
}

choice! {
    /// How units keep from bumping into each other.
    AvoidanceModel {
        /// Spec 000's reciprocal avoidance with side commitment.
        OrcaLite = "orca-lite",
        /// Full reciprocal avoidance by linear programming.
        #[default] Orca = "orca",
        /// Separation, alignment and cohesion.
        SimpleBoids = "simple-boids",
        /// Sampled velocity obstacles (spec 004).
        VoSampling = "vo-sampling",
        /// None: the game does it.
        None = "none",
    }
}

choice! {
    /// How hard units shove.
    PushMechanics {
        /// Not at all.
        None = "none",
        /// Friends nudge friends.
        #[default] Gentle = "gentle",
        /// Everyone shoves.
        Aggressive = "aggressive",
    }
}

choice! {
    /// The formation a group takes when none is named.
    FormationType {
        /// What suits the group and the ground.
        #[default] Adaptive = "adaptive",
        /// The shape the selection had.
        Relative = "relative",
        /// A block.
        Box = "box",
        /// A line abreast.
        Line = "line",
        /// A file.
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
    /// How fast the units of a group are on the way.
    GroupSpeed {
        /// Each as fast as it can.
        #[default] Own = "own",
        /// As fast as the slowest, so that they keep together.
        Slowest = "slowest",
    }
}

choice! {
    /// What is done to a route of cells before units follow it.
    PathSmoothing {
        /// Nothing.
        None = "none",
        /// String pulling.
        #[default] Funnel = "funnel",
        /// String pulling, then rounded turns (spec 004).
        Spline = "spline",
    }
}

choice! {
    /// How often a unit looks again at its route.
    RepathFrequency {
        /// Every 8 ticks.
        Low = "low",
        /// Every 4 ticks.
        Medium = "medium",
        /// Every 2 ticks.
        High = "high",
        /// More often the more the surroundings change.
        #[default] Adaptive = "adaptive",
    }
}

choice! {
    /// Who keeps away from threat.
    InfluenceAvoidance {
        /// Nobody.
        None = "none",
        /// Units of computer players.
        #[default] AiOnly = "ai-only",
        /// Everyone.
        All = "all",
    }
}
