//! One file of several: tar (POSIX ustar) under zstd. Owners and times are left at 0, so that the same
//! files make the same archive.

use ruzstd::encoding::{CompressionLevel, compress_to_vec};

const BLOCK: usize = 512;

/// An archive of files in a folder. `None` if a name is longer than the format takes.
pub(super) fn pack<'f>(
    folder: &str,
    files: impl Iterator<Item = (&'f str, &'f str)>,
) -> Option<Vec<u8>> {
    let mut tar = Vec::new();
    for (name, text) in files {
        tar.extend(header(&format!("{folder}/{name}"), text.len())?);
        tar.extend(text.as_bytes());
        tar.resize(tar.len().next_multiple_of(BLOCK), 0);
    }
    // Two empty blocks end it.
    tar.resize(tar.len() + 2 * BLOCK, 0);
    Some(compress_to_vec(&tar[..], CompressionLevel::Fastest))
}

/// The header of a file.
fn header(name: &str, size: usize) -> Option<[u8; BLOCK]> {
    let mut block = [0; BLOCK];
    let mut put = |at: usize, text: &[u8]| block[at..at + text.len()].copy_from_slice(text);
    if name.len() >= 100 || size >= 1 << 33 {
        return None;
    }
    put(0, name.as_bytes());
    put(100, b"0000644\0");
    put(108, b"0000000\0");
    put(116, b"0000000\0");
    put(124, format!("{size:011o}\0").as_bytes());
    put(136, b"00000000000\0");
    // The sum is taken with blanks where it will stand.
    put(148, b"        ");
    put(156, b"0");
    put(257, b"ustar\x0000");
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Some(block)
}
