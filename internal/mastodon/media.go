package mastodon

import (
	"fmt"
	"math"
	"net/http"
	"path"
	"strconv"
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/media"
)

// attachment is the entity MediaAttachment.
// https://docs.joinmastodon.org/entities/MediaAttachment/
type attachment struct {
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

// clipMeta is what is told of a video or a sound beside its size.
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

func (a *API) attachment(m *linnet.Attachment) attachment {
	out := attachment{ID: m.ID.String(), Type: "image", URL: a.fileURL(m.Name), Description: nullable(m.Description), Blurhash: nullable(m.Blurhash)}
	if small, size := m.Preview(); small != "" {
		url := a.fileURL(small)
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

// addClip adds what is told of a video or a sound.
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

// attachments are the pictures of a status; never null.
func (a *API) attachments(all []linnet.Attachment) []attachment {
	out := make([]attachment, len(all))
	for i := range all {
		out[i] = a.attachment(&all[i])
	}
	return out
}

// mediaPrefix begins the paths of what people have uploaded.
const mediaPrefix = core.FilesPath

func (a *API) fileURL(name string) string { return core.FileURL(a.base, name) }

func (a *API) uploadMedia(r *request) (any, error) {
	change := attachmentChange(r.in)
	f, thumb := r.in.file("file"), r.in.file("thumbnail")
	if err := r.in.err(); err != nil {
		return nil, err
	}
	if f == nil {
		return nil, linnet.FieldError("file", "ERR_BLANK", "can't be blank: send the file as multipart/form-data")
	}
	m, err := a.svc.Uploads.Upload(r.Context(), r.me(), f, thumb, change)
	if err != nil {
		return nil, err
	}
	return a.attachment(m), nil
}

// attachmentChange reads what may be said of a picture.
func attachmentChange(in *input) linnet.AttachmentChange {
	c := linnet.AttachmentChange{Description: in.optText("description")}
	if spot := in.text("focus"); spot != "" {
		x, y, ok := strings.Cut(spot, ",")
		fx, err1 := strconv.ParseFloat(strings.TrimSpace(x), 64)
		fy, err2 := strconv.ParseFloat(strings.TrimSpace(y), 64)
		if !ok || err1 != nil || err2 != nil {
			in.fault("focus", "must be two numbers between -1 and 1, separated by a comma")
		}
		c.Focus = &linnet.Focus{X: fx, Y: fy}
	}
	return c
}

func (a *API) getMedia(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	m, err := a.svc.Uploads.Attachment(r.Context(), r.me(), id)
	if err != nil {
		return nil, err
	}
	return a.attachment(m), nil
}

func (a *API) updateMedia(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	change, thumb := attachmentChange(r.in), r.in.file("thumbnail")
	if err := r.in.err(); err != nil {
		return nil, err
	}
	m, err := a.svc.Uploads.Describe(r.Context(), r.me(), id, thumb, change)
	if err != nil {
		return nil, err
	}
	return a.attachment(m), nil
}

func (a *API) deleteMedia(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	if err := a.svc.Uploads.Remove(r.Context(), r.me(), id); err != nil {
		return nil, err
	}
	return struct{}{}, nil
}

// serveFile answers with what somebody has uploaded to whoever has its name. It is shown
// as a picture and nothing else: a browser that opens it by itself runs nothing in it.
func (a *API) serveFile(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	f, err := a.svc.Uploads.Open(r.Context(), name)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	defer f.Close()
	h := w.Header()
	h.Set("Content-Type", pictureType(name))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("Cache-Control", forever)
	h.Set("ETag", `"`+name+`"`)
	http.ServeContent(w, r, "", f.Info.Written, f)
}

// pictureType is the media type of a file by its name; of none, that of what is drawn.
func pictureType(name string) string {
	if name == "" {
		return "image/png"
	}
	return media.Kind(strings.TrimPrefix(path.Ext(name), ".")).Type()
}
