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
		{KindArchive, "value", "user", "the archive that the user has asked for: how far it is, the files of which it is made, until when it is there, JSON", "64 KiB", "", noSecret()},
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
