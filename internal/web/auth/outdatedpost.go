package auth

import (
	"errors"
	"maps"
	"net/http"
	"strings"

	"golang.org/x/net/html"

	"linnet/internal/linnet"
	"linnet/internal/posting"
	"linnet/internal/web/compose"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// isPost reports whether the form is the composer.
func (k outdatedForm) isPost() bool {
	path, _, _ := strings.Cut(k.Action, "?")
	return path == paths.Compose
}

// showOutdatedPost shows an outdated post again in the composer. The composer is built from the
// submitted values, because the browser may not send the original page. With keep, the post is also
// saved as a draft. A post by another user is shown only to that user.
func (h *Pages) showOutdatedPost(c *page.Context, code int, k outdatedForm, notice string, keep bool) error {
	if by := k.Fields.Get("by"); by != "" && !strings.EqualFold(by, c.Me.Login) {
		return h.askForWriter(c, k)
	}
	f, says, err := h.composeOutdated(c, &k, keep)
	if err != nil {
		return err
	}
	made, w := &responseRecorder{header: http.Header{}}, c.Writer
	c.Writer = made
	err = h.Composer.Show(c, http.StatusOK, f)
	if c.Writer = w; err != nil {
		return err
	}
	if says != "" {
		notice += " " + says
	}
	if !showFilled(c, code, made, k.Fields, notice, findComposer) {
		return errors.New("the composer page does not contain the form")
	}
	return nil
}

// findComposer returns the composer of a page, or nil.
func findComposer(doc *html.Node) *html.Node {
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == "form" && attr(n, "data-composer") != "" {
			return n
		}
	}
	return nil
}

// composeOutdated reads an outdated post and returns whether it is saved as a draft. It changes the
// fields to continue the draft, unless parts of the context no longer exist. Then the draft stays
// as it is, because the form can't show all of it.
func (h *Pages) composeOutdated(c *page.Context, k *outdatedForm, keep bool) (f compose.Form, says string, err error) {
	in := maps.Clone(k.Fields)
	maps.DeleteFunc(in, func(name string, _ []string) bool { return strings.HasPrefix(name, "drop-") }) // it hasn't been executed yet
	c.Request.PostForm = in
	if f, err = h.Composer.SentForm(c); err != nil {
		return f, "", err
	}
	if err := h.loadPictures(c, &f); err != nil {
		return f, "", err
	}
	if keep && len(c.Files) > 0 {
		err = h.Composer.Attach(c, &f)
	} else if k.Files { // files without an owner were not stored
		f.Errors["pictures"] = c.Tr("Your files weren't uploaded. Choose them again.")
	}
	if err != nil {
		return f, "", err
	}
	k.Fields.Set("visibility", f.Visibility.String())
	var sc *linnet.Scheduled
	as := posting.SavedHere
	if keep {
		sc, as = h.saveAsDraft(c, f)
	}
	switch {
	case as != posting.SavedHere:
		says = c.Tr(compose.SaveResults()[as].Text)
	case sc != nil:
		says = c.Tr("We've also saved your text as a draft.")
	}
	f.ContinueDraft(k.Fields, sc, as)
	return f, says, nil
}

// loadPictures loads the submitted pictures with their submitted descriptions. It doesn't store
// the descriptions.
func (h *Pages) loadPictures(c *page.Context, f *compose.Form) error {
	for _, digits := range c.Request.PostForm["media"] {
		id, ok := linnet.ParseID(digits)
		if !ok || len(f.Media) == linnet.MaxAttachments {
			continue
		}
		a, own := f.PictureOfEdited(id)
		if !own {
			found, err := h.Uploads.Attachment(c.Request.Context(), c.Me.ID, id)
			if page.IsKind(err, linnet.NotFound) {
				f.Errors["pictures"] = c.Tr("A picture was deleted. Choose it again.")
				continue
			}
			if err != nil {
				return err
			}
			a = *found
		}
		a.Description = c.Request.PostForm.Get("alt-" + digits)
		f.Media = append(f.Media, a)
	}
	return nil
}

// saveAsDraft saves a refused post as a draft, in case the writer leaves the page that shows it
// again. It returns nil if it didn't save it.
func (h *Pages) saveAsDraft(c *page.Context, f compose.Form) (*linnet.Scheduled, posting.SavedAs) {
	if !f.CanBeDraft() || f.Nothing() {
		return nil, posting.SavedHere
	}
	in := f.Unfinished()
	for _, a := range f.Media {
		in.Draft.Describe[a.ID] = linnet.AttachmentChange{Description: &a.Description}
	}
	h.recordMissing(c, f, &in)
	sc, as, err := h.Posting.Drafts.Save(c.Request.Context(), c.Me.ID, in)
	if err != nil {
		c.Opts.Log.WarnContext(c.Request.Context(), "cannot save the post of an expired form as a draft", "err", err)
		return nil, posting.SavedHere
	}
	return sc, as
}

// recordMissing stores the missing parts of the context in a draft, so that the writer is informed
// and the draft can't silently become another kind of post.
func (h *Pages) recordMissing(c *page.Context, f compose.Form, in *linnet.Unfinished) {
	sent := c.Request.PostForm
	named := func(field string) linnet.ID {
		id, _ := linnet.ParseID(sent.Get(field)) // otherwise none
		return id
	}
	if f.ReplyTo == nil {
		in.Draft.InReplyTo = named("in_reply_to")
	}
	if f.Edit == nil {
		in.Edits = named("edit")
	}
	if f.Edit == nil && f.Quote == nil {
		in.Draft.QuoteOf = named("quoted")
	}
	if login := sent.Get("group"); login != "" && f.Group == nil {
		if f.Draft != nil {
			in.Group = f.Draft.Group
		}
		if who, err := h.View.UserByLogin(c.Request.Context(), c.Me.ID, login); err == nil && who.Group != linnet.NoGroup && in.Group == 0 {
			in.Group = who.ID
		}
	}
	if v, ok := linnet.ParseVisibility(sent.Get("visibility")); ok && (sent.Get("group") == "" || in.Group != 0) && len(sent["to"]) == 0 {
		in.Draft.Visibility = &v
	}
}
