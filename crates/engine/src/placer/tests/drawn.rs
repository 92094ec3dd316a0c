//! Clusters before and after a decision.

use expect_test::{Expect, expect};

use super::*;
use Placement::{Buddy, Keep, Pack, Spread};

/// What a placer makes of places and requests like `a=2 b=0`.
fn check(placement: Placement, before: &str, requests: &str, expected: Expect) {
    let mut places = places(before);
    let request = |text: &str| (job(text.chars().next().unwrap()), text[2..].parse().unwrap());
    let wanted: Vec<(JobId, u32)> = requests.split_whitespace().map(request).collect();
    place(placement, &mut places, &wanted);
    naive::check(&places);
    expected.assert_eq(&draw(&places));
}

/// The examples of the placers' documentation.
#[test]
fn examples() {
    check(Keep, "aa.. bbb.", "c=1", expect!["aa.. bbbc"]);
    check(Keep, "aa.. bbbc", "a=4", expect!["aaaa bbbc"]);
    check(Pack, "aabb c... ....", "d=3", expect!["aabb cddd ...."]);
    check(Pack, "aabb cddd ....", "a=4", expect!["..bb cddd aaaa"]);
    check(Pack, "..bb cddd aaaa", "a=1", expect!["..bb cddd a..."]);
    check(Spread, "aaa. .... ....", "b=5", expect!["aaa. bbb. bb.."]);
    check(Spread, "aaa. bbb. bb..", "b=3", expect!["aaa. bb.. b..."]);
    check(Buddy, "..bb cc..", "e=4", expect!["eeee ccbb"]);
}

#[test]
fn a_job_alone_goes_where_it_fits_most_tightly_or_where_most_is_free() {
    check(Keep, "aa.. bbb. ....", "c=1", expect!["aa.. bbbc ...."]);
    check(Pack, "aa.. bbb. ....", "c=1", expect!["aa.. bbbc ...."]);
    check(Spread, "aa.. bbb. ....", "c=1", expect!["aa.. bbb. c..."]);
    check(Buddy, "aa.. bbb. ....", "c=1", expect!["aa.. bbbc ...."]);
}

#[test]
fn a_growing_job_keeps_its_gpus_or_is_moved() {
    check(Keep, "aabb cc.. ....", "a=4", expect!["aabb ccaa ...."]);
    check(Pack, "aabb cc.. ....", "a=4", expect!["..bb cc.. aaaa"]);
    check(Spread, "aabb cc.. ....", "a=4", expect!["aabb cc.. aa.."]);
    check(Buddy, "aabb cc.. ....", "a=4", expect!["..bb cc.. aaaa"]);
}

#[test]
fn a_job_that_shrinks_gives_up_where_it_has_least_or_where_the_node_is_fullest() {
    check(Keep, "aaa. abbb ....", "a=2", expect!["aa.. .bbb ...."]);
    check(Pack, "aaa. abbb ....", "a=2", expect!["aa.. .bbb ...."]);
    check(Spread, "aaa. abbb ....", "a=2", expect!["aa.. .bbb ...."]);
    check(Buddy, "aaa. abbb ....", "a=2", expect!["aa.. .bbb ...."]);
}

#[test]
fn a_job_that_is_larger_than_a_node_takes_the_emptiest_ones() {
    check(Keep, "ab.. c... .... d...", "e=8", expect!["abe. ceee eeee d..."]);
    check(Pack, "ab.. c... .... d...", "e=8", expect!["abe. ceee eeee d..."]);
    check(Spread, "ab.. c... .... d...", "e=8", expect!["abe. c.ee eee. d.ee"]);
    check(Buddy, "ab.. c... .... d...", "e=8", expect!["ab.. eeee eeee dc.."]);
}

#[test]
fn the_largest_of_several_is_packed_first() {
    check(Keep, "aa.. ....", "b=1 c=4", expect!["aab. cccc"]);
    check(Keep, "a... ....", "b=3 c=4", expect!["abbb cccc"]);
    check(Pack, "a... ....", "b=3 c=4", expect!["abbb cccc"]);
    check(Keep, ".... ....", "a=1 b=1 c=3 d=3", expect!["abdd cccd"]);
    check(Pack, ".... ....", "a=1 b=1 c=3 d=3", expect!["ccca dddb"]);
    check(Keep, "aabb ....", "a=0 c=4 d=2", expect!["ddbb cccc"]);
    check(Pack, "aabb ....", "a=0 c=4 d=2", expect!["ddbb cccc"]);
}

