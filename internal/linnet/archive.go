package linnet

import "time"

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

// ArchiveLife is the time for which an export is stored. A user has at most one.
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
