package wire

import "linnet/internal/linnet"

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
	return Announcement{ID: v.ID.String(), Content: v.HTML, StartsAt: OptionalTime(v.Starts), EndsAt: OptionalTime(v.Ends), AllDay: v.AllDay,
		PublishedAt: Timestamp(v.Published), UpdatedAt: Timestamp(v.Updated), Mentions: Each(v.MentionsOf, mentionOf), Statuses: []None{},
		Tags: Each(v.Tags, e.statusTag), Emojis: e.Emojis(v.Pictured.Of()), Reactions: Each(v.Reactions, e.Reaction)}
}

// Reaction encodes a reaction without the viewer's state.
func (e *Encoder) Reaction(r *linnet.Reaction) Reaction {
	out := Reaction{Name: r.Name, Count: r.Count}
	if r.Emoji != nil {
		out.URL, out.StaticURL = e.FileURL(r.Emoji.Name), e.FileURL(r.Emoji.StillName())
	}
	return out
}
