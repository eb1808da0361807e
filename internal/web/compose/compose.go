package compose

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/posting"
	"linnet/internal/text"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// Form is the state of the composer, see [Composer].
type Form struct {
	c              *page.Context
	Text           string
	Warning        string
	Visibility     linnet.Visibility
	Language       string
	Poll           pollForm
	ReplyTo        *linnet.StatusView  // parent; nil for none
	Quote          *linnet.StatusView  // quoted status; nil for none
	QuotePolicy    linnet.QuotePolicy  // who can quote it
	Group          *linnet.UserView    // group of the post; nil for none
	Media          []linnet.Attachment // attached pictures
	Edit           *linnet.StatusView  // edited status; nil for a new post
	Redraft        linnet.ID           // status that is deleted when this one is posted; 0 for none
	Old            *linnet.StatusView  // the redrafted status; nil if it is deleted
	Marked         bool                // the redrafted status was marked as sensitive, without a warning
	Schedule       string              // time of publication as in the input; "" for now
	Plan           *linnet.Scheduled   // scheduled status to replace; nil for none
	Draft          *linnet.Scheduled   // draft to continue; nil for none, or if it is deleted
	From           linnet.DraftID      // id and version of the draft as the writer has seen it
	DraftChanged   bool                // Draft was changed elsewhere
	Drafts         int                 // number of drafts, where the page links to them
	Describe       linnet.ID           // attachment whose description is open; 0 for none
	MissingAlt     bool                // asks whether to post although a picture has no description
	Thread         string              // name of the thread that this is a part of; "" for none
	Parts          []draftRow          // the other parts of the thread
	Position       int                 // number of parts before this one
	Adding         bool                // the part was sent to add another one
	Then           string              // page after posting: "home", "talk" for the conversation, or "" for the status
	To             []linnet.UserView   // recipients of a message, mentioned in its text or not
	InConversation bool                // the composer is below a conversation
	Key            string              // idempotency key of the form
	Errors         page.FieldErrors
	Focus          bool // the text gets the focus
	Brief          bool // on phones, only a link to the composer is shown until the writer opens it
}

// Page returns the path of the composer's own page.
func (f Form) Page() string {
	if f.ReplyTo != nil {
		return paths.Compose + "?in_reply_to=" + f.ReplyTo.ID.String()
	}
	return paths.Compose
}

// Button returns the text of the button.
func (f Form) Button() string {
	switch {
	case f.Thread != "":
		return f.c.Tr("Post all")
	case f.Edit != nil:
		return f.c.Tr("Save")
	case f.Plan != nil && f.Schedule != "":
		return f.c.Tr("Schedule")
	case f.Then == "talk":
		return f.c.Tr("Send")
	case f.ReplyTo != nil:
		return f.c.Tr("Reply")
	}
	return f.c.TrIn("button", "Post")
}

// ButtonAnyway returns the button text for posting pictures without descriptions.
func (f Form) ButtonAnyway() string {
	switch {
	case f.Adding:
		return f.c.Tr("Add anyway")
	case f.Thread != "":
		return f.c.Tr("Post all anyway")
	case f.Edit != nil:
		return f.c.Tr("Save anyway")
	case f.Plan != nil && f.Schedule != "":
		return f.c.Tr("Schedule anyway")
	case f.Then == "talk":
		return f.c.Tr("Send anyway")
	case f.ReplyTo != nil:
		return f.c.Tr("Reply anyway")
	}
	return f.c.Tr("Post anyway")
}

// Placeholder returns the placeholder of the text.
func (f Form) Placeholder() string {
	if f.InConversation && f.Group != nil {
		return f.c.Tr("Message %s", ui.DisplayName(*f.Group))
	}
	if f.InConversation {
		return f.c.Tr("Message %s", PeopleTitle(f.c, f.To))
	}
	if f.Position > 0 {
		return f.c.Tr("Continue your thread…")
	}
	if f.ReplyTo != nil {
		return f.c.Tr("Reply to %s…", ui.DisplayName(f.ReplyTo.By.UserView))
	}
	return f.c.Tr("What's on your mind?")
}

