package wire

import (
	"linnet/internal/linnet"
	"linnet/internal/text"
)

// Status is the entity Status, split into the parts that statusText caches.
// https://docs.joinmastodon.org/entities/Status/
type Status struct {
	statusHead
	*viewerState // omitted without a viewer
	*ownState    // omitted unless the viewer is the author
	statusBody
	Reblog *Status `json:"reblog"`
	statusApp
	Account Account `json:"account"`
	statusTail
	Poll *Poll `json:"poll"`
	statusQuote
	Tagged []Collection `json:"tagged_collections"`
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
	Text    *string `json:"text,omitempty"` // only for a deleted status
}

type statusApp struct {
	Application *StatusApplication `json:"application,omitempty"`
}

type statusTail struct {
	MediaAttachments []MediaAttachment `json:"media_attachments"`
	Mentions         []Mention         `json:"mentions"`
	Tags             []StatusTag       `json:"tags"`
	Emojis           []Emoji           `json:"emojis"`
	Card             *PreviewCard      `json:"card"`
}

type statusGroup struct {
	Group *PostedIn `json:"group,omitempty"`
}

// viewerState contains the members of a status about the viewer.
type viewerState struct {
	Favourited bool           `json:"favourited"`
	Reblogged  bool           `json:"reblogged"`
	Muted      bool           `json:"muted"`
	Bookmarked bool           `json:"bookmarked"`
	Filtered   []FilterResult `json:"filtered"`
}

// ownState contains the member of a status that only its author reads.
type ownState struct {
	Pinned bool `json:"pinned"`
}

// PostedIn is the group of a status, with the members that never change.
type PostedIn struct {
	ID        string `json:"id"`
	AccountID string `json:"account_id"`
	Username  string `json:"username"`
	URL       string `json:"url"`
}

// Mention is the entity Status::Mention.
// https://docs.joinmastodon.org/entities/Status/#Mention
type Mention struct {
	ID       string `json:"id"`
	Username string `json:"username"`
	URL      string `json:"url"`
	Acct     string `json:"acct"`
}

// StatusTag is the entity Status::Tag.
// https://docs.joinmastodon.org/entities/Status/#Tag
type StatusTag struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// StatusApplication is the app that posted a status.
// https://docs.joinmastodon.org/entities/Status/#application
type StatusApplication struct {
	Name    string  `json:"name"`
	Website *string `json:"website"`
}

// Status encodes a status for a viewer. StatusList writes the same from cached JSON.
func (e *Encoder) Status(v *linnet.StatusView, viewer linnet.ID) Status {
	out := e.sharedStatus(v)
	out.Account, out.Poll = e.Account(&v.By.UserView), e.Poll(v, viewer)
	out.statusQuote = statusQuote{e.quote(v, viewer), approvalOf(v)}
	out.Tagged = e.tagged(v)
	out.Content = quoteInline(v) + out.Content
	if viewer != 0 {
		m := viewerStateOf(v)
		out.viewerState = &m
	}
	if viewer != 0 && viewer == v.Author && v.Pinnable() {
		out.ownState = &ownState{v.Pinned}
	}
	if v.MissesAttribution(viewer) {
		out.Card.MissingAttribution = new(true)
	}
	if v.Repost != nil {
		original := e.Status(v.Repost, viewer)
		out.Reblog = &original
	}
	return out
}

// sharedStatus encodes the members that depend neither on the viewer nor on other records.
func (e *Encoder) sharedStatus(v *linnet.StatusView) Status {
	parent, to := v.Parent()
	out := Status{
		statusHead: statusHead{ID: v.ID.String(), CreatedAt: Timestamp(v.ID.Time()),
			InReplyToID: OptionalID(parent), InReplyToAccountID: OptionalID(to),
			Sensitive: v.Sensitive, SpoilerText: v.Warning, Visibility: v.Visibility.String(), Language: Nullable(v.Language),
			URI: v.URI, URL: v.URL,
			RepliesCount: v.Replies, ReblogsCount: v.Reposts, FavouritesCount: v.Favourites, QuotesCount: v.Quotes, EditedAt: editedAt(&v.Status)},
		statusBody: statusBody{Content: v.HTML},
		statusTail: statusTail{MediaAttachments: e.MediaAttachments(v.Media), Emojis: e.Emojis(v.Pictured.Of()), Card: e.PreviewCard(v.Card),
			Mentions: Each(v.MentionsOf, mentionOf), Tags: Each(v.Tags, e.statusTag)},
	}
	if g := v.In; g != nil {
		out.Group = &PostedIn{ID: g.ID.String(), AccountID: g.ID.String(), Username: g.Login, URL: g.URL}
	}
	if v.App.Name != "" {
		out.Application = &StatusApplication{Name: v.App.Name, Website: Nullable(v.App.Website)}
	}
	return out
}

func mentionOf(u *linnet.UserView) Mention {
	return Mention{ID: u.ID.String(), Username: u.Login, URL: u.URL, Acct: u.Login}
}

func (e *Encoder) statusTag(tag *string) StatusTag {
	return StatusTag{Name: text.FoldTag(*tag), URL: e.TagURL(*tag)}
}

func viewerStateOf(v *linnet.StatusView) viewerState {
	return viewerState{Favourited: v.Favourited, Reblogged: v.Reposted, Muted: v.Muted, Bookmarked: v.Bookmarked, Filtered: filteredOf(v)}
}
