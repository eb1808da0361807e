package mastodon

import (
	"strings"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// scheduledAt reads the time of publication, or returns nil. A time without a zone is UTC, as in
// Mastodon.
func scheduledAt(in *request.Input) (*time.Time, error) {
	s := strings.TrimSpace(in.String("scheduled_at"))
	if err := in.Err(); err != nil || s == "" {
		return nil, err
	}
	s = strings.Replace(strings.ToUpper(s), " ", "T", 1)
	for _, form := range [...]string{time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z07:00", "2006-01-02T15:04Z0700", "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly} {
		if t, err := time.Parse(form, s); err == nil {
			return &t, nil
		}
	}
	return nil, linnet.FieldError("scheduled_at", "ERR_INVALID", "%q is not a valid time. Use the format 2030-12-24T18:00:00Z", clipped(in.String("scheduled_at")))
}

// clipped returns the first 40 characters of s.
func clipped(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

func (h *statusHandler) schedule(r *request.Request, d linnet.Draft, at time.Time) (any, error) {
	s, err := h.posting.Scheduled.Create(r.Context(), r.Viewer(), d, at)
	if err != nil {
		return nil, err
	}
	return h.enc.ScheduledStatus(s, request.Language(r.Request)), nil
}

func (h *statusHandler) scheduledPage(r *request.Request) (any, error) {
	p := request.TimelinePage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := h.posting.Scheduled.Page(r.Context(), r.Viewer(), p)
	if err != nil {
		return nil, err
	}
	return request.Paged(r, s, func(s *linnet.Scheduled) wire.ScheduledStatus {
		return h.enc.ScheduledStatus(s, request.Language(r.Request))
	}), nil
}

func (h *statusHandler) scheduled(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	s, err := h.posting.Scheduled.Get(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	return h.enc.ScheduledStatus(s, request.Language(r.Request)), nil
}

func (h *statusHandler) reschedule(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	if _, err := h.posting.Scheduled.Get(r.Context(), r.Viewer(), id); err != nil { // a missing status takes precedence over a bad time
		return nil, err
	}
	at, err := scheduledAt(r.In)
	if err != nil {
		return nil, err
	}
	if at == nil {
		return nil, linnet.FieldError("scheduled_at", "ERR_BLANK", "can't be blank")
	}
	s, err := h.posting.Scheduled.Reschedule(r.Context(), r.Viewer(), id, *at)
	if err != nil {
		return nil, err
	}
	return h.enc.ScheduledStatus(s, request.Language(r.Request)), nil
}

func (h *statusHandler) unschedule(r *request.Request) (any, error) {
	return request.DoByID(r, h.posting.Scheduled.Cancel)
}
