//! Decodes PNG files of any bit depth and colour type, interlaced or not, within limits.

use std::io::Cursor;

use png::{BitDepth, ColorType, Decoder, DecodingError, Limits, Transformations};
use waymarch::base::GridSize;

use crate::error::{FileError, FileResult, Place};

/// The decoder may allocate 64 MiB besides the pixels, for rows and ancillary chunks.
const DECODER_BYTES: usize = 64 << 20;

/// Deflate expands a byte to at most 1032 bytes. An image whose pixels take more bytes than that for each byte of the file is invalid.
const MAX_DEFLATE_RATIO: u64 = 1032;

/// How many bits of each sample to keep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Precision {
    /// Eight.
    Byte,
    /// Sixteen if the image has them.
    Full,
}

/// A decoded image, row by row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pixels {
    /// Its size, which is legal for a map.
    pub(super) size: GridSize,
    /// Whether the file stores grey values, not colours that happen to be grey.
    pub(super) is_grey: bool,
    bytes_per_sample: usize,
    samples: usize,
    data: Vec<u8>,
}

impl Pixels {
    /// Red, green and blue of every pixel in 8 bits; transparency is ignored.
    pub(super) fn colours(&self) -> impl Iterator<Item = [u8; 3]> {
        let step = self.bytes_per_sample;
        self.pixels().map(move |pixel| match self.is_grey {
            true => [pixel[0]; 3],
            false => [pixel[0], pixel[step], pixel[2 * step]],
        })
    }

    /// The first sample of every pixel and its largest possible value: the grey values of a grey image.
    pub(super) fn greys(&self) -> (u32, impl Iterator<Item = u32>) {
        let wide = self.bytes_per_sample == 2;
        let value = move |pixel: &[u8]| match wide {
            true => u32::from(u16::from_be_bytes([pixel[0], pixel[1]])),
            false => u32::from(pixel[0]),
        };
        (if wide { 65_535 } else { 255 }, self.pixels().map(value))
    }

    fn pixels(&self) -> impl Iterator<Item = &[u8]> {
        self.data.chunks_exact(self.samples * self.bytes_per_sample)
    }
}

/// Decodes a PNG of unknown origin. Before anything is unpacked, it checks that the size is legal and that the file is long enough for it.
/// Memory then grows with the rows that are read; for an interlaced image it is allocated at once.
///
/// # Errors
/// [`FileError`] if this is not a complete PNG of a legal map size, with the byte where decoding stopped.
pub(super) fn decode(name: &str, bytes: &[u8], precision: Precision) -> FileResult<Pixels> {
    let mut input = Cursor::new(bytes);
    let result = decode_from(name, bytes.len() as u64, &mut input, precision);
    result.map_err(|failure| match failure {
        Failure::Png(error) => {
            let at = input.position().min(bytes.len() as u64);
            FileError::new(name, format!("not a readable PNG: {error}")).at(Place::Byte(at))
        }
        Failure::File(error) => error,
    })
}

enum Failure {
    Png(DecodingError),
    File(FileError),
}

impl From<DecodingError> for Failure {
    fn from(error: DecodingError) -> Self {
        Self::Png(error)
    }
}

fn decode_from(
    name: &str,
    file_bytes: u64,
    input: &mut Cursor<&[u8]>,
    precision: Precision,
) -> Result<Pixels, Failure> {
    /// In a PNG file, width and height of the IHDR chunk begin at byte 16.
    const SIZE_AT: u64 = 16;
    let mut decoder = Decoder::new_with_limits(input, Limits { bytes: DECODER_BYTES });
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(match precision {
        Precision::Byte => Transformations::EXPAND | Transformations::STRIP_16,
        Precision::Full => Transformations::EXPAND,
    });
    let wrong = |problem: String| Failure::File(FileError::new(name, problem).at(Place::Byte(SIZE_AT)));
    let info = decoder.read_header_info()?;
    let size = GridSize::new(info.width, info.height).map_err(|error| wrong(error.to_string()))?;
    let raw_bytes = info.raw_row_length() as u64 * u64::from(info.height);
    if raw_bytes / MAX_DEFLATE_RATIO > file_bytes {
        return Err(wrong(format!("a file of {file_bytes} bytes is too short for {size} pixels")));
    }
    let mut reader = decoder.read_info()?;
    let (colour, depth) = reader.output_color_type();
    if let Some(frame) = reader.info().frame_control()
        && (frame.width, frame.height) != (size.width(), size.height())
    {
        return Err(wrong(format!(
            "the first frame is {}×{}, but the image is {size}",
            frame.width, frame.height
        )));
    }
    let mut data = Vec::new();
    if reader.info().interlaced {
        // The first of seven passes covers the whole image, so all rows are needed at once.
        data.resize(reader.output_buffer_size().ok_or(DecodingError::LimitsExceeded)?, 0);
        reader.next_frame(&mut data)?;
    } else {
        while let Some(row) = reader.next_row()? {
            data.extend_from_slice(row.data());
        }
    }
    reader.finish()?;
    let samples = colour.samples();
    let bytes_per_sample = if depth == BitDepth::Sixteen { 2 } else { 1 };
    if data.len() != size.cells() * samples * bytes_per_sample || colour == ColorType::Indexed {
        return Err(wrong(format!("{} bytes of pixels do not make an image of {size}", data.len())));
    }
    let is_grey = matches!(colour, ColorType::Grayscale | ColorType::GrayscaleAlpha);
    Ok(Pixels { size, is_grey, bytes_per_sample, samples, data })
}
