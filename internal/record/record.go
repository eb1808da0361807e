package record

import (
	"encoding/json"
	"fmt"
	"strconv"

	jsonv1 "github.com/go-json-experiment/json/v1"
	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// Names of the counters under counts and tally.
var (
	userCounts   = [...]string{"followers", "following", "statuses"}
	statusCounts = [...]string{"replies", "reposts", "favourites", ClosedCounter, QuotesCounter}
)

// UserCounts returns the names of a user's displayed counters: followers, following, statuses.
// Callers must not modify it.
func UserCounts() []string { return userCounts[:] }

// StatusCounts returns the names of a status's counters: public replies, reposts, favourites, other
// replies, public quotes.
func StatusCounts() []string { return statusCounts[:] }

// JID is an id in a record: a decimal string, omitted when 0.
type JID linnet.ID

func (j JID) MarshalJSON() ([]byte, error) {
	return strconv.AppendQuote(nil, linnet.ID(j).String()), nil
}

func (j *JID) UnmarshalJSON(b []byte) error {
	if len(b) < 2 || b[0] != '"' {
		return fmt.Errorf("id %s is not a string", b)
	}
	id, ok := linnet.ParseID(string(b[1 : len(b)-1]))
	if !ok {
		return fmt.Errorf("id %s is not a number", b)
	}
	*j = JID(id)
	return nil
}

type userRecord struct {
	Login         string             `json:"login"`
	Name          string             `json:"name,omitempty"`
	Note          string             `json:"note,omitempty"`
	Fields        []fieldRecord      `json:"fields,omitempty"`
	Bot           bool               `json:"bot,omitempty"`
	Discoverable  bool               `json:"discoverable,omitempty"`
	Indexable     bool               `json:"indexable,omitempty"`
	HideNetwork   bool               `json:"hide_network,omitempty"`
	Locked        bool               `json:"locked,omitempty"`
	NoFeeds       bool               `json:"no_feeds,omitempty"`
	Role          linnet.Role        `json:"role,omitempty"`   // absent if Custom is set, so that older programs treat the user as a member
	Custom        JID                `json:"custom,omitempty"` // see linnet.User
	Suspended     bool               `json:"suspended,omitempty"`
	Silenced      bool               `json:"silenced,omitempty"`
	Sensitized    bool               `json:"sensitized,omitempty"`
	Disabled      bool               `json:"disabled,omitempty"`
	Unapproved    bool               `json:"unapproved,omitempty"`
	Group         linnet.GroupKind   `json:"group,omitempty"`
	Pending       bool               `json:"pending,omitempty"` // the login is not yet claimed
	Visibility    linnet.Visibility  `json:"visibility,omitempty"`
	Sensitive     bool               `json:"sensitive,omitempty"`
	Language      string             `json:"language,omitempty"`
	Top           bool               `json:"top,omitempty"`
	CatchUp       bool               `json:"catch_up,omitempty"`
	Look          linnet.Appearance  `json:"look,omitzero"`
	Mentions      []mentionRecord    `json:"mentions,omitempty"`
	Avatar        string             `json:"avatar,omitempty"`
	Banner        string             `json:"banner,omitempty"`
	QuotePolicy   linnet.QuotePolicy `json:"quote_policy,omitempty"`
	Attribution   []string           `json:"attribution,omitempty"`
	NoAltReminder bool               `json:"no_alt_reminder,omitempty"`
	AvatarAlt     string             `json:"avatar_alt,omitempty"`
	BannerAlt     string             `json:"banner_alt,omitempty"`
	UndoSend      bool               `json:"undo_send,omitempty"`
	Feed          string             `json:"feed,omitempty"`
	Tabs          tabsRecord         `json:"tabs,omitzero"`
}

// tabsRecord has the fields of linnet.ProfileTabs.
type tabsRecord struct {
	NoMedia        bool `json:"no_media,omitempty"`
	NoMediaReplies bool `json:"no_media_replies,omitempty"`
	NoFeatured     bool `json:"no_featured,omitempty"`
}

func EncodeUser(u *linnet.User, pending bool) []byte {
	role := u.Role
	if u.Custom != 0 {
		role = linnet.Member
	}
	return Encode(userRecord{u.Login, u.Name, u.Note, fieldRecords(u.Fields), u.Bot, u.Discoverable, u.Indexable, u.HideNetwork,
		u.Locked, u.NoFeeds, role, JID(u.Custom), u.Suspended, u.Silenced, u.Sensitized, u.Disabled, u.Unapproved, u.Group, pending, u.Posting.Visibility, u.Posting.Sensitive, u.Posting.Language, u.Shown.Top, u.Shown.CatchUp, u.Appearance, mentionRecords(u.Mentions), u.Avatar, u.Banner, u.Posting.QuotePolicy, u.Attribution, u.Posting.NoAltReminder, u.AvatarAlt, u.BannerAlt, u.Posting.UndoSend, u.Feed, tabsRecord(u.Tabs)})
}

// DecodeUser decodes a user's record. born is false until the login is claimed, and the user is
// invisible then.
func DecodeUser(id linnet.ID, get *kv.Get) (u *linnet.User, born bool, err error) {
	var r userRecord
	if err := Decode(get, &r); err != nil {
		return nil, false, err
	}
	if r.Custom != 0 {
		r.Role = linnet.Moderator
	}
	return &linnet.User{ID: id, Login: r.Login, Name: r.Name, Note: r.Note, Fields: fieldsIn(r.Fields), Bot: r.Bot,
		Discoverable: r.Discoverable, Indexable: r.Indexable, HideNetwork: r.HideNetwork, Locked: r.Locked, NoFeeds: r.NoFeeds, Role: r.Role, Custom: linnet.ID(r.Custom),
		Suspended: r.Suspended, Silenced: r.Silenced, Sensitized: r.Sensitized, Disabled: r.Disabled, Unapproved: r.Unapproved, Group: r.Group, Feed: r.Feed, Version: get.Version,
		Posting: linnet.PostingDefaults{Visibility: r.Visibility, Sensitive: r.Sensitive, Language: r.Language, QuotePolicy: r.QuotePolicy, NoAltReminder: r.NoAltReminder, UndoSend: r.UndoSend},
		Shown:   linnet.ShownLists{Top: r.Top, CatchUp: r.CatchUp}, Appearance: r.Look, Mentions: mentionsIn(r.Mentions), Avatar: r.Avatar, Banner: r.Banner, AvatarAlt: r.AvatarAlt, BannerAlt: r.BannerAlt, Attribution: r.Attribution, Tabs: linnet.ProfileTabs(r.Tabs)}, !r.Pending, nil
}

type Status struct {
	Author        JID                `json:"by"`
	Text          string             `json:"text,omitempty"`
	Warning       string             `json:"warning,omitempty"`
	Sensitive     bool               `json:"sensitive,omitempty"`
	Language      string             `json:"lang,omitempty"`
	Visibility    linnet.Visibility  `json:"vis,omitempty"`
	InReplyTo     JID                `json:"reply_to,omitempty"`
	InReplyAuthor JID                `json:"reply_to_by,omitempty"`
	Orphaned      bool               `json:"orphaned,omitempty"`
	Under         JID                `json:"under,omitempty"`
	Conversation  JID                `json:"conv,omitempty"`
	RepostOf      JID                `json:"repost_of,omitempty"`
	RepostAuthor  JID                `json:"repost_of_by,omitempty"`
	Mentions      []mentionRecord    `json:"mentions,omitempty"`
	Tags          []string           `json:"tags,omitempty"`
	App           string             `json:"app,omitempty"`
	AppWebsite    string             `json:"app_site,omitempty"`
	Pinned        bool               `json:"pinned,omitempty"`
	Nonce         string             `json:"nonce,omitempty"`
	Group         JID                `json:"group,omitempty"`
	Withdrawn     bool               `json:"withdrawn,omitempty"`
	Bar           int64              `json:"bar,omitempty"`
	Level         int                `json:"level,omitempty"`
	Promoters     []JID              `json:"promoters,omitempty"`
	Media         []attachmentRecord `json:"media,omitempty"`
	Poll          *pollRecord        `json:"poll,omitempty"`
	Edits         []int64            `json:"edits,omitempty"` // Unix milliseconds
	Former        []attachmentRecord `json:"former,omitempty"`
	QuoteOf       JID                `json:"quote_of,omitempty"`
	QuoteAuthor   JID                `json:"quote_of_by,omitempty"`
	QuoteRevoked  bool               `json:"quote_revoked,omitempty"`
	Quoters       uint8              `json:"quoters,omitempty"` // see quoters
	Card          *cardRecord        `json:"card,omitempty"`
	Imported      bool               `json:"imported,omitempty"`
	FromFeed      bool               `json:"from_feed,omitempty"`
	Marked        bool               `json:"marked,omitempty"` // as sensitive, by moderators
}

type mentionRecord struct {
	ID    JID    `json:"id"`
	Login string `json:"login"`
}

func mentionRecords(ms []linnet.Mention) (out []mentionRecord) {
	for _, m := range ms {
		out = append(out, mentionRecord{JID(m.ID), m.Login})
	}
	return out
}

func mentionsIn(rs []mentionRecord) (out []linnet.Mention) {
	for _, m := range rs {
		out = append(out, linnet.Mention{ID: linnet.ID(m.ID), Login: m.Login})
	}
	return out
}

func EncodeStatus(st *linnet.Status) []byte {
	r := Status{Author: JID(st.Author), Text: st.Text, Warning: st.Warning, Sensitive: st.Sensitive,
		Language: st.Language, Visibility: st.Visibility, InReplyTo: JID(st.InReplyTo), InReplyAuthor: JID(st.InReplyAuthor), Orphaned: st.Orphaned, Under: JID(st.Under),
		Conversation: JID(st.Conversation), RepostOf: JID(st.RepostOf), RepostAuthor: JID(st.RepostAuthor),
		Mentions: mentionRecords(st.Mentions), Tags: st.Tags, App: st.App.Name, AppWebsite: st.App.Website, Pinned: st.Pinned, Nonce: st.Nonce, Group: JID(st.Group), Withdrawn: st.Withdrawn,
		Bar: st.Bar, Level: st.Level, Poll: pollRecordOf(st.Poll), Media: attachmentRecords(st.Media),
		Edits: st.Edits, Former: attachmentRecords(st.Former), Card: cardRecordOf(st.Card),
		QuoteOf: JID(st.QuoteOf), QuoteAuthor: JID(st.QuoteAuthor), QuoteRevoked: st.QuoteRevoked, Quoters: quotersOf(st), Imported: st.Imported, FromFeed: st.FromFeed, Marked: st.Marked}
	for _, id := range st.Promoters {
		r.Promoters = append(r.Promoters, JID(id))
	}
	return Encode(r)
}

func DecodeStatus(id linnet.ID, get *kv.Get) (*linnet.Status, error) {
	var r Status
	if err := Decode(get, &r); err != nil {
		return nil, err
	}
	st := &linnet.Status{ID: id, Author: linnet.ID(r.Author), Text: r.Text, Warning: r.Warning, Sensitive: r.Sensitive,
		Language: r.Language, Visibility: r.Visibility, InReplyTo: linnet.ID(r.InReplyTo),
		InReplyAuthor: linnet.ID(r.InReplyAuthor), Orphaned: r.Orphaned, Under: linnet.ID(r.Under), Conversation: linnet.ID(r.Conversation),
		RepostOf: linnet.ID(r.RepostOf), RepostAuthor: linnet.ID(r.RepostAuthor), Mentions: mentionsIn(r.Mentions), Tags: r.Tags,
		App: linnet.AppName{Name: r.App, Website: r.AppWebsite}, Pinned: r.Pinned, Nonce: r.Nonce, Group: linnet.ID(r.Group), Withdrawn: r.Withdrawn,
		Bar: r.Bar, Level: r.Level, Poll: r.Poll.poll(), Media: attachmentsIn(r.Media), Edits: r.Edits, Former: attachmentsIn(r.Former), Card: r.Card.card(), Version: get.Version,
		QuoteOf: linnet.ID(r.QuoteOf), QuoteAuthor: linnet.ID(r.QuoteAuthor), QuoteRevoked: r.QuoteRevoked, QuotePolicy: policyOf(r.Quoters), Imported: r.Imported, FromFeed: r.FromFeed, Marked: r.Marked}
	for _, id := range r.Promoters {
		st.Promoters = append(st.Promoters, linnet.ID(id))
	}
	return st, nil
}

type List struct {
	Owner     JID                  `json:"owner"`
	Title     string               `json:"title"`
	Replies   linnet.RepliesPolicy `json:"replies,omitempty"`
	Exclusive bool                 `json:"exclusive,omitempty"`
}

// Encode encodes a record as JSON. Our records always encode.
func Encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("encode a record of type %T: %v", v, err))
	}
	return b
}

// Decode decodes a record of this or an earlier release into v. It uses the future decoder of the
// standard library with the present behaviour, which takes less than half the time
// (docs/decisions/0002-dependencies.md).
func Decode(get *kv.Get, v any) error {
	if err := jsonv1.Unmarshal(get.Data, v); err != nil {
		return fmt.Errorf("decode record %v: %w", get.Key, err)
	}
	return nil
}
