//! The GPUs of one node as bits, and the aligned blocks among them: GPUs `0..2`, `2..4`, `0..4` and so on, which share
//! a socket as long as sockets are powers of two.

/// Bits at the multiples of 1, 2, 4, ... 64.
const STARTS: [u64; 7] =
    [!0, 0x5555_5555_5555_5555, 0x1111_1111_1111_1111, 0x0101_0101_0101_0101, 0x0001_0001_0001_0001, 1 << 32 | 1, 1];

/// The first GPUs of a node.
pub(crate) fn first_gpus(gpus: u32) -> u64 {
    if gpus >= 64 { u64::MAX } else { (1 << gpus) - 1 }
}

/// The sizes of the largest aligned blocks that `mask` consists of: bit `k` for a block of `2^k`.
///
/// ```text
/// GPU   76543210
/// mask  11101110   blocks 76, 5, 32, 1: sizes 1 and 2
/// ```
pub(crate) fn block_sizes(mask: u64) -> u32 {
    let mut sizes = 0;
    let mut blocks = mask;
    for (order, starts) in STARTS.iter().enumerate().skip(1) {
        let half = 1 << (order - 1);
        let pairs = blocks & (blocks >> half) & starts;
        let lone = blocks & !(pairs | pairs << half);
        sizes |= u32::from(lone != 0) << (order - 1);
        blocks = pairs;
        if blocks == 0 {
            return sizes;
        }
    }
    sizes | 1 << 6
}

/// `count` of the GPUs in `free`, or all if there are fewer, close together: from the smallest aligned block that has
/// enough, among equals the one with the fewest free GPUs around it.
///
/// ```text
/// GPU   76543210
/// free  11110101   1: GPU 0 (its pair and its half are broken already); 2: GPUs 5 and 4; 3: GPUs 5, 4 and 6
/// ```
pub fn choose_gpus(free: u64, count: u32) -> u64 {
    match count {
        0 => 0,
        _ if count >= free.count_ones() => free,
        _ => choose_close(free, count),
    }
}

/// The same where `count` is neither 0 nor all.
fn choose_close(free: u64, count: u32) -> u64 {
    let counts = counts(free);
    let smallest = count.next_power_of_two().trailing_zeros();
    // All 64 have enough, if no smaller block has.
    let block = (smallest..6).find_map(|order| tightest_block(&counts, count, order)).unwrap_or(u64::MAX);
    let inside = free & block;
    if inside.count_ones() == count {
        return inside;
    }
    // Neither half has enough: take all of the one that has more.
    let low = inside & (block >> (block.count_ones() / 2));
    let high = inside ^ low;
    let (whole, rest) = if low.count_ones() >= high.count_ones() { (low, high) } else { (high, low) };
    whole | choose_gpus(rest, count - whole.count_ones())
}

/// `count` of the GPUs in `free` as aligned blocks, one for each power of two in `count`; `None` if there is no room.
pub(crate) fn choose_blocks(free: u64, count: u32) -> Option<u64> {
    let sizes = (0..=6).rev().map(|order| 1 << order).filter(|size| count & size != 0);
    sizes.into_iter().try_fold(0, |chosen, size| {
        let block = choose_gpus(free & !chosen, size);
        (block_sizes(block) == size).then_some(chosen | block)
    })
}

/// How many bits are set in each aligned block of 1, 2, 4, ... 64 bits; each number stands where its block begins.
fn counts(mask: u64) -> [u64; 7] {
    let mut counts = [mask; 7];
    let mut last = mask;
    for (order, (counts, starts)) in counts.iter_mut().zip(STARTS).enumerate().skip(1) {
        let half = 1 << (order - 1);
        let lower_halves = starts * first_gpus(half);
        last = (last & lower_halves) + (last >> half & lower_halves);
        *counts = last;
    }
    counts
}

/// Of the aligned blocks of `2^order` GPUs that have `count` free, the one with the fewest free; among equals the one
/// whose pair of blocks has the fewest free, and so on.
fn tightest_block(counts: &[u64; 7], count: u32, order: u32) -> Option<u64> {
    // Blocks beyond the last free GPU are empty.
    let end = 64 - counts.first().map_or(64, |free| free.leading_zeros());
    let last_order = end.next_power_of_two().ilog2();
    let firsts = (0..end.div_ceil(1 << order)).map(|at| at << order);
    let enough = firsts.filter(|first| count_at(counts, order, *first) >= u64::from(count));
    let surroundings =
        |first: &u32| (order..=last_order).fold(0, |all, order| all << 7 | count_at(counts, order, *first));
    Some(first_gpus(1 << order) << enough.min_by_key(surroundings)?)
}

/// How many are free in the block of `2^order` GPUs around a GPU.
fn count_at(counts: &[u64; 7], order: u32, gpu: u32) -> u64 {
    counts.get(order as usize).map_or(0, |counts| counts >> (gpu >> order << order) & first_gpus(1 << order))
}
