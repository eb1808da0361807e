package record

import (
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// The kinds of key of uploads that are not attached to a status. Attached files are only in the
// record of their status.
const (
	KindAttachment  = "attachment"
	KindAttachments = "attachments"
)

// KindMediaLocation is the kind of key about the location of files. It is not copied with the
// store, because a copy may have another location.
const KindMediaLocation = "place"

// MediaLocationKey records the location of the files.
func MediaLocationKey() kv.Key { return kv.Key{Kind: KindMediaLocation, ID: "files"} }

// MediaLocation identifies a location by its marker file.
type MediaLocation struct {
	Mark string `json:"mark"`
}

func attachmentKeys() []KeyDoc {
	return []KeyDoc{
		{KindMediaLocation, "value", "files", "identity of the media location, JSON (shard 0)", "1 KiB", "", noSecret()},
		{KindAttachment, "value", "attachment", "an uploaded file without a status, JSON; until a task deletes it", "52 KiB", "", noSecret()},
		{KindAttachments, "set", "user", "unattached uploads, by expiry", "uploads of a day, detached of a week", "", noSecret()},
	}
}

// AttachmentKey is an upload that is not attached to a status.
func AttachmentKey(id linnet.ID) kv.Key { return IDKey(KindAttachment, id) }

// AttachmentsKey is the set of a user's unattached uploads.
func AttachmentsKey(user linnet.ID) kv.Key { return IDKey(KindAttachments, user) }

type attachmentRecord struct {
	ID          JID        `json:"id,omitempty"`
	Owner       JID        `json:"owner,omitempty"`
	Name        string     `json:"name"`
	Small       string     `json:"small,omitempty"`
	Size        [2]int     `json:"size"`
	SmallSize   [2]int     `json:"small_size,omitzero"`
	Bytes       int64      `json:"bytes"`
	Moves       bool       `json:"moves,omitempty"`
	Blurhash    string     `json:"blurhash,omitempty"`
	Description string     `json:"alt,omitempty"`
	Focus       [2]float64 `json:"focus,omitzero"`
	Sum         string     `json:"sum"`
	Clip        *clip      `json:"clip,omitempty"`
	Until       int64      `json:"until,omitempty"` // Unix milliseconds
	Going       bool       `json:"going,omitempty"`
	Hidden      bool       `json:"hidden,omitempty"`
}

type clip struct {
	Kind       linnet.ClipKind `json:"kind"`
	Duration   int64           `json:"ms,omitempty"`
	FrameRate  float64         `json:"fps,omitempty"`
	VideoCodec string          `json:"video,omitempty"`
	AudioCodec string          `json:"audio,omitempty"`
	Channels   int             `json:"channels,omitempty"`
	Rate       int             `json:"rate,omitempty"`
}

func clipOf(c *linnet.Clip) *clip {
	if c == nil {
		return nil
	}
	return &clip{c.Kind, c.Duration.Milliseconds(), c.FrameRate, c.VideoCodec, c.AudioCodec, c.Channels, c.Rate}
}

func (c *clip) clip() *linnet.Clip {
	if c == nil {
		return nil
	}
	return &linnet.Clip{Kind: c.Kind, Duration: time.Duration(c.Duration) * time.Millisecond, FrameRate: c.FrameRate,
		VideoCodec: c.VideoCodec, AudioCodec: c.AudioCodec, Channels: c.Channels, Rate: c.Rate}
}

func attachmentOf(a *linnet.Attachment) attachmentRecord {
	r := attachmentRecord{ID: JID(a.ID), Owner: JID(a.Owner), Name: a.Name, Small: a.Small, Size: [2]int{a.Size.Width, a.Size.Height},
		SmallSize: [2]int{a.SmallSize.Width, a.SmallSize.Height}, Bytes: a.Bytes, Moves: a.Moves, Blurhash: a.Blurhash,
		Description: a.Description, Focus: [2]float64{a.Focus.X, a.Focus.Y}, Clip: clipOf(a.Clip), Sum: a.Sum, Going: a.Going, Hidden: a.Hidden}
	if !a.Until.IsZero() {
		r.Until = a.Until.UnixMilli()
	}
	return r
}

func (r attachmentRecord) attachment() linnet.Attachment {
	a := linnet.Attachment{ID: linnet.ID(r.ID), Owner: linnet.ID(r.Owner), Name: r.Name, Small: r.Small, Size: linnet.Size{Width: r.Size[0], Height: r.Size[1]},
		SmallSize: linnet.Size{Width: r.SmallSize[0], Height: r.SmallSize[1]}, Bytes: r.Bytes, Moves: r.Moves, Blurhash: r.Blurhash,
		Description: r.Description, Focus: linnet.Focus{X: r.Focus[0], Y: r.Focus[1]}, Clip: r.Clip.clip(), Sum: r.Sum, Going: r.Going, Hidden: r.Hidden}
	if r.Until != 0 {
		a.Until = time.UnixMilli(r.Until)
	}
	return a
}

// EncodeAttachment encodes an upload that is not attached to a status.
func EncodeAttachment(a *linnet.Attachment) []byte { return Encode(attachmentOf(a)) }

// DecodeAttachment decodes an unattached upload.
func DecodeAttachment(get *kv.Get) (*linnet.Attachment, error) {
	var r attachmentRecord
	if err := Decode(get, &r); err != nil {
		return nil, err
	}
	a := r.attachment()
	a.Version = get.Version
	return &a, nil
}

func attachmentRecords(all []linnet.Attachment) (out []attachmentRecord) {
	for i := range all {
		a := all[i]
		a.Owner, a.Until, a.Hidden = 0, time.Time{}, false // a status determines owner and lifetime
		out = append(out, attachmentOf(&a))
	}
	return out
}

func attachmentsIn(rs []attachmentRecord) (out []linnet.Attachment) {
	for _, r := range rs {
		out = append(out, r.attachment())
	}
	return out
}
