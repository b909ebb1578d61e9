//! The search parameters.

use kroo::search::parameters::DECLARED;

#[test]
fn each_has_a_name_of_its_own_and_a_value_within_its_range() {
    for (place, (name, value, range)) in DECLARED.iter().enumerate() {
        assert!(range.contains(value) && range.start() < range.end(), "{name}");
        assert!(DECLARED[..place].iter().all(|(other, ..)| !other.eq_ignore_ascii_case(name)), "{name}");
    }
}
