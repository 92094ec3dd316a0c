//! Layout: a Run to plain draw lists.
