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

// Info is what is known of a file without reading it.
type Info struct {
	Name    string
	Bytes   int64
	Written time.Time
	// Withheld: the file is stored where only this program reads it, see Store.Withhold.
	Withheld bool
}

// Store keeps files. It is safe for concurrent use, also by several processes.
type Store interface {
	// Where says where the files are, for people.
	Where() string
	// Put keeps what is read from data, up to its end, under a name that NewName has
	// drawn; that name again is overwritten. The type is its media type (RFC 6838), for
	// stores that others read too. The file is whole or not there at any moment; when Put
	// returns nil it outlives a loss of power, as far as what it lies on keeps its word.
	Put(ctx context.Context, name, contentType string, data Source) error
	// Open opens a file for reading, also a withheld one. It returns ErrAbsent if there is
	// none. The context must last as long as the file is read.
	Open(ctx context.Context, name string) (*File, error)
	// Delete removes files. That one is not there is no error.
	Delete(ctx context.Context, names ...string) error
	// Withhold moves files away from their public location. Open still finds them and reports
	// Info.Withheld. Files that are absent or withheld already are skipped.
	Withhold(ctx context.Context, names ...string) error
	// Release moves withheld files back. Files that are absent or public are skipped. Calls of
	// Withhold and Release that overlap lose no file, but either may win: the caller repeats
	// the call that is right now.
	Release(ctx context.Context, names ...string) error
	// Mark reads the text by which processes that keep files here know that they see the
	// same place; ErrAbsent if there is none. It is no file: Walk does not tell of it.
	Mark(ctx context.Context) (string, error)
	// SetMark writes it if there is none, and else changes nothing: read it afterwards.
	SetMark(ctx context.Context, text string) error
	// Walk tells of every file, in the order of names, until each returns an error, which
	// it returns. It is for commands, not for requests.
	Walk(ctx context.Context, each func(Info) error) error
}

// Source is what a file is written from: it is read from its beginning, and again from
// there if the first time fails.
type Source interface {
	io.ReadSeeker
	io.ReaderAt
}

// File is an open file. It reads from the store as it is read, and so takes little
// memory.
type File struct {
	io.ReadSeekCloser
	Info Info
}

// withheldDir holds the withheld files, below the directory or prefix of all files.
const withheldDir = ".withheld"

// movingDir holds spare copies of files that a bucket is moving.
const movingDir = ".moving"

// markName is under what name the mark of a place lies there, and markBytes how long it
// may be.
const (
	markName  = ".linnet-place"
	markBytes = 256
)

// ErrAbsent: there is no such file.
var ErrAbsent = errors.New("there is no such file")

// NewName draws a name with an ending: it cannot be guessed, so that who was given
// none cannot find the file.
func NewName(ending string) string { return strings.ToLower(rand.Text()) + "." + ending }

// nameLetters is how long the drawn part of a name is.
const nameLetters = 26

// Valid reports whether a name is one that NewName draws. Other names are no files, so
// that no name leads out of where files are kept.
func Valid(name string) bool {
	stem, ending, ok := strings.Cut(name, ".")
	if !ok || len(stem) != nameLetters || len(ending) < 2 || len(ending) > 4 {
		return false
	}
	return onlyOf(stem, "abcdefghijklmnopqrstuvwxyz234567") && onlyOf(ending, "abcdefghijklmnopqrstuvwxyz0123456789")
}

// markText is what a mark says, without the end of its line.
func markText(data []byte) string { return strings.TrimSpace(string(data[:min(len(data), markBytes)])) }

func onlyOf(s, letters string) bool {
	return strings.Trim(s, letters) == ""
}
