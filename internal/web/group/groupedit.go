package group

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/media"
	"linnet/internal/social"
	"linnet/internal/text"
	"linnet/internal/uploads"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// groupFields is the form to create or change a group.
type groupFields struct {
	Login  string
	Name   string
	Note   string
	Kind   linnet.GroupKind
	Invite string // logins separated by spaces
	Errors page.FieldErrors

	from linnet.GroupKind // current kind of the group; NoGroup for a new group
}

// kindChoice is a kind of group to choose. Name and Text are in English.
type kindChoice struct {
	Word, Name, Text string
	Chosen           bool
}

// New reports whether the form creates a group.
func (f groupFields) New() bool { return f.from == linnet.NoGroup }

// Kinds returns the kinds to choose from.
func (f groupFields) Kinds() (all []kindChoice) {
	for k := linnet.PublicGroup; k <= linnet.Chat; k++ {
		if f.New() || f.from.Becomes(k) {
			all = append(all, kindChoice{k.String(), ui.GroupKindName(k), ui.GroupKindText(k), k == f.Kind})
		}
	}
	return all
}

// Only reports whether there is no choice.
func (f groupFields) Only() bool { return len(f.Kinds()) == 1 }

// MaxName returns the maximum length of the title in characters.
func (f groupFields) MaxName() int { return linnet.MaxDisplayName }

// MaxNote returns the maximum length of the description in characters.
func (f groupFields) MaxNote() int { return linnet.MaxNote }

// sentGroup reads the submitted form of a group.
func sentGroup(c *page.Context, from linnet.GroupKind) groupFields {
	typed := func(field string) string { return text.Parse(c.Typed(field)).Text() } // without characters that texts can't contain
	f := groupFields{Login: strings.TrimPrefix(typed("login"), "@"), Name: typed("name"), Note: typed("note"), Invite: typed("invite"), Errors: page.FieldErrors{}, from: from}
	var ok bool
	if f.Kind, ok = linnet.ParseGroupKind(c.Request.PostForm.Get("kind")); !ok {
		f.Kind = max(from, linnet.PublicGroup)
		f.Errors["kind"] = c.Tr("Choose a group type.")
	}
	return f
}

// groupInputs returns the inputs of a group by the field names of the service.
func groupInputs(c *page.Context) map[string]page.FormField {
	return map[string]page.FormField{"username": {Name: "login", Subject: c.Tr("The name")}, "display_name": {Name: "name", Subject: c.Tr("The title")}, "note": {Name: "note", Subject: c.Tr("The description")},
		"kind": {Name: "kind", Subject: c.Tr("The group type")}, "avatar": {Name: "avatar", Subject: c.Tr("The picture")}, "header": {Name: "header", Subject: c.Tr("The banner")}, "account_ids": {Name: "invite", Subject: c.Tr("The list of usernames")}}
}

func newGroup(c *page.Context) error {
	return showNewGroup(c, http.StatusOK, groupFields{Kind: linnet.PublicGroup})
}

func showNewGroup(c *page.Context, code int, f groupFields) error {
	return c.Render(code, page.Page{Title: c.Tr("Create group"), Here: "/groups", Body: groupNewView(c, f)})
}

// createGroup creates a group and invites its first members.
func (h *Pages) createGroup(c *page.Context) error {
	f := sentGroup(c, linnet.NoGroup)
	who, err := h.peopleNamed(c, f.Invite, &f.Errors)
	if err != nil {
		return err
	}
	group := linnet.NewGroup{Login: f.Login, Name: f.Name, Note: f.Note, Kind: f.Kind, Invite: who}
	if len(f.Errors) > 0 {
		f.Errors.Add(c, social.CheckGroup(group), groupInputs(c))
		return showNewGroup(c, http.StatusUnprocessableEntity, f)
	}
	v, err := h.Groups.CreateGroup(c.Request.Context(), c.Me.ID, group)
	switch {
	case err == nil:
		return c.Redirect("/@" + url.PathEscape(v.Login))
	case f.Errors.Add(c, err, groupInputs(c)):
		return showNewGroup(c, http.StatusUnprocessableEntity, f)
	case page.Refusal(err) != nil && page.IsKind(err, linnet.Forbidden):
		f.Errors["invite"] = c.ErrorText(page.Refusal(err))
		return showNewGroup(c, http.StatusForbidden, f)
	}
	return fmt.Errorf("create a group: %w", err)
}

