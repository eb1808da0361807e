package wire

import (
	"linnet/internal/linnet"
	"linnet/internal/text"
)

// Announcement is the entity Announcement.
// https://docs.joinmastodon.org/entities/Announcement/
type Announcement struct {
	ID          string      `json:"id"`
	Content     string      `json:"content"`
	StartsAt    *string     `json:"starts_at"`
	EndsAt      *string     `json:"ends_at"`
	AllDay      bool        `json:"all_day"`
	PublishedAt string      `json:"published_at"`
	UpdatedAt   string      `json:"updated_at"`
	Read        *bool       `json:"read,omitempty"` // omitted in events, which all users receive
	Mentions    []Mention   `json:"mentions"`
	Statuses    []None      `json:"statuses"` // links to statuses are plain links
	Tags        []StatusTag `json:"tags"`
	Emojis      []Emoji     `json:"emojis"`
	Reactions   []Reaction  `json:"reactions"`
}

// Reaction is the entity Reaction.
// https://docs.joinmastodon.org/entities/Reaction/
type Reaction struct {
	Name           string `json:"name"`
	Count          int64  `json:"count"`
	Me             *bool  `json:"me,omitempty"` // omitted in events
	URL            string `json:"url,omitempty"`
	StaticURL      string `json:"static_url,omitempty"`
	AnnouncementID string `json:"announcement_id,omitempty"` // only in events
}

// Announcement encodes an announcement without the viewer's state.
func (e *Encoder) Announcement(v *linnet.AnnouncementView) Announcement {
	out := Announcement{ID: v.ID.String(), Content: v.HTML, StartsAt: OptionalTime(v.Starts), EndsAt: OptionalTime(v.Ends), AllDay: v.AllDay,
		PublishedAt: Timestamp(v.Published), UpdatedAt: Timestamp(v.Updated), Mentions: make([]Mention, len(v.MentionsOf)), Statuses: []None{},
		Tags: make([]StatusTag, len(v.Tags)), Emojis: e.Emojis(v.Pictured.Of()), Reactions: make([]Reaction, len(v.Reactions))}
	for i := range v.MentionsOf {
		m := &v.MentionsOf[i]
		out.Mentions[i] = Mention{ID: m.ID.String(), Username: m.Login, URL: m.URL, Acct: m.Login}
	}
	for i, tag := range v.Tags {
		out.Tags[i] = StatusTag{Name: text.FoldTag(tag), URL: e.TagURL(tag)}
	}
	for i := range v.Reactions {
		out.Reactions[i] = e.Reaction(&v.Reactions[i])
	}
	return out
}

// Reaction encodes a reaction without the viewer's state.
func (e *Encoder) Reaction(r *linnet.Reaction) Reaction {
	out := Reaction{Name: r.Name, Count: r.Count}
	if r.Emoji != nil {
		out.URL, out.StaticURL = e.FileURL(r.Emoji.Name), e.FileURL(r.Emoji.StillName())
	}
	return out
}
