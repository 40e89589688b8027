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
        Message::Signal {
            thread: 2,
            number: libc::SIGSEGV,
            address: Some(0x1234),
            place: String::new(),
        },
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
    let function = "upc_global_exit".into();
    let actions = fate.message(1, Message::GlobalExit { thread: 1, status: 0, function }, now);
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

#[test]
fn a_job_that_takes_too_long_is_asked_then_told_then_killed() {
    let (mut fate, now) = fate(2, 1);
    fate.end_after(Duration::from_secs(2), now);
    assert_eq!((fate.deadline(), fate.tick(now)), (Some(now + Duration::from_secs(2)), vec![]));
    let over = now + Duration::from_secs(2);
    let text = "the job has not ended within 2 s (-timeout)";
    assert_eq!(fate.tick(over), [say(text), Action::Ask]);
    assert_eq!(fate.tick(over + GRACE_ANSWER), [Action::Forward(Signal::SIGTERM)]);
    // Who dies of it is no news.
    let terminated = End::Signal { number: libc::SIGTERM, dumped_core: false };
    let kill = Action::Kill { spare: None };
    assert_eq!(fate.ended(0, terminated, over + GRACE_ANSWER), vec![kill.clone()]);
    assert_eq!(fate.tick(over + GRACE_ANSWER + GRACE_SIGNAL), [kill]);
    fate.ended(1, KILLED, over + GRACE_ANSWER + GRACE_SIGNAL);
    assert_eq!(fate.over(), Some(124));
}

#[test]
fn a_failure_before_the_time_is_over_is_the_one_that_counts() {
    let (mut fate, now) = fate(2, 1);
    fate.end_after(Duration::from_secs(2), now);
    fate.message(0, Message::Exit { thread: 0, status: 3 }, now + Duration::from_secs(2));
    assert_eq!(fate.tick(now + Duration::from_secs(2)), []);
    end_all(&mut fate, KILLED, now + Duration::from_secs(3));
    assert_eq!(fate.over(), Some(3));
}

#[test]
fn a_thread_that_waits_for_a_debugger_after_its_failure_keeps_the_job() {
    let hosts = vec![Host { name: "a".into(), first: 0, count: 2 }];
    let processes = deal(&hosts, 1);
    let mut fate = Fate::new(&Plan { hosts, processes, freeze_on_error: true, ..Plan::default() });
    let now = Instant::now();
    let signal = Message::Signal {
        thread: 1,
        number: libc::SIGSEGV,
        address: None,
        place: "a.upc:7".into(),
    };
    let text = "thread 1 received SIGSEGV (signal 11, segmentation fault), in a.upc:7";
    assert_eq!(fate.message(1, signal, now), [say(text)]);
    assert_eq!(fate.deadline(), None);
    let crash = End::Signal { number: libc::SIGSEGV, dumped_core: false };
    assert_eq!(fate.ended(1, crash, now), [Action::Kill { spare: None }]);
    fate.ended(0, KILLED, now);
    assert_eq!(fate.over(), Some(128 + libc::SIGSEGV));
}

#[test]
fn the_time_of_a_job_waits_for_its_debugger() {
    let (mut fate, now) = fate(1, 1);
    fate.end_after(Duration::from_secs(2), now);
    let over = now + Duration::from_secs(2);
    fate.postpone(over);
    assert_eq!((fate.tick(over), fate.deadline()), (vec![], Some(over + GRACE_CULPRIT)));
    fate.tick(over + GRACE_CULPRIT);
    fate.postpone(over + GRACE_CULPRIT + GRACE_ANSWER);
    assert_eq!(fate.tick(over + GRACE_CULPRIT + GRACE_ANSWER), []);
}
