package record

import (
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// KindArchive is the kind of key of what somebody takes along.
const KindArchive = "archive"

func archiveKeys() []KeyDoc {
	return []KeyDoc{
		{KindArchive, "value", "user", "the requested archive: progress, files, expiry, JSON", "64 KiB", "", noSecret()},
	}
}

// ArchiveKey is the archive of a user.
func ArchiveKey(user linnet.ID) kv.Key { return IDKey(KindArchive, user) }

// Archive is what a user takes along, a ZIP file. It is made in pieces, each of which is a
// file of its own: first Doc, a document of the archive, is compressed piece by piece, then
// it is put into a part, which is a ZIP file of its own too. The entries of all parts one
// after the other, and the directory behind them, are the archive.
type Archive struct {
	Asked int64    `json:"asked"`           // Unix milliseconds
	Stage string   `json:"stage,omitempty"` // the document that is being written; "" when it is complete
	From  SetPlace `json:"from,omitzero"`   // of the set that the document is of, up to where it is written
	Media int      `json:"media,omitempty"` // how many files of the next status are in parts already
	Doc   Doc      `json:"doc,omitzero"`

	Parts   []ArchivePart `json:"parts,omitempty"`
	Tail    ArchivePart   `json:"tail,omitzero"` // the directory
	Spent   []string      `json:"spent,omitempty"`
	Posts   int64         `json:"posts,omitempty"` // written so far
	Of      int64         `json:"of,omitempty"`    // how many there were when it was asked for
	Missing int64         `json:"missing,omitempty"`
	Made    int64         `json:"made,omitempty"`  // Unix milliseconds
	Until   int64         `json:"until,omitempty"` // likewise
	Failed  string        `json:"failed,omitempty"`
}

// SetPlace is a member of a set.
type SetPlace struct {
	Score  int64  `json:"score"`
	Member string `json:"member"`
}

// Doc is a document of an archive as far as it is written.
type Doc struct {
	Pieces []string `json:"pieces,omitempty"` // files: parts of one deflated stream (RFC 1951)
	Packed int64    `json:"packed"`           // their bytes
	Bytes  int64    `json:"bytes"`            // what they hold
	Items  int64    `json:"items"`
	CRC    uint32   `json:"crc"`
}

// ArchivePart is a file that holds entries of the archive.
type ArchivePart struct {
	Name    string `json:"name"`
	Entries int64  `json:"entries"` // bytes from its beginning that belong to the archive
}

// Bytes is how large the archive is, as far as it is made.
func (a *Archive) Bytes() int64 {
	n := a.Tail.Entries
	for _, p := range a.Parts {
		n += p.Entries
	}
	return n
}

// Files are the names of all files that were made for it.
func (a *Archive) Files() []string {
	names := append([]string{}, a.Spent...)
	names = append(names, a.Doc.Pieces...)
	for _, p := range a.Parts {
		names = append(names, p.Name)
	}
	if a.Tail.Name != "" {
		names = append(names, a.Tail.Name)
	}
	return names
}

// ArchiveEnd is the id of the task that removes an archive.
func ArchiveEnd(user linnet.ID, asked int64) string { return fmt.Sprintf("archive.%v.%d", user, asked) }

// The kinds of key of what somebody brings with them.
const (
	KindImports    = "imports"
	KindImportRows = "importrows"
)

func importKeys() []KeyDoc {
	return []KeyDoc{
		{KindImports, "value", "user", "recent imports and their progress, JSON", "10", "", noSecret()},
		{KindImportRows, "value", "user.import.number", "rows of an import with their results, JSON; for posts only incomplete ones", "100 rows, 300 an import", "", noSecret()},
	}
}

// ImportsKey names the imports of a user. It stays when it is empty, so that its version only
// rises.
func ImportsKey(user linnet.ID) kv.Key { return IDKey(KindImports, user) }

// ImportRowsKey is a chunk of the rows of an import.
func ImportRowsKey(user, id linnet.ID, chunk int) kv.Key {
	return kv.Key{Kind: KindImportRows, Shard: user.Shard(), ID: fmt.Sprintf("%v.%v.%d", user, id, chunk)}
}

// CSVImports are those of a user, the latest last.
type CSVImports struct {
	All []CSVImport `json:"all,omitempty"`
}

// CSVImport is an import from a CSV file. Its rows lie in chunks; behind those of the file
// come chunks of what was there and was removed, by overwriting.
type CSVImport struct {
	ID        JID                `json:"id"`
	Kind      linnet.CSVKind     `json:"kind"`
	Overwrite bool               `json:"overwrite,omitempty"`
	File      string             `json:"file,omitempty"`
	Looks     linnet.CSVKind     `json:"looks,omitempty"` // the kind that the file seems to be of, if that is another
	State     linnet.ImportState `json:"state"`           // "" while the rows are written
	Chunks    int                `json:"chunks"`
	Gone      int                `json:"gone,omitempty"`    // chunks behind these
	Sifted    bool               `json:"sifted,omitempty"`  // what was there is compared with the file
	From      SetPlace           `json:"from,omitzero"`     // up to where, until then
	List      JID                `json:"list,omitempty"`    // in the list whose members are compared
	Pending   bool               `json:"pending,omitempty"` // what the last chunk names is being removed
	Made      []JID              `json:"made,omitempty"`    // lists that it has made
	Back      [][2]JID           `json:"back,omitempty"`    // lists that were removed, and by which id each comes back
	Next      int                `json:"next,omitempty"`    // the row that is done next, or undone
	Rows      int64              `json:"rows"`
	Here      int64              `json:"here,omitempty"`
	Imported  int64              `json:"imported,omitempty"`
	Removed   int64              `json:"removed,omitempty"`
	Failed    int64              `json:"failed,omitempty"`
	Waits     int64              `json:"waits,omitempty"`    // Unix milliseconds
	Finished  int64              `json:"finished,omitempty"` // likewise
	Posts     *Brought           `json:"posts,omitempty"`    // of an archive of posts; nil: it is a list
}

// Brought is an archive of posts under way. Its posts lie in one file, in the order of their
// dates, and their media in another, until it is finished.
type Brought struct {
	Posts      string `json:"file,omitempty"`  // the name of a file, one JSON object a line
	Media      string `json:"media,omitempty"` // the name of a file, or "" if there are none
	At         int64  `json:"at,omitempty"`    // bytes of Posts that are done
	Below      JID    `json:"below,omitempty"` // while undoing: what is later is looked through
	First      int64  `json:"first"`           // Unix milliseconds
	Last       int64  `json:"last"`            // likewise
	Until      int64  `json:"until"`           // likewise: when the files go unless it is confirmed
	Pictures   int64  `json:"pictures,omitempty"`
	Reposts    int64  `json:"reposts,omitempty"`
	Messages   int64  `json:"messages,omitempty"`
	Unreadable int64  `json:"unreadable,omitempty"`
	LongTexts  int64  `json:"long_texts,omitempty"`
	Cut        int64  `json:"cut,omitempty"`
	Already    int64  `json:"already,omitempty"`
	Lost       int64  `json:"lost,omitempty"`
	Failed     string `json:"failed,omitempty"`

	// Posts are never more visible than Visibility. nil: as in the archive, which makes posts
	// public in imports from X that an earlier release began.
	Visibility *linnet.Visibility `json:"visibility,omitempty"`
	Protected  bool               `json:"protected,omitempty"`
	Counts     []int64            `json:"counts,omitempty"` // posts by their visibility in the archive
}

// Files are the names of the files of an import.
func (i *CSVImport) Files() (names []string) {
	if i.Posts != nil {
		for _, n := range []string{i.Posts.Posts, i.Posts.Media} {
			if n != "" {
				names = append(names, n)
			}
		}
	}
	return names
}

// ImportEnd is the id of the task that removes an import of posts which nobody confirms.
func ImportEnd(id linnet.ID) string { return fmt.Sprintf("import-end.%v", id) }

// ImportRow is a row of an import; there are up to 20,000: the names are short.
type ImportRow struct {
	Name  string         `json:"n"`           // address or lasting name
	List  string         `json:"l,omitempty"` // title
	Of    JID            `json:"b,omitempty"` // that list, of what is removed; imports of former releases have its title alone
	ID    JID            `json:"i,omitempty"` // of whom or what it names, if that is here
	Opt   *ImportOptions `json:"o,omitempty"` // as the file has them
	Was   *ImportOptions `json:"w,omitempty"` // before this changed them
	Seen  bool           `json:"s,omitempty"` // how it was before is known, which Made and Was say
	Made  bool           `json:"m,omitempty"` // it was not so before
	Wrong string         `json:"e,omitempty"` // why it failed
}

// ImportOptions are those of a follow, a mute or a list; nil leaves one as it is. Those that no
// file has are written down of what was there.
type ImportOptions struct {
	Reposts   *bool     `json:"r,omitempty"`
	Notify    *bool     `json:"t,omitempty"`
	Languages *[]string `json:"l,omitempty"`
	Notices   *bool     `json:"h,omitempty"` // notifications are muted too

	Endorsed  bool                 `json:"e,omitempty"`
	Until     int64                `json:"u,omitempty"` // when a mute ends, Unix milliseconds; 0: never
	Exclusive bool                 `json:"x,omitempty"`
	Replies   linnet.RepliesPolicy `json:"p,omitempty"`
}
