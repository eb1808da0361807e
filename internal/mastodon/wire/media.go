package wire

import (
	"fmt"
	"math"
	"strconv"

	"linnet/internal/linnet"
)

// MediaAttachment is the entity MediaAttachment.
// https://docs.joinmastodon.org/entities/MediaAttachment/
type MediaAttachment struct {
	ID               string         `json:"id"`
	Type             string         `json:"type"`
	URL              string         `json:"url"`
	PreviewURL       *string        `json:"preview_url"`
	RemoteURL        *string        `json:"remote_url"`
	PreviewRemoteURL *string        `json:"preview_remote_url"`
	TextURL          *string        `json:"text_url"`
	Meta             attachmentMeta `json:"meta"`
	Description      *string        `json:"description"`
	Blurhash         *string        `json:"blurhash"`
}

type attachmentMeta struct {
	*clipMeta
	Original *pictureSize `json:"original,omitempty"`
	Small    *pictureSize `json:"small,omitempty"`
	Focus    *pictureSpot `json:"focus,omitempty"`
}

type pictureSize struct {
	Width     int     `json:"width,omitempty"`
	Height    int     `json:"height,omitempty"`
	Size      string  `json:"size,omitempty"`
	Aspect    float64 `json:"aspect,omitempty"`
	FrameRate string  `json:"frame_rate,omitempty"`
	Duration  float64 `json:"duration,omitempty"` // seconds
	Bitrate   int64   `json:"bitrate,omitempty"`
}

// clipMeta contains the properties of a video or an audio file.
type clipMeta struct {
	Length        string  `json:"length"` // 0:01:02.50
	Duration      float64 `json:"duration"`
	FPS           int     `json:"fps,omitempty"`
	Size          string  `json:"size,omitempty"`
	Width         int     `json:"width,omitempty"`
	Height        int     `json:"height,omitempty"`
	Aspect        float64 `json:"aspect,omitempty"`
	AudioEncode   string  `json:"audio_encode,omitempty"`
	AudioBitrate  string  `json:"audio_bitrate,omitempty"`
	AudioChannels string  `json:"audio_channels,omitempty"`
}

type pictureSpot struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// MediaAttachment encodes an attachment.
func (e *Encoder) MediaAttachment(m *linnet.Attachment) MediaAttachment {
	out := MediaAttachment{ID: m.ID.String(), Type: "image", URL: e.FileURL(m.Name), Description: Nullable(m.Description), Blurhash: Nullable(m.Blurhash)}
	if small, size := m.Preview(); small != "" {
		url := e.FileURL(small)
		out.PreviewURL, out.Meta.Small = &url, sizeOf(size)
	}
	if out.Meta.Original = sizeOf(m.Size); m.Clip != nil {
		out.Type = string(m.Clip.Kind)
		out.Meta.addClip(m)
	}
	if m.Focus != (linnet.Focus{}) {
		out.Meta.Focus = &pictureSpot{m.Focus.X, m.Focus.Y}
	}
	return out
}

// addClip adds the properties of a video or an audio file.
func (t *attachmentMeta) addClip(m *linnet.Attachment) {
	c, seconds := m.Clip, m.Clip.Duration.Seconds()
	whole := int(seconds)
	t.clipMeta = &clipMeta{Length: fmt.Sprintf("%d:%02d:%05.2f", whole/3600, whole/60%60, seconds-float64(whole/60*60)), Duration: seconds,
		FPS: int(math.Round(c.FrameRate)), AudioEncode: c.AudioCodec, AudioChannels: channelsText(c.Channels)}
	if c.Rate > 0 {
		t.AudioBitrate = strconv.Itoa(c.Rate) + " Hz"
	}
	if c.Kind == linnet.Audio {
		t.Original = &pictureSize{}
	} else {
		o := t.Original
		t.clipMeta.Width, t.clipMeta.Height, t.clipMeta.Size, t.clipMeta.Aspect = o.Width, o.Height, o.Size, o.Aspect
	}
	if c.FrameRate > 0 {
		t.Original.FrameRate = strconv.Itoa(int(math.Round(c.FrameRate*1000))) + "/1000"
	}
	if t.Original.Duration = seconds; seconds > 0 {
		t.Original.Bitrate = int64(float64(m.Bytes*8) / seconds)
	}
}

func channelsText(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "mono"
	case 2:
		return "stereo"
	}
	return strconv.Itoa(n) + " channels"
}

func sizeOf(s linnet.Size) *pictureSize {
	return &pictureSize{Width: s.Width, Height: s.Height, Size: strconv.Itoa(s.Width) + "x" + strconv.Itoa(s.Height),
		Aspect: float64(s.Width) / float64(max(s.Height, 1))}
}

// MediaAttachments encodes attachments. The result is never nil.
func (e *Encoder) MediaAttachments(all []linnet.Attachment) []MediaAttachment {
	return Each(all, e.MediaAttachment)
}
