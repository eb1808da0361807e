package linnet

import "time"

// Limits of what is imported from CSV files; the first two are Mastodon's.
const (
	MaxImportBytes = 20 << 20 // of a file
	MaxImportRows  = 20_000   // of a file
	MaxImports     = 10       // kept per user, the latest
)

// ImportState is how far an import is.
type ImportState string

// The states of an import.
const (
	ImportUnconfirmed ImportState = "unconfirmed"
	ImportInProgress  ImportState = "in_progress"
	ImportFinished    ImportState = "finished"
	ImportUndoing     ImportState = "undoing"
	ImportUndone      ImportState = "undone"
)

// Import is what somebody brings with them.
type Import struct {
	ID        ID
	Kind      CSVKind
	Overwrite bool   // what is there and not in the file goes
	File      string // its name, as it was sent
	State     ImportState
	Rows      int64 // of the file
	Here      int64 // rows of it that name somebody or something that is here
	Done      int64 // rows that have been gone through
	Imported  int64 // rows that are so now, also those that were so before
	Removed   int64 // by overwriting
	Failed    int64
	Waits     time.Time // until when, since a limit was reached; zero: it does not
	Finished  time.Time // zero: not yet
}

// ImportRow is a row of an import.
type ImportRow struct {
	Number  int
	Name    string // the address or lasting name
	List    string // the title of the list; only of lists
	Here    bool   // there is such an account or post here
	Outcome string // why it failed, "" if it did not or is not done yet
	Removed bool   // it is no row of the file: it was there, and was removed
}
