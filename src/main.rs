//! k
use kroo::game::*; use kroo::search::*; use kroo::value::*;
struct O(std::time::Instant, f64);
impl Observer for O { fn stop(&mut self,_:u64)->bool{ self.0.elapsed().as_secs_f64()>self.1 }
 fn iteration(&mut self,_:&Report)->bool{ false } }
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&a[1]).unwrap();
    let limit: f64 = a[2].parse().unwrap();
    let (mut ok, mut unk, mut bad, mut nodes)=(0,0,0,0);
    for l in text.lines().filter(|l| !l.starts_with('#')) {
        let w: Vec<&str> = l.split(' ').collect();
        let v: Variant = w[0].parse().unwrap();
        let p = Position::parse(v, w[1]).unwrap();
        let table = Table::new(64).unwrap();
        let r = Request{position:p,line:vec![p.board()],only:vec![],depth:127,nodes:u64::MAX,until_won:false};
        if p.moves().is_empty() { println!("over {l}"); continue; }
        let t = std::time::Instant::now();
        let rep = search(&r,&table,&mut O(std::time::Instant::now(), limit));
        nodes += rep.nodes;
        let e: i32 = w[2].parse().unwrap();
        let margins = a[1].contains("margins");
        let got = if margins { rep.score.proof.is_exact().then(|| rep.score.value.centiseeds()/100) } else { rep.score.proven().map(|v| match v { Verdict::Win=>1, Verdict::Draw=>0, Verdict::Loss=> -1 }) };
        match got { Some(g) if g==e => ok+=1, None => { unk+=1; println!("unknown {l} {:?} d{} {:.2}s {:.1}M", rep.score, rep.depth, t.elapsed().as_secs_f64(), rep.nodes as f64/1e6) }, Some(g) => { bad+=1; println!("BAD {l} got {g} {:?}", rep.score) } }
    }
    println!("ok {ok} unknown {unk} bad {bad} nodes {nodes}");
}
