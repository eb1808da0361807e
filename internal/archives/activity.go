package archives

import (
	"context"
	"path"
	"strings"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/media"
)

// The ActivityStreams objects in exports, in the form of Mastodon's archives, as far as other
// programs read them. https://docs.joinmastodon.org/spec/activitypub/

const streams = "https://www.w3.org/ns/activitystreams"

// activity is an entry of outbox.json.
type activity struct {
	ID        string   `json:"id"`
	Type      string   `json:"type"` // Create, or Announce for a boost
	Actor     string   `json:"actor"`
	Published string   `json:"published"`
	To        []string `json:"to"`
	CC        []string `json:"cc"`
	Object    any      `json:"object"` // a note, or the URI of the boosted status
}

// note is a status.
type note struct {
	ID           string            `json:"id"`
	Type         string            `json:"type"` // Note, or Question if it is a poll
	Summary      *string           `json:"summary"`
	InReplyTo    *string           `json:"inReplyTo"`
	Published    string            `json:"published"`
	Updated      string            `json:"updated,omitempty"`
	URL          string            `json:"url"`
	AttributedTo string            `json:"attributedTo"`
	To           []string          `json:"to"`
	CC           []string          `json:"cc"`
	Sensitive    bool              `json:"sensitive"`
	Content      string            `json:"content"`
	ContentMap   map[string]string `json:"contentMap,omitempty"`
	Source       source            `json:"source"`
	Quote        string            `json:"quote,omitempty"`
	Attachment   []document        `json:"attachment"`
	Tag          []tag             `json:"tag"`

	OneOf       []option `json:"oneOf,omitempty"`
	AnyOf       []option `json:"anyOf,omitempty"`
	EndTime     string   `json:"endTime,omitempty"`
	VotersCount *int64   `json:"votersCount,omitempty"`
}

// source is the text as typed.
type source struct {
	Content   string `json:"content"`
	MediaType string `json:"mediaType"`
}

type document struct {
	Type       string      `json:"type"`
	MediaType  string      `json:"mediaType"`
	URL        string      `json:"url"`
	Name       *string     `json:"name"`
	Blurhash   string      `json:"blurhash,omitempty"`
	FocalPoint *[2]float64 `json:"focalPoint,omitempty"`
	Width      int         `json:"width,omitempty"`
	Height     int         `json:"height,omitempty"`
}

type tag struct {
	Type string `json:"type"`
	Href string `json:"href"`
	Name string `json:"name"`
}

type option struct {
	Type    string  `json:"type"`
	Name    string  `json:"name"`
	Replies replies `json:"replies"`
}

type replies struct {
	Type       string `json:"type"`
	TotalItems int64  `json:"totalItems"`
}

