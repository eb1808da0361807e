// Package media converts an uploaded picture to two stored files: the picture, upright, with at
// most MaxKept pixels and without metadata, and a thumbnail. It never stores the upload itself. Of
// animated pictures it stores only the frames, so data behind or next to the picture is removed.
//
// It knows formats, sizes and memory costs, but not who uploads pictures, and where they are stored
// or shown. Uploads are untrusted. Sizes are checked before decoding, because a few bytes can
// request gigabytes and running out of memory ends a Go process. The work can run in a separate
// process (Worker), so that only that process ends.
package media

import "linnet/internal/wording"

// Limits of a picture.
const (
	MaxBytes  = 16 << 20 // of a file that is sent
	MaxPixels = 33_177_600
	MaxSide   = 16_384
	MaxKept   = 8_294_400 // pixels of what is kept: 3840 by 2160
	SmallArea = 640 * 360 // pixels of the small one, at most

	// MaxMemory is how many bytes the work on a picture may take. A progressive JPEG of
	// MaxPixels with the usual sampling takes just that.
	MaxMemory = 300 << 20

	maxFramePixels = 100_000_000 // of a picture that moves, all frames together
	maxFrames      = 2_000
	maxProfile     = 512 << 10 // bytes of a colour profile that is kept
	quality        = 85        // of JPEG
)

// Kind is the format of a picture that is kept, which is also the ending of its name.
type Kind string

// The formats that are kept.
const (
	JPEG Kind = "jpg"
	PNG  Kind = "png"
	GIF  Kind = "gif"
	WebP Kind = "webp" // only of pictures that move
)

// Films, and what is heard alone, are kept as they came (film.go), but for what is written
// beside picture and sound, which may tell where somebody was: that is written over in
// place. They are not decoded here; a picture of them is made by a program that the
// machine may have (tool.go).

// Type is the media type of a kind (RFC 6838), "" of none.
func (k Kind) Type() string {
	switch k {
	case JPEG:
		return "image/jpeg"
	case PNG:
		return "image/png"
	case GIF:
		return "image/gif"
	case WebP:
		return "image/webp"
	case MP4:
		return "video/mp4"
	case WebM:
		return "video/webm"
	case MOV:
		return "video/quicktime"
	case MP3:
		return "audio/mpeg"
	case OGG:
		return "audio/ogg"
	case FLAC:
		return "audio/flac"
	case M4A:
		return "audio/mp4"
	}
	return ""
}

// Picture is a picture as it is kept.
type Picture struct {
	Kind          Kind   `json:"kind"`
	Width, Height int    // pixels
	Data          []byte `json:"-"`
}

// Result is what is made of a picture that was sent.
type Result struct {
	Kept     Picture
	Small    Picture
	Blurhash string // of 4 by 3 components, see https://blurha.sh
	Moves    bool   // it is animated
}

// Refusal says why a picture is not taken, in a sentence that completes "The
// picture": "is larger than 16 MB".
type Refusal wording.Message

func (r Refusal) Error() string { return "the picture " + r.Message().String() }

// Message is that in any language.
func (r Refusal) Message() wording.Message { return wording.Message(r) }

func refuse(format string, values ...any) Refusal { return Refusal(wording.Keep(format, values...)) }
