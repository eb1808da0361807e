package linnet

import "time"

// Limits of CSV imports. The first two are Mastodon's.
const (
	MaxImportBytes = 20 << 20 // of a file
	MaxImportRows  = 20_000   // of a file
	MaxImports     = 10       // stored per user; older ones are deleted
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

// Import is an import of a user.
type Import struct {
	ID        ID
	Kind      CSVKind
	Overwrite bool    // remove existing entries that aren't in the file
	File      string  // its name, as it was sent
	Looks     CSVKind // the kind that the file seems to be of, if that is another
	State     ImportState
	Rows      int64 // of the file
	Here      int64 // rows that match an account or object on this server
	Done      int64 // processed rows
	Imported  int64 // rows that are true now, including those that were before
	Removed   int64 // by overwriting
	Failed    int64
	Waits     time.Time // until when, since a limit was reached; zero: it does not
	Finished  time.Time // zero: not yet
	Posts     *Brought  // of an archive of posts, of which the rows are; nil: it is a list
}

// Empties reports whether an import would remove everything and add nothing, because the file has
// another type. Such an import isn't done.
func (i *Import) Empties() bool { return i.Overwrite && i.Here == 0 }

// Brought has further data of an import of posts. The shown rows are posts with missing data, at
// most MaxBroughtRows. Posts are never more visible than Visibility, nor than in the archive. Nil
// means as in the archive.
type Brought struct {
	Pictures   int64     // media files in the archive, of imported posts
	First      time.Time // of the earliest post
	Last       time.Time // of the latest
	Reposts    int64     // left out: of others' posts
	Messages   int64     // left out: to certain people only
	Unreadable int64     // skipped entries that aren't posts or have no date
	Already    int64     // posts that were here before
	Lost       int64     // pictures that are missing or couldn't be stored
	LongTexts  int64     // left out: whole texts of long posts that match no post
	Cut        int64     // posts of which only the beginning is in it
	Protected  bool      // only followers could read the posts where they were
	Visibility *Visibility
	Counts     [Direct]int64 // posts by the visibility they will have, see Visibility
	Until      time.Time     // when the file is deleted if the import isn't confirmed
	Failed     string        // why the import ended early
}

// Limits of imports of posts: how long an unconfirmed one is stored, rows of a report, and the
// earliest date of a post.
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
