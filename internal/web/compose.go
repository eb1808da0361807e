package web

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/posting"
	"linnet/internal/text"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

func (h *composePages) composeRoutes() []route {
	return []route{{pattern: "/compose", get: own(h.composePage), post: own(h.compose)}}
}

// composeForm is what the part "composer" shows: a status about to be posted.
type composeForm struct {
	c           *call
	Text        string
	Warning     string
	Visibility  linnet.Visibility
	Language    string
	Poll        pollForm
	ReplyTo     *linnet.StatusView  // parent; nil for none
	Quote       *linnet.StatusView  // quoted status; nil for none
	QuotePolicy linnet.QuotePolicy  // who can quote it
	Group       *linnet.UserView    // that it is written in; nil: none
	Media       []linnet.Attachment // pictures that it has already
	Edit        *linnet.StatusView  // edited status; nil for a new post
	Redraft     linnet.ID           // the status that goes when this one is there, 0: none
	Old         *linnet.StatusView  // that status; nil if it is deleted
	Marked      bool                // a deleted status was marked as sensitive, without a warning
	Schedule    string              // when it is published, as an input holds it; "": at once
	Plan        *linnet.Scheduled   // scheduled status to replace; nil for none
	Draft       *linnet.Scheduled   // draft to continue; nil for none, or if it is deleted
	From        linnet.DraftID      // how its writer knows that
	Moved       bool                // Draft was changed elsewhere, and the writer is informed
	Drafts      int                 // number of drafts, where the page links to them
	Undescribed bool                // it asks whether it is to be posted though a picture has no description
	Then        string              // where posting leads: "home", "talk" for the conversation, or "" for the status
	To          []linnet.UserView   // recipients of a message, mentioned in its text or not
	Talk        bool                // it is below a conversation
	Key         string              // the same each time one form is sent
	Errors      fieldErrors
	Focus       bool // begin to write here
}

// audienceChoice is an entry of the list of visibilities.
type audienceChoice struct {
	Word, Text, Says, Icon string
	Chosen                 bool
}

func (f composeForm) Audiences() []audienceChoice {
	all := audienceChoices()
	all[min(f.Visibility, linnet.Direct)].Chosen = true
	if f.Group != nil { // narrower posts don't go to an open group
		return all[:2]
	}
	return all
}

// audienceChoices are the entries, in English.
func audienceChoices() []audienceChoice {
	return []audienceChoice{{"public", locale.Mark("Public"), locale.Mark("Everyone, including in the local timeline and search"), "globe", false},
		{"unlisted", locale.Mark("Unlisted"), locale.Mark("Everyone, but not in the local timeline, hashtags or search"), "moon", false},
		{"private", locale.Mark("Followers"), locale.Mark("Only your followers"), "lock", false},
		{"direct", locale.Mark("Mentioned people only"), locale.Mark("Only people you mention in the post"), "at", false}}
}

// Sends is what the button says.
func (f composeForm) Sends() string {
	switch {
	case f.Edit != nil:
		return f.c.tr("Save")
	case f.Plan != nil && f.Schedule != "":
		return f.c.tr("Schedule")
	case f.Then == "talk":
		return f.c.tr("Send")
	case f.ReplyTo != nil:
		return f.c.tr("Reply")
	}
	return f.c.trIn("button", "Post")
}

// SendsBare returns the button text for posting pictures without descriptions.
func (f composeForm) SendsBare() string {
	switch {
	case f.Edit != nil:
		return f.c.tr("Save anyway")
	case f.Plan != nil && f.Schedule != "":
		return f.c.tr("Schedule anyway")
	case f.Then == "talk":
		return f.c.tr("Send anyway")
	case f.ReplyTo != nil:
		return f.c.tr("Reply anyway")
	}
	return f.c.tr("Post anyway")
}

// Asks returns the placeholder of the text.
func (f composeForm) Asks() string {
	if f.Talk && f.Group != nil {
		return f.c.tr("Message %s", ui.DisplayName(*f.Group))
	}
	if f.Talk {
		return f.c.tr("Message %s", peopleTitle(f.c, f.To))
	}
	if f.ReplyTo != nil {
		return f.c.tr("Reply to %s…", ui.DisplayName(f.ReplyTo.By.UserView))
	}
	return f.c.tr("What’s on your mind?")
}

