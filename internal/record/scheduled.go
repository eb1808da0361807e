package record

import (
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// The kinds of key of statuses that are to be published at a time.
const (
	KindScheduled = "scheduled"
	KindSchedule  = "schedule"
	KindOldPosts  = "oldposts"
)

func scheduledKeys() []KeyDoc {
	return []KeyDoc{
		{KindScheduled, "value", "scheduled status", "a status that is to be published at a time, with its pictures, JSON", "20 KiB", "", noSecret()},
		{KindSchedule, "value", "user", "which statuses the user has scheduled, and for when, JSON", "300", "", noSecret()},
		{KindOldPosts, "value", "user", "which old posts of the user are deleted by themselves, and how far that is, JSON", "1 KiB", "", noSecret()},
	}
}

// OldPostsKey is what a user has chosen about old posts. It stays when nothing is to be deleted, so
// that its version only rises.
func OldPostsKey(user linnet.ID) kv.Key { return IDKey(KindOldPosts, user) }

// OldPosts is what lies there.
type OldPosts struct {
	Choice  OldPostsChoice `json:"choice"`
	Task    string         `json:"task,omitempty"`    // that goes on; "" if nothing is to be deleted
	From    JID            `json:"from,omitempty"`    // the post up to which all were looked at in this round
	Began   int64          `json:"began,omitempty"`   // when this round did, Unix milliseconds
	Deleted int64          `json:"deleted,omitempty"` // posts, since the first choice
}

// OldPostsChoice is linnet.OldPosts.
type OldPostsChoice struct {
	Days       int  `json:"days"`
	Pinned     bool `json:"pinned,omitempty"`
	Direct     bool `json:"direct,omitempty"`
	Favourited bool `json:"favourited,omitempty"`
	Bookmarked bool `json:"bookmarked,omitempty"`
	Polls      bool `json:"polls,omitempty"`
	Media      bool `json:"media,omitempty"`
	Favourites int  `json:"favourites,omitempty"`
	Reposts    int  `json:"reposts,omitempty"`
}

// ScheduledKey is a status that is scheduled.
func ScheduledKey(id linnet.ID) kv.Key { return IDKey(KindScheduled, id) }

// ScheduleKey names those of a user. It stays when it is empty, so that its version only
// rises.
func ScheduleKey(user linnet.ID) kv.Key { return IDKey(KindSchedule, user) }

// Schedule are the statuses that a user has scheduled, in the order of their ids.
type Schedule struct {
	Entries []ScheduleEntry `json:"entries,omitempty"`
}

// ScheduleEntry is one of them.
type ScheduleEntry struct {
	ID JID   `json:"id"`
	At int64 `json:"at"` // Unix milliseconds
}

type scheduledRecord struct {
	Owner       JID                `json:"owner"`
	At          int64              `json:"at"` // Unix milliseconds
	Text        string             `json:"text,omitempty"`
	Warning     string             `json:"warning,omitempty"`
	Sensitive   bool               `json:"sensitive,omitempty"`
	Visibility  linnet.Visibility  `json:"vis,omitempty"`
	Language    string             `json:"lang,omitempty"`
	InReplyTo   JID                `json:"reply_to,omitempty"`
	QuoteOf     JID                `json:"quote_of,omitempty"`
	Quoters     uint8              `json:"quoters,omitempty"` // see quoters
	Group       JID                `json:"group,omitempty"`
	Media       []attachmentRecord `json:"media,omitempty"`
	Poll        *pollDraftRecord   `json:"poll,omitempty"`
	App         string             `json:"app,omitempty"`
	AppWebsite  string             `json:"app_site,omitempty"`
	Idempotency string             `json:"idem,omitempty"`
	Failed      string             `json:"failed,omitempty"`
	Nonce       string             `json:"nonce"`
}

type pollDraftRecord struct {
	Options    []string `json:"options"`
	Seconds    int      `json:"seconds"`
	Multiple   bool     `json:"multiple,omitempty"`
	HideTotals bool     `json:"hide_totals,omitempty"`
}

// EncodeScheduled writes a status that is scheduled.
func EncodeScheduled(s *linnet.Scheduled) []byte {
	d := &s.Draft
	r := scheduledRecord{Owner: JID(s.Owner), At: s.At.UnixMilli(), Text: d.Text, Warning: d.Warning, Sensitive: d.Sensitive != nil && *d.Sensitive,
		Language: d.Language, InReplyTo: JID(d.InReplyTo), QuoteOf: JID(d.QuoteOf), Group: JID(s.Group), Media: attachmentRecords(s.Media), App: d.App.Name, AppWebsite: d.App.Website,
		Idempotency: d.IdempotencyKey, Failed: s.Failed, Nonce: s.Nonce}
	if d.Visibility != nil {
		r.Visibility = *d.Visibility
	}
	if d.QuotePolicy != nil {
		r.Quoters = quoters(*d.QuotePolicy)
	}
	if p := d.Poll; p != nil {
		r.Poll = &pollDraftRecord{p.Options, p.Seconds, p.Multiple, p.HideTotals}
	}
	return Encode(r)
}

// DecodeScheduled reads it.
func DecodeScheduled(id linnet.ID, get *kv.Get) (*linnet.Scheduled, error) {
	var r scheduledRecord
	if err := Decode(get, &r); err != nil {
		return nil, err
	}
	policy := policyOf(r.Quoters)
	s := &linnet.Scheduled{ID: id, Owner: linnet.ID(r.Owner), At: time.UnixMilli(r.At), Group: linnet.ID(r.Group), Media: attachmentsIn(r.Media), Failed: r.Failed, Nonce: r.Nonce, Version: get.Version,
		Draft: linnet.Draft{Text: r.Text, Warning: r.Warning, Sensitive: &r.Sensitive, Visibility: &r.Visibility, Language: r.Language, InReplyTo: linnet.ID(r.InReplyTo), QuoteOf: linnet.ID(r.QuoteOf), QuotePolicy: &policy,
			App: linnet.AppName{Name: r.App, Website: r.AppWebsite}, IdempotencyKey: r.Idempotency}}
	if p := r.Poll; p != nil {
		s.Draft.Poll = &linnet.PollDraft{Options: p.Options, Seconds: p.Seconds, Multiple: p.Multiple, HideTotals: p.HideTotals}
	}
	return s, nil
}
