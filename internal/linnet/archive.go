package linnet

import (
	"time"
)

// CSVKind is a list that users can export and import, by the name of its file.
type CSVKind string

// Lists in Mastodon's formats. https://docs.joinmastodon.org/user/moving/#export
const (
	FollowingCSV CSVKind = "following_accounts"
	ListsCSV     CSVKind = "lists"
	BlocksCSV    CSVKind = "blocked_accounts"
	MutesCSV     CSVKind = "muted_accounts"
	BookmarksCSV CSVKind = "bookmarks"
)

// Archives of posts that users can import, by origin.
const (
	MastodonArchive CSVKind = "mastodon_archive"
	TwitterArchive  CSVKind = "twitter_archive"
)

// FeedsOPML is the list of followed external feeds, an OPML file. It is not among CSVKinds.
const FeedsOPML CSVKind = "feeds"

// CSVKinds returns all lists.
func CSVKinds() []CSVKind {
	return []CSVKind{FollowingCSV, ListsCSV, BlocksCSV, MutesCSV, BookmarksCSV}
}

// ParseCSVKind reads the name of a list.
func ParseCSVKind(s string) (CSVKind, bool) {
	for _, k := range CSVKinds() {
		if string(k) == s {
			return k, true
		}
	}
	return "", false
}

// ArchiveLife is the lifetime of an export. A user has at most one.
const ArchiveLife = 7 * 24 * time.Hour

// ArchiveStuck is the age at which an incomplete export can be replaced by a new one.
const ArchiveStuck = 24 * time.Hour

// Archive is an archive as its owner sees it.
type Archive struct {
	Asked   time.Time
	Made    time.Time // zero until it is complete
	Until   time.Time // time of its deletion
	Bytes   int64
	Posts   int64 // posts in it so far
	Of      int64 // their number at the start
	Missing int64 // missing files that are not in it
	Failed  string
	File    string // suggested name of the file

	Renewable bool // a new one can be requested
}

// Limits of CSV imports. The first two are Mastodon's.
const (
	MaxImportBytes = 20 << 20 // of a file
	MaxImportRows  = 20_000   // of a file
	MaxImportFeeds = 1000     // of an OPML file
	MaxImports     = 10       // stored per user; older ones are deleted
)

// ImportState is the progress of an import.
type ImportState string

// States of an import.
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
	File      string  // name of the uploaded file
	Looks     CSVKind // type of the file according to its content, if it differs
	State     ImportState
	Rows      int64 // of the file
	Here      int64 // rows that match an account or object on this server
	Done      int64 // processed rows
	Imported  int64 // rows that are in effect now, including ones that were before
	Removed   int64 // entries removed by overwriting
	Failed    int64
	Waits     time.Time   // time until which a limit was reached; zero if it isn't waiting
	Finished  time.Time   // zero if unfinished
	Posts     *PostImport // data of an archive of posts, which have rows; nil for a list
}

// Empties reports whether an import would remove everything and add nothing, because the file has
// another type. Such an import isn't done.
func (i *Import) Empties() bool { return i.Overwrite && i.Here == 0 }

// PostImport has further data of an import of posts. The shown rows are posts with missing data, at
// most MaxPostImportRows. Posts are never more visible than Visibility, nor than in the archive.
// Nil means as in the archive.
type PostImport struct {
	Pictures   int64     // media files in the archive, of imported posts
	First      time.Time // of the earliest post
	Last       time.Time // of the latest
	Reposts    int64     // skipped: posts of other users
	Messages   int64     // skipped: posts for certain users only
	Unreadable int64     // skipped entries that aren't posts or have no date
	Already    int64     // posts that existed here before
	Lost       int64     // pictures that are missing or couldn't be stored
	LongTexts  int64     // skipped: full texts of long posts that match no post
	Cut        int64     // posts with only the beginning of their text
	Protected  bool      // only followers could read the posts before
	Visibility *Visibility
	Counts     [Direct]int64 // posts by their future visibility, see Visibility
	Until      time.Time     // when the file is deleted if the import isn't confirmed
	Failed     string        // reason why the import ended early
}

// Limits of imports of posts: lifetime of an unconfirmed one, rows of a report, and the
// earliest date of a post.
const (
	PostImportTTL     = 7 * 24 * time.Hour
	MaxPostImportRows = 1000
	PostImportSince   = 1990
)

// ImportRow is a row of an import.
type ImportRow struct {
	Number  int
	Name    string // address, or permanent name
	List    string // title of the list; only for lists
	Here    bool   // the account or post exists here
	Outcome string // reason of a failure; "" if there is none, or not yet
	Removed bool   // not a row of the file, but an existing entry that was removed
}
