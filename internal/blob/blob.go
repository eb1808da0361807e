// Package blob stores files that never change, such as pictures, under random names: in a directory
// (Dir) or in an S3 bucket (Bucket).
//
// It knows names and bytes, but not their meaning. Anyone with a name gets the file.
package blob

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"strings"
	"time"
)

// Info is the metadata of a file.
type Info struct {
	Name    string
	Bytes   int64
	Written time.Time
	// Withheld reports whether the file is stored where only this program can read it, see
	// Store.Withhold.
	Withheld bool
}

// Store stores files. It is safe for concurrent use, also by several processes.
type Store interface {
	// Where returns the location of the files for messages.
	Where() string
	// Put stores data under a name from NewName. It overwrites an existing file. The media type
	// (RFC 6838) is for stores that others read too. A file exists completely or not at all. When
	// Put returns nil, the file survives a power failure, if the storage keeps its guarantees.
	Put(ctx context.Context, name, contentType string, data Source) error
	// Open opens a file, also a withheld one. It returns ErrAbsent if it does not exist. The
	// context must be valid until the file is closed.
	Open(ctx context.Context, name string) (*File, error)
	// Delete deletes files. It ignores missing ones.
	Delete(ctx context.Context, names ...string) error
	// Withhold moves files away from their public location. Open still finds them and reports
	// Info.Withheld. Files that are absent or withheld already are skipped.
	Withhold(ctx context.Context, names ...string) error
	// Release moves withheld files back. Files that are absent or public are skipped. Concurrent
	// calls of Withhold and Release lose no file, but either can win. So the caller repeats the
	// call that is right afterwards.
	Release(ctx context.Context, names ...string) error
	// Mark returns the text that identifies the location to the processes that store files there,
	// or ErrAbsent. The mark is not a file, so Walk skips it.
	Mark(ctx context.Context) (string, error)
	// SetMark writes the mark unless one exists. Call Mark afterwards.
	SetMark(ctx context.Context, text string) error
	// Walk calls each for every file, in the order of names, until each returns an error. It is for
	// commands, not for requests.
	Walk(ctx context.Context, each func(Info) error) error
}

// Source is the content of a file. It is read from the beginning, and again after a failure.
type Source interface {
	io.ReadSeeker
	io.ReaderAt
}

// File is an open file. It streams from the store, which takes little memory.
type File struct {
	io.ReadSeekCloser
	Info Info
}

// withheldDir contains the withheld files, below the directory or prefix of all files.
const withheldDir = ".withheld"

// movingDir contains spare copies of files that a bucket is moving.
const movingDir = ".moving"

// markName is the name of the mark, and markBytes the limit of its size.
const (
	markName  = ".linnet-place"
	markBytes = 256
)

// ErrAbsent is returned for a file that does not exist.
var ErrAbsent = errors.New("the file does not exist")

// NewName returns a random name with an extension. It cannot be guessed, so only receivers of the
// name can fetch the file.
func NewName(ending string) string { return strings.ToLower(rand.Text()) + "." + ending }

// nameLength is the length of the random part of a name.
const nameLength = 26

// Valid reports whether NewName can have returned a name. Other names are never files, so no name
// can lead outside the location of the files.
func Valid(name string) bool {
	stem, ending, ok := strings.Cut(name, ".")
	if !ok || len(stem) != nameLength || len(ending) < 2 || len(ending) > 4 {
		return false
	}
	return onlyOf(stem, "abcdefghijklmnopqrstuvwxyz234567") && onlyOf(ending, "abcdefghijklmnopqrstuvwxyz0123456789")
}

// markText returns the text of a mark, without its line break.
func markText(data []byte) string { return strings.TrimSpace(string(data[:min(len(data), markBytes)])) }

func onlyOf(s, letters string) bool {
	return strings.Trim(s, letters) == ""
}
