//! The twin of assignments: the least sum of squared distances, by the Hungarian method.

/// The least sum of squared distances over all assignments of each point of `from` to its own point of `to`, in the square of the
/// points' unit. Hungarian method, row by row; n³ steps.
///
/// # Panics
/// If the lists differ in length.
#[must_use]
pub fn least_squares(from: &[(i64, i64)], to: &[(i64, i64)]) -> i128 {
    assert_eq!(from.len(), to.len(), "every point needs a partner");
    let count = from.len();
    let cost = |row: usize, column: usize| {
        let (x, y) = (i128::from(from[row].0 - to[column].0), i128::from(from[row].1 - to[column].1));
        x * x + y * y
    };
    // Rows and columns count from 1; column 0 is the start of a row without a partner.
    let (mut of_row, mut of_column) = (vec![0_i128; count + 1], vec![0_i128; count + 1]);
    let (mut row_at, mut came_from) = (vec![0_usize; count + 1], vec![0_usize; count + 1]);
    for row in 1..=count {
        row_at[0] = row;
        let mut column = 0;
        let mut least = vec![i128::MAX; count + 1];
        let mut done = vec![false; count + 1];
        while row_at[column] != 0 {
            done[column] = true;
            let here = row_at[column];
            let (mut step, mut next) = (i128::MAX, 0);
            for other in 1..=count {
                if !done[other] {
                    let reduced = cost(here - 1, other - 1) - of_row[here] - of_column[other];
                    if reduced < least[other] {
                        least[other] = reduced;
                        came_from[other] = column;
                    }
                    if least[other] < step {
                        step = least[other];
                        next = other;
                    }
                }
            }
            for other in 0..=count {
                if done[other] {
                    of_row[row_at[other]] += step;
                    of_column[other] -= step;
                } else if least[other] != i128::MAX {
                    least[other] -= step;
                }
            }
            column = next;
        }
        while column != 0 {
            let before = came_from[column];
            row_at[column] = row_at[before];
            column = before;
        }
    }
    (1..=count).map(|column| cost(row_at[column] - 1, column - 1)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::splitmix::SplitMix;

    /// Tries all permutations.
    fn try_all(from: &[(i64, i64)], to: &mut Vec<(i64, i64)>, at: usize) -> i128 {
        if at == from.len() {
            return from
                .iter()
                .zip(&*to)
                .map(|(a, b)| i128::from((a.0 - b.0).pow(2)) + i128::from((a.1 - b.1).pow(2)))
                .sum();
        }
        let mut best = i128::MAX;
        for other in at..to.len() {
            to.swap(at, other);
            best = best.min(try_all(from, to, at + 1));
            to.swap(at, other);
        }
        best
    }

    #[test]
    fn the_least_sum_equals_that_of_all_permutations() {
        let mut rng = SplitMix::new(8);
        for count in 0..=7 {
            for _ in 0..20 {
                let mut points = || -> Vec<(i64, i64)> {
                    (0..count).map(|_| (i64::from(rng.below(20)), i64::from(rng.below(20)))).collect()
                };
                let (from, mut to) = (points(), points());
                assert_eq!(least_squares(&from, &to), try_all(&from, &mut to, 0));
            }
        }
    }
}
