//! Answers requests, a line each, as a page would: what WebAssembly says is compared with it.

use std::io::{self, BufRead, Write};

use bellwether_lab::{Limits, answer};

fn main() -> io::Result<()> {
    let mut output = io::stdout().lock();
    for request in io::stdin().lock().lines() {
        writeln!(output, "{}", answer(&request?, &Limits::BROWSER))?;
    }
    Ok(())
}
