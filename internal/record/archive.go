package record

import (
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// KindArchive is the kind of key of exports.
const KindArchive = "archive"

func archiveKeys() []KeyDoc {
	return []KeyDoc{
		{KindArchive, "value", "user", "the requested archive: progress, files, expiry, JSON", "64 KiB", "", noSecret()},
	}
}

// ArchiveKey is the export of a user.
func ArchiveKey(user linnet.ID) kv.Key { return IDKey(KindArchive, user) }

// Archive is a user's export, a ZIP file. It is written in pieces, each a separate file. First a
// document of the export (Doc) is compressed piece by piece. Then it is added to a part, which is a
// ZIP file too. The entries of all parts in sequence, followed by a directory, form the export.
type Archive struct {
	Asked int64          `json:"asked"`           // Unix milliseconds
	Stage string         `json:"stage,omitempty"` // the document being written; "" when complete
	From  ImportPosition `json:"from,omitzero"`   // position in the set of the document
	Media int            `json:"media,omitempty"` // number of files of the next status that are already in parts
	Doc   Doc            `json:"doc,omitzero"`

	Parts   []ArchivePart `json:"parts,omitempty"`
	Tail    ArchivePart   `json:"tail,omitzero"` // the directory
	Spent   []string      `json:"spent,omitempty"`
	Posts   int64         `json:"posts,omitempty"` // written so far
	Of      int64         `json:"of,omitempty"`    // total when the export was requested
	Missing int64         `json:"missing,omitempty"`
	Made    int64         `json:"made,omitempty"`  // Unix milliseconds
	Until   int64         `json:"until,omitempty"` // Unix milliseconds
	Failed  string        `json:"failed,omitempty"`
}

// ImportPosition is a position in a set.
type ImportPosition struct {
	Score  int64  `json:"score"`
	Member string `json:"member"`
}

// Doc is the written part of a document.
type Doc struct {
	Pieces []string `json:"pieces,omitempty"` // files: parts of one deflated stream (RFC 1951)
	Packed int64    `json:"packed"`           // size of Pieces in bytes
	Bytes  int64    `json:"bytes"`            // uncompressed size
	Items  int64    `json:"items"`
	CRC    uint32   `json:"crc"`
}

// ArchivePart is a file with entries of the export.
type ArchivePart struct {
	Name    string `json:"name"`
	Entries int64  `json:"entries"` // number of bytes that belong to the export
}

// Bytes returns the current size of the export.
func (a *Archive) Bytes() int64 {
	n := a.Tail.Entries
	for _, p := range a.Parts {
		n += p.Entries
	}
	return n
}

// Files returns the names of all files of the export.
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

// ArchiveEnd returns the id of the task that removes an export.
func ArchiveEnd(user linnet.ID, asked int64) string { return fmt.Sprintf("archive.%v.%d", user, asked) }

// The kinds of key of imports.
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

// ImportsKey lists the imports of a user. It is not deleted when empty, so that its version only
// rises.
func ImportsKey(user linnet.ID) kv.Key { return IDKey(KindImports, user) }

// ImportRowsKey is a chunk of the rows of an import.
func ImportRowsKey(user, id linnet.ID, chunk int) kv.Key {
	return kv.Key{Kind: KindImportRows, Shard: user.Shard(), ID: fmt.Sprintf("%v.%v.%d", user, id, chunk)}
}

// CSVImports are the imports of a user, the latest last.
type CSVImports struct {
	All []CSVImport `json:"all,omitempty"`
}

// CSVImport is an import from a CSV file. Its rows are stored in chunks. After them come chunks
// with the entries that an overwriting import has removed.
type CSVImport struct {
	ID        JID                `json:"id"`
	Kind      linnet.CSVKind     `json:"kind"`
	Overwrite bool               `json:"overwrite,omitempty"`
	File      string             `json:"file,omitempty"`
	Looks     linnet.CSVKind     `json:"looks,omitempty"` // the detected kind, if it differs
	State     linnet.ImportState `json:"state"`           // "" while the rows are written
	Chunks    int                `json:"chunks"`
	Gone      int                `json:"gone,omitempty"`    // chunks of removed entries
	Sifted    bool               `json:"sifted,omitempty"`  // the existing entries are being compared with the file
	From      ImportPosition     `json:"from,omitzero"`     // position of the comparison
	List      JID                `json:"list,omitempty"`    // index of the list being compared
	Pending   bool               `json:"pending,omitempty"` // the entries of the last chunk are being removed
	Made      []JID              `json:"made,omitempty"`    // lists that the import has made
	Back      [][2]JID           `json:"back,omitempty"`    // ids with which removed lists are restored
	Next      int                `json:"next,omitempty"`    // the next row to import or undo
	Rows      int64              `json:"rows"`
	Here      int64              `json:"here,omitempty"`
	Imported  int64              `json:"imported,omitempty"`
	Removed   int64              `json:"removed,omitempty"`
	Failed    int64              `json:"failed,omitempty"`
	Waits     int64              `json:"waits,omitempty"`    // Unix milliseconds
	Finished  int64              `json:"finished,omitempty"` // Unix milliseconds
	Posts     *PostImport        `json:"posts,omitempty"`    // of an import of posts; nil: of a list
}

// PostImport is an import of posts. Until it is finished, its posts are in one file, ordered by
// date, and their media in another.
type PostImport struct {
	Posts      string `json:"file,omitempty"`  // name of a file with one JSON object per line
	Media      string `json:"media,omitempty"` // name of a file, or ""
	At         int64  `json:"at,omitempty"`    // number of bytes of Posts that are imported
	Below      JID    `json:"below,omitempty"` // while undoing: posts with higher ids are done
	First      int64  `json:"first"`           // Unix milliseconds
	Last       int64  `json:"last"`            // Unix milliseconds
	Until      int64  `json:"until"`           // when the files are deleted unless the import is confirmed, Unix milliseconds
	Pictures   int64  `json:"pictures,omitempty"`
	Reposts    int64  `json:"reposts,omitempty"`
	Messages   int64  `json:"messages,omitempty"`
	Unreadable int64  `json:"unreadable,omitempty"`
	LongTexts  int64  `json:"long_texts,omitempty"`
	Cut        int64  `json:"cut,omitempty"`
	Already    int64  `json:"already,omitempty"`
	Lost       int64  `json:"lost,omitempty"`
	Failed     string `json:"failed,omitempty"`

	// Visibility is the most visible setting of the posts. Nil keeps the settings of the archive,
	// which makes posts public in imports from X that an earlier release began.
	Visibility *linnet.Visibility `json:"visibility,omitempty"`
	Protected  bool               `json:"protected,omitempty"`
	Counts     []int64            `json:"counts,omitempty"` // number of posts by their visibility in the archive
}

// Files returns the names of the files of an import.
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

// ImportEnd returns the id of the task that removes an unconfirmed import of posts.
func ImportEnd(id linnet.ID) string { return fmt.Sprintf("import-end.%v", id) }

// ImportRow is a row of an import. There are up to 20,000, so the names are short.
type ImportRow struct {
	Name  string         `json:"n"`           // address or permanent name
	List  string         `json:"l,omitempty"` // title
	Of    JID            `json:"b,omitempty"` // the removed list; imports of earlier releases have only its title
	ID    JID            `json:"i,omitempty"` // id of the user or list, if it exists here
	Opt   *ImportOptions `json:"o,omitempty"` // from the file
	Was   *ImportOptions `json:"w,omitempty"` // before the import
	Seen  bool           `json:"s,omitempty"` // Made and Was contain the previous state
	Made  bool           `json:"m,omitempty"` // it did not exist before
	Wrong string         `json:"e,omitempty"` // reason of the failure
}

// ImportOptions are the options of a follow, a mute or a list. Nil leaves an option unchanged.
// Options that no file has are recorded from the previous state.
type ImportOptions struct {
	Reposts   *bool     `json:"r,omitempty"`
	Notify    *bool     `json:"t,omitempty"`
	Languages *[]string `json:"l,omitempty"`
	Notices   *bool     `json:"h,omitempty"` // notifications are muted too

	Endorsed  bool                 `json:"e,omitempty"`
	Until     int64                `json:"u,omitempty"` // end of a mute, Unix milliseconds; 0: never
	Exclusive bool                 `json:"x,omitempty"`
	Replies   linnet.RepliesPolicy `json:"p,omitempty"`
}
