//! The option `--metrics` of a coordinator and of a worker.

use super::syntax::text_arg;
use clap::{Arg, ArgMatches};
use kroo::web::Place;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

const NAME: &str = "metrics";

/// The option.
pub(super) fn metrics_arg() -> Arg {
    text_arg(
        NAME,
        "[ADDRESS:]PORT",
        "Serve what is counted, for Prometheus, at http://ADDRESS:PORT/metrics [address: 127.0.0.1, for this machine only]",
    )
    .value_parser(place)
}

/// Where the metrics are to be served, if anywhere.
pub(super) fn metrics(matches: &ArgMatches) -> Option<Place> {
    matches.get_one(NAME).copied()
}

fn place(text: &str) -> Result<Place, String> {
    let here = |port| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
    let address = text.parse().map(here).ok().or_else(|| text.parse().ok());
    let address: SocketAddr = address
        .ok_or("expected a port, or an address and a port: 9100, 0.0.0.0:9100, [::]:9100".to_owned())?;
    Ok(Place { address: address.ip(), port: address.port(), option: "--metrics" })
}
