//! The points of a study, and the order in which they are run: coarse to fine.

use elastiplan_model::order::sort_by_rank;

/// Points at most.
pub const POINTS_MAX: usize = 1_000_000;

/// How many levels make up the first picture: five values of an axis.
const LEVELS_COARSE: u64 = 2;

/// Every combination of the values of all axes. A point is its place, the values of the last axis next to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// How many values each axis has.
    lengths: Vec<usize>,
}

impl Grid {
    /// Of axes with so many values each. The error is the number of points, of more than [`POINTS_MAX`].
    pub fn new(lengths: Vec<usize>) -> Result<Self, f64> {
        let points: f64 = lengths.iter().map(|&length| length as f64).product();
        if points > POINTS_MAX as f64 { Err(points) } else { Ok(Self { lengths }) }
    }

    /// How many points there are.
    pub fn points(&self) -> usize {
        self.lengths.iter().product()
    }

    /// The place of a point's value on each axis.
    pub fn places(&self, point: usize) -> Vec<usize> {
        let mut rest = point;
        let mut places: Vec<usize> = Vec::with_capacity(self.lengths.len());
        for &length in self.lengths.iter().rev() {
            places.push(rest % length);
            rest /= length;
        }
        places.reverse();
        places
    }

    /// The point with these places; places that an axis does not have count as its last.
    pub fn point(&self, places: &[usize]) -> usize {
        self.lengths.iter().zip(places).fold(0, |point, (&length, &place)| point * length + place.min(length - 1))
    }

    /// The points of the line along an axis through a point, in the order of the axis.
    pub fn line(&self, point: usize, axis: usize) -> Vec<usize> {
        let mut places = self.places(point);
        let length = self.lengths.get(axis).copied().unwrap_or(1);
        let along = |place| {
            if let Some(own) = places.get_mut(axis) {
                *own = place;
            }
            self.point(&places)
        };
        (0..length).map(along).collect()
    }

    /// All points, ends of axes first, then their middles, then the middles of what is left; and how many of them give
    /// the first picture.
    ///
    /// ```
    /// let (order, coarse) = elastiplan_study::Grid::new(vec![9]).unwrap().coarse_to_fine();
    /// assert_eq!(order, [0, 8, 4, 2, 6, 1, 3, 5, 7]);
    /// assert_eq!(coarse, 5);
    /// ```
    pub fn coarse_to_fine(&self) -> (Vec<usize>, usize) {
        let levels: Vec<Vec<u64>> = self.lengths.iter().map(|&length| levels(length)).collect();
        let level = |point: usize| {
            let places = self.places(point);
            let of_axis = levels.iter().zip(places).filter_map(|(levels, place)| levels.get(place).copied());
            of_axis.max().unwrap_or_default()
        };
        let mut order: Vec<(u64, usize)> = (0..self.points()).map(|point| (level(point), point)).collect();
        sort_by_rank(&mut order, |&(level, _)| level);
        let coarse = order.iter().take_while(|&&(level, _)| level <= LEVELS_COARSE).count();
        (order.into_iter().map(|(_, point)| point).collect(), coarse)
    }
}

/// For each value of an axis, after how many halvings it is reached: 0 for both ends.
fn levels(length: usize) -> Vec<u64> {
    let mut levels = vec![0; length];
    let mut gaps = vec![(0, length.saturating_sub(1))];
    for level in 1.. {
        gaps.retain(|&(low, high)| high > low + 1);
        if gaps.is_empty() {
            break;
        }
        gaps = gaps
            .iter()
            .flat_map(|&(low, high)| {
                let middle = low.midpoint(high);
                if let Some(found) = levels.get_mut(middle) {
                    *found = level;
                }
                [(low, middle), (middle, high)]
            })
            .collect();
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_comes_once() {
        for lengths in [vec![], vec![1], vec![2], vec![57], vec![3, 4], vec![5, 1, 7]] {
            let grid = Grid::new(lengths.clone()).unwrap();
            let (mut order, coarse) = grid.coarse_to_fine();
            assert!(coarse <= order.len() && coarse >= 1, "{lengths:?}");
            sort_by_rank(&mut order, |&point| point as u64);
            assert_eq!(order, (0..grid.points()).collect::<Vec<_>>(), "{lengths:?}");
        }
    }

    #[test]
    fn points_and_places_are_the_same() {
        let grid = Grid::new(vec![3, 4, 2]).unwrap();
        for point in 0..grid.points() {
            assert_eq!(grid.point(&grid.places(point)), point);
        }
        assert_eq!(grid.places(23), [2, 3, 1]);
        assert_eq!(grid.line(0, 1), [0, 2, 4, 6]);
        assert_eq!(grid.line(23, 0), [7, 15, 23]);
    }

    #[test]
    fn too_many_points_are_counted() {
        assert_eq!(Grid::new(vec![10_000, 10_000, 10_000]), Err(1e12));
    }
}
