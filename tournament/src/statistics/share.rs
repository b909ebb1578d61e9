//! A share of many.

use super::normal::Z_95;

/// The 95 % interval of a share, from 0 to 1 (E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical
/// Inference", 1927). Of none it is all.
#[must_use]
pub fn share_interval(count: u64, of: u64) -> [f64; 2] {
    if of == 0 {
        return [0.0, 1.0];
    }
    let (n, z) = (of as f64, Z_95);
    let p = count as f64 / n;
    let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    [middle - half, middle + half].map(|share| share.clamp(0.0, 1.0))
}
