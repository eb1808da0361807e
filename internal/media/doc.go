// Package media converts an uploaded picture to two stored files: the picture, upright, with at
// most MaxStoredPixels pixels and without metadata, and a thumbnail. It never stores the upload itself. Of
// animated pictures it stores only the frames, so other data after or between them is removed.
//
// It knows formats, sizes and memory costs, but not the users who upload pictures, or where they
// are stored or shown. Uploads are untrusted. Sizes are checked before decoding, because a few
// bytes can request gigabytes and running out of memory ends a Go process. The work can run in a
// separate process (Worker), so that only that process ends.
package media

import "linnet/internal/wording"

// Limits of a picture.
const (
	MaxBytes        = 16 << 20 // of an uploaded file
	MaxPixels       = 33_177_600
	MaxSide         = 16_384
	MaxStoredPixels = 8_294_400 // pixels of stored pictures: 3840 by 2160
	SmallArea       = 640 * 360 // maximum pixels of the preview

	// MaxMemory is the maximum memory for processing a picture in bytes. A progressive JPEG of
	// MaxPixels with the usual sampling needs exactly that.
	MaxMemory = 300 << 20

	maxFramePixels = 100_000_000 // of all frames of an animation
	maxFrames      = 2_000
	maxProfile     = 512 << 10 // bytes of a stored colour profile
	quality        = 85        // of JPEG
)

// Kind is the format of a stored file, which is also its extension.
type Kind string

// Stored formats.
const (
	JPEG Kind = "jpg"
	PNG  Kind = "png"
	GIF  Kind = "gif"
	WebP Kind = "webp" // only animations
)

// Films and sounds are stored unchanged (film.go), except for metadata, which can contain a
// location and is blanked in place. They are not decoded here. An optional external program makes
// pictures of them (tool.go).

// Type returns the media type of a kind (RFC 6838), or "" if there is none.
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

// Picture is a stored picture.
type Picture struct {
	Kind          Kind   `json:"kind"`
	Width, Height int    // pixels
	Data          []byte `json:"-"`
}

// Result is the result of processing a picture.
type Result struct {
	Stored   Picture
	Small    Picture
	Blurhash string // of 4 by 3 components, see https://blurha.sh
	Moves    bool   // it is animated
}

// Refusal is the reason why a picture is refused. It completes a sentence that begins with "The
// picture", such as "is larger than 16 MB".
type Refusal wording.Message

func (r Refusal) Error() string { return "the picture " + r.Message().String() }

// Message implements wording.Messenger.
func (r Refusal) Message() wording.Message { return wording.Message(r) }

func refuse(format string, values ...any) Refusal { return Refusal(wording.Store(format, values...)) }
