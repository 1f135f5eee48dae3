//! The lab behind a page that has no server. It has four functions of plain numbers, so that no generated code stands
//! between them and the page:
//!
//! 1. [`request`] makes room for a request of a number of bytes, and says where;
//! 2. the page writes it there, as JSON in UTF-8;
//! 3. [`answer`] answers it;
//! 4. [`response`] and [`response_length`] say where the answer is.
//!
//! A call may grow the memory, so the page looks at it anew after each. If a call traps, the response is what the panic
//! said, as plain text, or empty if memory or stack ran out. Then the instance is of no more use.

use std::panic;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bellwether_lab::Limits;

static REQUEST: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static RESPONSE: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// There is one thread, so nobody waits.
fn lock(bytes: &Mutex<Vec<u8>>) -> MutexGuard<'_, Vec<u8>> {
    bytes.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes room for a request of this many bytes. The page writes it to the address that comes back.
#[unsafe(no_mangle)]
pub extern "C" fn request(length: usize) -> *const u8 {
    panic::set_hook(Box::new(|panic| *lock(&RESPONSE) = panic.to_string().into_bytes()));
    *lock(&RESPONSE) = Vec::new(); // the last answer
    let mut request = lock(&REQUEST);
    *request = vec![0; length];
    request.as_ptr()
}

/// Answers the request.
#[unsafe(no_mangle)]
pub extern "C" fn answer() {
    let request = std::mem::take(&mut *lock(&REQUEST));
    let answer = bellwether_lab::answer(&String::from_utf8_lossy(&request), &Limits::BROWSER);
    *lock(&RESPONSE) = answer.into_bytes();
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn response() -> *const u8 {
    lock(&RESPONSE).as_ptr()
}

/// How many bytes the answer has.
#[unsafe(no_mangle)]
pub extern "C" fn response_length() -> usize {
    lock(&RESPONSE).len()
}
