package web

import (
	"strconv"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/media"
	"linnet/internal/uploads"
)

// The settings of the installation, in sections with a form each.

const settingsPath = "/admin/settings"

// settingsSection is a section: a page with a form of its own.
type settingsSection struct {
	name, title, lead string
	fields            func(c *call, about *linnet.InstanceView) ([]field, error)
	read              func(c *call, in *linnet.InstanceChange, errs fieldErrors)
	links             []navLink
	needs             linnet.Permission // one of these
}

// path is that of the section's page.
func (s settingsSection) path() string {
	if s.name == "" {
		return settingsPath
	}
	return settingsPath + "/" + s.name
}

func (c *call) settingsSections() []settingsSection {
	return []settingsSection{
		{"", c.tr("About this server"), c.tr("What people and apps are told of it."), aboutFields, readAbout, nil, linnet.ManageSettings},
		{"rules", c.tr("Rules and policies"), c.tr("New people agree to them when they sign up."), rulesFields, readRules, []navLink{{Path: adminTermsPath, Text: c.tr("Terms of service")}}, linnet.ManageSettings | linnet.ManageRules},
		{"signup", c.tr("Sign-up"), "", signUpFields, readSignUp, []navLink{{Path: staffInvitesPath, Text: c.tr("Invitations")}, {Path: signUpBlocksPath, Text: c.tr("Sign-up blocks")}}, linnet.ManageSettings},
		{"posts", c.tr("Posts and reading"), "", postsFields, readPosts, []navLink{{Path: emojiPath, Text: c.tr("Emoji")}, {Path: adminAnnouncementsPath, Text: c.tr("Announcements")}}, linnet.ManageSettings},
		{"look", c.tr("Appearance"), "", lookFields, readLook, nil, linnet.ManageSettings},
	}
}

// settingsNamed finds a section by its name, if the reader may change something of it.
func (c *call) settingsNamed(name string) (settingsSection, bool) {
	for _, s := range c.settingsSections() {
		if s.name == name && c.mayAny(s.needs) {
			return s, true
		}
	}
	return settingsSection{}, false
}

func aboutFields(c *call, about *linnet.InstanceView) ([]field, error) {
	contact := ""
	if about.ContactView != nil {
		contact = about.ContactView.Login
	}
	return []field{
		{Kind: lineField, Name: "title", Label: c.tr("Name"), Value: about.Title, Hint: c.atMostCharacters(linnet.MaxAppName)},
		{Kind: areaField, Name: "description", Label: c.tr("Description"), Value: about.Description, Hint: c.atMostCharacters(linnet.MaxDescription)},
		{Kind: lineField, Name: "contact", Label: c.tr("E-mail address for people"), Value: about.Contact, Hint: c.tr("Stands on the front page and in /.well-known/security.txt.")},
		{Kind: lineField, Name: "contact_user", Label: c.tr("Login of the contact"), Value: contact}}, nil
}

func readAbout(c *call, in *linnet.InstanceChange, _ fieldErrors) {
	in.Title, in.Description, in.Contact, in.ContactUser = c.typedIn("title"), c.linesIn("description"), c.typedIn("contact"), c.typedIn("contact_user")
}

func rulesFields(c *call, about *linnet.InstanceView) (out []field, err error) {
	if c.may(linnet.ManageRules) {
		out = append(out, field{Kind: areaField, Name: "rules", Label: c.tr("Rules"), Value: strings.Join(about.Rules, "\n"), Rows: 6, Hint: c.tr("One a line. Reports name them by their number.")})
	}
	if c.may(linnet.ManageSettings) {
		out = append(out, field{Kind: areaField, Name: "privacy", Label: c.tr("Privacy policy"), Value: about.Privacy, Rows: 6, Hint: c.tr("Plain text, which apps show. At most %s characters.", c.num(linnet.MaxPrivacy))})
	}
	return out, nil
}

func readRules(c *call, in *linnet.InstanceChange, _ fieldErrors) {
	if c.may(linnet.ManageRules) {
		in.Rules = c.listIn("rules")
	}
	if c.may(linnet.ManageSettings) {
		in.Privacy = c.linesIn("privacy")
	}
}

