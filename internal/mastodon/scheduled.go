package mastodon

import (
	"math"
	"strings"
	"time"

	"linnet/internal/linnet"
)

// scheduled is the entity ScheduledStatus, and why it was not published at its time.
// https://docs.joinmastodon.org/entities/ScheduledStatus/
type scheduled struct {
	ID               string          `json:"id"`
	ScheduledAt      string          `json:"scheduled_at"`
	Params           scheduledParams `json:"params"`
	MediaAttachments []attachment    `json:"media_attachments"`
	Failed           *string         `json:"failed"`
}

type scheduledParams struct {
	Text          string         `json:"text"`
	Poll          *scheduledPoll `json:"poll"`
	MediaIDs      []string       `json:"media_ids"`
	Sensitive     bool           `json:"sensitive"`
	SpoilerText   *string        `json:"spoiler_text"`
	Visibility    string         `json:"visibility"`
	InReplyToID   *string        `json:"in_reply_to_id"`
	Language      *string        `json:"language"`
	ApplicationID *int32         `json:"application_id"`
	ScheduledAt   *string        `json:"scheduled_at"`
	Idempotency   *string        `json:"idempotency"`
	WithRateLimit bool           `json:"with_rate_limit"`
	QuotedID      *string        `json:"quoted_status_id"`
	QuotePolicy   string         `json:"quote_approval_policy"`
}

type scheduledPoll struct {
	Options    []string `json:"options"`
	ExpiresIn  int      `json:"expires_in"`
	Multiple   bool     `json:"multiple"`
	HideTotals bool     `json:"hide_totals"`
}

func (a *API) scheduled(r *request, s *linnet.Scheduled) scheduled {
	d := &s.Draft
	out := scheduled{ID: s.ID.String(), ScheduledAt: timestamp(s.At), MediaAttachments: a.attachments(s.Media), Failed: nullable(asked(r.Request).Kept(s.Failed)),
		Params: scheduledParams{Text: d.Text, Sensitive: *d.Sensitive, SpoilerText: nullable(d.Warning), Visibility: d.Visibility.String(),
			ApplicationID: appNumber(d.AppID), Language: nullable(d.Language), Idempotency: nullable(d.IdempotencyKey),
			InReplyToID: optID(d.InReplyTo), QuotedID: optID(d.QuoteOf), QuotePolicy: d.QuotePolicy.String()}}
	if s.Group != 0 {
		out.Params.Visibility = linnet.Private.String()
	}
	for _, m := range out.MediaAttachments {
		out.Params.MediaIDs = append(out.Params.MediaIDs, m.ID)
	}
	if p := d.Poll; p != nil {
		out.Params.Poll = &scheduledPoll{p.Options, p.Seconds, p.Multiple, p.HideTotals}
	}
	return out
}

// appNumber returns a number of 32 bits for an app, as Mastodon's ids are. No method takes it.
// It is nil for a status that was scheduled in a browser.
func appNumber(app linnet.ID) *int32 {
	if app == 0 {
		return nil
	}
	n := int32(app%math.MaxInt32) + 1
	return &n
}

// scheduledAt reads when something is to be published, nil if it is absent or empty. A
// time without a zone is UTC, as in Mastodon.
func scheduledAt(in *input) (*time.Time, error) {
	s := strings.TrimSpace(in.text("scheduled_at"))
	if err := in.err(); err != nil || s == "" {
		return nil, err
	}
	s = strings.Replace(strings.ToUpper(s), " ", "T", 1)
	for _, form := range [...]string{time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z07:00", "2006-01-02T15:04Z0700", "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly} {
		if t, err := time.Parse(form, s); err == nil {
			return &t, nil
		}
	}
	return nil, linnet.FieldError("scheduled_at", "ERR_INVALID", "%q is not a valid time. Use the form 2030-12-24T18:00:00Z", clipped(in.text("scheduled_at")))
}

// clipped is the beginning of what is too long to be repeated.
func clipped(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

func (a *API) scheduleStatus(r *request, d linnet.Draft, at *time.Time, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	s, err := a.svc.Posting.Schedule(r.Context(), r.me(), d, *at)
	if err != nil {
		return nil, err
	}
	return a.scheduled(r, s), nil
}

func (a *API) scheduledStatuses(r *request) (any, error) {
	p := r.in.page(20, 40)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Posting.ScheduledPage(r.Context(), r.me(), p)
	if err != nil {
		return nil, err
	}
	return paged(r, s, func(s *linnet.Scheduled) scheduled { return a.scheduled(r, s) }), nil
}

func (a *API) scheduledStatus(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	s, err := a.svc.Posting.Scheduled(r.Context(), r.me(), id)
	if err != nil {
		return nil, err
	}
	return a.scheduled(r, s), nil
}

func (a *API) rescheduleStatus(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	if _, err := a.svc.Posting.Scheduled(r.Context(), r.me(), id); err != nil { // before what is wrong with the time
		return nil, err
	}
	at, err := scheduledAt(r.in)
	if err != nil {
		return nil, err
	}
	if at == nil {
		return nil, linnet.FieldError("scheduled_at", "ERR_BLANK", "can't be blank")
	}
	s, err := a.svc.Posting.Reschedule(r.Context(), r.me(), id, *at)
	if err != nil {
		return nil, err
	}
	return a.scheduled(r, s), nil
}

func (a *API) unscheduleStatus(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	if err := a.svc.Posting.Unschedule(r.Context(), r.me(), id); err != nil {
		return nil, err
	}
	return struct{}{}, nil
}
