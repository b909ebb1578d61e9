//! The players over the line protocol: who can be chosen, and what they answer to.