#[test]
fn packing_keeps_nodes_that_are_as_good() {
    check(Pack, "aabb .... c...", "a=1", expect!["a.bb .... c..."]);
    check(Pack, ".... bbb. aaa.", "a=4", expect![".... bbb. aaaa"]);
    check(Pack, ".... aaaa aabb", "a=8", expect!["aaaa aaaa ..bb"]);
    check(Pack, ".... .... aaaa aaaa bbba", "a=12", expect!["aaaa .... aaaa aaaa bbb."]);
    check(Pack, ".... .... bbba", "a=8", expect!["aaaa aaaa bbb."]);
    check(Pack, ".... abbb accc", "a=5", expect!["aaaa .bbb accc"]);
}

#[test]
fn spreading_evens_out_the_load() {
    check(Spread, "aaa. .... ....", "b=5", expect!["aaa. bbb. bb.."]);
    check(Spread, "aaa. bb.. bbb.", "b=3", expect!["aaa. bb.. ..b."]);
    check(Spread, "aaa. b... ....", "b=9", expect!["aaab bbbb bbbb"]);
    check(Spread, "aaa. ---- ....", "b=3", expect!["aaa. ---- bbb."]);
}

#[test]
fn buddies_take_the_smallest_free_block() {
    check(Buddy, "a.......", "b=1", expect!["ab......"]);
    check(Buddy, "a.......", "b=2", expect!["a.bb...."]);
    check(Buddy, "a.......", "b=4", expect!["a...bbbb"]);
    check(Buddy, "aa..bbbb ........", "c=4 d=1", expect!["aad.bbbb cccc...."]);
    check(Buddy, "aaaa .... .... ....", "b=4", expect!["aaaa bbbb .... ...."]);
    check(Buddy, ".... .... .... aaaa", "b=2", expect![".... .... bb.. aaaa"]);
    check(Buddy, "aaaa .... .... ....", "b=8", expect!["aaaa .... bbbb bbbb"]);
    check(Buddy, ".... aaaa bbbb ....", "c=8", expect!["cccc aaaa bbbb cccc"]);
}

#[test]
fn buddies_move_as_few_as_possible_where_no_block_is_free() {
    check(Buddy, "aa.. bb..", "c=4", expect!["cccc bbaa"]);
    check(Buddy, "a... bb.. cc..", "d=4", expect!["dddd bba. cc.."]);
    check(Buddy, "aaaabb.. ccccdd..", "e=4", expect!["aaaaeeee ccccddbb"]);
    check(Buddy, "aaaa.... bc......", "d=8", expect!["dddddddd bc..aaaa"]);
    check(Buddy, "a..bc..d eeeeff.. gghhii..", "j=4", expect!["a..bc..d eeeejjjj gghhiiff"]);
    check(Buddy, "a.b.c.d. eeee....", "f=8", expect!["eeeecadb ffffffff"]);
    check(Buddy, "aaaa.... bbcc.... ddddeeee", "f=8", expect!["ffffffff bbccaaaa ddddeeee"]);
    check(Buddy, "aa..bb.. ccccdd.. eeeef.g.", "h=8", expect!["hhhhhhhh ccccddaa eeeebbgf"]);
    check(Buddy, "a... b... c... d...", "e=8", expect!["eeee eeee ca.. db.."]);
}

#[test]
fn buddies_split_what_is_no_power_of_two() {
    check(Buddy, "........ ........", "a=6 b=5 c=3", expect!["aaaaaa.. bbbbbccc"]);
    check(Buddy, "aaaa.... bb......", "c=6", expect!["aaaa.... bbcccccc"]);
    check(Buddy, ".... .... .... ....", "a=13", expect!["aaaa aaaa aaaa a..."]);
    check(Buddy, "...... ......", "a=4 b=4", expect!["aaaa.. bbbb.."]);
    check(Buddy, "aaaa.. bbbb..", "c=4", expect!["aaaacc bbbbcc"]);
    check(Buddy, "a.bb.. cc.d..", "e=6", expect!["eeeeee ccadbb"]);
    check(Buddy, "... ... ---", "a=2 b=2 c=2", expect!["aac bbc ---"]);
}
