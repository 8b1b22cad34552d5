//! MovingAI benchmark files.
