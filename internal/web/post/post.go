package post

import (
	"context"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// Row is a status on a page, for the component "post".
type Row struct {
	C           *page.Context
	S           linnet.StatusView   // the shown status: the original of a boost
	Booster     *linnet.SharedUser  // nil if it is not a boost
	Anchor      string              // names the row on its page
	Opened      bool                // the page is about it
	Pinned      bool                // pinned to a profile
	Told        bool                // a notification that it quotes a post of the reader
	Why         page.Reason         // what brought it here
	AtGroup     bool                // on the page of its group, which needn't be named
	Takes       string              // path prefix of a group that the reader can remove it from; "" for none
	Quiet       bool                // without actions
	AlsoBy      int                 // number of other boosts without a row
	Filtered    string              // the title of a filter that wants a warning
	On          bool                // the post below is a reply: a line connects them
	To          *linnet.UserView    // parent's author; nil for none, or if unknown to the page
	Talk        bool                // among other posts, where a reply must be marked as one
	Bubble      bool                // in a conversation, which names the recipients above
	Ruled       bool                // above it a line says up to where home was read
	Translation *linnet.Translation // what S says is this, and not what its author wrote; nil: it is not

	id     string // of S
	path   string // of the page of S
	author string // path of the author's profile
	avatar string // path of the author's profile picture

	promoters []linnet.ID // of a promotion: recent voters
}

// Me is the reader, if there is anything that they can do to the status here.
func (r *Row) Me() *linnet.UserView {
	if r.Quiet {
		return nil
	}
	return r.C.Me
}

// Mine reports whether the reader wrote it.
func (r *Row) Mine() bool { return r.C.Me != nil && r.C.Me.ID == r.S.Author }

// In is the group that it was posted in, where that is not clear without.
func (r *Row) In() *linnet.UserView {
	if r.AtGroup {
		return nil
	}
	return r.S.In
}

// At identifies the row of the page in which an action was done.
func (r *Row) At() string {
	if r.Anchor == "p"+r.S.ID.String() {
		return ""
	}
	return "?at=" + r.Anchor
}

// OpenedRow is the row of the status that a page is about.
func OpenedRow(c *page.Context, s linnet.StatusView) *Row {
	r := NewRow(c, s)
	r.Opened, r.Filtered = true, ""
	return r
}

// joined returns the row of a parent of the opened status, with a connecting line.
func JoinedRow(c *page.Context, s linnet.StatusView) *Row {
	r := NewRow(c, s)
	r.On = true
	return r
}

// QuietRow is the row of a status that is shown and not acted upon.
func QuietRow(c *page.Context, s linnet.StatusView) *Row {
	r := NewRow(c, s)
	r.Quiet = true
	return r
}

// PinnedRow is the row of a status on top of a profile.
func PinnedRow(c *page.Context, s linnet.StatusView) *Row {
	r := NewRow(c, s)
	r.Pinned, r.Anchor = true, "pin"+s.ID.String()
	return r
}

// NewRow returns a status for a page.
func NewRow(c *page.Context, s linnet.StatusView) *Row {
	s = WithoutCommands(c, s)
	r := &Row{C: c, S: s, Why: c.Reason, AlsoBy: s.AlsoBy}
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

// Plain returns the text, for a message without the mentions of recipients.
func (r *Row) Plain() string {
	if r.Bubble {
		return WithoutAddressees(r.S.Text, &r.S.Status)
	}
	return r.S.Text
}

// BoolText is a value of an attribute that says whether something is so.
func BoolText(is bool) string { return strconv.FormatBool(is) }

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

// Visible leaves out what the reader's filters hide.
func Visible(all []linnet.StatusView) []linnet.StatusView {
	shown := make([]linnet.StatusView, 0, len(all))
	for _, s := range all {
		if !s.Hidden() {
			shown = append(shown, s)
		}
	}
	return shown
}

// shape is the class of a picture that is shown by itself: one that is very tall or very
// broad is cut, so that it takes no more than its share of a page.
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

// restClass is the class of the folded part of a long text.
const restClass = "text"

// Fold cuts its text where it is long and one of many; see fold.
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