func signUpFields(c *call, about *linnet.InstanceView) ([]field, error) {
	return []field{
		{Kind: headField, Name: "who", Label: c.tr("Sign-up")},
		{Kind: selectField, Name: "registrations", Label: c.tr("Who may sign up"), Choices: pick(string(about.Registrations), string(linnet.RegisterOpen), c.tr("Anybody"),
			string(linnet.RegisterApproval), c.tr("Whoever a moderator lets in"), string(linnet.RegisterInvite), c.tr("Who has an invitation"), string(linnet.RegisterClosed), c.tr("Nobody"))},
		{Kind: checkField, Name: "email_required", Label: c.tr("New accounts need an e-mail address, and confirm it before they get in"), On: about.EmailRequired, Hint: c.tr("While this server sends mails.")},
		{Kind: areaField, Name: "questions", Label: c.tr("Questions to whoever signs up"), Value: linnet.SignUpQuestionLines(about.Questions), Rows: 4,
			Hint: c.tr("Against programs that sign up: one a line, with its answer, such as “What do linnets eat? = seeds | thistles”. One of them is asked; who has an invitation is asked none. At most %d. Apps lead to the sign-up page.", linnet.MaxSignUpQuestions)},
		{Kind: headField, Name: "members", Label: c.tr("Invitations of members")},
		{Kind: numberField, Name: "invites", Label: c.tr("Invitations that each member may have open at a time"), Value: strconv.Itoa(about.Invites), Most: linnet.MaxMemberInvites,
			Hint: c.tr("With 0 only moderators invite people. New and limited accounts make none.")},
		{Kind: numberField, Name: "invite_uses", Label: c.tr("People who may come by one invitation of a member"), Value: strconv.Itoa(about.InviteUses), Most: linnet.MaxMemberUses},
		{Kind: numberField, Name: "invite_days", Label: c.tr("Days for which an invitation of a member is good at most"), Value: strconv.Itoa(about.InviteDays), Most: linnet.MaxMemberDays},
		{Kind: headField, Name: "new", Label: c.tr("New accounts")},
		{Kind: numberField, Name: "new_days", Label: c.tr("Days for which an account is new and has tighter limits"), Value: strconv.Itoa(about.NewDays), Most: linnet.MaxNewDays}}, nil
}

func readSignUp(c *call, in *linnet.InstanceChange, errs fieldErrors) {
	registrations := linnet.Registrations(c.typed("registrations"))
	in.Registrations, in.EmailRequired, in.Questions = &registrations, c.ticked("email_required"), c.listIn("questions")
	in.Invites, in.InviteUses, in.InviteDays, in.NewDays = c.numberIn("invites", errs), c.numberIn("invite_uses", errs), c.numberIn("invite_days", errs), c.numberIn("new_days", errs)
}

func postsFields(c *call, about *linnet.InstanceView) ([]field, error) {
	return []field{
		{Kind: numberField, Name: "status_chars", Label: c.tr("Characters that a post may have"), Value: strconv.Itoa(about.StatusChars), Most: linnet.MaxStatusChars,
			Hint: c.tr("From %s to %s. Apps are told. Longer posts that there are stay as they are.", c.num(linnet.MinStatusChars), c.num(linnet.MaxStatusChars))},
		{Kind: checkField, Name: "private", Label: c.tr("Private: show nothing to those who are not logged in"), On: about.Private},
		{Kind: checkField, Name: "trends", Label: c.tr("Trends: show what people talk about"), On: about.Trends},
		{Kind: checkField, Name: "cards", Label: c.tr("Previews of links: this server fetches the pages that members link to, and shows what they say of themselves"), On: about.Cards,
			Hint: c.tr("Links on profiles whose pages link back are shown as verified.")}}, nil
}

func readPosts(c *call, in *linnet.InstanceChange, errs fieldErrors) {
	in.StatusChars, in.Private, in.Trends, in.Cards = c.numberIn("status_chars", errs), c.ticked("private"), c.ticked("trends"), c.ticked("cards")
}

func lookFields(c *call, about *linnet.InstanceView) ([]field, error) {
	style, err := c.svc.Core.Style(c.r.Context())
	return []field{
		{Kind: lineField, Name: "accent_light", Label: c.tr("Accent colour on light pages"), Value: about.Accent.Light, Hint: c.tr("Of links and buttons, such as #1b6e4f. Leave both empty for the colours of Linnet.")},
		{Kind: lineField, Name: "accent_dark", Label: c.tr("Accent colour on dark pages"), Value: about.Accent.Dark, Hint: c.tr("Leave it empty for the same colour, lighter.")},
		{Kind: areaField, Name: "style", Label: c.tr("Style sheet of your own (CSS)"), Value: style, Rows: 12,
			Hint: c.tr("At most %s bytes. It can show pictures of this server, and load nothing else. The administration and the log-in do not use it, so that you can always change it here.", c.num(linnet.MaxStyle))}}, err
}

func readLook(c *call, in *linnet.InstanceChange, _ fieldErrors) {
	in.AccentLight, in.AccentDark, in.Style = c.typedIn("accent_light"), c.typedIn("accent_dark"), c.linesIn("style")
}

// typedIn is typed for a change.
func (c *call) typedIn(name string) *string {
	s := c.typed(name)
	return &s
}

