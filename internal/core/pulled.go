package core

// DefaultPullAbove is how many followers an author has who is pulled. Who
// falls below half of it is pushed again.
const DefaultPullAbove = 50_000
