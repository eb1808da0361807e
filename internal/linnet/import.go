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
	Overwrite bool    // what is there and not in the file goes
	File      string  // its name, as it was sent
	Looks     CSVKind // the kind that the file seems to be of, if that is another
	State     ImportState
	Rows      int64 // of the file
	Here      int64 // rows of it that name somebody or something that is here
	Done      int64 // rows that have been gone through
	Imported  int64 // rows that are so now, also those that were so before
	Removed   int64 // by overwriting
	Failed    int64
	Waits     time.Time // until when, since a limit was reached; zero: it does not
	Finished  time.Time // zero: not yet
	Posts     *Brought  // of an archive of posts, of which the rows are; nil: it is a list
}

// Empties reports whether an import would remove all that there is and put nothing in its place,
// since the file is another one than its sender thinks: that is not done.
func (i *Import) Empties() bool { return i.Overwrite && i.Here == 0 }

// Brought is what an archive of posts has beside its posts. The rows that are shown of such
// an import are those of which something is missing, the first MaxBroughtRows. Posts are never
// more visible than Visibility says, nor than they are in the archive; nil: as in the archive.
type Brought struct {
	Pictures   int64     // pictures, videos and sounds that are in it, of posts that are kept
	First      time.Time // of the earliest post
	Last       time.Time // of the latest
	Reposts    int64     // left out: of others' posts
	Messages   int64     // left out: to certain people only
	Unreadable int64     // left out: what is no post, or has no date
	Already    int64     // posts that were here before
	Lost       int64     // pictures that are not in it, or that could not be kept
	LongTexts  int64     // left out: whole texts of long posts that match no post
	Cut        int64     // posts of which only the beginning is in it
	Protected  bool      // only followers could read the posts where they were
	Visibility *Visibility
	Counts     [Direct]int64 // posts by the visibility they will have, see Visibility
	Until      time.Time     // when the file goes if nothing is confirmed
	Failed     string        // why the import ended early
}

// Of archives of posts: how long one is kept that is not confirmed, how many rows of a report,
// and since when posts may be.
const (
	BroughtLife    = 7 * 24 * time.Hour
	MaxBroughtRows = 1000
	BroughtSince   = 1990
)

// ImportRow is a row of an import.
type ImportRow struct {
	Number  int
	Name    string // the address or lasting name
	List    string // the title of the list; only of lists
	Here    bool   // there is such an account or post here
	Outcome string // why it failed, "" if it did not or is not done yet
	Removed bool   // it is no row of the file: it was there, and was removed
}