// Fixed says who reads the status where that is not for its writer to choose, ""
// elsewhere.
func (f composeForm) Fixed() string {
	switch {
	case f.Edit != nil && !f.Edit.ForMembers():
		return f.c.tr(audienceChoices()[min(f.Edit.Visibility, linnet.Direct)].Text)
	case f.Edit != nil, f.Group != nil && f.Group.Group.Closed(), f.ReplyTo != nil && f.ReplyTo.ForMembers():
		return f.c.tr("Group members")
	case len(f.To) > 0:
		return f.c.tr("Recipients only")
	}
	return ""
}

// Languages are those to choose from, the form's own among them.
func (f composeForm) Languages() []linnet.Language {
	all := linnet.Languages()
	if f.Language != "" && !slices.ContainsFunc(all, func(l linnet.Language) bool { return l.Code == f.Language }) {
		all = append(all, linnet.Language{Code: f.Language, Name: f.Language})
	}
	return all
}

// newForm is an empty form with what its writer prefers.
func newForm(c *call) composeForm {
	return composeForm{c: c, Visibility: c.me.Posting.Visibility, Language: c.me.Posting.Language, QuotePolicy: c.me.Posting.QuotePolicy,
		Key: rand.Text(), Errors: fieldErrors{}}
}

// replyForm returns the form for a reply. It is never more public than the parent unless the writer
// chooses so.
func replyForm(c *call, to linnet.StatusView) composeForm {
	f := newForm(c)
	f.ReplyTo, f.Visibility = &to, max(f.Visibility, to.Visibility)
	f.Warning = to.Warning
	var names []string
	if to.Author != c.me.ID {
		names = append(names, "@"+to.By.Login)
	}
	for _, m := range to.Mentions {
		if name := "@" + m.Login; m.ID != c.me.ID && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		f.Text = strings.Join(names, " ") + " "
	}
	return f
}

// composePage shows the composer on its own page: empty, for a reply, or for a redraft.
func (h *composePages) composePage(c *call) error {
	q := c.r.URL.Query()
	f := newForm(c)
	switch {
	case q.Get("in_reply_to") != "":
		to, err := h.postPages.statusNamed(c, q.Get("in_reply_to"))
		if err != nil {
			return err
		}
		f = replyForm(c, to)
	case q.Get("quote") != "":
		of, err := h.postPages.statusNamed(c, q.Get("quote"))
		if err == nil {
			f, err = quoteForm(c, of)
		}
		if err != nil {
			return err
		}
	case q.Get("edit") != "":
		old, err := h.edited(c, q.Get("edit"))
		if err != nil {
			return err
		}
		f = editForm(c, old)
	case q.Get("scheduled") != "":
		plan, err := h.scheduledNamed(c, q.Get("scheduled"))
		if err != nil {
			return err
		}
		if f, err = h.planForm(c, plan); err != nil {
			return err
		}
	case q.Get("draft") != "":
		var err error
		if f, err = h.draftForm(c, q.Get("draft")); err != nil {
			return err
		}
	case q.Get("redraft") != "":
		old, err := h.postPages.statusNamed(c, q.Get("redraft"))
		if err != nil {
			return err
		}
		if old.Author != c.me.ID {
			return errNowhere()
		}
		if f, err = h.redraftForm(c, old); err != nil {
			return err
		}
	case q.Get("to") != "":
		who, err := h.view.UserByLogin(c.r.Context(), c.me.ID, q.Get("to"))
		if err != nil {
			return notThere(err, "look up whom to write to")
		}
		f.Text, f.Visibility = "@"+who.Login+" ", linnet.Direct
	default:
		f.Text = text.Parse(q.Get("text")).Text() // without characters that posts can't contain
	}
	return h.showComposer(c, http.StatusOK, f)
}

// statusNamed is the status that an input names; of a boost, the original.
func (h *postPages) statusNamed(c *call, digits string) (linnet.StatusView, error) {
	id, ok := linnet.ParseID(digits)
	if !ok {
		return linnet.StatusView{}, errNowhere()
	}
	st, err := h.view.Status(c.r.Context(), c.viewer(), id)
	if err != nil {
		return st, notThere(err, "look up a status")
	}
	if st.Repost != nil {
		return *st.Repost, nil
	}
	return st, nil
}

func (h *composePages) showComposer(c *call, code int, f composeForm) error {
	f.Focus = true
	if f.Kept() {
		var err error
		if _, f.Drafts, err = h.posting.Drafts(c.r.Context(), c.me.ID, 0, 0); err != nil {
			return fmt.Errorf("count drafts: %w", err)
		}
	}
	title := composerTitle(c, f)
	return c.render(code, page{Title: title, Here: "/compose", Body: composeView(c, title, f)})
}

