package linnet

import "time"

// Limits of pictures that are attached to statuses.
const (
	MaxAttachments = 4        // per status
	MaxAltText     = 10_000   // characters of a description, as in Mastodon
	MaxAltBytes    = 48 << 10 // bytes of the descriptions of a status, as stored
	MaxAltHistory  = 96 << 10 // bytes of the descriptions of a status and its earlier versions, as stored
	MaxProfileAlt  = 150      // characters of the description of an avatar or banner, as in Mastodon
	MaxBannerAlt   = 1500     // characters of the description of the server's banner
	AttachmentLife = 24 * time.Hour
	DetachedLife   = 7 * 24 * time.Hour
)

// Attachment is a file that belongs to a status or can be attached to one. Anyone who knows the
// names of its files can read them. The names can't be guessed.
type Attachment struct {
	ID          ID // in the shard of its owner
	Owner       ID // only for unattached files
	Name        string
	Small       string // name of a small still picture; "" if the file itself is small
	Size        Size
	SmallSize   Size   // size of that picture
	Bytes       int64  // of the file
	Moves       bool   // it is an animated GIF
	Blurhash    string // placeholder while it loads, see https://blurha.sh
	Description string // alt text, as typed
	Focus       Focus
	Clip        *Clip     // nil for pictures
	Sum         string    // SHA-256 of the file, in hexadecimal digits
	Until       time.Time // when it is deleted unless it is attached; only for unattached files
	Going       bool      // its files are being deleted; only for unattached files
	Hidden      bool      // its files are withheld until it is attached again; only for unattached files
	Version     uint64    // of the record; only for unattached files
}

// Clip has the properties of a video or audio file. Unknown ones are zero.
type Clip struct {
	Kind       ClipKind
	Duration   time.Duration
	FrameRate  float64 // per second
	VideoCodec string
	AudioCodec string
	Channels   int
	Rate       int // sound samples per second
}

// ClipKind determines how a clip is played.
type ClipKind string

// Kinds of clips.
const (
	Video      ClipKind = "video"
	SilentClip ClipKind = "gifv" // a video without sound, shown as an animated picture
	Audio      ClipKind = "audio"
)

// Picture is a picture of the instance, such as its icon.
type Picture struct {
	Name     string // of its file; "" for no picture
	Small    string // of a smaller version; "" if it is small itself
	Blurhash string // placeholder while it loads, or ""
}

// Files returns the names of its files.
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

// Focus is the point of a picture that stays visible when it is cropped. -1 is left or bottom, 0
// the middle, 1 right or top.
type Focus struct{ X, Y float64 }

// Files returns the names of its files.
func (a *Attachment) Files() []string {
	if a.Small == "" {
		return []string{a.Name}
	}
	return []string{a.Name, a.Small}
}

// Preview returns the name and size of the preview; "" for a clip without one.
func (a *Attachment) Preview() (string, Size) {
	if a.Small == "" && a.Clip != nil {
		return "", a.Size
	}
	if a.Small == "" {
		return a.Name, a.Size
	}
	return a.Small, a.SmallSize
}

// AttachmentChange changes the description and focus of an attachment. Nil fields stay.
type AttachmentChange struct {
	Description *string
	Focus       *Focus
}