// Languages returns the languages to choose from, including the language of the form.
func (f Form) Languages() []linnet.Language {
	all := linnet.Languages()
	if f.Language != "" && !slices.ContainsFunc(all, func(l linnet.Language) bool { return l.Code == f.Language }) {
		all = append(all, linnet.Language{Code: f.Language, Name: f.Language})
	}
	return all
}

// New returns an empty form with the writer's defaults.
func New(c *page.Context) Form {
	return Form{c: c, Visibility: c.Me.Posting.Visibility, Language: c.Me.Posting.Language, QuotePolicy: c.Me.Posting.QuotePolicy,
		Key: rand.Text(), Errors: page.FieldErrors{}}
}

// NewReply returns the form for a reply. By default it is never more public than the parent.
func NewReply(c *page.Context, to linnet.StatusView) Form {
	f := New(c)
	f.ReplyTo, f.Visibility = &to, max(f.Visibility, to.Visibility)
	f.Warning = to.Warning
	var names []string
	if to.Author != c.Me.ID {
		names = append(names, "@"+to.By.Login)
	}
	for _, m := range to.Mentions {
		if name := "@" + m.Login; m.ID != c.Me.ID && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		f.Text = strings.Join(names, " ") + " "
	}
	return f
}

// composePage shows the composer on its own page.
func (h *Pages) composePage(c *page.Context) error {
	q := c.Request.URL.Query()
	f := New(c)
	switch {
	case q.Get("in_reply_to") != "":
		to, err := h.Posts.StatusNamed(c, q.Get("in_reply_to"))
		if err != nil {
			return err
		}
		f = NewReply(c, to)
	case q.Get("quote") != "":
		of, err := h.Posts.StatusNamed(c, q.Get("quote"))
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
	case q.Get("thread") != "":
		return h.thread(c, q.Get("thread"))
	case q.Get("draft") != "":
		var err error
		if f, err = h.draftForm(c, q.Get("draft")); err != nil {
			return err
		}
	case q.Get("redraft") != "":
		old, err := h.Posts.StatusNamed(c, q.Get("redraft"))
		if err != nil {
			return err
		}
		if old.Author != c.Me.ID {
			return page.NotFound()
		}
		if f, err = h.redraftForm(c, old); err != nil {
			return err
		}
	case q.Get("to") != "":
		who, err := h.View.UserByLogin(c.Request.Context(), c.Me.ID, q.Get("to"))
		if err != nil {
			return page.OrNotFound(err, "look up whom to write to")
		}
		f.Text, f.Visibility = "@"+who.Login+" ", linnet.Direct
	default:
		f.Text = text.Parse(q.Get("text")).Text() // without characters that posts can't contain
	}
	return h.Show(c, http.StatusOK, f)
}

// Show shows the composer on its own page.
func (h *Pages) Show(c *page.Context, code int, f Form) error {
	f.Focus = true
	if err := h.loadParts(c, &f); err != nil {
		return err
	}
	if f.CanBeDraft() {
		var err error
		if _, f.Drafts, err = h.Posting.Drafts.List(c.Request.Context(), c.Me.ID, 0, 0); err != nil {
			return fmt.Errorf("count drafts: %w", err)
		}
	}
	title := composerTitle(c, f)
	return c.Render(code, page.Page{Title: title, Here: "/compose", Body: composeView(c, title, f)})
}

// composerTitle returns the title of the composer's page.
func composerTitle(c *page.Context, f Form) string {
	switch {
	case f.Thread != "":
		return c.Tr("New thread")
	case f.Edit != nil:
		return c.Tr("Edit")
	case f.Plan != nil:
		return c.Tr("Edit scheduled post")
	case f.Group != nil:
		return c.Tr("Post in %s", ui.DisplayName(*f.Group))
	case f.Then == "talk", f.ReplyTo == nil && f.Visibility == linnet.Direct:
		return c.Tr("Message")
	case f.Redraft != 0:
		return c.Tr("Delete and redraft")
	case f.ReplyTo != nil:
		return c.Tr("Reply")
	case f.Quote != nil:
		return c.Tr("Quote")
	}
	return c.Tr("New post")
}

