package compose

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/posting"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// editForm returns the form to edit a status.
func editForm(c *page.Context, old linnet.StatusView) Form {
	f := New(c)
	f.Edit, f.Text, f.Warning, f.Visibility, f.Language = &old, old.Text, old.Warning, old.Visibility, old.Language
	f.Media, f.Poll = old.Media, pollLike(&old.Status)
	f.QuotePolicy, f.Quote = old.QuotePolicy, old.Quote.Shown()
	return f
}

// edited returns the reader's status to edit.
func (h *Pages) edited(c *page.Context, digits string) (linnet.StatusView, error) {
	old, err := h.Posts.StatusNamed(c, digits)
	if err == nil && old.Author != c.Me.ID {
		err = page.NotFound()
	}
	return old, err
}

// PictureOfEdited returns an attachment of the edited status, of its earlier versions, or of a
// scheduled status, draft or redraft.
func (f *Form) PictureOfEdited(id linnet.ID) (linnet.Attachment, bool) {
	var all []linnet.Attachment
	switch {
	case f.Edit != nil:
		all = slices.Concat(f.Edit.Media, f.Edit.Former)
	case f.Plan != nil:
		all = f.Plan.Media
	default:
		if f.Draft != nil {
			all = f.Draft.Media
		}
		if f.Old != nil {
			all = slices.Concat(all, f.Old.Media)
		}
	}
	i := slices.IndexFunc(all, func(a linnet.Attachment) bool { return a.ID == id })
	if i < 0 {
		return linnet.Attachment{}, false
	}
	return all[i], true
}

// saveEdit saves the edit of a status.
func (h *Pages) saveEdit(c *page.Context, f Form) error {
	e := linnet.Edit{Text: f.addressed(), Warning: f.Warning, Sensitive: f.Edit.Sensitive && f.Edit.Warning == "", Language: &f.Language,
		Poll: f.Poll.draft(), QuotePolicy: &f.QuotePolicy, Describe: map[linnet.ID]linnet.AttachmentChange{}}
	for i := range f.Media {
		a := &f.Media[i]
		e.Media = append(e.Media, a.ID)
		e.Describe[a.ID] = linnet.AttachmentChange{Description: &a.Description, Focus: &a.Focus}
	}
	st, err := h.Posting.Edit(c.Request.Context(), c.Me.ID, f.Edit.ID, e)
	if err != nil {
		return h.refusedPost(c, f, err)
	}
	if f.From.Given() { // it is posted; a version changed elsewhere stays
		err := h.Posting.Drafts.Delete(c.Request.Context(), c.Me.ID, f.From)
		if err != nil && !page.IsKind(err, linnet.NotFound) && !errors.Is(err, posting.ErrDraftChanged) {
			return fmt.Errorf("delete the draft of an edit: %w", err)
		}
	}
	return c.Redirect(paths.Post(st) + "#p" + st.ID.String())
}

// versionRow is a version of a status, for its history.
type versionRow struct {
	linnet.StatusVersion
	Number           int
	Now              bool   // the current version
	Changes          []span // of the text since the version before; nil for none, and for the first version
	WarningChanged   bool
	MediaChanged     bool // the attachments, their descriptions or their focus
	PollChanged      bool
	SensitiveChanged bool
	LanguageChanged  bool
}

// samePoll reports whether two polls have the same question and options.
func samePoll(a, b *linnet.Poll) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.SameQuestion(b) && a.HideTotals == b.HideTotals && a.Expires.Equal(b.Expires)
}

// Heading returns the heading of a version.
func (r versionRow) Heading() string {
	switch {
	case r.Number == 1:
		return locale.Mark("Posted %s")
	case r.Now:
		return locale.Mark("Edited %s (current)")
	}
	return locale.Mark("Edited %s")
}