// linesIn is a text of several lines for a change.
func (c *call) linesIn(name string) *string {
	s := strings.ReplaceAll(c.r.PostForm.Get(name), "\r\n", "\n")
	return &s
}

// listIn is a list for a change, of which each line that is not empty holds one.
func (c *call) listIn(name string) *[]string {
	list := []string{}
	for line := range strings.Lines(c.r.PostForm.Get(name)) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return &list
}

// numberIn is numberTyped for a change.
func (c *call) numberIn(name string, errs fieldErrors) *int {
	n := c.numberTyped(name, errs)
	return &n
}

// settingsForm is the form of a section as things are.
func (c *call) settingsForm(s settingsSection, about *linnet.InstanceView) (*form, error) {
	fields, err := s.fields(c, about)
	return c.form(s.path(), c.tr("Save"), fields...), err
}

// showSection shows a section; pictures is nil but where those are.
func (c *call) showSection(s settingsSection, f, pictures *form) error {
	d := formPage{Lead: s.lead, Parts: []formSection{{Form: f, Links: c.opened(s.links)}}}
	if pictures != nil {
		d.Parts = append(d.Parts, formSection{ID: "pictures", Title: c.tr("Pictures"), Form: pictures})
	}
	return c.showAdmin(max(f.code(), pictures.code()), s.title, s.path(), d)
}

func (c *call) instanceSettings() error {
	s, ok := c.settingsNamed(c.r.PathValue("section"))
	if !ok {
		return errNowhere()
	}
	about, err := c.svc.Identity.Instance(c.r.Context())
	if err != nil {
		return err
	}
	f, err := c.settingsForm(s, &about)
	if err != nil {
		return err
	}
	return c.showSection(s, f, c.picturesBeside(s, about))
}

// picturesBeside is the form for pictures where it stands beside a section.
func (c *call) picturesBeside(s settingsSection, about linnet.InstanceView) *form {
	if s.name != "" {
		return nil
	}
	return c.sitePicturesForm(about)
}

func (c *call) changeInstance() error {
	s, ok := c.settingsNamed(c.r.PathValue("section"))
	if !ok {
		return errNowhere()
	}
	about, err := c.svc.Identity.Instance(c.r.Context())
	if err != nil {
		return err
	}
	f, err := c.settingsForm(s, &about)
	if err != nil {
		return err
	}
	var in linnet.InstanceChange
	errs := fieldErrors{}
	if s.read(c, &in, errs); len(errs) > 0 {
		f.refill(c.r.PostForm, errs)
		return c.showSection(s, f, c.picturesBeside(s, about))
	}
	if _, err := c.svc.Identity.ChangeInstance(c.r.Context(), c.by(), in); err != nil {
		if f.refused(err, nil) {
			return c.showSection(s, f, c.picturesBeside(s, about))
		}
		return err
	}
	return c.saved(s.path())
}

// sitePicturesForm is the form for what stands for the installation.
func (c *call) sitePicturesForm(about linnet.InstanceView) *form {
	f := c.form(settingsPath+"/pictures", c.tr("Save pictures"),
		field{Kind: fileField, Name: "icon", Label: c.tr("Logo"), Hint: c.tr("A square of it stands on every page, in tabs of browsers and in apps, best of 512 pixels. JPEG, PNG, GIF or WebP, at most 16 MB.")},
		field{Kind: fileField, Name: "thumbnail", Label: c.tr("Banner"), Hint: c.tr("Apps and other sites show it where somebody links here, and it stands on the front page. Best of 2400 by 1260 pixels.")})
	if about.Icon.Name != "" {
		f.Fields = append(f.Fields, field{Kind: checkField, Name: "no-icon", Label: c.tr("Remove the logo")})
	}
	if about.Thumbnail.Name != "" {
		f.Fields = append(f.Fields, field{Kind: checkField, Name: "no-thumbnail", Label: c.tr("Remove the banner")})
	}
	return f
}

func (c *call) changeSitePictures() error {
	about, err := c.svc.Identity.Instance(c.r.Context())
	if err != nil {
		return err
	}
	err = c.changePictures([]pictureInput{{"icon", media.Icon}, {"thumbnail", media.Thumbnail}}, func(shape media.Shape, file *uploads.File) error {
		return c.svc.Identity.SetPicture(c.r.Context(), c.by(), shape, file)
	})
	if err == nil {
		return c.saved(settingsPath)
	}
	pictures := c.sitePicturesForm(about)
	if !pictures.refused(err, nil) {
		return err
	}
	s, _ := c.settingsNamed("")
	f, err := c.settingsForm(s, &about)
	if err != nil {
		return err
	}
	return c.showSection(s, f, pictures)
}
