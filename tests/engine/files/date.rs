//! Tests of `src/protocol/ogn/date.rs`.

use kroo::ogn::date::*;
use std::time::{Duration, UNIX_EPOCH};

#[test]
fn dates_of_known_days() {
    let at = |seconds| date(UNIX_EPOCH + Duration::from_secs(seconds));
    assert_eq!(at(0), "1970.01.01");
    assert_eq!(at(951_782_400), "2000.02.29");
    assert_eq!(at(1_704_067_199), "2023.12.31");
    assert_eq!(at(4_107_542_400), "2100.03.01");
}