// Summary describes the changes besides the text.
func (r versionRow) Summary(ctx context.Context) string {
	var all []string
	say := func(is bool, what string) {
		if is {
			all = append(all, ui.Tr(ctx, what))
		}
	}
	say(r.WarningChanged, ui.Either(r.Warning == "", locale.Mark("warning removed"), locale.Mark("warning changed")))
	say(r.MediaChanged, ui.Either(len(r.Media) == 0, locale.Mark("pictures removed"), locale.Mark("pictures changed")))
	say(r.PollChanged, ui.Either(r.Poll == nil, locale.Mark("poll removed"), locale.Mark("poll changed")))
	say(r.SensitiveChanged, ui.Either(r.Sensitive, locale.Mark("marked as sensitive"), locale.Mark("no longer marked as sensitive")))
	say(r.LanguageChanged, locale.Mark("language changed"))
	if len(all) == 0 {
		return ""
	}
	s := ui.JoinTexts(ctx, all)
	_, n := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:n]) + s[n:] + "."
}

// History shows all versions of a status to all readers who can see it.
func (h *Pages) History(c *page.Context) error {
	st, err := h.Posts.StatusInPath(c)
	if err != nil {
		return err
	}
	v, all, err := h.View.History(c.Request.Context(), c.Viewer(), st.ID)
	if err != nil {
		return page.OrNotFound(err, "read what a status said before")
	}
	rows := make([]versionRow, len(all))
	for i, v := range all {
		row := versionRow{StatusVersion: v, Number: i + 1, Now: i == len(all)-1}
		if i > 0 {
			was := &all[i-1]
			if was.Text != v.Text {
				row.Changes = changes(was.Text, v.Text)
			}
			row.WarningChanged, row.PollChanged = was.Warning != v.Warning, !samePoll(was.Poll, v.Poll)
			row.SensitiveChanged, row.LanguageChanged = was.Sensitive != v.Sensitive && !row.WarningChanged, was.Language != v.Language
			row.MediaChanged = !slices.EqualFunc(was.Media, v.Media, func(a, b linnet.Attachment) bool {
				return a.ID == b.ID && a.Description == b.Description && a.Focus == b.Focus
			})
		}
		rows[len(all)-1-i] = row // the latest first
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Edit history of a post by %s", ui.DisplayName(v.By.UserView)), Sheet: "single.css", Body: historyView(v, rows)})
}

// span is a part of a text that was compared with another.
type span struct {
	Text string
	Kind change
}

// change is the kind of a span.
type change uint8

const (
	stayed change = iota
	added
	removed
)

// maxComparedPairs is the maximum number of word pairs to compare. Longer texts count as completely
// replaced.
const maxComparedPairs = 1 << 20

// changes compares two texts by word and returns the unchanged, removed and added parts.
func changes(from, to string) []span {
	a, b := words(from), words(to)
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	head := to[:len(to)-len(strings.Join(b, ""))]
	tail := 0
	for tail < min(len(a), len(b)) && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	end := strings.Join(b[len(b)-tail:], "")
	a, b = a[:len(a)-tail], b[:len(b)-tail]
	out := appendSpan(nil, head, stayed)
	if len(a)*len(b) > maxComparedPairs {
		out = appendSpan(appendSpan(out, strings.Join(a, ""), removed), strings.Join(b, ""), added)
		return appendSpan(out, end, stayed)
	}
	return appendSpan(compared(out, a, b), end, stayed)
}

// compared appends the spans of two lists of words along their longest common subsequence.
func compared(out []span, a, b []string) []span {
	wide := len(b) + 1
	common := make([]int32, (len(a)+1)*wide)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i*wide+j] = common[(i+1)*wide+j+1] + 1
			} else {
				common[i*wide+j] = max(common[(i+1)*wide+j], common[i*wide+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = appendSpan(out, a[i], stayed)
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[(i+1)*wide+j] >= common[i*wide+j+1]:
			out = appendSpan(out, a[i], removed)
			i++
		default:
			out = appendSpan(out, b[j], added)
			j++
		}
	}
	return out
}

// appendSpan appends a span, or extends the last one if it has the same kind.
func appendSpan(out []span, text string, kind change) []span {
	if text == "" {
		return out
	}
	if n := len(out); n > 0 && out[n-1].Kind == kind {
		out[n-1].Text += text
		return out
	}
	return append(out, span{text, kind})
}

// words splits a text into words and the parts between them.
func words(s string) (out []string) {
	start, before := 0, false
	for i, r := range s {
		inside := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
		if i > start && (!inside || !before) {
			out = append(out, s[start:i])
			start = i
		}
		before = inside
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}
