package core

// DefaultIndexAt is the minimum number of statuses in a new segment of the search index. Each
// server has as many in memory, and reads them at start. This takes half a second of CPU time.
const DefaultIndexAt = 8192
