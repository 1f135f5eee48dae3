//! Writes a PNG file: a few chunks, one of them with all rows, compressed.

use miniz_oxide::deflate::compress_to_vec_zlib;
use tiny_skia::Pixmap;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// 8 bits each for red, green, blue and opacity; the standard compression and filtering; not interlaced.
const FORM: [u8; 5] = [8, 6, 0, 0, 0];

/// The filter byte of each row: no filter. Lines and plain areas compress better this way.
const UNFILTERED: u8 = 0;

/// The compression level, from 0 to 10. Higher levels save a few percent and take twice as long.
const EFFORT: u8 = 4;

/// The pixels as a PNG file.
pub fn write(pixels: Pixmap) -> Vec<u8> {
    let (width, height) = (pixels.width(), pixels.height());
    let colours = pixels.take_demultiplied();
    let mut rows = Vec::with_capacity(colours.len() + height as usize);
    for row in colours.chunks(4 * width as usize) {
        rows.push(UNFILTERED);
        rows.extend_from_slice(row);
    }
    drop(colours);
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &FORM].concat();
    let mut file = SIGNATURE.to_vec();
    chunk(*b"IHDR", &header, &mut file);
    chunk(*b"IDAT", &compress_to_vec_zlib(&rows, EFFORT), &mut file);
    chunk(*b"IEND", &[], &mut file);
    file
}

/// Writes a chunk: its length, its kind, its data, and a checksum of kind and data.
fn chunk(kind: [u8; 4], data: &[u8], file: &mut Vec<u8>) {
    file.extend((data.len() as u32).to_be_bytes());
    file.extend(kind);
    file.extend(data);
    let step = |sum: u32, byte: &u8| SUMS[(sum as u8 ^ byte) as usize] ^ sum >> 8;
    file.extend((!kind.iter().chain(data).fold(!0, step)).to_be_bytes());
}

/// The table of CRC-32, by byte.
const SUMS: [u32; 256] = {
    let mut sums = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut sum = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            sum = sum >> 1 ^ if sum & 1 == 1 { 0xedb8_8320 } else { 0 };
            bit += 1;
        }
        sums[byte] = sum;
        byte += 1;
    }
    sums
};
