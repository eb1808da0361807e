package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/text"
)

// announcement is the entity Announcement.
// https://docs.joinmastodon.org/entities/Announcement/
type announcement struct {
	ID          string       `json:"id"`
	Content     string       `json:"content"`
	StartsAt    *string      `json:"starts_at"`
	EndsAt      *string      `json:"ends_at"`
	AllDay      bool         `json:"all_day"`
	PublishedAt string       `json:"published_at"`
	UpdatedAt   string       `json:"updated_at"`
	Read        *bool        `json:"read,omitempty"` // left out in events, which are for all
	Mentions    []mention    `json:"mentions"`
	Statuses    []none       `json:"statuses"` // links to statuses are links
	Tags        []statusTag  `json:"tags"`
	Emojis      []emoji      `json:"emojis"`
	Reactions   []reactionTo `json:"reactions"`
}

// reactionTo is the entity Reaction.
// https://docs.joinmastodon.org/entities/Reaction/
type reactionTo struct {
	Name           string `json:"name"`
	Count          int64  `json:"count"`
	Me             *bool  `json:"me,omitempty"` // left out in events
	URL            string `json:"url,omitempty"`
	StaticURL      string `json:"static_url,omitempty"`
	AnnouncementID string `json:"announcement_id,omitempty"` // in events alone
}

func (a *API) announcement(v *linnet.AnnouncementView) announcement {
	out := announcement{ID: v.ID.String(), Content: v.HTML, StartsAt: optTime(v.Starts), EndsAt: optTime(v.Ends), AllDay: v.AllDay,
		PublishedAt: timestamp(v.Published), UpdatedAt: timestamp(v.Updated), Mentions: make([]mention, len(v.MentionsOf)), Statuses: []none{},
		Tags: make([]statusTag, len(v.Tags)), Emojis: a.emojis(v.Pictured.Of()), Reactions: make([]reactionTo, len(v.Reactions))}
	for i := range v.MentionsOf {
		m := &v.MentionsOf[i]
		out.Mentions[i] = mention{ID: m.ID.String(), Username: m.Login, URL: m.URL, Acct: m.Login}
	}
	for i, tag := range v.Tags {
		out.Tags[i] = statusTag{Name: text.FoldTag(tag), URL: a.tagURL(tag)}
	}
	for i := range v.Reactions {
		out.Reactions[i] = a.reactionTo(&v.Reactions[i])
	}
	return out
}

func (a *API) reactionTo(r *linnet.Reaction) reactionTo {
	out := reactionTo{Name: r.Name, Count: r.Count}
	if r.Emoji != nil {
		out.URL, out.StaticURL = a.fileURL(r.Emoji.Name), a.fileURL(r.Emoji.StillName())
	}
	return out
}

// announcements shows those that are in force.
func (a *API) announcements(r *request) (any, error) {
	all := r.in.flag("with_dismissed")
	if err := r.in.err(); err != nil {
		return nil, err
	}
	vs, err := a.svc.Announcing.Shown(r.Context(), r.me(), all)
	if err != nil {
		return nil, err
	}
	out := make([]announcement, len(vs))
	for i := range vs {
		out[i] = a.announcement(&vs[i])
		out[i].Read = &vs[i].Read
		for j := range vs[i].Reactions {
			out[i].Reactions[j].Me = &vs[i].Reactions[j].Me
		}
	}
	return out, nil
}

func (a *API) dismissAnnouncement(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	return empty{}, a.svc.Announcing.Dismiss(r.Context(), r.me(), id)
}

// react makes a handler that adds a reaction or takes one back.
func react(on bool) handler {
	return func(a *API, r *request) (any, error) {
		id, err := r.pathID()
		if err != nil {
			return nil, err
		}
		do := a.svc.Announcing.Unreact
		if on {
			do = a.svc.Announcing.React
		}
		return empty{}, do(r.Context(), r.me(), id, r.PathValue("name"))
	}
}
