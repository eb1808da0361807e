package core

// DefaultIndexAt is of how many statuses a segment of the search index is made at least.
// Each server holds so many in memory, and reads them when it starts: half a second of a
// processor.
const DefaultIndexAt = 8192
