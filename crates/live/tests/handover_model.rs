//! Every interleaving of the hand-over between two workers, with the very file that the ring uses. Also the protocol of
//! the project report that the ring comes from, which must fail.
//!
//! There are no clocks here: a time-out is an act that may come at any moment.

use std::panic::{AssertUnwindSafe, catch_unwind};

use loom::sync::Arc;
use loom::thread;

use handover::{Desks, Find, Returned};

mod sync {
    pub use loom::sync::{Condvar, Mutex, MutexGuard};
}

#[allow(dead_code, reason = "the model needs only a part of it")]
#[path = "../src/ring/handover.rs"]
mod handover;

/// Letters are numbers. The only order is to stop.
type Office = Arc<Desks<u32, ()>>;

const ELECTION: u64 = 7;

fn office(workers: usize) -> Office {
    Arc::new(Desks::new(workers))
}

/// The letters, and each mark with the number of letters taken before it.
type Taken = (Vec<u32>, Vec<(u64, usize)>);

/// Takes all offers until the order to stop. Returns the letters, and each mark with the number of letters taken before
/// it.
fn take_all(office: &Office, own: usize) -> Taken {
    let (mut letters, mut marks) = (Vec::new(), Vec::new());
    loop {
        match office.attend(own, ELECTION, true, None) {
            Find::Letter { letter, .. } => letters.push(letter),
            Find::Mark(election) => marks.push((election, letters.len())),
            Find::Order(()) => return (letters, marks),
            other => panic!("nothing was offered by this one: {other:?}"),
        }
    }
}

/// A worker that takes all offers.
fn taking_all(office: &Office, own: usize) -> thread::JoinHandle<Taken> {
    let office = office.clone();
    thread::spawn(move || take_all(&office, own))
}

/// Waits for the answer to its offer, without a time limit.
fn hear_answer(office: &Office, own: usize) {
    assert_eq!(office.attend(own, ELECTION, true, None), Find::Answer(ELECTION));
}

/// Offers a letter, and gives it up at some moment. Returns whether it came back.
fn offer_in_a_hurry(office: &Office, own: usize, to: usize, letter: u32) -> bool {
    office.offer(own, to, letter);
    match office.give_up(own, to, ELECTION) {
        Some(Returned { letter: returned, .. }) => {
            assert_eq!(returned, letter);
            true
        }
        None => {
            hear_answer(office, own);
            false
        }
    }
}

#[test]
fn a_letter_is_taken_or_comes_back_and_never_both() {
    loom::model(|| {
        let office = office(2);
        let taker = taking_all(&office, 1);
        let returned = offer_in_a_hurry(&office, 0, 1, 5);
        office.order(1, ());
        let (letters, marks) = taker.join().unwrap();
        assert_eq!(letters.len() + usize::from(returned), 1, "taken {letters:?}, came back: {returned}");
        // The mark may be unseen: orders come first.
        assert_eq!(marks.len() + usize::from(office.has_mark(1)), usize::from(returned));
    });
}

#[test]
fn a_sender_that_waits_is_always_woken() {
    loom::model(|| {
        let office = office(2);
        let sender = thread::spawn({
            let office = office.clone();
            move || {
                office.offer(0, 1, 5);
                hear_answer(&office, 0);
                office.offer(0, 1, 6);
                hear_answer(&office, 0);
            }
        });
        for letter in [5, 6] {
            assert_eq!(office.attend(1, ELECTION, true, None), Find::Letter { from: 0, letter });
        }
        sender.join().unwrap();
    });
}

/// Three threads have too many interleavings. Only those with at most three preemptions are checked.
#[test]
fn two_senders_at_one_desk_do_not_mistake_each_others_answers() {
    let mut explorer = loom::model::Builder::new();
    explorer.preemption_bound = Some(3);
    explorer.check(|| {
        let office = office(3);
        let patient = thread::spawn({
            let office = office.clone();
            move || {
                office.offer(0, 2, 5);
                hear_answer(&office, 0);
            }
        });
        let hasty = thread::spawn({
            let office = office.clone();
            move || {
                let returned = offer_in_a_hurry(&office, 1, 2, 6);
                office.order(2, ());
                returned
            }
        });
        let (mut letters, _) = take_all(&office, 2);
        while !letters.contains(&5) {
            if let Find::Letter { letter, .. } = office.attend(2, ELECTION, true, None) {
                letters.push(letter);
            }
        }
        patient.join().unwrap();
        let returned = hasty.join().unwrap();
        letters.sort_unstable();
        assert_eq!(letters, if returned { vec![5] } else { vec![5, 6] });
    });
}

#[test]
fn who_waits_to_hand_over_still_takes_so_all_may_start_at_once() {
    loom::model(|| {
        let office = office(2);
        let start = |own: usize| {
            let office = office.clone();
            move || {
                office.offer(own, 1 - own, own as u32);
                let (mut answered, mut taken) = (false, false);
                while !(answered && taken) {
                    match office.attend(own, ELECTION, true, None) {
                        Find::Answer(_) => answered = true,
                        Find::Letter { from, letter } => taken = from == 1 - own && letter == from as u32,
                        other => panic!("nothing else is there: {other:?}"),
                    }
                }
            }
        };
        let other = thread::spawn(start(1));
        start(0)();
        other.join().unwrap();
    });
}

