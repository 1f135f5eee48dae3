//! `bellwether`. All of it is in the library, which can be compiled before the code of its dependencies is there.

fn main() -> std::process::ExitCode {
    bellwether_cli::main()
}
