//! Elections on rings. Port 0 leads to the clockwise neighbour, port 1 to the other one.

mod chang_roberts;
mod chang_roberts_bidirectional;
mod clockwise;
mod clockwise_async;
mod dolev_klawe_rodeh;
mod franklin;
mod hirschberg_sinclair;
mod itai_rodeh;
mod itai_rodeh_sync;
mod le_lann;
mod peterson;
mod time_slice;
mod variable_speeds;

pub use chang_roberts::ChangRoberts;
pub use chang_roberts_bidirectional::ChangRobertsBidirectional;
pub use clockwise::Clockwise;
pub use clockwise_async::ClockwiseAsync;
pub use dolev_klawe_rodeh::DolevKlaweRodeh;
pub use franklin::Franklin;
pub use hirschberg_sinclair::HirschbergSinclair;
pub use itai_rodeh::ItaiRodeh;
pub use itai_rodeh_sync::ItaiRodehSync;
pub use le_lann::LeLann;
pub use peterson::Peterson;
pub use time_slice::TimeSlice;
pub use variable_speeds::VariableSpeeds;
