package mastodon

import (
	"net/http"
	"path"
	"strconv"
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/media"
)

// mediaPrefix begins the paths of what people have uploaded.
const mediaPrefix = core.FilesPath

func (a *API) uploadMedia(r *request.Request) (any, error) {
	change := attachmentChange(r.In)
	f, thumb := r.In.File("file"), r.In.File("thumbnail")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if f == nil {
		return nil, linnet.FieldError("file", "ERR_BLANK", "can't be blank: send the file as multipart/form-data")
	}
	m, err := a.svc.Uploads.Upload(r.Context(), r.Viewer(), f, thumb, change)
	if err != nil {
		return nil, err
	}
	return a.enc.MediaAttachment(m), nil
}

// attachmentChange reads what may be said of a picture.
func attachmentChange(in *request.Input) linnet.AttachmentChange {
	c := linnet.AttachmentChange{Description: in.OptString("description")}
	if spot := in.String("focus"); spot != "" {
		x, y, ok := strings.Cut(spot, ",")
		fx, err1 := strconv.ParseFloat(strings.TrimSpace(x), 64)
		fy, err2 := strconv.ParseFloat(strings.TrimSpace(y), 64)
		if !ok || err1 != nil || err2 != nil {
			in.Fault("focus", "must be two numbers between -1 and 1, separated by a comma")
		}
		c.Focus = &linnet.Focus{X: fx, Y: fy}
	}
	return c
}

func (a *API) getMedia(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	m, err := a.svc.Uploads.Attachment(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	return a.enc.MediaAttachment(m), nil
}

func (a *API) updateMedia(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	change, thumb := attachmentChange(r.In), r.In.File("thumbnail")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	m, err := a.svc.Uploads.Describe(r.Context(), r.Viewer(), id, thumb, change)
	if err != nil {
		return nil, err
	}
	return a.enc.MediaAttachment(m), nil
}

func (a *API) deleteMedia(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	if err := a.svc.Uploads.Remove(r.Context(), r.Viewer(), id); err != nil {
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
		a.srv.Fail(w, r, err)
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
