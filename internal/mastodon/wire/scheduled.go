package wire

import (
	"math"

	"linnet/internal/linnet"
	"linnet/internal/locale"
)

// ScheduledStatus is the entity ScheduledStatus. Failed is the reason why it was not published.
// https://docs.joinmastodon.org/entities/ScheduledStatus/
type ScheduledStatus struct {
	ID               string            `json:"id"`
	ScheduledAt      string            `json:"scheduled_at"`
	Params           ScheduledParams   `json:"params"`
	MediaAttachments []MediaAttachment `json:"media_attachments"`
	Failed           *string           `json:"failed"`
}

// ScheduledParams are the parameters of a scheduled status.
// https://docs.joinmastodon.org/entities/ScheduledStatus/#params
type ScheduledParams struct {
	Text          string         `json:"text"`
	Poll          *ScheduledPoll `json:"poll"`
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

// ScheduledPoll is the poll of a scheduled status.
// https://docs.joinmastodon.org/entities/ScheduledStatus/#params-poll
type ScheduledPoll struct {
	Options    []string `json:"options"`
	ExpiresIn  int      `json:"expires_in"`
	Multiple   bool     `json:"multiple"`
	HideTotals bool     `json:"hide_totals"`
}

// ScheduledStatus encodes a scheduled status. The reason of a failure is in lang.
func (e *Encoder) ScheduledStatus(s *linnet.Scheduled, lang *locale.Language) ScheduledStatus {
	d := &s.Draft
	out := ScheduledStatus{ID: s.ID.String(), ScheduledAt: Timestamp(s.At), MediaAttachments: e.MediaAttachments(s.Media), Failed: Nullable(lang.Stored(s.Failed)),
		Params: ScheduledParams{Text: d.Text, Sensitive: *d.Sensitive, SpoilerText: Nullable(d.Warning), Visibility: d.Visibility.String(),
			ApplicationID: appNumber(d.AppID), Language: Nullable(d.Language), Idempotency: Nullable(d.IdempotencyKey),
			InReplyToID: OptionalID(d.InReplyTo), QuotedID: OptionalID(d.QuoteOf), QuotePolicy: d.QuotePolicy.String()}}
	if s.Group != 0 {
		out.Params.Visibility = linnet.Private.String()
	}
	for _, m := range out.MediaAttachments {
		out.Params.MediaIDs = append(out.Params.MediaIDs, m.ID)
	}
	if p := d.Poll; p != nil {
		out.Params.Poll = &ScheduledPoll{p.Options, p.Seconds, p.Multiple, p.HideTotals}
	}
	return out
}

// appNumber returns a 32-bit number for an app, like Mastodon's ids. No method accepts it. It is
// nil for a status that was scheduled in a browser.
func appNumber(app linnet.ID) *int32 {
	if app == 0 {
		return nil
	}
	n := int32(app%math.MaxInt32) + 1
	return &n
}
