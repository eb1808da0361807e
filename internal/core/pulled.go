package core

// DefaultPullAbove is the number of followers above which an author is pulled. Below half of it the
// author is pushed again.
const DefaultPullAbove = 50_000
