// Package blob keeps files that are written once and never changed, such as pictures,
// under names that whoever writes them has drawn, in a directory.
//
// It knows names and bytes, and nothing of what they are of or who may see them: who
// has a name gets the file.
package blob

import (
	"crypto/rand"
	"errors"
	"strings"
	"time"
)

// Info is what is known of a file without reading it.
type Info struct {
	Name    string
	Bytes   int64
	Written time.Time
}

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

func onlyOf(s, letters string) bool {
	return strings.Trim(s, letters) == ""
}
