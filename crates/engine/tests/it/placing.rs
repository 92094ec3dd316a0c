//! Where jobs are under each placement, and what that costs them, drawn.

use elastiplan_scenario::Placement;
use expect_test::{Expect, expect};

use crate::check;

/// The same story under one placement.
fn check_under(placement: Placement, story: &str, expected: Expect) {
    check(&format!("placement {}\nnodes\n{story}", placement.name()), expected);
}

#[test]
fn placements_have_names() {
    for placement in Placement::ALL {
        assert_eq!(Placement::named(placement.name()), Some(*placement));
        assert!(!placement.summary().is_empty());
    }
    assert_eq!(Placement::named("nowhere"), None);
}

/// `a` grows from 2 to 4 GPUs, shares its node with `b`, and is half as fast on two nodes.
const GROWING: &str = "
    3 x 4 GPUs
    rescale 1
    curve m 1:1 2:2 4:4
    spread m 2:1 4:2
    a work=20 curve=m
    b work=14
    c at=1 work=6
    ticks 1
    0: a=2 b=2
    1: c=1
    2: a=4
";

#[test]
fn keep_adds_where_there_is_room() {
    check_under(
        Placement::Keep,
        GROWING,
        expect![[r#"
        a 22~44444444
        b 2222222
        c  111111
        0.0 aaaaaaaaaaa
        0.1 aaaaaaaaaaa
        0.2 bbbbbbb....
        0.3 bbbbbbb....
        1.0 .cccccc....
        1.1 ...........
        1.2 ..aaaaaaaaa
        1.3 ..aaaaaaaaa
        2.0 ...........
        2.1 ...........
        2.2 ...........
        2.3 ...........
    "#]],
    );
}

#[test]
fn pack_places_anew() {
    check_under(
        Placement::Pack,
        GROWING,
        expect![[r#"
        a 22~4444
        b 2222222
        c  111111
        0.0 aa.....
        0.1 aa.....
        0.2 bbbbbbb
        0.3 bbbbbbb
        1.0 .cccccc
        1.1 .......
        1.2 .......
        1.3 .......
        2.0 ..aaaaa
        2.1 ..aaaaa
        2.2 ..aaaaa
        2.3 ..aaaaa
    "#]],
    );
}

#[test]
fn spread_evens_out() {
    check_under(
        Placement::Spread,
        GROWING,
        expect![[r#"
        a 22~444444444
        b 2222222
        c  111111
        0.0 aaaaaaaaaaaa
        0.1 bbbbbbb.....
        0.2 ..aaaaaaaaaa
        0.3 ............
        1.0 aaaaaaaaaaaa
        1.1 .cccccc.....
        1.2 ............
        1.3 ............
        2.0 bbbbbbb.....
        2.1 ..aaaaaaaaaa
        2.2 ............
        2.3 ............
    "#]],
    );
}

#[test]
fn buddy_gives_a_block() {
    check_under(
        Placement::Buddy,
        GROWING,
        expect![[r#"
        a 22~4444
        b 2222222
        c  111111
        0.0 .cccccc
        0.1 .......
        0.2 .......
        0.3 .......
        1.0 ..aaaaa
        1.1 ..aaaaa
        1.2 ..aaaaa
        1.3 ..aaaaa
        2.0 aa.....
        2.1 aa.....
        2.2 bbbbbbb
        2.3 bbbbbbb
    "#]],
    );
}

/// `a` and `d` end; `e` wants what they leave, which is on two nodes.
const FRAGMENTED: &str = "
    2 x 4 GPUs
    rescale 1
    a work=2
    b work=10
    c work=12
    d work=2
    e at=2 work=8
    0: a=2 b=2 c=2 d=2
    2: e=4
";

#[test]
fn only_buddy_moves_other_jobs_and_they_pay_for_it() {
    check_under(
        Placement::Pack,
        FRAGMENTED,
        expect![[r#"
        a 2
        b 22222
        c 222222
        d 2
        e   44
        0.0 a.ee..
        0.1 a.ee..
        0.2 bbbbb.
        0.3 bbbbb.
        1.0 cccccc
        1.1 cccccc
        1.2 d.ee..
        1.3 d.ee..
    "#]],
    );
    check_under(
        Placement::Buddy,
        FRAGMENTED,
        expect![[r#"
        a 2
        b 22~222
        c 222222
        d 2
        e   44
        0.0 a.ee..
        0.1 a.ee..
        0.2 bbee..
        0.3 bbee..
        1.0 cccccc
        1.1 cccccc
        1.2 d.bbbb
        1.3 d.bbbb
    "#]],
    );
}

#[test]
fn absent_nodes_are_not_used() {
    let story = "
        3 x 2 GPUs
        node 0-
        node 0-1 4-
        until 8
        a work=99
        b work=99
        c work=99
        ticks 1
        0: a=2 b=2
        2: b=0 c=1
        5: a=3
    ";
    check_under(
        Placement::Keep,
        story,
        expect![[r#"
        a 22222333?
        b 2-------?
        c ..111111?
        0.0 aaaaaaaa
        0.1 aaaaaaaa
        1.0 b.......
        1.1 b.......
        2.0 ..cccccc
        2.1 .....aaa
    "#]],
    );
    check_under(
        Placement::Pack,
        story,
        expect![[r#"
        a 22222333?
        b 2-------?
        c ..111111?
        0.0 aaaaaaaa
        0.1 aaaaaaaa
        1.0 b.......
        1.1 b.......
        2.0 ..cccccc
        2.1 .....aaa
    "#]],
    );
    check_under(
        Placement::Spread,
        story,
        expect![[r#"
        a 2----333?
        b 22------?
        c ..111111?
        0.0 a.cccccc
        0.1 bb...aaa
        1.0 a....aaa
        1.1 ........
        2.0 bb...aaa
        2.1 ........
    "#]],
    );
    check_under(
        Placement::Buddy,
        story,
        expect![[r#"
        a 22222333?
        b 22------?
        c ..111111?
        0.0 bbcccccc
        0.1 bb...aaa
        1.0 .....aaa
        1.1 .....aaa
        2.0 aaaaa...
        2.1 aaaaa...
    "#]],
    );
}