#[test]
fn an_answer_to_an_offer_of_old_is_never_taken_for_a_new_one() {
    loom::model(|| {
        let office = office(2);
        let taker = taking_all(&office, 1);
        // The sender changes to another election and does not wait for the fate of its first letter.
        office.offer(0, 1, 5);
        let returned = office.withdraw(0, 1).is_some();
        office.offer(0, 1, 6);
        hear_answer(&office, 0);
        assert_eq!(office.withdraw(0, 1), None, "an answer means that the letter was taken");
        office.order(1, ());
        assert_eq!(taker.join().unwrap().0, if returned { vec![6] } else { vec![5, 6] });
    });
}

#[test]
fn who_was_passed_over_knows_it_before_it_takes_anything_later() {
    loom::model(|| {
        let office = office(2);
        let taker = taking_all(&office, 1);
        let returned = offer_in_a_hurry(&office, 0, 1, 5);
        office.offer(0, 1, 6);
        hear_answer(&office, 0);
        office.order(1, ());
        let (letters, marks) = taker.join().unwrap();
        if returned {
            assert_eq!((letters, marks), (vec![6], vec![(ELECTION, 0)]));
        } else {
            assert_eq!((letters, marks), (vec![5, 6], vec![]));
        }
    });
}

#[test]
fn a_suspect_is_passed_over_with_a_mark_or_has_shown_a_sign_of_life() {
    loom::model(|| {
        let office = office(2);
        office.offer(0, 1, 5);
        let Some(Returned { turns, .. }) = office.give_up(0, 1, 1) else { panic!("nobody was there to take it") };
        let suspect = thread::spawn({
            let office = office.clone();
            move || {
                // The suspect comes back and finds its mark.
                let Find::Mark(election) = office.attend(1, ELECTION, true, None) else { panic!("it was passed over") };
                election
            }
        });
        let passed_over = office.pass_over(1, turns, 2);
        let seen = suspect.join().unwrap();
        assert_eq!(seen, if passed_over { 2 } else { 1 });
    });
}

/// The rendezvous of the report, listings 1 to 3.
mod report {
    use loom::sync::{Condvar, Mutex};

    #[derive(Default)]
    pub struct Buffer {
        message: Mutex<Option<u32>>,
        takable: Condvar,
        assignable: Condvar,
        is_taken: Mutex<bool>,
        taken: Condvar,
    }

    impl Buffer {
        fn assign(&self, message: u32) {
            let mut buffer = self.message.lock().unwrap();
            while buffer.is_some() {
                buffer = self.assignable.wait(buffer).unwrap();
            }
            *buffer = Some(message);
            self.takable.notify_one();
        }

        /// Listing 1, with a time-out as soon as the sender looks.
        pub fn assign_and_hurry(&self, message: u32) -> bool {
            *self.is_taken.lock().unwrap() = false;
            self.assign(message);
            *self.is_taken.lock().unwrap()
        }

        /// Listing 1, without a time-out.
        pub fn assign_and_wait(&self, message: u32) {
            *self.is_taken.lock().unwrap() = false;
            self.assign(message);
            let mut is_taken = self.is_taken.lock().unwrap();
            while !*is_taken {
                is_taken = self.taken.wait(is_taken).unwrap();
            }
        }

        pub fn take(&self) -> u32 {
            let mut buffer = self.message.lock().unwrap();
            let message = loop {
                if let Some(message) = buffer.take() {
                    break message;
                }
                buffer = self.takable.wait(buffer).unwrap();
            };
            self.assignable.notify_one();
            drop(buffer);
            *self.is_taken.lock().unwrap() = true;
            self.taken.notify_one();
            message
        }
    }
}

/// The error message for a model that must fail.
fn flaw(model: impl Fn() + Sync + Send + 'static) -> String {
    let outcome = catch_unwind(AssertUnwindSafe(|| loom::model(model)));
    let payload = outcome.expect_err("the explorer finds nothing wrong");
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => payload.downcast::<&str>().map(|text| text.to_string()).unwrap_or_default(),
    }
}

#[test]
fn in_the_report_a_late_taker_duplicates_a_message() {
    let flaw = flaw(|| {
        let neighbour = Arc::new(report::Buffer::default());
        let taker = thread::spawn({
            let neighbour = neighbour.clone();
            move || neighbour.take()
        });
        let taken = neighbour.assign_and_hurry(5);
        // After a time-out the message goes to the next worker, but it is still in the first one's buffer.
        let copies = usize::from(!taken) + usize::from(taker.join().unwrap() == 5);
        assert_eq!(copies, 1, "the message has been duplicated");
    });
    assert!(flaw.contains("the message has been duplicated"), "{flaw}");
}

#[test]
fn in_the_report_simultaneous_starts_wait_for_each_other_until_the_time_is_up() {
    let flaw = flaw(|| {
        let buffers = std::sync::Arc::new([report::Buffer::default(), report::Buffer::default()]);
        let start = |own: usize| {
            let buffers = buffers.clone();
            move || {
                buffers[1 - own].assign_and_wait(own as u32);
                buffers[own].take();
            }
        };
        let other = thread::spawn(start(1));
        start(0)();
        other.join().unwrap();
    });
    assert!(flaw.contains("deadlock"), "{flaw}");
}
