package record

import (
	"strings"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// The kinds of key of scheduled statuses and drafts.
const (
	KindScheduled = "scheduled"
	KindSchedule  = "schedule"
	KindOldPosts  = "oldposts"
)

func scheduledKeys() []KeyDoc {
	return []KeyDoc{
		{KindScheduled, "value", "scheduled status", "a scheduled status or draft with its media, JSON", "70 KiB", "", noSecret()},
		{KindSchedule, "value", "user", "scheduled statuses with their times, and drafts, JSON", "300", "", noSecret()},
		{KindOldPosts, "value", "user", "rules and progress of automatic deletion, JSON", "1 KiB", "", noSecret()},
	}
}

// OldPostsKey holds a user's rule for deleting old posts. It is not deleted when the rule is off,
// so that its version only rises.
func OldPostsKey(user linnet.ID) kv.Key { return IDKey(KindOldPosts, user) }

// OldPosts is a user's rule for deleting old posts, with its progress.
type OldPosts struct {
	Choice  OldPostsChoice `json:"choice"`
	Task    string         `json:"task,omitempty"`    // id of the next task; "" if the rule is off
	From    JID            `json:"from,omitempty"`    // the last post checked in this round
	Began   int64          `json:"began,omitempty"`   // start of this round, Unix milliseconds
	Deleted int64          `json:"deleted,omitempty"` // posts deleted since the first rule
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

// ScheduledKey is a scheduled status.
func ScheduledKey(id linnet.ID) kv.Key { return IDKey(KindScheduled, id) }

// ScheduleKey lists a user's scheduled statuses. It is not deleted when empty, so that its version
// only rises.
func ScheduleKey(user linnet.ID) kv.Key { return IDKey(KindSchedule, user) }

// Schedule has a user's scheduled statuses and drafts in the order of their ids.
type Schedule struct {
	Entries []ScheduleEntry `json:"entries,omitempty"`
}

// ScheduleEntry is one entry of a Schedule.
type ScheduleEntry struct {
	ID    JID    `json:"id"`
	At    int64  `json:"at"`              // Unix milliseconds; 0: it is a draft
	Saved int64  `json:"saved,omitempty"` // last change of a draft, Unix milliseconds
	Key   string `json:"key,omitempty"`   // of a draft: DraftKey of the key that it was written with

	Thread string `json:"thread,omitempty"` // of a draft: see linnet.Scheduled
	Part   int    `json:"part,omitempty"`
}

// DraftKey returns a short hash of the key that a draft was written with, or "".
func DraftKey(key string) string {
	if key == "" {
		return ""
	}
	return Hash("draft " + key)[:12]
}

// IsDraft reports whether the entry is a draft, like linnet.Scheduled.
func (e ScheduleEntry) IsDraft() bool { return e.At == 0 }

// EntryOf returns the entry of a scheduled status.
func EntryOf(s *linnet.Scheduled) ScheduleEntry {
	e := ScheduleEntry{ID: JID(s.ID), At: millis(s.At), Saved: millis(s.Saved)}
	if s.IsDraft() {
		e.Key, e.Thread, e.Part = DraftKey(s.Draft.IdempotencyKey), s.Thread, s.Part
	}
	return e
}

// millis returns Unix milliseconds, or 0 for the zero Time.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// timeOf returns the time for the result of millis.
func timeOf(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}

type scheduledRecord struct {
	Owner       JID                `json:"owner"`
	At          int64              `json:"at"`               // Unix milliseconds; 0: it is a draft
	Saved       int64              `json:"saved,omitempty"`  // last change of a draft, Unix milliseconds
	PublishAt   int64              `json:"wanted,omitempty"` // of a draft: the chosen time, Unix milliseconds
	Text        string             `json:"text,omitempty"`
	Warning     string             `json:"warning,omitempty"`
	Sensitive   bool               `json:"sensitive,omitempty"`
	Visibility  linnet.Visibility  `json:"vis,omitempty"`
	Language    string             `json:"lang,omitempty"`
	InReplyTo   JID                `json:"reply_to,omitempty"`
	QuoteOf     JID                `json:"quote_of,omitempty"`
	Quoters     uint8              `json:"quoters,omitempty"` // see quoters
	Group       JID                `json:"group,omitempty"`
	Edits       JID                `json:"edits,omitempty"` // see edits
	Thread      string             `json:"thread,omitempty"`
	Part        int                `json:"part,omitempty"`
	Media       []attachmentRecord `json:"media,omitempty"`
	Poll        *pollDraftRecord   `json:"poll,omitempty"`
	App         string             `json:"app,omitempty"`
	AppWebsite  string             `json:"app_site,omitempty"`
	AppID       JID                `json:"app_id,omitempty"`
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

// edits returns the status that a draft changes. In earlier releases the draft's key named it,
// "edit of ID key". The key does not change, because Schedule contains it too.
func (r *scheduledRecord) edits() linnet.ID {
	rest, former := strings.CutPrefix(r.Idempotency, "edit of ")
	if r.Edits != 0 || !former || r.At != 0 {
		return linnet.ID(r.Edits)
	}
	digits, _, _ := strings.Cut(rest, " ")
	id, _ := linnet.ParseID(digits)
	return id
}

// EncodeScheduled encodes a scheduled status.
func EncodeScheduled(s *linnet.Scheduled) []byte {
	d := &s.Draft
	r := scheduledRecord{Owner: JID(s.Owner), At: millis(s.At), Saved: millis(s.Saved), PublishAt: millis(s.PublishAt), Text: d.Text, Warning: d.Warning, Sensitive: d.Sensitive != nil && *d.Sensitive,
		Language: d.Language, InReplyTo: JID(d.InReplyTo), QuoteOf: JID(d.QuoteOf), Group: JID(s.Group), Edits: JID(s.Edits), Thread: s.Thread, Part: s.Part, Media: attachmentRecords(s.Media), App: d.App.Name, AppWebsite: d.App.Website, AppID: JID(d.AppID),
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

// DecodeScheduled decodes a scheduled status.
func DecodeScheduled(id linnet.ID, get *kv.Get) (*linnet.Scheduled, error) {
	var r scheduledRecord
	if err := Decode(get, &r); err != nil {
		return nil, err
	}
	policy := policyOf(r.Quoters)
	s := &linnet.Scheduled{ID: id, Owner: linnet.ID(r.Owner), At: timeOf(r.At), Saved: timeOf(r.Saved), PublishAt: timeOf(r.PublishAt), Group: linnet.ID(r.Group), Edits: r.edits(), Thread: r.Thread, Part: r.Part, Media: attachmentsIn(r.Media), Failed: r.Failed, Nonce: r.Nonce, Version: get.Version,
		Draft: linnet.Draft{Text: r.Text, Warning: r.Warning, Sensitive: &r.Sensitive, Visibility: &r.Visibility, Language: r.Language, InReplyTo: linnet.ID(r.InReplyTo), QuoteOf: linnet.ID(r.QuoteOf), QuotePolicy: &policy,
			App: linnet.AppName{Name: r.App, Website: r.AppWebsite}, AppID: linnet.ID(r.AppID), IdempotencyKey: r.Idempotency}}
	if p := r.Poll; p != nil {
		s.Draft.Poll = &linnet.PollDraft{Options: p.Options, Seconds: p.Seconds, Multiple: p.Multiple, HideTotals: p.HideTotals}
	}
	return s, nil
}
