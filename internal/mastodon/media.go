package mastodon

import (
	"strconv"
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/uploads"
)

// mediaHandler handles uploaded attachments.
// https://docs.joinmastodon.org/methods/media/
type mediaHandler struct {
	enc     *wire.Encoder
	uploads *uploads.Service
}

func (h *mediaHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("POST /api/v1/media", request.WithFiles(request.User("write:media")), h.upload).Limited(core.RateMedia),
		request.Handle("POST /api/v2/media", request.WithFiles(request.User("write:media")), h.upload).Limited(core.RateMedia),
		request.Handle("GET /api/v1/media/{id}", request.User("write:media"), h.get),
		request.Handle("PUT /api/v1/media/{id}", request.WithFiles(request.User("write:media")), h.update),
		request.Handle("DELETE /api/v1/media/{id}", request.User("write:media"), h.delete),
	}
}

func (h *mediaHandler) upload(r *request.Request) (any, error) {
	change := attachmentChange(r.In)
	f, thumb := r.In.File("file"), r.In.File("thumbnail")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if f == nil {
		return nil, linnet.FieldError("file", "ERR_BLANK", "can't be blank: send the file as multipart/form-data")
	}
	m, err := h.uploads.Upload(r.Context(), r.Viewer(), f, thumb, change)
	if err != nil {
		return nil, err
	}
	return h.enc.MediaAttachment(m), nil
}

// attachmentChange reads the description and focus of an attachment.
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

func (h *mediaHandler) get(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	m, err := h.uploads.Attachment(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	return h.enc.MediaAttachment(m), nil
}

func (h *mediaHandler) update(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	change, thumb := attachmentChange(r.In), r.In.File("thumbnail")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	m, err := h.uploads.Describe(r.Context(), r.Viewer(), id, thumb, change)
	if err != nil {
		return nil, err
	}
	return h.enc.MediaAttachment(m), nil
}

func (h *mediaHandler) delete(r *request.Request) (any, error) {
	return request.DoByID(r, h.uploads.Remove)
}

// TakesFiles reports whether requests for a path may contain files.
func TakesFiles(path string) bool {
	return strings.HasPrefix(path, "/api/v1/media") || strings.HasPrefix(path, "/api/v2/media") ||
		strings.HasPrefix(path, "/api/v1/accounts/update_credentials") || strings.HasPrefix(path, "/api/v1/profile") ||
		strings.HasPrefix(path, "/api/v1/groups/")
}
