package linnet

import "time"

// Limits of pictures that are attached to statuses.
const (
	MaxAttachments = 4    // per status
	MaxAltText     = 1500 // characters that describe one
	AttachmentLife = 24 * time.Hour
	DetachedLife   = 7 * 24 * time.Hour
)

// Attachment is a picture that belongs to a status, or is still to be attached to one.
// Whoever has the names of its files may see them; they cannot be guessed.
type Attachment struct {
	ID          ID // in the shard of its owner
	Owner       ID // only of what is not attached
	Name        string
	Small       string // the name of a small picture of it that stands still; "": it is small itself
	Size        Size
	SmallSize   Size   // likewise
	Bytes       int64  // of the file
	Moves       bool   // it is an animated GIF
	Blurhash    string // what stands in its place while it is loaded, see https://blurha.sh
	Description string // for who does not see it, as typed
	Focus       Focus
	Clip        *Clip     // of what is played; nil: it is a picture
	Sum         string    // SHA-256 of the file, in hexadecimal digits
	Until       time.Time // when it goes unless it is attached; only of what is not attached
	Going       bool      // its files are being removed; only of what is not attached
	Hidden      bool      // its files are withheld until it is attached again; only of what is not attached
	Version     uint64    // of the record; only of what is not attached
}

// Clip is what is known of a video or of what is heard alone. What its file does not tell
// is zero.
type Clip struct {
	Kind       ClipKind
	Duration   time.Duration
	FrameRate  float64 // a second
	VideoCodec string
	AudioCodec string
	Channels   int
	Rate       int // samples of sound a second
}

// ClipKind says how a clip is played.
type ClipKind string

// The kinds of clips.
const (
	Video      ClipKind = "video"
	SilentClip ClipKind = "gifv" // a video without sound, shown as a picture that moves
	Audio      ClipKind = "audio"
)

// Picture is a picture that belongs to an installation.
type Picture struct {
	Name     string // of its file; "": there is none
	Small    string // of a smaller one; "": it is small itself
	Blurhash string // what stands in its place while it is loaded; ""
}

// Files are the names of its files.
func (p Picture) Files() (names []string) {
	for _, name := range []string{p.Name, p.Small} {
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

// Size is a width and a height in pixels.
type Size struct{ Width, Height int }

// Focus is the point of a picture that is to be seen where it is cut: -1 left or
// bottom, 0 the middle, 1 right or top.
type Focus struct{ X, Y float64 }

// Files are the names of its files.
func (a *Attachment) Files() []string {
	if a.Small == "" {
		return []string{a.Name}
	}
	return []string{a.Name, a.Small}
}

// Preview is the name and size of what lists show; "" of a clip of which there is no
// picture.
func (a *Attachment) Preview() (string, Size) {
	if a.Small == "" && a.Clip != nil {
		return "", a.Size
	}
	if a.Small == "" {
		return a.Name, a.Size
	}
	return a.Small, a.SmallSize
}

// AttachmentChange changes what may be said of a picture; nil leaves a part as it is.
type AttachmentChange struct {
	Description *string
	Focus       *Focus
}
