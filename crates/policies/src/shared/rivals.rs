//! Parameters of the policies that ElasticFlow and Pollux compare themselves with.

use crate::parameters::{Parameter, YEAR_S};

/// The shortest interval between decisions.
pub(crate) const INTERVAL: Parameter =
    Parameter::number("interval_s", "The fewest seconds between decisions", 60.0, 0.0..=YEAR_S);

/// Chooses the published simulator instead of the paper.
pub(crate) const ARTIFACT: Parameter =
    Parameter::flag("artifact", "As the published simulator, where that departs from the paper", false);

/// The time of the last submission, which only the published simulator knows.
pub(crate) const LAST_SUBMIT: Parameter = Parameter::number(
    "last_submit_s",
    "With artifact=true: seconds from the first submission to the last, which the published simulator knows",
    0.0,
    0.0..=YEAR_S,
);
