//! Means, percentiles and timing that several commands share. Only the functions that measure time read a clock.

use std::time::Instant;

use crate::report::rounded;

/// The mean of `values`; `None` if there are none.
pub(crate) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The mean of `values`; 0 if there are none.
pub(crate) fn mean_or_zero(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// `part` divided by `whole`; 0 if `whole` is 0.
pub(crate) fn share(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}

/// The median of sorted values: the mean of the two middle ones if their number is even; 0 if there are none.
pub(crate) fn median(sorted: &[f64]) -> f64 {
    let half = sorted.len() / 2;
    match sorted.len() {
        0 => 0.0,
        length if length % 2 == 1 => sorted[half],
        _ => f64::midpoint(sorted[half - 1], sorted[half]),
    }
}

/// The nearest-rank percentile of sorted values: the smallest one that at least `percent` % do not exceed; 0 if there are none.
pub(crate) fn percentile(sorted: &[f64], percent: usize) -> f64 {
    let rank = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    sorted.get(rank).copied().unwrap_or(0.0)
}

/// The value at index `length × percent / 100` of a sorted list, at most the last value; the default if the list is empty. The index
/// is at most one above that of [`percentile`]. Works for numbers of any type.
pub(crate) fn at_percent<T: Copy + Default>(sorted: &[T], percent: usize) -> T {
    let last = sorted.len().saturating_sub(1);
    sorted.get((sorted.len() * percent / 100).min(last)).copied().unwrap_or_default()
}

/// [`percentile`] of values in any order.
pub(crate) fn percentile_of(values: &[f64], percent: usize) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    percentile(&sorted, percent)
}

/// What `make` returns, and the milliseconds it took, to one decimal.
pub(crate) fn timed_ms<T>(make: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let made = make();
    (made, rounded(start.elapsed().as_secs_f64() * 1e3, 1))
}

/// Runs `work` `RUNS` times (an odd number) and gives the median time of a run in microseconds.
///
/// # Errors
/// The first error of `work`.
pub(crate) fn median_time_us<const RUNS: usize, E>(
    mut work: impl FnMut() -> Result<(), E>,
) -> Result<f64, E> {
    let mut times = [0.0; RUNS];
    for time in &mut times {
        let start = Instant::now();
        work()?;
        *time = start.elapsed().as_secs_f64() * 1e6;
    }
    times.sort_by(f64::total_cmp);
    Ok(times[RUNS / 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_percentiles_follow_the_nearest_rank_definition() {
        assert_eq!(median(&[1.0, 2.0, 4.0]).to_string(), "2");
        assert_eq!(median(&[1.0, 2.0]).to_string(), "1.5");
        let hundred: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!(percentile(&hundred, 99).to_string(), "99");
        assert_eq!(percentile(&[7.0], 99).to_string(), "7");
        assert_eq!(percentile(&[], 99).to_string(), "0");
    }
}
