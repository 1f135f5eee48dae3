//! `bellwether lab`: the page on which to try elections, served here or written as a site.

mod export;
mod server;

use std::io::{ErrorKind, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::ExitCode;

use bellwether_console::failure::{self, Done, Failure};
use bellwether_console::progress;
use clap::Args;
use serde_json::json;
use tokio::runtime;
use tokio::sync::oneshot;

use self::server::Server;
use crate::args::few;

/// `bellwether lab`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  bellwether lab                                   serves the page on this machine, for itself alone
  bellwether lab --port 0                          on any free port
  bellwether lab --host 0.0.0.0                    for everybody who can reach this machine
  web/build-wasm lab.wasm && bellwether lab --export site --wasm lab.wasm
                                                   a site that needs no server of ours

It prints the address, which a browser opens, and runs until Ctrl-C. Nothing is stored:
an election is in its link.")]
pub struct LabArgs {
    /// The port; 0 takes a free one
    #[arg(
        long, value_name = "P", default_value_t = 4242, value_parser = few::<0, { u16::MAX as u32 }>,
        allow_hyphen_values = true, conflicts_with = "export"
    )]
    pub port: u32,
    /// The address of this machine under which the page is reached
    #[arg(
        long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_parser = address,
        conflicts_with = "export"
    )]
    pub host: IpAddr,
    /// Write the page as a static site into a folder instead
    #[arg(long, value_name = "DIR")]
    pub export: Option<PathBuf>,
    /// The program for browsers, as web/build-wasm makes it
    #[arg(long, value_name = "FILE", requires = "export")]
    pub wasm: Option<PathBuf>,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

fn address(text: &str) -> Result<IpAddr, String> {
    text.parse().map_err(|_| "an address of this machine in numbers is wanted, as in 127.0.0.1 or 0.0.0.0".into())
}

/// Serves the page, or writes it.
pub fn lab(args: &LabArgs) -> Done {
    match (&args.export, &args.wasm) {
        (Some(_), None) => {
            let reason =
                "a site needs the program for browsers: web/build-wasm lab.wasm makes it, then add --wasm lab.wasm";
            return Err(Failure::Usage(reason.into()));
        }
        (Some(folder), Some(wasm)) => {
            let files = export::export(folder, wasm)?;
            let told = if args.json {
                json!({"folder": folder.display().to_string(), "files": files}).to_string()
            } else {
                format!(
                    "{files} files in {}: any web server hosts them, and {} alone opens from disk",
                    folder.display(),
                    export::SINGLE
                )
            };
            failure::unless_closed(tell(&told))?;
        }
        (None, _) => serve(args)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn tell(line: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}

/// Serves the page until somebody stops it.
fn serve(args: &LabArgs) -> Result<(), Failure> {
    let wanted = SocketAddr::new(args.host, args.port as u16);
    let here = PathBuf::from(format!("http://{wanted}/"));
    let refused = |error: std::io::Error| match error.kind() {
        ErrorKind::AddrInUse => Failure::file(&here, "another program serves there; --port 0 takes a free port"),
        _ => Failure::file(&here, error),
    };
    let listener = TcpListener::bind(wanted).map_err(refused)?;
    listener.set_nonblocking(true).map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(refused)?;
    let (stop, stopped) = oneshot::channel();
    let stop = std::sync::Mutex::new(Some(stop));
    progress::stop_on_request(
        move || {
            let stop = stop.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
            let _ = stop.map(|stop| stop.send(()));
        },
        || {},
    );
    let serving = {
        let _guard = runtime.enter();
        let listener = tokio::net::TcpListener::from_std(listener).map_err(refused)?;
        axum::serve(listener, Server::new(address).router())
    };
    let task = runtime.spawn(serving.into_future());
    let shown = format!("http://{}/", reachable(address));
    failure::unless_closed(tell(&if args.json { json!({"address": shown}).to_string() } else { shown }))?;
    if !args.json {
        let _ = writeln!(anstream::stderr(), "Open this address in a browser. Ctrl-C stops the lab.");
    }
    // The sender lives as long as the program.
    let _ = runtime.block_on(stopped);
    task.abort();
    // Work that is under way ends with the program.
    runtime.shutdown_background();
    Ok(())
}

/// The address as a browser on this machine reaches it.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        ip if !ip.is_unspecified() => ip,
        IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(_) => IpAddr::V6(std::net::Ipv6Addr::LOCALHOST),
    };
    SocketAddr::new(ip, address.port())
}
