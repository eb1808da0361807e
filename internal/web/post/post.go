package post

import (
	"context"
	"strings"
	"time"

	"github.com/a-h/templ"

	"linnet/internal/linnet"
	"linnet/internal/posting"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// Row is a status on a page, see [Post].
type Row struct {
	C             *page.Context
	S             linnet.StatusView    // the shown status: the original of a boost
	Booster       *linnet.SharedUser   // nil if it is not a boost
	Anchor        string               // id of the row on its page
	Opened        bool                 // the page is about this status
	Pinned        bool                 // pinned to a profile
	Event         *Event               // the notification that the row is about; nil for none
	Reason        page.Reason          // why the status is on the page
	AtGroup       bool                 // on the page of its group, which isn't named then
	RemovePath    string               // path of the group from which the reader can remove the post; "" for none
	Quiet         bool                 // without actions
	AlsoBy        []*linnet.SharedUser // other boosters, whose boosts have no row
	Filtered      string               // titles of matching filters; "" for none
	Connected     bool                 // connected by a line with the reply below
	To            *linnet.UserView     // parent's author; nil for none, or if unknown to the page
	MarksReply    bool                 // marks a reply as such, because it is among other posts
	Bubble        bool                 // a message in a conversation, which shows the recipients above
	BelowReadLine bool                 // below the line that marks the read position of the home timeline
	Translation   *linnet.Translation  // translation of the text of S; nil for the original

	id     string // of S
	path   string // of the page of S
	author string // path of the author's profile
	avatar string // path of the author's profile picture

	promoters []linnet.ID // recent voters of a promotion
}

// Event is a notification about a status: an icon, and what the author did.
type Event struct{ Icon, Text string }

// Me returns the reader if they can act on the status here, and nil otherwise.
func (r *Row) Me() *linnet.UserView {
	if r.Quiet {
		return nil
	}
	return r.C.Me
}

// Mine reports whether the reader is the author.
func (r *Row) Mine() bool { return r.C.Me != nil && r.C.Me.ID == r.S.Author }

// In returns the group of the status, unless the page is about the group.
func (r *Row) In() *linnet.UserView {
	if r.AtGroup {
		return nil
	}
	return r.S.In
}

// At returns the query that identifies the row from which an action is sent.
func (r *Row) At() string {
	if r.Anchor == "p"+r.S.ID.String() {
		return ""
	}
	return "?at=" + r.Anchor
}

// OpenedRow returns the row of the status that a page is about.
func OpenedRow(c *page.Context, s linnet.StatusView) *Row {
	r := NewRow(c, s)
	r.Opened, r.Filtered = true, ""
	return r
}

// JoinedRow returns the row of a parent of the opened status, with a connecting line.
func JoinedRow(c *page.Context, s linnet.StatusView) *Row {
	r := NewRow(c, s)
	r.Connected = true
	return r
}

// QuietRow returns the row of a status without actions.
func QuietRow(c *page.Context, s linnet.StatusView) *Row {
	r := NewRow(c, s)
	r.Quiet = true
	return r
}

// PinnedRow returns the row of a status that is pinned to a profile.
func PinnedRow(c *page.Context, s linnet.StatusView) *Row {
	r := NewRow(c, s)
	r.Pinned, r.Anchor = true, "pin"+s.ID.String()
	return r
}

// NewRow returns the row of a status.
func NewRow(c *page.Context, s linnet.StatusView) *Row {
	s = WithoutCommands(c, s)
	r := &Row{C: c, S: s, Reason: c.Reason}
	if s.Extra != nil {
		r.AlsoBy = s.Extra.AlsoBy
	}
	if s.Repost != nil {
		r.S, r.Booster, r.promoters, r.Anchor = *s.Repost, s.By, s.Promoters, "p"+s.ID.String()
	}
	r.id, r.author, r.avatar = r.S.ID.String(), paths.Person(r.S.By.Login), paths.Avatar(r.S.By.UserView)
	r.path = r.author + "/" + r.id
	if s.Repost == nil {
		r.Anchor = "p" + r.id
	}
	if found := s.FoundBy(linnet.FilterWarn, linnet.FilterHide, linnet.FilterBlur); len(found) > 0 {
		r.Filtered = strings.Join(found, c.TrIn("between parts of a list", ", "))
	}
	return r
}

// mutesWords returns the path of the form for a new filter, which applies where the row is shown.
func (r *Row) mutesWords() string {
	at := "home"
	switch {
	case r.Event != nil:
		at = "notifications"
	case r.Reason.Source == "":
		at = "thread"
	case r.Reason.Source == "tag":
		at = "public"
	}
	return paths.Filters + "/new?context=" + at
}

// Plain returns the text. For a message it omits the mentions of the recipients.
func (r *Row) Plain() string {
	if r.Bubble {
		return WithoutAddressees(r.S.Text, &r.S.Status)
	}
	return r.S.Text
}

// pictureName returns the accessible name of a picture.
func pictureName(ctx context.Context, a linnet.Attachment, i, of int) string {
	switch {
	case a.Description != "":
		return a.Description
	case a.Clip != nil && a.Clip.Kind == linnet.Audio:
		return ui.Tr(ctx, "Audio without a description")
	case a.Clip != nil:
		return ui.Tr(ctx, "Video without a description")
	case of == 1:
		return ui.Tr(ctx, "Picture without a description")
	}
	return ui.Tr(ctx, "Picture %d of %d, without a description", i+1, of)
}

// answeredName returns the name of the parent's author.
func answeredName(u linnet.UserView) templ.Component {
	if u.Name == "" {
		return ui.BDIPart("@" + u.Login)
	}
	return ui.NamePart(u)
}

// Visible returns the statuses that the reader's filters don't hide, without messages of groups
// that explain commands.
func Visible(all []linnet.StatusView) []linnet.StatusView {
	shown := make([]linnet.StatusView, 0, len(all))
	for _, s := range all {
		if !s.Hidden() && (s.By.Group == linnet.NoGroup || !posting.ForApps(&s)) {
			shown = append(shown, s)
		}
	}
	return shown
}

// shape returns the class of a single picture. A very tall or very wide picture is cropped, so that
// it doesn't fill the page.
func shape(w, h, of int) string {
	switch {
	case of > 1 || w == 0 || h == 0:
		return ""
	case w*5 < h*4:
		return "tall"
	case w > h*2:
		return "broad"
	}
	return ""
}

// restClass is the class of the folded part of a text.
const restClass = "text"

// Fold splits the text into a visible and a folded part. The status that a page is about isn't
// folded.
func (r *Row) Fold() (head, rest string) {
	html := ui.BodyHTML(r.S.HTML, r.S.Pictured)
	if r.Bubble {
		html = unaddressed(html, &r.S.Status)
	}
	if r.Opened {
		return html, ""
	}
	return fold(html)
}

// editedAt returns the time of the last edit, for the title of the mark.
func editedAt(ctx context.Context, s linnet.StatusView) string {
	return ui.Tr(ctx, "Edited %s", ui.FullTime(ctx, s.EditedAt()))
}

// UpdatedAt returns the time of the last edit of a status, or of its publication.
func UpdatedAt(st *linnet.Status) time.Time {
	if t := st.EditedAt(); !t.IsZero() {
		return t
	}
	return st.ID.Time()
}
