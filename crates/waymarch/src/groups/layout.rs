//! How a formation is laid out, beyond its shape: spacing, width, angle and radius; and formations with a name.

use alloc::string::String;

use super::formation::Formation;
use super::member::MAX_GAP;
use crate::base::{Angle, Fixed};

/// A front is at most 1,024 cells wide, and a ring has a radius of at most 1,024 cells.
pub const MAX_FRONT: Fixed = Fixed::from_cells(1024);
/// The least angle of a wedge: 3,641/65,536 of a turn, which is 20 degrees.
pub const LEAST_WEDGE: Angle = Angle(3_641);
/// The greatest angle of a wedge: 29,127/65,536 of a turn, which is 160 degrees.
pub const MOST_WEDGE: Angle = Angle(29_127);

/// How a formation is laid out. The default, 0 everywhere, leaves everything to the engine.
///
/// ```
/// use waymarch::base::Fixed;
/// use waymarch::groups::{Formation, FormationLayout};
/// let wide = FormationLayout { width: Fixed::from_cells(12), ..FormationLayout::default() };
/// assert!(wide.check(&Formation::Box).is_ok());
/// let error = wide.check(&Formation::Circle).unwrap_err();
/// assert_eq!(error.to_string(), "`width` is 12: it has no effect on this formation; only on box, line, column and adaptive");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct FormationLayout {
    /// Extra room between members in cells, 0..=[`MAX_GAP`]. Not for [`Formation::Custom`].
    pub spacing: Fixed,
    /// The width of the front in cells, between the centres of its outermost members, 0..=[`MAX_FRONT`]; 0: as the shape has it. For box, line,
    /// column and adaptive, which becomes a box.
    pub width: Fixed,
    /// The angle of a wedge at its tip, [`LEAST_WEDGE`]..=[`MOST_WEDGE`]; 0: about 53 degrees.
    pub angle: Angle,
    /// The radius of the outermost ring of a circle in cells, 0..=[`MAX_FRONT`]; 0: as the members need it. Members without room on the ring form
    /// rings inside it.
    pub radius: Fixed,
}

/// A value of a [`FormationLayout`] that is out of range, or that its formation has no use for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{what}` is {value}: {expected}")]
pub struct FormationLayoutError {
    /// The name of the value.
    pub what: &'static str,
    /// The value. An angle in 1024ths of a turn.
    pub value: Fixed,
    /// What is allowed.
    pub expected: &'static str,
}

impl FormationLayout {
    /// Checks ranges, and that each value other than 0 has an effect on `formation`.
    ///
    /// # Errors
    /// [`FormationLayoutError`] with the first value that is not legal.
    pub fn check(&self, formation: &Formation) -> Result<(), FormationLayoutError> {
        let has_front =
            matches!(formation, Formation::Box | Formation::Line | Formation::Column | Formation::Adaptive);
        // In degrees: a turn has 65,536 parts.
        let angle = Fixed::from_raw(i32::from(self.angle.0) * 45 / 8);
        let within = |value: Fixed, most: Fixed| value >= Fixed::ZERO && value <= most;
        let is_wedge = self.angle >= LEAST_WEDGE && self.angle <= MOST_WEDGE;
        let checks = [
            ("spacing", self.spacing, within(self.spacing, MAX_GAP), "it must be 0..=16 cells"),
            ("width", self.width, within(self.width, MAX_FRONT), "it must be 0..=1024 cells"),
            ("angle", angle, self.angle == Angle::ZERO || is_wedge, "it must be 0, or 20..=160 degrees"),
            ("radius", self.radius, within(self.radius, MAX_FRONT), "it must be 0..=1024 cells"),
            (
                "spacing",
                self.spacing,
                self.spacing == Fixed::ZERO || !matches!(formation, Formation::Custom(_)),
                "it has no effect on slots of the game's own",
            ),
            (
                "width",
                self.width,
                self.width == Fixed::ZERO || has_front,
                "it has no effect on this formation; only on box, line, column and adaptive",
            ),
            (
                "angle",
                angle,
                self.angle == Angle::ZERO || *formation == Formation::Wedge,
                "it has no effect on this formation; only on wedge",
            ),
            (
                "radius",
                self.radius,
                self.radius == Fixed::ZERO || *formation == Formation::Circle,
                "it has no effect on this formation; only on circle",
            ),
        ];
        match checks.into_iter().find(|check| !check.2) {
            Some((what, value, _, expected)) => Err(FormationLayoutError { what, value, expected }),
            None => Ok(()),
        }
    }

    /// The values of this layout that are legal and have an effect on `formation`.
    #[must_use]
    pub fn for_formation(&self, formation: &Formation) -> Self {
        let mut layout = *self;
        while let Err(error) = layout.check(formation) {
            match error.what {
                "spacing" => layout.spacing = Fixed::ZERO,
                "width" => layout.width = Fixed::ZERO,
                "angle" => layout.angle = Angle::ZERO,
                _ => layout.radius = Fixed::ZERO,
            }
        }
        layout
    }

    /// By how much a wedge is stretched, across and along, in 1024ths: at least 1024. A wedge that is not stretched has rows half as far apart as
    /// they grow.
    pub(super) fn wedge_stretch(&self) -> (i64, i64) {
        if self.angle == Angle::ZERO {
            return (1024, 1024);
        }
        let half = Angle(self.angle.0 / 2);
        let (sine, cosine) = (i64::from(half.sin_16()).max(1), i64::from(half.cos_16()).max(1));
        ((2048 * sine / cosine).max(1024), (512 * cosine / sine).max(1024))
    }
}

/// A formation with a name and a layout, that a game defines once and orders often.
///
/// ```
/// use waymarch::base::{Fixed, cell};
/// use waymarch::groups::{Formation, FormationLayout, FormationProfile};
/// use waymarch::world::Order;
/// let layout = FormationLayout { spacing: Fixed::ONE, ..FormationLayout::default() };
/// let loose = FormationProfile { name: "loose line".into(), formation: Formation::Line, layout };
/// let order = Order::move_to(cell(30, 40)).profile(&loose);
/// assert_eq!(order, Order::move_to(cell(30, 40)).formation(Formation::Line).spacing(Fixed::ONE));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FormationProfile {
    /// The name that players and files use.
    pub name: String,
    /// The formation.
    pub formation: Formation,
    /// How it is laid out.
    pub layout: FormationLayout,
}