// peopleNamed returns the users with the typed logins. It adds an error for unknown ones to errs.
func (h *Pages) peopleNamed(c *page.Context, typed string, errs *page.FieldErrors) (ids []linnet.ID, err error) {
	names := strings.FieldsFunc(typed, func(r rune) bool { return strings.ContainsRune(" ,;\t\r\n", r) })
	if len(names) > linnet.MaxGroupInvites {
		(*errs)["invite"] = c.Tr("You entered %d people. You can invite at most %d at a time.", len(names), linnet.MaxGroupInvites)
		return nil, nil
	}
	for _, name := range names {
		u, err := h.View.UserByLogin(c.Request.Context(), c.Me.ID, name)
		switch {
		case page.IsKind(err, linnet.NotFound) || page.IsKind(err, linnet.Invalid) || err == nil && u.Suspended:
			(*errs)["invite"] = c.Tr("There's no account named %s.", name)
		case err != nil:
			return nil, fmt.Errorf("look up the invited users: %w", err)
		default:
			ids = append(ids, u.ID)
		}
	}
	return ids, nil
}

type groupEditPage struct {
	Head
	Form groupFields
}

// Pictures returns the inputs for the group's pictures.
func (m groupEditPage) Pictures() []form.Field {
	c := m.c
	fields := []form.Field{{Kind: form.FileField, Name: "avatar", Label: c.Tr("Picture"), Hint: c.Tr(form.PictureHint()), Error: m.Form.Errors["avatar"], Frame: "circle", Picture: paths.Avatar(m.G.UserView)}}
	if m.G.Avatar != "" {
		fields = append(fields, form.Field{Kind: form.CheckField, Name: "no-avatar", Label: c.Tr("Remove picture")})
	}
	fields = append(fields, form.Field{Kind: form.FileField, Name: "header", Label: c.Tr("Banner"), Hint: c.Tr("Shown at the top of the group page, cropped to an aspect ratio of 3:1."), Error: m.Form.Errors["header"],
		Frame: "banner", Picture: ui.If(m.G.Banner != "", paths.File(m.G.Banner))})
	if m.G.Banner != "" {
		fields = append(fields, form.Field{Kind: form.CheckField, Name: "no-header", Label: c.Tr("Remove banner")})
	}
	return fields
}

// mutableGroup is like groupHere, but returns an error unless the reader can change the group.
func (h *Pages) mutableGroup(c *page.Context) (linnet.GroupView, error) {
	v, err := h.groupHere(c)
	if err != nil {
		return v, err
	}
	if v, err = h.Groups.MutableGroup(c.Request.Context(), c.Me.ID, v.ID); err != nil {
		return v, fmt.Errorf("change a group: %w", err)
	}
	return v, nil
}

func (h *Pages) groupForm(c *page.Context) error {
	v, err := h.mutableGroup(c)
	if err != nil {
		return err
	}
	return showGroupForm(c, http.StatusOK, v, groupFields{Name: v.Name, Note: v.Note, Kind: v.Group, from: v.Group})
}

func showGroupForm(c *page.Context, code int, v linnet.GroupView, f groupFields) error {
	return c.Render(code, page.Page{Title: c.Tr("Settings for %s", ui.DisplayName(v.UserView)), Here: "/groups", Sheet: "panes.css", Body: groupEditView(c, groupEditPage{headOf(c, v, "/edit"), f})})
}

func (h *Pages) changeGroup(c *page.Context) error {
	v, err := h.mutableGroup(c)
	if err != nil {
		return err
	}
	f := sentGroup(c, v.Group)
	if len(f.Errors) > 0 {
		return showGroupForm(c, http.StatusUnprocessableEntity, v, f)
	}
	_, err = h.Groups.UpdateGroup(c.Request.Context(), c.Me.ID, v.ID, linnet.GroupChange{Name: &f.Name, Note: &f.Note, Kind: &f.Kind})
	if err == nil {
		err = form.ChangePictures(c, form.ProfilePictures(), func(shape media.Shape, file *uploads.File) error {
			return h.Groups.SetPicture(c.Request.Context(), c.Me.ID, v.ID, shape, file)
		})
	}
	switch {
	case err == nil:
		return c.Redirect("/@" + url.PathEscape(v.Login))
	case f.Errors.Add(c, err, groupInputs(c)):
		return showGroupForm(c, http.StatusUnprocessableEntity, v, f)
	}
	return fmt.Errorf("change a group: %w", err)
}

// groupQuestion asks the reader to confirm an action.
type groupQuestion struct {
	Head
	Heading string
	Text    string
	Post    *linnet.StatusView // post of the action; nil for none
	Action  string             // action of the form; "" if the action isn't possible
	Act     string             // value of the button
	Person  string             // login of the user concerned, or ""
	Check   string             // label of a checkbox; "" for none
	Button  string
	Grave   bool
	Back    string
}

