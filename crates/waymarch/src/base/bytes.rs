//! State as bytes, for snapshots, replays and rollback.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{Display, Formatter};

use super::{Agent, Angle, CellPos, CellRect, Fixed, GridSize, Id, LocomotorId, SizeClass, Tick, Vec2};

/// Bytes that cannot be loaded: where, and what is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("byte {at} of the saved state: {}", Problem(.what, .versions))]
pub struct LoadError {
    /// The number of bytes before the error.
    pub at: u64,
    /// What is wrong.
    pub what: &'static str,
    /// For data of another version: the version of the data, and the version that is read here.
    pub versions: Option<[u32; 2]>,
}

impl LoadError {
    /// The message without the byte position. For data of another version it names both versions.
    #[must_use]
    pub fn problem(&self) -> impl Display {
        Problem(&self.what, &self.versions)
    }
}

/// Displays what is wrong with the bytes, and both versions if they differ.
struct Problem<'a>(&'a &'static str, &'a Option<[u32; 2]>);

impl Display for Problem<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.0)?;
        match self.1 {
            Some([found, read]) => {
                write!(f, ": the data has format version {found}, this program reads version {read}")
            }
            None => Ok(()),
        }
    }
}

/// Writes state as bytes. Numbers are little-endian and lengths have 32 bits, so that all machines write the same bytes.
///
/// ```
/// use waymarch::base::{ByteReader, ByteWriter, Persist, Tick};
/// let mut writer = ByteWriter::new();
/// Tick(7).save(&mut writer);
/// vec![1_u32, 2, 3].save(&mut writer);
/// let mut reader = ByteReader::new(writer.bytes());
/// assert_eq!(Tick::load(&mut reader)?, Tick(7));
/// assert_eq!(Vec::<u32>::load(&mut reader)?, [1, 2, 3]);
/// assert!(u8::load(&mut reader).is_err(), "nothing is left");
/// # Ok::<(), waymarch::base::LoadError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ByteWriter {
    pub(super) bytes: Vec<u8>,
}

impl ByteWriter {
    /// An empty writer.
    #[must_use]
    pub const fn new() -> Self {
        Self { bytes: Vec::new() }
    }

    /// An empty writer that reuses the memory of `bytes`.
    #[must_use]
    pub fn reusing(mut bytes: Vec<u8>) -> Self {
        bytes.clear();
        Self { bytes }
    }

    /// Removes all bytes and keeps the memory, for the next save.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    /// The bytes written so far.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes written, as a `Vec`.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Writes bytes without their count.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Writes the bytes of an iterator without their count.
    pub fn extend(&mut self, bytes: impl Iterator<Item = u8>) {
        self.bytes.extend(bytes);
    }

    /// Writes the number of items that follow.
    pub fn count(&mut self, count: usize) {
        u32::try_from(count).unwrap_or(u32::MAX).save(self);
    }

    /// Writes the number of items, then each item.
    pub fn all<T: Persist>(&mut self, items: &[T]) {
        self.count(items.len());
        items.iter().for_each(|item| item.save(self));
    }
}

/// Reads state from bytes.
///
/// For any bytes it returns a value or an error and never panics. It allocates no more memory than the bytes can fill.
#[derive(Clone, Debug)]
pub struct ByteReader<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    /// The version of the frame that the bytes lie in; `u32::MAX` outside of frames.
    pub(super) version: u32,
}

