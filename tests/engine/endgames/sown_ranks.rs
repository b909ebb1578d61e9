//! Tests of `src/core/endgames/building/sown_ranks.rs`.

use kroo::endgames::building::sown_ranks::*;

#[test]
fn a_stretch_is_gathered_as_row_by_row() {
    // Runs of every length from 1 to 40, with gaps of every length from 0 to 4.
    let mut targets = vec![3u32];
    for run in 1..=40 {
        (0..run).for_each(|_| targets.push(targets[targets.len() - 1] + 1));
        *targets.last_mut().expect("there is one") += run % 5;
    }
    let sowing = SownRanks::new(targets.iter().copied());
    let last = targets[targets.len() - 1] as usize;
    let slab: Vec<u16> = (0..last as u16 + 1 + RUN as u16).map(|value| value.wrapping_mul(40_503)).collect();
    for start in (0..targets.len()).step_by(ALIGN) {
        for end in start + 1..=targets.len() {
            let mut found = vec![0; end - start + RUN];
            sowing.gather(&slab, &(start..end), &mut found);
            let expected: Vec<u16> =
                targets[start..end].iter().map(|&target| slab[target as usize]).collect();
            assert_eq!(found[..end - start], expected, "{start}..{end}");
        }
    }
    for start in (0..targets.len()).step_by(ALIGN) {
        for end in start + 1..=targets.len() {
            let (least, largest) = sowing.span(&(start..end));
            assert_eq!(least, targets[start] as usize);
            assert!(largest >= targets[end - 1] as usize && largest <= last);
        }
    }
}
