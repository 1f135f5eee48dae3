//! `bellwether`. All code is in the library, which can be compiled before the code generation of its dependencies is
//! done.

fn main() -> std::process::ExitCode {
    bellwether_cli::main()
}
