// SPDX-License-Identifier: BSD-3-Clause
use super::*;
use crate::launch::plan::{deal, Host};

fn fate(threads: u32, pthreads: u32) -> (Fate, Instant) {
    on_hosts(vec![Host { name: "a".into(), first: 0, count: threads }], pthreads)
}

fn on_hosts(hosts: Vec<Host>, pthreads: u32) -> (Fate, Instant) {
    let processes = deal(&hosts, pthreads);
    (Fate::new(&Plan { hosts, processes, ..Plan::default() }), Instant::now())
}

fn say(text: &str) -> Action {
    Action::Say(text.to_string())
}

fn end_all(fate: &mut Fate, end: End, now: Instant) {
    for process in 0..fate.lives.len() {
        fate.ended(process, end, now);
    }
}

const KILLED: End = End::Signal { number: libc::SIGKILL, dumped_core: false };

#[test]
fn a_job_whose_threads_return_has_the_largest_status() {
    let (mut fate, now) = fate(3, 1);
    for (process, status) in [0, 4, 2].into_iter().enumerate() {
        assert_eq!(fate.message(process, Message::Up, now), []);
        assert_eq!(fate.message(process, Message::Done { status }, now), []);
        assert_eq!(fate.over(), None);
        assert_eq!(fate.ended(process, End::Code(status), now), []);
    }
    assert_eq!(fate.over(), Some(4));
}

#[test]
fn exit_in_one_thread_gives_the_others_a_grace() {
    let (mut fate, now) = fate(4, 2);
    let said = fate.message(1, Message::Exit { thread: 3, status: 3 }, now);
    assert_eq!(said, [say("thread 3 called exit(3)")]);
    assert_eq!(fate.ended(1, End::Code(3), now), []);
    assert_eq!(fate.deadline(), Some(now + GRACE_EXIT));
    assert_eq!(fate.tick(now), []);
    assert_eq!(fate.tick(now + GRACE_EXIT), [Action::Kill { spare: None }]);
    assert_eq!(fate.ended(0, KILLED, now), [Action::Kill { spare: None }]);
    assert_eq!(fate.over(), Some(3));
}

#[test]
fn only_the_first_failure_is_told_and_counts() {
    let (mut fate, now) = fate(3, 1);
    let first = fate.message(
        2,
        Message::Signal { thread: 2, number: libc::SIGSEGV, address: Some(0x1234) },
        now,
    );
    let text = "thread 2 received SIGSEGV (signal 11, segmentation fault) at address 0x1234";
    assert_eq!(first, [say(text), Action::Kill { spare: Some(2) }]);
    let second = fate.message(0, Message::Exit { thread: 0, status: 1 }, now);
    assert_eq!(second, []);
    end_all(&mut fate, KILLED, now);
    assert_eq!(fate.over(), Some(139));
}

#[test]
fn a_killed_process_is_named_by_its_threads() {
    let (mut fate, now) = fate(4, 2);
    let actions = fate.ended(1, KILLED, now);
    let text = "threads 2-3 killed by SIGKILL (signal 9, kill)";
    assert_eq!(actions, [say(text), Action::Kill { spare: None }]);
    fate.ended(0, KILLED, now);
    assert_eq!(fate.over(), Some(137));
}

#[test]
fn a_process_that_vanishes_quietly_is_a_failure() {
    let (mut fate, now) = fate(2, 1);
    fate.message(0, Message::Up, now);
    let actions = fate.ended(0, End::Code(0), now);
    assert_eq!(actions, [say("thread 0 ended early with exit code 0")]);
    fate.ended(1, KILLED, now);
    assert_eq!(fate.over(), Some(1));
}

#[test]
fn a_program_without_the_runtime_may_simply_end() {
    let (mut fate, now) = fate(2, 1);
    end_all(&mut fate, End::Code(0), now);
    assert_eq!(fate.over(), Some(0));
}

#[test]
fn interrupts_are_passed_on_and_the_second_kills() {
    let (mut fate, now) = fate(2, 1);
    let text = "ended by SIGINT (signal 2, interrupt)";
    let first = fate.signalled(Signal::SIGINT, now);
    assert_eq!(first, [say(text), Action::Forward(Signal::SIGINT)]);
    assert_eq!(fate.deadline(), Some(now + GRACE_SIGNAL));
    let second = fate.signalled(Signal::SIGINT, now);
    assert_eq!(second, [Action::Forward(Signal::SIGINT), Action::Kill { spare: None }]);
    end_all(&mut fate, End::Signal { number: libc::SIGINT, dumped_core: false }, now);
    assert_eq!(fate.over(), Some(130));
}

#[test]
fn global_exit_with_success_says_nothing() {
    let (mut fate, now) = fate(2, 1);
    let actions = fate.message(1, Message::GlobalExit { thread: 1, status: 0 }, now);
    assert_eq!(actions, [Action::Kill { spare: Some(1) }]);
    fate.ended(0, KILLED, now);
    fate.ended(1, End::Code(0), now);
    assert_eq!(fate.over(), Some(0));
}

#[test]
fn a_lost_host_ends_the_job_and_is_told_once() {
    let host = |name: &str, first| Host { name: name.into(), first, count: 2 };
    let (mut fate, now) = on_hosts(vec![host("a", 0), host("b", 2)], 1);
    let actions = fate.lost(2..4, 111, "host b is silent".into(), now);
    assert_eq!(actions, [say("host b is silent"), Action::Kill { spare: None }]);
    assert_eq!(fate.lost(2..4, 111, "host b: its agent ended".into(), now), []);
    assert_eq!(fate.over(), None);
    fate.ended(0, KILLED, now);
    fate.ended(1, KILLED, now);
    assert_eq!(fate.over(), Some(111));
}

#[test]
fn a_host_that_ends_after_its_processes_is_no_failure() {
    let (mut fate, now) = fate(2, 1);
    end_all(&mut fate, End::Code(0), now);
    assert_eq!(fate.lost(0..2, 111, "host a: its agent ended".into(), now), []);
    assert_eq!(fate.over(), Some(0));
}

#[test]
fn a_failure_never_looks_like_success() {
    let (mut fate, now) = fate(1, 1);
    fate.message(0, Message::Exit { thread: 0, status: 256 }, now);
    fate.ended(0, End::Code(0), now);
    assert_eq!(fate.over(), Some(255));
}