// SentForm reads the submitted composer.
func (h *Pages) SentForm(c *page.Context) (Form, error) {
	in := c.Request.PostForm
	f := Form{c: c, Text: in.Get("text"), Warning: c.Typed("warning"), Language: c.Typed("language"),
		Key: in.Get("key"), Then: in.Get("then"), Errors: page.FieldErrors{}}
	copy(f.Poll.Options[:], in["option"])
	f.Poll.Seconds, _ = strconv.Atoi(in.Get("poll_seconds"))
	f.Poll.Multiple, f.Poll.HideTotals = in.Get("poll_multiple") != "", in.Get("poll_hide") != ""
	var known bool
	if f.Visibility, known = linnet.ParseVisibility(in.Get("visibility")); !known {
		f.Visibility = c.Me.Posting.Visibility
		f.Errors["visibility"] = c.Tr("Choose who can see the post.")
	}
	if id := in.Get("in_reply_to"); id != "" {
		to, err := h.Posts.StatusNamed(c, id)
		if page.IsKind(err, linnet.NotFound) {
			f.Errors[""] = c.Tr("The post you're replying to was deleted, or you can no longer see it. You can still post this, but not as a reply.")
			f.narrow()
		} else if err != nil {
			return f, err
		} else {
			f.ReplyTo = &to
		}
	}
	if id := in.Get("edit"); id != "" {
		old, err := h.edited(c, id)
		if page.IsKind(err, linnet.NotFound) {
			f.Errors[""] = c.Tr("The post you're editing was deleted. You can still post this as a new post.")
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
	if err := h.sentInto(c, &f, in.Get("group")); err != nil {
		return f, err
	}
	if name := in.Get("thread"); f.CanBeThread() && len(name) <= linnet.MaxIdempotencyKey {
		f.Thread = name
	}
	return f, nil
}

// sentInto sets the group of the submitted form, if the writer can still post in it.
func (h *Pages) sentInto(c *page.Context, f *Form, login string) error {
	if login == "" {
		return nil
	}
	v, err := h.GroupNamed(c, login)
	if page.IsKind(err, linnet.NotFound) {
		f.Errors[""] = c.Tr("The group was deleted, or you can no longer see it. You can still post this outside the group.")
		f.narrow()
		return nil
	}
	if err == nil && !v.Inside { // it was written for members only
		f.Errors[""] = c.Tr("You're no longer in the group. You can still post this outside the group.")
		f.narrow()
		return nil
	}
	f.Group = &v.UserView
	if err == nil && f.blank() {
		f.Errors["text"] = c.Tr("Write something first.")
	}
	return err
}

// draft returns the status of the form for the service.
func (f Form) draft() linnet.Draft {
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
	if old := f.Old; old != nil && (old.Sensitive || old.Warning == "") { // as with drafts
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
			d.Describe[a.ID] = linnet.AttachmentChange{Description: &a.Description, Focus: &a.Focus}
		}
	}
	return d
}

func (h *Pages) compose(c *page.Context) error {
	f, err := h.SentForm(c)
	if err != nil {
		return err
	}
	if err := h.attachedPictures(c, &f); err != nil {
		return err
	}
	if err := h.Attach(c, &f); err != nil {
		return err
	}
	switch do, digits, _ := strings.Cut(c.Request.PostForm.Get("do"), " "); {
	case do == "draft" && f.CanBeDraft():
		return h.saveDraft(c, f)
	case slices.Contains([]string{"attach", "drop", "earlier", "later"}, do):
		if f.arrange(do, digits); len(f.Errors) == 0 {
			return h.Show(c, http.StatusOK, f)
		}
	case (do == "edit" || do == "remove") && f.Thread != "":
		return h.leavePart(c, f, do, digits)
	case do == "add" && f.CanBeThread():
		f.Adding = true
	case do == "edit", do == "remove", do == "add":
		return page.NotFound()
	}
	askAlt(c, &f)
	// A content warning alone would become the text, without mentions of the recipients.
	if text.Blank(f.Text) && !text.Blank(f.Warning) && len(f.Media) == 0 && f.Quote == nil && f.Thread == "" {
		f.Errors["text"] = c.Tr("Write something first.")
	}
	if len(f.Errors) > 0 {
		return h.Show(c, http.StatusUnprocessableEntity, f)
	}
	if f.Edit != nil {
		return h.saveEdit(c, f)
	}
	if f.Adding || f.Thread != "" {
		return h.sendThread(c, f)
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

// send posts or schedules the status, and redirects to it.
func (h *Pages) send(c *page.Context, f Form, d linnet.Draft) error {
	if f.Schedule != "" {
		if _, err := h.Posting.Scheduled.Create(c.Request.Context(), c.Me.ID, d, scheduleTime(c, f.Schedule)); err != nil {
			return h.refusedPost(c, f, err)
		}
		if err := h.replace(c, f, 0); err != nil {
			return err
		}
		return c.Redirect(ui.WithDone(paths.Scheduled, "scheduled"))
	}
	st, err := h.Posting.Post(c.Request.Context(), c.Me.ID, d)
	if err != nil {
		return h.refusedPost(c, f, err)
	}
	if err := h.replace(c, f, st.ID); err != nil {
		return err
	}
	if (f.Then == "home" || f.Then == "talk") && f.Group == nil && st.Visibility == linnet.Direct {
		v, err := h.Posting.Conversations.Get(c.Request.Context(), c.Me.ID, posting.ConversationOf(c.Me.ID, &st.Status))
		if err != nil { // the conversation doesn't have the message yet
			return c.Redirect(paths.Post(st))
		}
		return c.Redirect(ConversationPath(c, v))
	}
	if f.Then == "home" {
		return c.Redirect(withPosted("/", st.ID))
	}
	if f.Group != nil && f.Then == "talk" {
		return c.Redirect(paths.Person(f.Group.Login))
	}
	if f.Group != nil {
		return c.Redirect(withPosted(paths.Person(f.Group.Login), st.ID))
	}
	return c.Redirect(paths.Post(st) + "#p" + st.ID.String())
}

// withPosted returns the path of a page that confirms a new post, see [Posted].
func withPosted(path string, id linnet.ID) string { return path + "?posted=" + id.String() }

// askAlt asks for picture descriptions before posting, unless the writer has turned that off.
func askAlt(c *page.Context, f *Form) {
	if c.Me.Posting.NoAltReminder || strings.HasSuffix(c.Request.PostForm.Get("do"), "undescribed") || len(f.Errors) > 0 {
		return
	}
	f.Describe = f.undescribed()
	for i, a := range f.Media {
		if a.ID != f.Describe {
			continue
		}
		asks := c.Tr("Your picture has no description. Add one for people who can't see it, or post anyway.")
		if a.Clip != nil {
			asks = c.Tr("Your video or audio file has no description. Add one for people who can't see or hear it, or post anyway.")
		} else if n := len(f.Media); n > 1 {
			asks = c.Tr("Picture %d of %d has no description. Add one for people who can't see it, or post anyway.", i+1, n)
		}
		f.MissingAlt, f.Errors["pictures"] = true, asks
		return
	}
}

// refusedPost shows the form again with its errors and content.
func (h *Pages) refusedPost(c *page.Context, f Form, err error) error {
	e := page.Refusal(err)
	if e == nil {
		return fmt.Errorf("create a post: %w", err)
	}
	if errors.Is(err, posting.ErrDraftDeleted) || errors.Is(err, posting.ErrDraftChanged) {
		if err := h.draftMoved(c, &f, err); err != nil {
			return err
		}
	}
	code := page.StatusCode(e.Kind)
	if !f.Errors.Add(c, err, draftFields(c)) {
		f.Errors[""] = c.ErrorText(e)
	}
	page.SetRetryAfter(c.Writer.Header(), e)
	return h.Show(c, code, f)
}

// draftFields returns the inputs for the errors of a post.
func draftFields(c *page.Context) map[string]page.FormField {
	return map[string]page.FormField{"text": {Name: "text", Subject: c.Tr("Your text")}, "language": {Name: "language", Subject: c.Tr("The language")},
		"media_ids": {Name: "pictures", Subject: c.Tr("The post")}, "quoted_status_id": {Name: "", Subject: c.Tr("The quoted post")}, "description": {Name: "pictures", Subject: c.Tr("The description")},
		"scheduled_at": {Name: "schedule", Subject: c.Tr("The time")}, "poll.options": {Name: "poll", Subject: c.Tr("The poll")}, "poll.expires_in": {Name: "poll", Subject: c.Tr("Poll length")}}
}