impl<'a> ByteReader<'a> {
    /// A reader that starts at the first byte.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, version: u32::MAX }
    }

    /// The version of the data, from the frame around them. Outside of frames data are of the present version: `u32::MAX`.
    #[must_use]
    pub const fn version(&self) -> u32 {
        self.version
    }

    /// The next value if the data have it: the saved form has it since version `since`. Otherwise its default.
    ///
    /// For fields that were added to a saved form: write the field in every save, and load it with this function.
    ///
    /// # Errors
    /// [`LoadError`] if the bytes are not a valid value.
    pub fn added<T: Persist>(&mut self, since: u32, default: impl FnOnce() -> T) -> Result<T, LoadError> {
        if self.version >= since { T::load(self) } else { Ok(default()) }
    }

    /// An error at the reader's position.
    #[must_use]
    pub fn error(&self, what: &'static str) -> LoadError {
        LoadError { at: self.at as u64, what, versions: None }
    }

    /// The number of bytes that are left.
    #[must_use]
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The next `len` bytes.
    ///
    /// # Errors
    /// [`LoadError`] if fewer bytes are left.
    pub fn raw(&mut self, len: usize) -> Result<&'a [u8], LoadError> {
        if len > self.left() {
            return Err(self.error("the data ends too early"));
        }
        let piece = &self.bytes[self.at..self.at + len];
        self.at += len;
        Ok(piece)
    }

    /// Reads the number of items that follow. Each item has at least `least` bytes.
    ///
    /// # Errors
    /// [`LoadError`] if fewer bytes are left than the items need.
    pub fn count(&mut self, least: usize) -> Result<usize, LoadError> {
        let count = u32::load(self)? as usize;
        if count.saturating_mul(least.max(1)) > self.left() {
            return Err(self.error("a list is longer than the rest of the data"));
        }
        Ok(count)
    }

    /// Reads a number of items and the items into `out`, whose memory is reused.
    ///
    /// # Errors
    /// [`LoadError`] if the bytes are not a list of such items.
    pub fn all<T: Persist>(&mut self, out: &mut Vec<T>) -> Result<(), LoadError> {
        out.clear();
        let count = self.count(1)?;
        out.reserve(count.min(self.left() / size_of::<T>().max(1) + 1));
        for _ in 0..count {
            out.push(T::load(self)?);
        }
        Ok(())
    }

    /// Checks that all bytes have been read.
    ///
    /// # Errors
    /// [`LoadError`] if bytes are left.
    pub fn finish(&self) -> Result<(), LoadError> {
        if self.left() == 0 { Ok(()) } else { Err(self.error("unexpected data after the end")) }
    }
}

/// A value that can be saved as bytes and loaded again, with the same result on every machine.
pub trait Persist: Sized {
    /// Writes the value.
    fn save(&self, writer: &mut ByteWriter);

    /// Reads a value.
    ///
    /// # Errors
    /// [`LoadError`] if the bytes are not a valid value.
    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError>;
}

macro_rules! integers {
    ($($int:ty)*) => {$(
        impl Persist for $int {
            #[inline]
            fn save(&self, writer: &mut ByteWriter) {
                writer.raw(&self.to_le_bytes());
            }

            #[inline]
            fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
                let mut bytes = [0; size_of::<$int>()];
                bytes.copy_from_slice(reader.raw(size_of::<$int>())?);
                Ok(Self::from_le_bytes(bytes))
            }
        }
    )*};
}

integers! { u8 u16 u32 u64 i8 i16 i32 i64 }

impl Persist for bool {
    fn save(&self, writer: &mut ByteWriter) {
        u8::from(*self).save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        match u8::load(reader)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(reader.error("a truth value is neither 0 nor 1")),
        }
    }
}

impl<T: Persist> Persist for Option<T> {
    fn save(&self, writer: &mut ByteWriter) {
        self.is_some().save(writer);
        if let Some(value) = self {
            value.save(writer);
        }
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        if bool::load(reader)? { T::load(reader).map(Some) } else { Ok(None) }
    }
}

impl Persist for String {
    fn save(&self, writer: &mut ByteWriter) {
        writer.count(self.len());
        writer.raw(self.as_bytes());
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let len = reader.count(1)?;
        let text = core::str::from_utf8(reader.raw(len)?);
        text.map(Self::from).map_err(|_| reader.error("a text is not UTF-8"))
    }
}

impl<T: Persist, U: Persist> Persist for (T, U) {
    fn save(&self, writer: &mut ByteWriter) {
        self.0.save(writer);
        self.1.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok((T::load(reader)?, U::load(reader)?))
    }
}

impl<const N: usize> Persist for [u8; N] {
    fn save(&self, writer: &mut ByteWriter) {
        writer.raw(self);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(reader.raw(N)?);
        Ok(bytes)
    }
}

impl<T: Persist> Persist for Vec<T> {
    fn save(&self, writer: &mut ByteWriter) {
        writer.all(self);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let mut items = Self::new();
        reader.all(&mut items)?;
        Ok(items)
    }
}

