package takeout

import (
	"errors"
	"io"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/wording"
)

// Limits of an archive. An archive above a limit is refused, but too large items and media are only
// skipped.
const (
	MaxPosts     = 500_000  // posts per archive
	MaxEntries   = 500_000  // files per archive
	MaxDirectory = 32 << 20 // bytes of the directory of a ZIP file
	MaxItem      = 1 << 20  // bytes of an encoded post
	MaxDocuments = 2 << 30  // bytes of the uncompressed documents
)

// Kind is the origin of an archive.
type Kind string

// The kinds of archives.
const (
	Mastodon Kind = "mastodon"
	Twitter  Kind = "twitter"
)

// Post is a post of an archive.
type Post struct {
	Source     string    `json:"s"`           // unique among all archives, at most 40 bytes
	At         time.Time `json:"-"`           // time of the post
	Exact      bool      `json:"-"`           // the milliseconds of At are known
	Parent     string    `json:"-"`           // Source of the user's own post that it replies to, which can be missing from the archive; "" for none
	URI        string    `json:"u,omitempty"` // permanent URI at its origin, if it has one
	Text       string    `json:"t,omitempty"` // plain text
	Warning    string    `json:"w,omitempty"`
	Sensitive  bool      `json:"x,omitempty"`
	Language   string    `json:"l,omitempty"`
	Visibility linnet.Visibility
	Media      []Media `json:"-"`
	Cut        bool    `json:"-"` // only the beginning of the text is in the archive

	order uint64 // order among posts of the same time
}

// Media is an image, video or audio file of a post.
type Media struct {
	Names []string // possible entries, the best first; none if the file is missing
	Alt   string
	Focus [2]float64
}

// Before reports whether a was posted before b.
func (a *Post) Before(b *Post) bool {
	return a.At.Before(b.At) || a.At.Equal(b.At) && a.order < b.order
}

// Order returns a number that increases with posts of the same time.
func (a *Post) Order() uint64 { return a.order }

// Left has the numbers of skipped items of an archive, by reason.
type Left struct {
	Reposts    int64 `json:"reposts,omitempty"`    // posts of other users
	Messages   int64 `json:"messages,omitempty"`   // posts to selected users
	Unreadable int64 `json:"unreadable,omitempty"` // items without a post, too long, or without a date
	LongTexts  int64 `json:"long_texts,omitempty"` // long texts that match no post
}

// Refusal is the reason for which an archive is refused, as a message of wording.Keep for the user.
type Refusal string

func (r Refusal) Error() string { return wording.Message(r).String() }

func refuse(format string, args ...any) error { return Refusal(wording.Store(format, args...)) }

var errNoArchive = refuse("This is not an archive from Mastodon or X: both outbox.json and data/tweets.js are missing")

// Archive is an open archive. It is not safe for concurrent use.
type Archive struct {
	Kind Kind
	docs []string // entries with posts, in order
	src  entries
	left Left
	long longTexts
	seen uint64 // posts so far
	read int64  // bytes of documents so far
}

// entries is a list of files in an archive.
type entries interface {
	names() []string
	// each calls f for the existing files among names, in any order. bytes is the size stated in
	// the archive, which can be wrong.
	each(names map[string]bool, f func(name string, bytes int64, r io.Reader) error) error
}

// Open detects the format of a file, which must stay open while the archive is used. It returns a
// Refusal if the archive cannot be read.
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

// Posts calls each for each post, in the order of the archive, until each returns an error. It can
// be called once.
func (a *Archive) Posts(each func(*Post) error) (Left, error) {
	read := map[Kind]func(io.Reader, func(*Post) error) error{Mastodon: a.readOutbox, Twitter: a.readTweets}[a.Kind]
	keep := func(p *Post) error {
		if a.seen++; a.seen > MaxPosts {
			return refuse("The archive contains more than %d posts", MaxPosts)
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
	n := a.long.lost
	for i := range a.long.all {
		if !a.long.all[i].used {
			n++
		}
	}
	a.left.LongTexts = n
	return a.left, nil
}

// Media calls each for the existing entries among names, in any order, with the size stated in the
// archive.
func (a *Archive) Media(names map[string]bool, each func(name string, bytes int64, r io.Reader) error) error {
	return a.src.each(names, each)
}

// Has returns a function that returns the existing entry of a medium, or "".
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

// capped limits the bytes read from all documents together.
type capped struct {
	r    io.Reader
	left int64
	read *int64
}

func (c *capped) Read(p []byte) (int, error) {
	if *c.read >= c.left {
		return 0, refuse("The posts in the archive are larger than %d MB in total", c.left>>20)
	}
	n, err := c.r.Read(p[:min(int64(len(p)), c.left-*c.read)])
	*c.read += int64(n)
	return n, err
}

// plain converts an error of a library about a damaged file to a Refusal.
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

// callerError is an error returned by the caller's function, not an error of the archive.
type callerError struct{ err error }

func (e *callerError) Error() string { return e.err.Error() }