// composerTitle is what the page of the composer is about.
func composerTitle(c *call, f composeForm) string {
	switch {
	case f.Edit != nil:
		return c.tr("Edit")
	case f.Plan != nil:
		return c.tr("Edit scheduled post")
	case f.Group != nil:
		return c.tr("Post in %s", ui.DisplayName(*f.Group))
	case f.Then == "talk", f.ReplyTo == nil && f.Visibility == linnet.Direct:
		return c.tr("Message")
	case f.Redraft != 0:
		return c.tr("Delete and redraft")
	case f.ReplyTo != nil:
		return c.tr("Reply")
	case f.Quote != nil:
		return c.tr("Quote")
	}
	return c.tr("New post")
}

// sentForm reads the composer as it came in.
func (h *composePages) sentForm(c *call) (composeForm, error) {
	in := c.r.PostForm
	f := composeForm{c: c, Text: in.Get("text"), Warning: c.typed("warning"), Language: c.typed("language"),
		Key: in.Get("key"), Then: in.Get("then"), Errors: fieldErrors{}, Poll: sentPoll(in)}
	var known bool
	if f.Visibility, known = linnet.ParseVisibility(in.Get("visibility")); !known {
		f.Visibility = c.me.Posting.Visibility
		f.Errors["visibility"] = c.tr("Choose who can see it.")
	}
	if id := in.Get("in_reply_to"); id != "" {
		to, err := h.postPages.statusNamed(c, id)
		if isKind(err, linnet.NotFound) {
			f.Errors[""] = c.tr("The post you're replying to was deleted. You can post this without it.")
			f.narrow()
		} else if err != nil {
			return f, err
		} else {
			f.ReplyTo = &to
		}
	}
	if id := in.Get("edit"); id != "" {
		old, err := h.edited(c, id)
		if isKind(err, linnet.NotFound) {
			f.Errors[""] = c.tr("The post you're editing was deleted. You can post this as a new post.")
			f.narrow()
		} else if err != nil {
			return f, err
		} else {
			f.Edit, f.Visibility = &old, old.Visibility
			delete(f.Errors, "visibility")
		}
	}
	f.Marked = in.Get("marked") != ""
	if err := cmp.Or(h.sentRedraft(c, &f, in.Get("redraft")), h.sentQuote(c, &f), h.sentPlan(c, &f)); err != nil {
		return f, err
	}
	if err := cmp.Or(h.sentTo(c, &f, in["to"]), h.sentDraft(c, &f)); err != nil {
		return f, err
	}
	return f, h.sentInto(c, &f, in.Get("group"))
}

// sentInto takes over into which group the composer writes, if it does.
func (h *composePages) sentInto(c *call, f *composeForm, login string) error {
	if login == "" {
		return nil
	}
	v, err := h.groupNamed(c, login)
	if isKind(err, linnet.NotFound) {
		f.Errors[""] = c.tr("The group was deleted, or you can no longer see it. You can post this without it.")
		f.narrow()
		return nil
	}
	if err == nil && !v.Inside { // it was written for members alone
		f.Errors[""] = c.tr("You're no longer in the group. You can post this outside it.")
		f.narrow()
		return nil
	}
	f.Group = &v.UserView
	if err == nil && f.blank() {
		f.Errors["text"] = c.tr("Write something first.")
	}
	return err
}

// draft is the status that the form is for.
func (f composeForm) draft() linnet.Draft {
	d := linnet.Draft{Text: f.addressed(), Warning: f.Warning, Visibility: &f.Visibility, Language: f.Language, Poll: f.Poll.draft(),
		QuotePolicy: &f.QuotePolicy, IdempotencyKey: f.Key}
	if f.ReplyTo != nil {
		d.InReplyTo = f.ReplyTo.ID
	}
	if f.Quote != nil {
		d.QuoteOf = f.Quote.ID
	}
	if old := cmp.Or(f.Plan, f.Draft); old != nil && (*old.Draft.Sensitive || old.Draft.Warning == "") { // it has no input
		sensitive := *old.Draft.Sensitive && old.Draft.Warning == ""
		d.Sensitive = &sensitive
	}
	if old := f.Old; old != nil && (old.Sensitive || old.Warning == "") { // as with those
		sensitive := old.Sensitive && old.Warning == ""
		d.Sensitive = &sensitive
	}
	if f.Marked {
		d.Sensitive = &f.Marked
	}
	d.From, d.Describe = f.From, map[linnet.ID]linnet.AttachmentChange{}
	for i := range f.Media {
		a := &f.Media[i]
		if d.Media = append(d.Media, a.ID); f.Draft != nil {
			d.Describe[a.ID] = linnet.AttachmentChange{Description: &a.Description}
		}
	}
	return d
}

