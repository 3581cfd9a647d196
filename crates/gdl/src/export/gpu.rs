//! Random playouts on a GPU that is found at run time: the network is written as CUDA, compiled by `nvcc`
//! and run as a program of its own. Nothing here is needed to build or to test the rest.

use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use super::to_cuda;
use crate::Network;

/// What random playouts on a GPU came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GpuPlayouts {
    /// Playouts that came to their end.
    pub playouts: u64,
    /// Moves of all playouts.
    pub moves: u64,
    /// Seconds on the GPU.
    pub seconds: f64,
}

/// Plays at random on the GPU for so long. The program refuses to tell a figure unless its first threads
/// agree with the processor to the bit.
///
/// The compiler is `nvcc` on the path, or what the environment's `NVCC` names.
///
/// # Errors
/// If there is no compiler or no GPU, or if GPU and processor differ.
pub fn gpu_playouts(network: &Network, span: Duration) -> Result<GpuPlayouts, String> {
    let folder = tempfile::tempdir().map_err(|e| format!("no temporary folder: {e}"))?;
    let (source, program) = (folder.path().join("game.cu"), folder.path().join("game"));
    std::fs::write(&source, to_cuda(network)).map_err(|e| format!("{}: {e}", source.display()))?;
    let compiler = std::env::var_os("NVCC").unwrap_or_else(|| "nvcc".into());
    let compile = |command: &mut Command| {
        command.args(["-O3", "-arch=native", "-o"]).arg(&program).arg(&source).output()
    };
    let compiled = compile(&mut Command::new(&compiler)).map_err(|e| {
        let compiler = Path::new(&compiler).display();
        format!("a GPU needs CUDA's compiler, and {compiler} cannot be run: {e} (NVCC=… names it)")
    })?;
    printed("the compiler", &compiled)?;
    let seconds = format!("{:.3}", span.as_secs_f64());
    let run = Command::new(&program).arg(seconds).output();
    let run = run.map_err(|e| format!("the program for the GPU cannot be run: {e}"))?;
    read(&printed("the program for the GPU", &run)?)
}

/// What a program printed, if it ended well; else what it complained of.
fn printed(who: &str, output: &Output) -> Result<String, String> {
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    Err(format!("{who} failed ({}): {}", output.status, complaint.trim()))
}

/// Reads the line `playouts N moves N stuck N seconds S`.
fn read(text: &str) -> Result<GpuPlayouts, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let after = |name: &str| {
        let at = words.iter().position(|&word| word == name)?;
        words.get(at + 1).copied()
    };
    let told = || {
        Some(GpuPlayouts {
            playouts: after("playouts")?.parse().ok()?,
            moves: after("moves")?.parse().ok()?,
            seconds: after("seconds")?.parse().ok()?,
        })
    };
    told().ok_or_else(|| format!("the program for the GPU printed no figures: {}", text.trim()))
}

#[cfg(test)]
mod tests {
    use super::{GpuPlayouts, read};

    #[test]
    fn figures_are_read() {
        let text = "64 threads are the same\nplayouts 12 moves 345 stuck 0 seconds 0.25\n";
        assert_eq!(read(text), Ok(GpuPlayouts { playouts: 12, moves: 345, seconds: 0.25 }));
        assert!(read("playouts 12 moves").is_err_and(|why| why.contains("no figures")));
    }
}