func iso(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// actorURI returns the permanent name of a user.
func (s *Service) actorURI(login string) string { return s.opt.PublicURL + "/users/" + login }

// audience returns the recipients of a status.
func (m *making) audience(v *linnet.StatusView) (to, cc []string) {
	public, followers := streams+"#Public", m.actorURI(m.u.Login)+"/followers"
	named := []string{}
	for _, p := range v.Mentions {
		named = append(named, m.actorURI(p.Login))
	}
	switch v.Visibility {
	case linnet.Public:
		return []string{public}, append([]string{followers}, named...)
	case linnet.Unlisted:
		return []string{followers}, append([]string{public}, named...)
	case linnet.Private:
		return []string{followers}, named
	}
	return named, []string{}
}

// activity returns the activity of a post or boost.
func (m *making) activity(ctx context.Context, v *linnet.StatusView) (activity, error) {
	a := activity{ID: v.URI + "/activity", Type: "Create", Actor: m.actorURI(m.u.Login), Published: iso(v.ID.Time())}
	a.To, a.CC = m.audience(v)
	if v.Repost != nil {
		a.Type, a.Object = "Announce", v.Repost.URI
		return a, nil
	}
	n := &note{ID: v.URI, Type: "Note", Published: iso(v.ID.Time()), URL: v.URL, Sensitive: v.Sensitive, Content: v.HTML,
		Source: source{v.Text, "text/plain"}, Attachment: []document{}, Tag: []tag{}}
	if v.Warning != "" {
		n.Summary = &v.Warning
	}
	if v.Language != "" {
		n.ContentMap = map[string]string{v.Language: v.HTML}
	}
	if e := v.LastEdit(); e != 0 {
		n.Updated = iso(time.UnixMilli(e))
	}
	if id, by := v.Parent(); id != 0 {
		uri, err := m.statusURI(ctx, id, by)
		if err != nil {
			return a, err
		}
		if uri != "" {
			n.InReplyTo = &uri
		}
	}
	if v.Quote != nil && v.Quote.Status != nil {
		n.Quote = v.Quote.Status.URI
	}
	for i := range v.Media {
		n.Attachment = append(n.Attachment, documentOf(&v.Media[i]))
	}
	for _, p := range v.Mentions {
		n.Tag = append(n.Tag, tag{"Mention", m.actorURI(p.Login), "@" + m.address(p.Login)})
	}
	for _, t := range v.Tags {
		n.Tag = append(n.Tag, tag{"Hashtag", m.opt.PublicURL + "/tags/" + strings.ToLower(t), "#" + t})
	}
	n.ask(v.PollView)
	n.To, n.CC, n.AttributedTo = a.To, a.CC, a.Actor
	a.Object = n
	return a, nil
}

// statusURI returns the URI of a status by id and author; "" if the author is deleted.
func (m *making) statusURI(ctx context.Context, id, by linnet.ID) (string, error) {
	u, err := m.core.LookupUser(ctx, by)
	if err != nil || u == nil {
		return "", err
	}
	return m.actorURI(u.Login) + "/statuses/" + id.String(), nil
}

func documentOf(a *linnet.Attachment) document {
	d := document{Type: "Document", MediaType: media.Kind(strings.TrimPrefix(path.Ext(a.Name), ".")).Type(), URL: mediaPath(a.Name),
		Blurhash: a.Blurhash, Width: a.Size.Width, Height: a.Size.Height}
	if a.Description != "" {
		d.Name = &a.Description
	}
	if a.Focus != (linnet.Focus{}) {
		d.FocalPoint = &[2]float64{a.Focus.X, a.Focus.Y}
	}
	return d
}

// ask turns a note into a poll.
func (n *note) ask(p *linnet.PollView) {
	if p == nil {
		return
	}
	n.Type, n.EndTime, n.VotersCount = "Question", iso(p.Expires), &p.Voters
	var all []option
	for i, o := range p.Options {
		votes := int64(0)
		if i < len(p.Counts) {
			votes = p.Counts[i]
		}
		all = append(all, option{"Note", o, replies{"Collection", votes}})
	}
	if p.Multiple {
		n.AnyOf = all
	} else {
		n.OneOf = all
	}
}

// actor is actor.json.
type actor struct {
	Context           string   `json:"@context"`
	ID                string   `json:"id"`
	Type              string   `json:"type"`
	Outbox            string   `json:"outbox"`
	Likes             string   `json:"likes"`
	Bookmarks         string   `json:"bookmarks"`
	PreferredUsername string   `json:"preferredUsername"`
	Name              string   `json:"name"`
	Summary           string   `json:"summary"`
	URL               string   `json:"url"`
	Locked            bool     `json:"manuallyApprovesFollowers"`
	Discoverable      bool     `json:"discoverable"`
	Indexable         bool     `json:"indexable"`
	Published         string   `json:"published"`
	Attachment        []line   `json:"attachment"`
	Icon              *picture `json:"icon,omitempty"`
	Image             *picture `json:"image,omitempty"`
}

// line is a row of the table on a profile.
type line struct {
	Type  string `json:"type"`
	Name  string `json:"name"`
	Value string `json:"value"`
}

type picture struct {
	Type      string `json:"type"`
	MediaType string `json:"mediaType"`
	URL       string `json:"url"`
}

func pictureOf(name, as string) *picture {
	if name == "" {
		return nil
	}
	return &picture{"Image", media.Kind(strings.TrimPrefix(path.Ext(name), ".")).Type(), as + path.Ext(name)}
}