func (h *composePages) compose(c *call) error {
	f, err := h.sentForm(c)
	if err != nil {
		return err
	}
	if err := h.keptPictures(c, &f); err != nil {
		return err
	}
	if err := h.attach(c, &f); err != nil {
		return err
	}
	if c.r.PostForm.Get("do") == "attach" && len(f.Errors) == 0 {
		return h.showComposer(c, http.StatusOK, f)
	}
	if c.r.PostForm.Get("do") == "draft" && f.Kept() {
		return h.saveDraft(c, f)
	}
	askAlt(c, &f)
	if f.warnsOfNothing() {
		f.Errors["text"] = c.tr("Write something first.")
	}
	if len(f.Errors) > 0 {
		return h.showComposer(c, http.StatusUnprocessableEntity, f)
	}
	if f.Edit != nil {
		return h.saveEdit(c, f)
	}
	d := f.draft()
	if err := h.freePictures(c, &f, d); err != nil {
		return h.refusedPost(c, f, err)
	}
	if err := h.freePlan(c, &f, d); err != nil {
		return h.refusedPost(c, f, err)
	}
	return h.send(c, f, d)
}

// send posts what the form holds, or schedules it, and leads to where that is.
func (h *composePages) send(c *call, f composeForm, d linnet.Draft) error {
	if f.Schedule != "" {
		if _, err := h.posting.Schedule(c.r.Context(), c.me.ID, d, scheduleTime(c, f.Schedule)); err != nil {
			return h.refusedPost(c, f, err)
		}
		if err := h.replace(c, f, 0); err != nil {
			return err
		}
		return c.seeOther(ui.WithDone(paths.Scheduled, "scheduled"))
	}
	st, err := h.posting.Post(c.r.Context(), c.me.ID, d)
	if err != nil {
		return h.refusedPost(c, f, err)
	}
	if err := h.replace(c, f, st.ID); err != nil {
		return err
	}
	if f.Then == "home" {
		return c.seeOther("/")
	}
	if f.Then == "talk" && f.Group == nil && st.Visibility == linnet.Direct {
		return c.seeOther(h.talkPath(c, st))
	}
	if f.Group != nil {
		return c.seeOther("/@" + url.PathEscape(f.Group.Login))
	}
	return c.seeOther(paths.Post(st) + "#p" + st.ID.String())
}

// askAlt asks for picture descriptions before posting, if the writer has turned that on.
func askAlt(c *call, f *composeForm) {
	if !c.me.Posting.AskAlt || c.r.PostForm.Get("do") == "undescribed" || len(f.Errors) > 0 {
		return
	}
	for i, a := range f.Media {
		if strings.TrimSpace(a.Description) != "" {
			continue
		}
		asks := c.tr("Your picture has no description. Add one for people who can't see it, or post anyway.")
		if a.Clip != nil {
			asks = c.tr("It has no description. Add one for people who can't see it, or post anyway.")
		} else if n := len(f.Media); n > 1 {
			asks = c.tr("Picture %d of %d has no description. Add one for people who can't see it, or post anyway.", i+1, n)
		}
		f.Undescribed, f.Errors["pictures"] = true, asks
		return
	}
}

// refusedPost shows the form again with its errors and content.
func (h *composePages) refusedPost(c *call, f composeForm, err error) error {
	e := refusal(err)
	if e == nil {
		return fmt.Errorf("post: %w", err)
	}
	if errors.Is(err, posting.ErrDraftGone) || errors.Is(err, posting.ErrDraftChanged) {
		if err := h.draftMoved(c, &f, err); err != nil {
			return err
		}
	}
	code := codeOf(e.Kind)
	if !f.Errors.add(c, err, map[string]formField{"text": {"text", c.tr("Your text")}, "language": {"language", c.tr("The language")},
		"media_ids": {"pictures", c.tr("The post")}, "quoted_status_id": {"", c.tr("The quoted post")}, "description": {"pictures", c.tr("The description")},
		"scheduled_at": {"schedule", c.tr("The time")}, "poll.options": {"poll", c.tr("The poll")}, "poll.expires_in": {"poll", c.tr("The poll")}}) {
		f.Errors[""] = c.told(e)
	}
	retryAfter(c.w.Header(), e)
	return h.showComposer(c, code, f)
}
