//! k
use kroo::game::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let v: Variant = a[1].parse().unwrap();
    let d: u32 = a[2].parse().unwrap();
    let t = std::time::Instant::now();
    let n: u64 = Position::start(v).perft(d).iter().map(|x| x.1).sum();
    let e = t.elapsed().as_secs_f64();
    println!("{n} {:.3}s {:.1}M/s", e, n as f64 / e / 1e6);
}
