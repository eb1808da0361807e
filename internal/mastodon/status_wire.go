package mastodon

import (
	"net/url"

	"linnet/internal/linnet"
	"linnet/internal/text"
)

// status is the entity Status, in the parts of which statusText keeps it.
// https://docs.joinmastodon.org/entities/Status/
type status struct {
	statusHead
	*viewerState // left out if nobody is logged in
	*ownState    // left out unless it is the viewer's own
	statusBody
	Reblog *status `json:"reblog"`
	statusApp
	Account account `json:"account"`
	statusTail
	Poll *poll `json:"poll"`
	statusQuote
	statusGroup
}

type statusHead struct {
	ID                 string  `json:"id"`
	CreatedAt          string  `json:"created_at"`
	InReplyToID        *string `json:"in_reply_to_id"`
	InReplyToAccountID *string `json:"in_reply_to_account_id"`
	Sensitive          bool    `json:"sensitive"`
	SpoilerText        string  `json:"spoiler_text"`
	Visibility         string  `json:"visibility"`
	Language           *string `json:"language"`
	URI                string  `json:"uri"`
	URL                string  `json:"url"`
	RepliesCount       int64   `json:"replies_count"`
	ReblogsCount       int64   `json:"reblogs_count"`
	FavouritesCount    int64   `json:"favourites_count"`
	QuotesCount        int64   `json:"quotes_count"`
	EditedAt           *string `json:"edited_at"`
}

type statusBody struct {
	Content string  `json:"content"`
	Text    *string `json:"text,omitempty"` // only of a deleted status
}

type statusApp struct {
	Application *application `json:"application,omitempty"`
}

type statusTail struct {
	MediaAttachments []attachment `json:"media_attachments"`
	Mentions         []mention    `json:"mentions"`
	Tags             []statusTag  `json:"tags"`
	Emojis           []emoji      `json:"emojis"`
	Card             *card        `json:"card"`
}

type statusGroup struct {
	Group *postedIn `json:"group,omitempty"`
}

// viewerState is what the viewer has done with a status.
type viewerState struct {
	Favourited bool           `json:"favourited"`
	Reblogged  bool           `json:"reblogged"`
	Muted      bool           `json:"muted"`
	Bookmarked bool           `json:"bookmarked"`
	Filtered   []filterResult `json:"filtered"`
}

// ownState are what an author has done with a status that could be pinned.
type ownState struct {
	Pinned bool `json:"pinned"`
}

// postedIn is the group that a status was posted in, as far as it never changes.
type postedIn struct {
	ID        string `json:"id"`
	AccountID string `json:"account_id"`
	Username  string `json:"username"`
	URL       string `json:"url"`
}

type mention struct {
	ID       string `json:"id"`
	Username string `json:"username"`
	URL      string `json:"url"`
	Acct     string `json:"acct"`
}

type statusTag struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

type application struct {
	Name    string  `json:"name"`
	Website *string `json:"website"`
}

// status is the wire form as one value. Where statuses are many, statusText
// writes the same.
func (a *API) status(v *linnet.StatusView, viewer linnet.ID) status {
	out := a.statusOfAll(v)
	out.Account, out.Poll = a.account(&v.By.UserView), a.poll(v, viewer)
	out.statusQuote = statusQuote{a.quoteOf(v, viewer), approvalOf(v)}
	out.Content = quoteInline(v) + out.Content
	if viewer != 0 {
		m := viewerStateOf(v)
		out.viewerState = &m
	}
	if viewer != 0 && viewer == v.Author && v.Pinnable() {
		out.ownState = &ownState{v.Pinned}
	}
	if v.Repost != nil {
		original := a.status(v.Repost, viewer)
		out.Reblog = &original
	}
	return out
}

// statusOfAll is what depends neither on the viewer nor on other records than
// the status itself.
func (a *API) statusOfAll(v *linnet.StatusView) status {
	parent, to := v.Parent()
	out := status{
		statusHead: statusHead{ID: v.ID.String(), CreatedAt: timestamp(v.ID.Time()),
			InReplyToID: optID(parent), InReplyToAccountID: optID(to),
			Sensitive: v.Sensitive, SpoilerText: v.Warning, Visibility: v.Visibility.String(), Language: nullable(v.Language),
			URI: v.URI, URL: v.URL,
			RepliesCount: v.Replies, ReblogsCount: v.Reposts, FavouritesCount: v.Favourites, QuotesCount: v.Quotes, EditedAt: editedAt(&v.Status)},
		statusBody: statusBody{Content: v.HTML},
		statusTail: statusTail{MediaAttachments: a.attachments(v.Media), Emojis: a.emojis(v.Pictured.Of()), Card: a.card(v.Card),
			Mentions: make([]mention, len(v.MentionsOf)), Tags: make([]statusTag, len(v.Tags))},
	}
	for i := range v.MentionsOf {
		m := &v.MentionsOf[i]
		out.Mentions[i] = mention{ID: m.ID.String(), Username: m.Login, URL: m.URL, Acct: m.Login}
	}
	for i, tag := range v.Tags {
		out.Tags[i] = statusTag{Name: text.FoldTag(tag), URL: a.tagURL(tag)}
	}
	if g := v.In; g != nil {
		out.Group = &postedIn{ID: g.ID.String(), AccountID: g.ID.String(), Username: g.Login, URL: g.URL}
	}
	if v.App.Name != "" {
		out.Application = &application{Name: v.App.Name, Website: nullable(v.App.Website)}
	}
	return out
}

func viewerStateOf(v *linnet.StatusView) viewerState {
	return viewerState{Favourited: v.Favourited, Reblogged: v.Reposted, Muted: v.Muted, Bookmarked: v.Bookmarked, Filtered: filteredOf(v)}
}

// optID is an id, or null if there is none.
func optID(id linnet.ID) *string {
	if id == 0 {
		return nil
	}
	s := id.String()
	return &s
}

func (a *API) tagURL(tag string) string {
	return a.base + "/tags/" + url.PathEscape(text.FoldTag(tag))
}
