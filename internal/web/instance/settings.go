package instance

import (
	"strconv"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/media"
	"linnet/internal/uploads"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// settingsSection is a section of the server's settings: a page with one form.
type settingsSection struct {
	name, title, lead string
	fields            func(c *page.Context, about *linnet.InstanceView) ([]form.Field, error)
	read              func(c *page.Context, in *linnet.InstanceChange, errs page.FieldErrors)
	links             []form.Link
	needs             linnet.Permission // one of these permissions
}

// path returns the path of the section's page.
func (s settingsSection) path() string {
	if s.name == "" {
		return paths.AdminSettings
	}
	return paths.AdminSettings + "/" + s.name
}

// settingsNamed returns a section by name, if the reader can change any of its settings.
func (h *Pages) settingsNamed(c *page.Context, name string) (settingsSection, bool) {
	for _, s := range []settingsSection{
		{"", c.Tr("About this server"), c.Tr("Shown to visitors and in apps."), aboutFields, readAbout, nil, linnet.ManageSettings},
		{"rules", c.Tr("Rules and policies"), c.Tr("New members agree to the rules when they sign up."), rulesFields, readRules, []form.Link{{Path: paths.AdminTerms, Text: c.Tr("Terms of service")}}, linnet.ManageSettings | linnet.ManageRules},
		{"signup", c.Tr("Sign-up"), "", signUpFields, readSignUp, []form.Link{{Path: paths.AdminInvites, Text: c.Tr("Invitations")}, {Path: paths.AdminSignUpBlocks, Text: c.Tr("Sign-up blocks")}}, linnet.ManageSettings},
		{"posts", c.Tr("Posts and reading"), "", postsFields, readPosts, []form.Link{{Path: paths.AdminEmoji, Text: c.Tr("Emoji")}, {Path: paths.AdminAnnouncements, Text: c.Tr("Announcements")}}, linnet.ManageSettings},
		{"look", c.Tr("Appearance"), "", h.lookFields, readLook, nil, linnet.ManageSettings},
	} {
		if s.name == name && c.MayAny(s.needs) {
			return s, true
		}
	}
	return settingsSection{}, false
}

func aboutFields(c *page.Context, about *linnet.InstanceView) ([]form.Field, error) {
	contact := ""
	if about.ContactView != nil {
		contact = about.ContactView.Login
	}
	return []form.Field{
		{Kind: form.LineField, Name: "title", Label: c.Tr("Name"), Value: about.Title, Hint: form.AtMostCharacters(c, linnet.MaxAppName)},
		{Kind: form.AreaField, Name: "description", Label: c.Tr("Description"), Value: about.Description, Hint: form.AtMostCharacters(c, linnet.MaxDescription)},
		{Kind: form.LineField, Name: "contact", Label: c.Tr("Contact e-mail address"), Value: about.Contact, Hint: c.Tr("Shown on the front page and in /.well-known/security.txt.")},
		{Kind: form.LineField, Name: "contact_user", Label: c.Tr("Contact account"), Value: contact}}, nil
}

func readAbout(c *page.Context, in *linnet.InstanceChange, _ page.FieldErrors) {
	in.Title, in.Description, in.Contact, in.ContactUser = form.Text(c, "title"), linesIn(c, "description"), form.Text(c, "contact"), form.Text(c, "contact_user")
}

func rulesFields(c *page.Context, about *linnet.InstanceView) (out []form.Field, err error) {
	if c.May(linnet.ManageRules) {
		out = append(out, form.Field{Kind: form.AreaField, Name: "rules", Label: c.Tr("Rules"), Value: strings.Join(about.Rules, "\n"), Rows: 6, Hint: c.Tr("One rule per line. Reports refer to the rules by number.")})
	}
	if c.May(linnet.ManageSettings) {
		out = append(out, form.Field{Kind: form.AreaField, Name: "privacy", Label: c.Tr("Privacy policy"), Value: about.Privacy, Rows: 6, Hint: c.Tr("Plain text, shown in apps. At most %s characters.", c.Num(linnet.MaxPrivacy))})
	}
	return out, nil
}

func readRules(c *page.Context, in *linnet.InstanceChange, _ page.FieldErrors) {
	if c.May(linnet.ManageRules) {
		in.Rules = listIn(c, "rules")
	}
	if c.May(linnet.ManageSettings) {
		in.Privacy = linesIn(c, "privacy")
	}
}

func signUpFields(c *page.Context, about *linnet.InstanceView) ([]form.Field, error) {
	return []form.Field{
		{Kind: form.HeadingField, Name: "who", Label: c.Tr("Sign-up")},
		{Kind: form.SelectField, Name: "registrations", Label: c.Tr("Who can sign up"), Choices: form.Options(string(about.Registrations), string(linnet.RegisterOpen), c.Tr("Anyone"),
			string(linnet.RegisterApproval), c.Tr("Anyone, after approval by a moderator"), string(linnet.RegisterInvite), c.Tr("Only people with an invitation"), string(linnet.RegisterClosed), c.Tr("No one"))},
		{Kind: form.CheckField, Name: "email_required", Label: c.Tr("Require a confirmed e-mail address for new accounts"), On: about.EmailRequired, Hint: c.Tr("Only applies while this server can send e-mail.")},
		{Kind: form.AreaField, Name: "questions", Label: c.Tr("Sign-up questions"), Value: linnet.SignUpQuestionLines(about.Questions), Rows: 4,
			Hint: c.Tr("Questions keep bots out. Enter one question with its answer per line, for example “What do linnets eat? = seeds | thistles”. New members have to answer one question, but invited people don't. At most %d questions. Apps can't ask questions, so they send people to the sign-up page.", linnet.MaxSignUpQuestions)},
		{Kind: form.HeadingField, Name: "members", Label: c.Tr("Members' invitations")},
		{Kind: form.NumberField, Name: "invites", Label: c.Tr("Open invitations per member"), Value: strconv.Itoa(about.Invites), Most: linnet.MaxMemberInvites,
			Hint: c.Tr("If the value is 0, only staff can invite people. New and silenced accounts can't create invitations.")},
		{Kind: form.NumberField, Name: "invite_uses", Label: c.Tr("Maximum uses of a member's invitation"), Value: strconv.Itoa(about.InviteUses), Most: linnet.MaxMemberUses},
		{Kind: form.NumberField, Name: "invite_days", Label: c.Tr("Maximum days before a member's invitation expires"), Value: strconv.Itoa(about.InviteDays), Most: linnet.MaxMemberDays},
		{Kind: form.HeadingField, Name: "new", Label: c.Tr("New accounts")},
		{Kind: form.NumberField, Name: "new_days", Label: c.Tr("Number of days that new accounts have stricter limits"), Value: strconv.Itoa(about.NewDays), Most: linnet.MaxNewDays}}, nil
}

func readSignUp(c *page.Context, in *linnet.InstanceChange, errs page.FieldErrors) {
	registrations := linnet.Registrations(c.Typed("registrations"))
	in.Registrations, in.EmailRequired, in.Questions = &registrations, form.Checked(c, "email_required"), listIn(c, "questions")
	in.Invites, in.InviteUses, in.InviteDays, in.NewDays = numberIn(c, "invites", errs), numberIn(c, "invite_uses", errs), numberIn(c, "invite_days", errs), numberIn(c, "new_days", errs)
}

func postsFields(c *page.Context, about *linnet.InstanceView) ([]form.Field, error) {
	return []form.Field{
		{Kind: form.NumberField, Name: "status_chars", Label: c.Tr("Maximum characters per post"), Value: strconv.Itoa(about.StatusChars), Most: linnet.MaxStatusChars,
			Hint: c.Tr("From %s to %s. The limit also applies in apps. Longer existing posts don't change.", c.Num(linnet.MinStatusChars), c.Num(linnet.MaxStatusChars))},
		{Kind: form.CheckField, Name: "private", Label: c.Tr("Private server: visitors must log in to see profiles and posts"), On: about.Private},
		{Kind: form.CheckField, Name: "trends", Label: c.Tr("Show trends"), On: about.Trends},
		{Kind: form.CheckField, Name: "cards", Label: c.Tr("Show link previews: this server fetches pages that members link to"), On: about.Cards,
			Hint: c.Tr("Also verifies links in profiles if the linked page links back to the profile.")}}, nil
}

func readPosts(c *page.Context, in *linnet.InstanceChange, errs page.FieldErrors) {
	in.StatusChars, in.Private, in.Trends, in.Cards = numberIn(c, "status_chars", errs), form.Checked(c, "private"), form.Checked(c, "trends"), form.Checked(c, "cards")
}

func (h *Pages) lookFields(c *page.Context, about *linnet.InstanceView) ([]form.Field, error) {
	style, err := h.Core.Style(c.Request.Context())
	return []form.Field{
		{Kind: form.LineField, Name: "accent_light", Label: c.Tr("Accent colour (light theme)"), Value: about.Accent.Light, Hint: c.Tr("The colour of links and buttons, such as #1b6e4f. Leave both accent colours empty to use Linnet's colours.")},
		{Kind: form.LineField, Name: "accent_dark", Label: c.Tr("Accent colour (dark theme)"), Value: about.Accent.Dark, Hint: c.Tr("Leave empty to use a lighter shade of the light theme's accent colour.")},
		{Kind: form.AreaField, Name: "style", Label: c.Tr("Custom CSS"), Value: style, Rows: 12,
			Hint: c.Tr("At most %s bytes. The CSS can only load pictures from this server. The administration and login pages don't use the CSS, so you can always change it here.", c.Num(linnet.MaxStyle))}}, err
}

func readLook(c *page.Context, in *linnet.InstanceChange, _ page.FieldErrors) {
	in.AccentLight, in.AccentDark, in.Style = form.Text(c, "accent_light"), form.Text(c, "accent_dark"), linesIn(c, "style")
}

// linesIn returns a submitted text of several lines for a change.
func linesIn(c *page.Context, name string) *string {
	s := strings.ReplaceAll(c.Request.PostForm.Get(name), "\r\n", "\n")
	return &s
}

// listIn returns the submitted lines that aren't empty, for a change.
func listIn(c *page.Context, name string) *[]string {
	list := []string{}
	for line := range strings.Lines(c.Request.PostForm.Get(name)) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return &list
}

// numberIn is form.Number for a change.
func numberIn(c *page.Context, name string, errs page.FieldErrors) *int {
	n := form.Number(c, name, errs)
	return &n
}

// settingsPage is the page of a section of the server's settings.
func (h *Pages) settingsPage(c *page.Context) (*form.Page, error) {
	s, ok := h.settingsNamed(c, c.Request.PathValue("section"))
	if !ok {
		return nil, page.NotFound()
	}
	about, err := h.Settings.Instance(c.Request.Context())
	if err != nil {
		return nil, err
	}
	fields, err := s.fields(c, &about)
	if err != nil {
		return nil, err
	}
	f := form.New(c, s.path(), c.Tr("Save"), fields...)
	p := &form.Page{Title: s.title, Path: s.path(), Lead: s.lead, Form: f, Parts: []form.Section{{Form: f, Links: form.OpenLinks(c, s.links)}}}
	if s.name != "" {
		return p, nil
	}
	pictures := form.New(c, paths.AdminSettings+"/pictures", c.Tr("Save pictures"),
		form.Field{Kind: form.FileField, Name: "icon", Label: c.Tr("Logo"), Hint: c.Tr("Used as the favicon and app icon. Square, at least 512 × 512 pixels. JPEG, PNG, GIF or WebP, at most 16 MB."), Frame: "square", Picture: ui.If(about.Icon.Name != "", paths.File(about.Icon.Name))},
		form.Field{Kind: form.FileField, Name: "thumbnail", Label: c.Tr("Banner"), Hint: c.Tr("Shown on the front page, in apps, and on sites that link to this server. Ideally 2400 × 1260 pixels."), Frame: "link", Picture: ui.If(about.Thumbnail.Name != "", paths.File(about.Thumbnail.Name))},
		form.Field{Kind: form.LineField, Name: "thumbnail_description", Label: c.Tr("Description of the banner"), Value: about.ThumbnailAlt, Hint: form.AtMostCharacters(c, linnet.MaxBannerAlt)})
	if about.Icon.Name != "" {
		pictures.Fields = append(pictures.Fields, form.Field{Kind: form.CheckField, Name: "no-icon", Label: c.Tr("Remove logo")})
	}
	if about.Thumbnail.Name != "" {
		pictures.Fields = append(pictures.Fields, form.Field{Kind: form.CheckField, Name: "no-thumbnail", Label: c.Tr("Remove banner")})
	}
	if c.Request.URL.Path == pictures.Action {
		p.Form = pictures
	}
	p.Parts = append(p.Parts, form.Section{ID: "pictures", Title: c.Tr("Pictures"), Form: pictures})
	return p, nil
}

func (h *Pages) saveSettings(c *page.Context) (string, error) {
	s, ok := h.settingsNamed(c, c.Request.PathValue("section"))
	if !ok {
		return "", page.NotFound()
	}
	var in linnet.InstanceChange
	errs := page.FieldErrors{}
	if s.read(c, &in, errs); len(errs) > 0 {
		return "", errs
	}
	_, err := h.Settings.ChangeInstance(c.Request.Context(), c.Actor(), in)
	return form.Saved(s.path()), err
}

func (h *Pages) savePictures(c *page.Context) (string, error) {
	if c.Typed("no-thumbnail") == "" {
		if _, err := h.Settings.ChangeInstance(c.Request.Context(), c.Actor(), linnet.InstanceChange{ThumbnailAlt: form.Text(c, "thumbnail_description")}); err != nil {
			return "", err
		}
	}
	return form.Saved(paths.AdminSettings), form.ChangePictures(c, []form.PictureInput{{Name: "icon", Shape: media.Icon}, {Name: "thumbnail", Shape: media.Thumbnail}}, func(shape media.Shape, file *uploads.File) error {
		return h.Settings.SetPicture(c.Request.Context(), c.Actor(), shape, file)
	})
}
