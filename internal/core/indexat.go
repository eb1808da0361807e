package core

// DefaultIndexAt is the minimum number of statuses in a new segment of the search index. Each
// server has as many in memory and reads them at its start, which takes half a second of processor
// time.
const DefaultIndexAt = 8192