/// Implements [`Persist`] for structs: the fields in the given order. A field that the saved form has since version 11 is written
/// `name: kind = since 11 or default`.
macro_rules! persist_fields {
    (@load $reader:ident $kind:ty) => { <$kind as $crate::base::Persist>::load($reader)? };
    (@load $reader:ident $kind:ty, $since:literal, $default:expr) => { $reader.added::<$kind>($since, || $default)? };
    ($($name:ident { $($field:ident: $kind:ty $(= since $since:literal or $default:expr)?),* $(,)? })*) => {$(
        impl $crate::base::Persist for $name {
            fn save(&self, writer: &mut $crate::base::ByteWriter) {
                $($crate::base::Persist::save(&self.$field, writer);)*
            }

            fn load(reader: &mut $crate::base::ByteReader<'_>) -> Result<Self, $crate::base::LoadError> {
                Ok(Self { $($field: persist_fields!(@load reader $kind $(, $since, $default)?)),* })
            }
        }
    )*};
}

/// Implements [`Persist`] for enums without data: one byte, the variant's index in the given list. New variants go to the end.
macro_rules! persist_choices {
    ($($name:ident { $($variant:ident),* $(,)? })*) => {$(
        impl $crate::base::Persist for $name {
            fn save(&self, writer: &mut $crate::base::ByteWriter) {
                const ALL: &[$name] = &[$($name::$variant),*];
                // The `match` makes a forgotten variant a compile error.
                match self { $(Self::$variant => {})* }
                let place = ALL.iter().position(|one| one == self).unwrap_or(0);
                $crate::base::Persist::save(&(place as u8), writer);
            }

            fn load(reader: &mut $crate::base::ByteReader<'_>) -> Result<Self, $crate::base::LoadError> {
                const ALL: &[$name] = &[$($name::$variant),*];
                let place = usize::from(<u8 as $crate::base::Persist>::load(reader)?);
                let unknown = concat!("unknown value of ", stringify!($name));
                ALL.get(place).copied().ok_or_else(|| reader.error(unknown))
            }
        }
    )*};
}

pub(crate) use persist_choices;
pub(crate) use persist_fields;

persist_fields! {
    CellPos { x: i32, y: i32 }
    CellRect { x0: i32, y0: i32, x1: i32, y1: i32 }
    Vec2 { x: Fixed, y: Fixed }
    Agent { locomotor: LocomotorId, size: SizeClass }
}

/// A point of a route in its saved form: `x`, `y` and a height. The height is always 0; loading drops it. Points had a height until 0.2.0, and the saved
/// form keeps its place, so that hashes and saves stay as they were.
pub(crate) struct RoutePoint(pub(crate) Vec2);

impl Persist for RoutePoint {
    fn save(&self, writer: &mut ByteWriter) {
        self.0.save(writer);
        Fixed::ZERO.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let at = Vec2::load(reader)?;
        Fixed::load(reader)?;
        Ok(Self(at))
    }
}

macro_rules! persist_numbers {
    ($($name:ident($int:ty);)*) => {$(
        impl Persist for $name {
            #[inline]
            fn save(&self, writer: &mut ByteWriter) {
                self.0.save(writer);
            }

            #[inline]
            fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
                <$int>::load(reader).map(Self)
            }
        }
    )*};
}

persist_numbers! {
    Tick(u64);
    Angle(u16);
    LocomotorId(u8);
}

impl Persist for Fixed {
    #[inline]
    fn save(&self, writer: &mut ByteWriter) {
        self.raw().save(writer);
    }

    #[inline]
    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        i32::load(reader).map(Self::from_raw)
    }
}

impl Persist for GridSize {
    fn save(&self, writer: &mut ByteWriter) {
        self.width().save(writer);
        self.height().save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let (width, height) = (u32::load(reader)?, u32::load(reader)?);
        Self::new(width, height)
            .map_err(|_| reader.error("a map has no cells or is too large (each side must be 1 to 8192)"))
    }
}

impl Persist for SizeClass {
    fn save(&self, writer: &mut ByteWriter) {
        self.side().save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Self::new(u8::load(reader)?).ok_or_else(|| reader.error("a unit size must be 1 to 16"))
    }
}

impl<T> Persist for Id<T> {
    fn save(&self, writer: &mut ByteWriter) {
        self.to_bits().save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        u64::load(reader).map(Self::from_bits)
    }
}
