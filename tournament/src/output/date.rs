//! Dates, as the game file writes them.

pub(super) use kroo::ogn::date;