// showQuestion shows the question. By default, Back is the page of the group.
func showQuestion(c *page.Context, q groupQuestion) error {
	if q.Back == "" {
		q.Back = "/@" + url.PathEscape(q.G.Login)
	}
	return c.Render(http.StatusOK, page.Page{Title: q.Heading, Here: "/groups", Body: groupQuestionView(c, q)})
}

func (h *Pages) groupDeletion(c *page.Context) error {
	v, err := h.mutableGroup(c)
	if err != nil {
		return err
	}
	return showQuestion(c, groupQuestion{Head: headOf(c, v, ""), Heading: c.Tr("Delete this group?"), Grave: true, Button: c.Tr("Delete group"), Action: paths.Group(v.Login) + "/delete",
		Text: c.Tr("This deletes the group for everyone and can't be undone. No one can use its name again. Members keep their public posts. Posts for group members will only be visible to their authors.")})
}

func (h *Pages) deleteGroup(c *page.Context) error {
	v, err := h.mutableGroup(c)
	if err != nil {
		return err
	}
	if err := h.Groups.DeleteGroup(c.Request.Context(), c.Me.ID, v.ID); err != nil {
		return fmt.Errorf("delete a group: %w", err)
	}
	return c.Redirect("/groups")
}

// leaveForm asks a member to confirm that they leave. It tells the last owner what to do first.
func (h *Pages) leaveForm(c *page.Context) error {
	v, err := h.groupAs(c, linnet.GroupMember)
	if err != nil {
		return err
	}
	q := groupQuestion{Head: headOf(c, v, ""), Heading: c.Tr("Leave this group?"), Button: c.Tr("Leave"), Act: "leave", Action: paths.Group(v.Login) + "/membership"}
	switch v.Group {
	case linnet.Chat:
		q.Text = c.Tr("The conversation is removed from your messages. You can only return if someone invites you again.")
	case linnet.PrivateGroup:
		q.Text = c.Tr("You'll no longer see the group's posts. To return, you'll have to request to join again.")
	default:
		q.Text = c.Tr("You'll no longer get the group's posts. You can join again at any time.")
	}
	last, err := h.lastOwner(c, v)
	if err != nil {
		return err
	}
	if last {
		q.Action, q.Text = "", c.Tr("You're the group's only owner. Make someone else an owner first, or delete the group.")
		q.Back = paths.Group(v.Login) + "/members"
	}
	return showQuestion(c, q)
}

// lastOwner reports whether the reader is the only owner of a group.
func (h *Pages) lastOwner(c *page.Context, v linnet.GroupView) (bool, error) {
	if v.Mine.Role != linnet.GroupOwner {
		return false, nil
	}
	last, err := h.Groups.LastOwner(c.Request.Context(), v.ID, c.Me.ID)
	if err != nil {
		return false, fmt.Errorf("read the owners of a group: %w", err)
	}
	return last, nil
}

// removal returns the status in the path, which a moderator removes from the group.
func (h *Pages) removal(c *page.Context) (v linnet.GroupView, st linnet.StatusView, err error) {
	if v, err = h.groupAs(c, linnet.GroupModerator); err != nil {
		return v, st, err
	}
	st, err = h.Posts.StatusNamed(c, c.Request.PathValue("id"))
	return v, st, err
}

func (h *Pages) removalForm(c *page.Context) error {
	v, st, err := h.removal(c)
	if err != nil {
		return err
	}
	words := c.Tr("The post is removed from the group, but stays on the author's profile.")
	if st.ForMembers() {
		words = c.Tr("Only the author will be able to see the post.")
	}
	return showQuestion(c, groupQuestion{Head: headOf(c, v, ""), Heading: c.Tr("Remove this post from the group?"), Text: words, Post: &st, Button: c.Tr("Remove"),
		Action: paths.Group(v.Login) + "/posts/" + st.ID.String() + "/remove"})
}

func (h *Pages) removeFromGroup(c *page.Context) error {
	v, st, err := h.removal(c)
	if err != nil {
		return err
	}
	if err := c.CountAs(core.RateDelete); err != nil {
		return err
	}
	if err := h.Posting.GroupPosts.Remove(c.Request.Context(), c.Me.ID, v.ID, st.ID); err != nil {
		return fmt.Errorf("remove a status from a group: %w", err)
	}
	return c.Redirect("/@" + url.PathEscape(v.Login))
}
