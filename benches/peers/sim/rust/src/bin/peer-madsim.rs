//! The elections on MadSim: each node is a node of its network with an address and an endpoint of its own, and a task.
//! Its links draw their latencies themselves and do not keep messages in order. To be compiled with `--cfg madsim`.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use cpu_time::ProcessTime;
use madsim::net::Endpoint;
use madsim::runtime::{Handle, NodeHandle, Runtime};
use peer_sim::Job;

const ELECT: u8 = 0;
const ANNOUNCE: u8 = 1;

struct Node {
    endpoint: Endpoint,
    out: Vec<SocketAddr>,
    id: u64,
    sent: u64,
}

impl Node {
    async fn send(&mut self, tag: u64, kind: u8, id: u64) {
        let mut bytes = [kind; 9];
        bytes[1..].copy_from_slice(&id.to_le_bytes());
        for &to in &self.out {
            self.endpoint.send_to(to, tag, &bytes).await.unwrap();
            self.sent += 1;
        }
    }

    async fn receive(&mut self, tag: u64) -> (u8, u64) {
        let mut bytes = [0; 9];
        self.endpoint.recv_from(tag, &mut bytes).await.unwrap();
        (bytes[0], u64::from_le_bytes(bytes[1..].try_into().unwrap()))
    }

    /// The leader's id, and how many messages this node sent.
    async fn chang_roberts(mut self) -> (u64, u64) {
        self.send(0, ELECT, self.id).await;
        loop {
            match self.receive(0).await {
                (ELECT, id) if id > self.id => self.send(0, ELECT, id).await,
                (ELECT, id) if id < self.id => {}
                (ELECT, id) => self.send(0, ANNOUNCE, id).await,
                (_, id) => {
                    if id != self.id {
                        self.send(0, ANNOUNCE, id).await;
                    }
                    return (id, self.sent);
                }
            }
        }
    }

    async fn floodmax(mut self, diameter: u64) -> (u64, u64) {
        let mut best = self.id;
        for round in 0..diameter {
            self.send(round, ELECT, best).await;
            for _ in 0..self.out.len() {
                best = best.max(self.receive(round).await.1);
            }
        }
        (best, self.sent)
    }
}

fn address(node: usize) -> IpAddr {
    Ipv4Addr::from_bits(0x0a00_0001 + node as u32).into()
}

async fn set_up(job: &Job) -> Vec<(NodeHandle, Node)> {
    let mut hosts = Vec::new();
    for (node, &id) in job.ids.iter().enumerate() {
        let host = Handle::current().create_node().ip(address(node)).build();
        let endpoint = host.spawn(async { Endpoint::bind("0.0.0.0:1").await.unwrap() }).await.unwrap();
        let out = job.neighbours(node).into_iter().map(|to| (address(to), 1).into()).collect();
        hosts.push((host, Node { endpoint, out, id, sent: 0 }));
    }
    hosts
}

/// Whom each node takes for the leader, and how many messages there were.
async fn elect(job: &Job, hosts: Vec<(NodeHandle, Node)>) -> (Vec<u64>, u64) {
    let diameter = job.diameter();
    let mut tasks = Vec::new();
    for (host, node) in hosts {
        tasks.push(if job.grid { host.spawn(node.floodmax(diameter)) } else { host.spawn(node.chang_roberts()) });
    }
    let (mut told, mut messages) = (Vec::new(), 0);
    for task in tasks {
        let (leader, sent) = task.await.unwrap();
        told.push(leader);
        messages += sent;
    }
    (told, messages)
}

fn main() {
    let job = Job::from_args();
    let mut config = madsim::Config::default();
    let unit = Duration::from_secs(1);
    config.net.send_latency = if job.uniform { Duration::ZERO } else { unit }..unit + Duration::from_nanos(1);
    let runtime = Runtime::with_seed_and_config(1, config);
    let hosts = runtime.block_on(set_up(&job));
    // Within the runtime there is no clock but the simulated one.
    let begun = ProcessTime::now();
    let (told, messages) = runtime.block_on(elect(&job, hosts));
    job.report(&told, messages, begun);
}
