//! Networks of their own for workers, which can be cut: network namespaces, each joined to a bridge where the broker listens.

use std::process::{Command, Stdio};
use support::tools::has;

/// A bridge, and some namespaces joined to it. All of it is removed when this is dropped.
pub struct Network {
    port: u16,
    count: usize,
}

impl Network {
    /// For the broker at a port, which makes its names unique. `None` if none can be made here.
    pub fn new(port: u16, count: usize) -> Option<Network> {
        if !has("namespaces") {
            return None;
        }
        let network = Network { port, count };
        let bridge = bridge(port);
        must(&format!("link add {bridge} type bridge"));
        must(&format!("address add {}/24 dev {bridge}", network.host()));
        must(&format!("link set {bridge} up"));
        for place in 0..count {
            let (space, outer) = (network.space(place), network.outer(place));
            must(&format!("netns add {space}"));
            must(&format!("link add {outer} type veth peer name eth0 netns {space}"));
            must(&format!("link set {outer} master {bridge} up"));
            must(&format!("-n {space} address add {}/24 dev eth0", network.address(place + 2)));
            must(&format!("-n {space} link set eth0 up"));
        }
        Some(network)
    }

    /// The address of the broker.
    pub fn host(&self) -> String {
        self.address(1)
    }

    fn address(&self, number: usize) -> String {
        format!("10.{}.{}.{number}", self.port >> 8, self.port & 255)
    }

    fn space(&self, place: usize) -> String {
        format!("kroo-{}-{place}", self.port)
    }

    fn outer(&self, place: usize) -> String {
        format!("kv{}-{place}", self.port)
    }

    /// The command that runs a program in one of the networks.
    pub fn inside(&self, place: usize) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.space(place)]);
        command
    }

    /// Cuts one of the networks off without a signal.
    pub fn cut(&self, place: usize) {
        must(&format!("link set {} down", self.outer(place)));
    }

    /// Joins it again.
    pub fn mend(&self, place: usize) {
        must(&format!("link set {} up", self.outer(place)));
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for place in 0..self.count {
            ip(&format!("netns delete {}", self.space(place)));
        }
        ip(&format!("link delete {}", bridge(self.port)));
    }
}

fn bridge(port: u16) -> String {
    format!("kb{port}")
}

fn ip(words: &str) -> bool {
    let mut command = Command::new("ip");
    command.args(words.split(' ')).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn must(words: &str) {
    assert!(ip(words), "ip {words}");
}
