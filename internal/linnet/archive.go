package linnet

import "time"

// CSVKind is a list that a user may take along, and bring with them, by the name of its file.
type CSVKind string

// The lists, in the forms that Mastodon gives them.
// https://docs.joinmastodon.org/user/moving/#export
const (
	FollowingCSV CSVKind = "following_accounts"
	ListsCSV     CSVKind = "lists"
	BlocksCSV    CSVKind = "blocked_accounts"
	MutesCSV     CSVKind = "muted_accounts"
	BookmarksCSV CSVKind = "bookmarks"
)

// The archives of posts that a user may bring, by where they come from.
const (
	MastodonArchive CSVKind = "mastodon_archive"
	TwitterArchive  CSVKind = "twitter_archive"
)

// CSVKinds are all lists.
func CSVKinds() []CSVKind {
	return []CSVKind{FollowingCSV, ListsCSV, BlocksCSV, MutesCSV, BookmarksCSV}
}

// ParseCSVKind reads the name of one.
func ParseCSVKind(s string) (CSVKind, bool) {
	for _, k := range CSVKinds() {
		if string(k) == s {
			return k, true
		}
	}
	return "", false
}

// ArchiveLife is for how long an archive is kept, and a user has but one.
const ArchiveLife = 7 * 24 * time.Hour

// ArchiveStuck is after how long another archive may be asked for in place of one that has
// not become complete.
const ArchiveStuck = 24 * time.Hour

// Archive is an archive as its owner sees it.
type Archive struct {
	Asked   time.Time
	Made    time.Time // zero until it is complete
	Until   time.Time // when it goes
	Bytes   int64
	Posts   int64 // that are in it so far
	Of      int64 // how many there were when it was asked for
	Missing int64 // files that were not there to be put into it
	Failed  string
	File    string // how the file is to be called

	Renewable bool // another may be asked for in its place
}
