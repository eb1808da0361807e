package takeout

import (
	"errors"
	"io"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/wording"
)

// Limits of an archive. What exceeds one is refused as a whole, but for items and media,
// which are left out.
const (
	MaxPosts     = 500_000  // kept of an archive
	MaxEntries   = 500_000  // files in it
	MaxDirectory = 32 << 20 // bytes of the directory of a ZIP file
	MaxItem      = 1 << 20  // bytes of one post as it is written
	MaxDocuments = 2 << 30  // bytes of documents, unpacked
)

// Kind is where an archive comes from.
type Kind string

// The kinds of archives.
const (
	Mastodon Kind = "mastodon"
	Twitter  Kind = "twitter"
)

// Post is a post of an archive.
type Post struct {
	Source     string    `json:"s"`           // names it among all archives; at most 40 bytes
	At         time.Time `json:"-"`           // when it was posted
	Exact      bool      `json:"-"`           // the milliseconds of At are known
	Parent     string    `json:"-"`           // Source of the own post that it answers, which may not be in the archive; "": none
	URI        string    `json:"u,omitempty"` // its lasting name where it was posted, if it has one
	Text       string    `json:"t,omitempty"` // plain text
	Warning    string    `json:"w,omitempty"`
	Sensitive  bool      `json:"x,omitempty"`
	Language   string    `json:"l,omitempty"`
	Visibility linnet.Visibility
	Media      []Media `json:"-"`
	Cut        bool    `json:"-"` // only the beginning of the text is in the archive

	order uint64 // among those of the same moment
}

// Media is a picture, video or sound of a post.
type Media struct {
	Names []string // of entries that may hold it, the best first; none: it is not in the archive
	Alt   string
	Focus [2]float64
}

// Before says whether a was posted before b.
func (a *Post) Before(b *Post) bool {
	return a.At.Before(b.At) || a.At.Equal(b.At) && a.order < b.order
}

// Order tells posts of the same moment apart: the earlier has the smaller.
func (a *Post) Order() uint64 { return a.order }

// Left counts what is not kept of an archive, by reason.
type Left struct {
	Reposts    int64 `json:"reposts,omitempty"`    // of others' posts
	Messages   int64 `json:"messages,omitempty"`   // to certain people only
	Unreadable int64 `json:"unreadable,omitempty"` // items that are no posts, too long, or without a date
	LongTexts  int64 `json:"long_texts,omitempty"` // whole texts of long posts that match no post
}

// Refusal says what is wrong with an archive as a whole, for the person who has sent it, as
// wording.Keep has it.
type Refusal string

func (r Refusal) Error() string { return wording.Message(r).String() }

func refuse(format string, args ...any) error { return Refusal(wording.Keep(format, args...)) }

var errNoArchive = refuse("This is not an archive from Mastodon or X: both outbox.json and data/tweets.js are missing")

// Archive is an open archive. It is for one goroutine.
type Archive struct {
	Kind Kind
	docs []string // entries with posts, in their order
	src  entries
	left Left
	long longTexts
	seen uint64 // posts so far
	read int64  // bytes of documents so far
}

// entries are the files in an archive.
type entries interface {
	names() []string
	// each opens those of the names that are there, in any order. Bytes is how large one
	// says that it is, which may be wrong.
	each(names map[string]bool, f func(name string, bytes int64, r io.Reader) error) error
}

// Open looks what a file is, which has to stay open as long as the archive is used. A
// Refusal says why it is no archive that can be read.
func Open(f io.ReaderAt, size int64) (*Archive, error) {
	var head [4]byte
	if _, err := f.ReadAt(head[:], 0); err != nil {
		return nil, errNoArchive
	}
	var src entries
	var err error
	switch {
	case head[0] == 'P' && head[1] == 'K':
		src, err = openZip(f, size)
	case head[0] == 0x1f && head[1] == 0x8b:
		src, err = openTar(f, size)
	default:
		return nil, errNoArchive
	}
	if err != nil {
		return nil, err
	}
	a := &Archive{src: src}
	if a.docs = tweetFiles(src.names()); len(a.docs) > 0 {
		a.Kind = Twitter
		return a, nil
	}
	if a.docs = outboxes(src.names()); len(a.docs) == 1 {
		a.Kind = Mastodon
		return a, nil
	}
	return nil, errNoArchive
}

// Posts tells of the posts, in the order of the archive. It stops at the error that each
// returns. It may be called once.
func (a *Archive) Posts(each func(*Post) error) (Left, error) {
	read := map[Kind]func(io.Reader, func(*Post) error) error{Mastodon: a.readOutbox, Twitter: a.readTweets}[a.Kind]
	keep := func(p *Post) error {
		if a.seen++; a.seen > MaxPosts {
			return refuse("It contains more than %d posts", MaxPosts)
		}
		return each(p)
	}
	if err := a.documents(noteFile, a.readLongTexts); err != nil {
		return a.left, err
	}
	a.long.sort()
	for _, name := range a.docs {
		err := a.src.each(map[string]bool{name: true}, func(_ string, _ int64, r io.Reader) error {
			return read(&capped{r: r, left: MaxDocuments, read: &a.read}, keep)
		})
		if err != nil {
			return a.left, plain(name, err)
		}
	}
	a.left.LongTexts = a.long.unmatched()
	return a.left, nil
}

// Media opens the entries with some names that are there, in any order, and tells how many
// bytes each has as it says itself.
func (a *Archive) Media(names map[string]bool, each func(name string, bytes int64, r io.Reader) error) error {
	return a.src.each(names, each)
}

// Has reports which of the names of a medium there is an entry for; "" if there is none.
func (a *Archive) Has() func(*Media) string {
	there := make(map[string]bool, len(a.src.names()))
	for _, n := range a.src.names() {
		there[n] = true
	}
	return func(m *Media) string {
		for _, n := range m.Names {
			if there[n] {
				return n
			}
		}
		return ""
	}
}

// capped reads no more than some bytes in all, of all documents together.
type capped struct {
	r    io.Reader
	left int64
	read *int64
}

func (c *capped) Read(p []byte) (int, error) {
	if *c.read >= c.left {
		return 0, refuse("Its posts are larger than %d MB in total", c.left>>20)
	}
	n, err := c.r.Read(p[:min(int64(len(p)), c.left-*c.read)])
	*c.read += int64(n)
	return n, err
}

// plain turns what a library says of a damaged file into a refusal.
func plain(name string, err error) error {
	var r Refusal
	var mine *callerError
	switch {
	case errors.As(err, &r):
		return r
	case errors.As(err, &mine):
		return mine.err
	}
	return refuse("Can't read %s: %v", name, err)
}

// callerError is an error of whoever is told of posts, which is no fault of the archive.
type callerError struct{ err error }

func (e *callerError) Error() string { return e.err.Error() }
