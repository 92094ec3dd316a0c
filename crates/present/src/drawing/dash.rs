//! Dashes of lines, cut here: plotters knows but one length on and one off.

use elastiplan_scene::Point;

/// The dashes of a line: pieces on by turns of lengths on and off. A line without a pattern is one piece.
pub fn dashed(line: &[Point], pattern: &[f64]) -> Vec<Vec<Point>> {
    let is_endless = pattern.iter().sum::<f64>() <= 0.0;
    let Some((&first, true)) = line.first().map(|first| (first, !is_endless)) else { return vec![line.to_vec()] };
    let mut lengths = pattern.iter().copied().cycle();
    let mut left = lengths.next().unwrap_or(0.0);
    let (mut pieces, mut open, mut is_on) = (Vec::new(), vec![first], true);
    for pair in line.windows(2) {
        let (Some(&from), Some(&to)) = (pair.first(), pair.get(1)) else { continue };
        let length = (to.x - from.x).hypot(to.y - from.y);
        let mut done = 0.0;
        while length - done > left {
            done += left;
            let share = done / length;
            let at = Point { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
            open.push(at);
            if is_on {
                pieces.push(std::mem::take(&mut open));
            }
            open = vec![at];
            is_on = !is_on;
            left = lengths.next().unwrap_or(0.0);
        }
        left -= length - done;
        open.push(to);
    }
    if is_on && open.len() > 1 {
        pieces.push(open);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &[(f64, f64)], pattern: &[f64], expected: &[&[(f64, f64)]]) {
        let line: Vec<Point> = line.iter().map(|&(x, y)| Point { x, y }).collect();
        let pieces = dashed(&line, pattern);
        let pieces: Vec<Vec<(f64, f64)>> =
            pieces.into_iter().map(|piece| piece.into_iter().map(|at| (at.x, at.y)).collect()).collect();
        assert_eq!(pieces, expected.iter().map(|piece| piece.to_vec()).collect::<Vec<_>>());
    }

    #[test]
    fn dashes_go_round_corners() {
        check(&[(0.0, 0.0), (4.0, 0.0)], &[], &[&[(0.0, 0.0), (4.0, 0.0)]]);
        check(&[(0.0, 0.0), (8.0, 0.0)], &[3.0, 1.0], &[&[(0.0, 0.0), (3.0, 0.0)], &[(4.0, 0.0), (7.0, 0.0)]]);
        check(
            &[(0.0, 0.0), (2.0, 0.0), (2.0, 5.0)],
            &[3.0, 2.0],
            &[&[(0.0, 0.0), (2.0, 0.0), (2.0, 1.0)], &[(2.0, 3.0), (2.0, 5.0)]],
        );
        let two = [4.0, 1.0, 1.0, 1.0];
        check(
            &[(0.0, 0.0), (9.0, 0.0)],
            &two,
            &[&[(0.0, 0.0), (4.0, 0.0)], &[(5.0, 0.0), (6.0, 0.0)], &[(7.0, 0.0), (9.0, 0.0)]],
        );
        check(&[], &[3.0, 1.0], &[&[]]);
    }
}
