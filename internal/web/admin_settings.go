package web

import (
	"strconv"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/media"
	"linnet/internal/uploads"
	"linnet/internal/web/paths"
)

// The settings of the installation, in sections with a form each.

// settingsSection is a section of the settings, a page with one form.
type settingsSection struct {
	name, title, lead string
	fields            func(c *call, about *linnet.InstanceView) ([]field, error)
	read              func(c *call, in *linnet.InstanceChange, errs fieldErrors)
	links             []navLink
	needs             linnet.Permission // one of these
}

// path returns the path of the section's page.
func (s settingsSection) path() string {
	if s.name == "" {
		return paths.AdminSettings
	}
	return paths.AdminSettings + "/" + s.name
}

func (h *instancePages) settingsSections(c *call) []settingsSection {
	return []settingsSection{
		{"", c.tr("About this server"), c.tr("Shown to people and in apps."), aboutFields, readAbout, nil, linnet.ManageSettings},
		{"rules", c.tr("Rules and policies"), c.tr("New members agree to them when they sign up."), rulesFields, readRules, []navLink{{Path: paths.AdminTerms, Text: c.tr("Terms of service")}}, linnet.ManageSettings | linnet.ManageRules},
		{"signup", c.tr("Sign-up"), "", signUpFields, readSignUp, []navLink{{Path: paths.AdminInvites, Text: c.tr("Invitations")}, {Path: paths.AdminSignUpBlocks, Text: c.tr("Sign-up blocks")}}, linnet.ManageSettings},
		{"posts", c.tr("Posts and reading"), "", postsFields, readPosts, []navLink{{Path: paths.AdminEmoji, Text: c.tr("Emoji")}, {Path: paths.AdminAnnouncements, Text: c.tr("Announcements")}}, linnet.ManageSettings},
		{"look", c.tr("Appearance"), "", h.lookFields, readLook, nil, linnet.ManageSettings},
	}
}

// settingsNamed returns a section by name, if the reader can change any of its settings.
func (h *instancePages) settingsNamed(c *call, name string) (settingsSection, bool) {
	for _, s := range h.settingsSections(c) {
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
		{Kind: lineField, Name: "title", Label: c.tr("Name"), Value: about.Title, Hint: atMostCharacters(c, linnet.MaxAppName)},
		{Kind: areaField, Name: "description", Label: c.tr("Description"), Value: about.Description, Hint: atMostCharacters(c, linnet.MaxDescription)},
		{Kind: lineField, Name: "contact", Label: c.tr("Contact e-mail address"), Value: about.Contact, Hint: c.tr("Shown on the front page and in /.well-known/security.txt.")},
		{Kind: lineField, Name: "contact_user", Label: c.tr("Contact account"), Value: contact}}, nil
}

func readAbout(c *call, in *linnet.InstanceChange, _ fieldErrors) {
	in.Title, in.Description, in.Contact, in.ContactUser = typedIn(c, "title"), linesIn(c, "description"), typedIn(c, "contact"), typedIn(c, "contact_user")
}

func rulesFields(c *call, about *linnet.InstanceView) (out []field, err error) {
	if c.may(linnet.ManageRules) {
		out = append(out, field{Kind: areaField, Name: "rules", Label: c.tr("Rules"), Value: strings.Join(about.Rules, "\n"), Rows: 6, Hint: c.tr("One per line. Reports refer to them by number.")})
	}
	if c.may(linnet.ManageSettings) {
		out = append(out, field{Kind: areaField, Name: "privacy", Label: c.tr("Privacy policy"), Value: about.Privacy, Rows: 6, Hint: c.tr("Plain text, shown in apps. At most %s characters.", c.num(linnet.MaxPrivacy))})
	}
	return out, nil
}

func readRules(c *call, in *linnet.InstanceChange, _ fieldErrors) {
	if c.may(linnet.ManageRules) {
		in.Rules = listIn(c, "rules")
	}
	if c.may(linnet.ManageSettings) {
		in.Privacy = linesIn(c, "privacy")
	}
}

func signUpFields(c *call, about *linnet.InstanceView) ([]field, error) {
	return []field{
		{Kind: headField, Name: "who", Label: c.tr("Sign-up")},
		{Kind: selectField, Name: "registrations", Label: c.tr("Who can sign up"), Choices: pick(string(about.Registrations), string(linnet.RegisterOpen), c.tr("Anyone"),
			string(linnet.RegisterApproval), c.tr("Anyone, after approval by a moderator"), string(linnet.RegisterInvite), c.tr("Only people with an invitation"), string(linnet.RegisterClosed), c.tr("No one"))},
		{Kind: checkField, Name: "email_required", Label: c.tr("Require a confirmed e-mail address for new accounts"), On: about.EmailRequired, Hint: c.tr("Applies while this server can send e-mail.")},
		{Kind: areaField, Name: "questions", Label: c.tr("Sign-up questions"), Value: linnet.SignUpQuestionLines(about.Questions), Rows: 4,
			Hint: c.tr("To keep bots out. One question per line with its answer, for example “What do linnets eat? = seeds | thistles”. New members answer one of them; invited people answer none. At most %d. Apps send people to the sign-up page.", linnet.MaxSignUpQuestions)},
		{Kind: headField, Name: "members", Label: c.tr("Members' invitations")},
		{Kind: numberField, Name: "invites", Label: c.tr("Open invitations per member"), Value: strconv.Itoa(about.Invites), Most: linnet.MaxMemberInvites,
			Hint: c.tr("With 0, only moderators can invite people. New and silenced accounts can't create invitations.")},
		{Kind: numberField, Name: "invite_uses", Label: c.tr("Maximum uses of a member's invitation"), Value: strconv.Itoa(about.InviteUses), Most: linnet.MaxMemberUses},
		{Kind: numberField, Name: "invite_days", Label: c.tr("Maximum days before a member's invitation expires"), Value: strconv.Itoa(about.InviteDays), Most: linnet.MaxMemberDays},
		{Kind: headField, Name: "new", Label: c.tr("New accounts")},
		{Kind: numberField, Name: "new_days", Label: c.tr("Days before the limits for new accounts end"), Value: strconv.Itoa(about.NewDays), Most: linnet.MaxNewDays}}, nil
}

func readSignUp(c *call, in *linnet.InstanceChange, errs fieldErrors) {
	registrations := linnet.Registrations(c.typed("registrations"))
	in.Registrations, in.EmailRequired, in.Questions = &registrations, ticked(c, "email_required"), listIn(c, "questions")
	in.Invites, in.InviteUses, in.InviteDays, in.NewDays = numberIn(c, "invites", errs), numberIn(c, "invite_uses", errs), numberIn(c, "invite_days", errs), numberIn(c, "new_days", errs)
}

func postsFields(c *call, about *linnet.InstanceView) ([]field, error) {
	return []field{
		{Kind: numberField, Name: "status_chars", Label: c.tr("Maximum characters per post"), Value: strconv.Itoa(about.StatusChars), Most: linnet.MaxStatusChars,
			Hint: c.tr("From %s to %s. Apps respect this limit. Longer existing posts stay unchanged.", c.num(linnet.MinStatusChars), c.num(linnet.MaxStatusChars))},
		{Kind: checkField, Name: "private", Label: c.tr("Private server: only logged-in people can see anything"), On: about.Private},
		{Kind: checkField, Name: "trends", Label: c.tr("Show trends"), On: about.Trends},
		{Kind: checkField, Name: "cards", Label: c.tr("Show link previews: this server fetches pages that members link to"), On: about.Cards,
			Hint: c.tr("Also shows links on profiles as verified if the page links back.")}}, nil
}

func readPosts(c *call, in *linnet.InstanceChange, errs fieldErrors) {
	in.StatusChars, in.Private, in.Trends, in.Cards = numberIn(c, "status_chars", errs), ticked(c, "private"), ticked(c, "trends"), ticked(c, "cards")
}

func (h *instancePages) lookFields(c *call, about *linnet.InstanceView) ([]field, error) {
	style, err := h.core.Style(c.r.Context())
	return []field{
		{Kind: lineField, Name: "accent_light", Label: c.tr("Accent colour (light theme)"), Value: about.Accent.Light, Hint: c.tr("For links and buttons, for example #1b6e4f. Leave both empty to use Linnet's colours.")},
		{Kind: lineField, Name: "accent_dark", Label: c.tr("Accent colour (dark theme)"), Value: about.Accent.Dark, Hint: c.tr("Leave empty to use a lighter shade of the same colour.")},
		{Kind: areaField, Name: "style", Label: c.tr("Custom CSS"), Value: style, Rows: 12,
			Hint: c.tr("At most %s bytes. It can only load pictures from this server. It doesn't apply to the administration and log-in pages, so you can always change it here.", c.num(linnet.MaxStyle))}}, err
}

func readLook(c *call, in *linnet.InstanceChange, _ fieldErrors) {
	in.AccentLight, in.AccentDark, in.Style = typedIn(c, "accent_light"), typedIn(c, "accent_dark"), linesIn(c, "style")
}

// typedIn is typed for a change.
func typedIn(c *call, name string) *string {
	s := c.typed(name)
	return &s
}

// linesIn is a text of several lines for a change.
func linesIn(c *call, name string) *string {
	s := strings.ReplaceAll(c.r.PostForm.Get(name), "\r\n", "\n")
	return &s
}

// listIn is a list for a change, of which each line that is not empty holds one.
func listIn(c *call, name string) *[]string {
	list := []string{}
	for line := range strings.Lines(c.r.PostForm.Get(name)) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return &list
}

// numberIn is numberTyped for a change.
func numberIn(c *call, name string, errs fieldErrors) *int {
	n := numberTyped(c, name, errs)
	return &n
}

// settingsForm is the form of a section as things are.
func settingsForm(c *call, s settingsSection, about *linnet.InstanceView) (*form, error) {
	fields, err := s.fields(c, about)
	return startForm(c, s.path(), c.tr("Save"), fields...), err
}

// showSection shows a section; pictures is nil but where those are.
func showSection(c *call, s settingsSection, f, pictures *form) error {
	d := formPage{Lead: s.lead, Parts: []formSection{{Form: f, Links: opened(c, s.links)}}}
	if pictures != nil {
		d.Parts = append(d.Parts, formSection{ID: "pictures", Title: c.tr("Pictures"), Form: pictures})
	}
	return showAdmin(c, max(f.code(), pictures.code()), s.title, s.path(), d)
}

func (h *instancePages) instanceSettings(c *call) error {
	s, ok := h.settingsNamed(c, c.r.PathValue("section"))
	if !ok {
		return errNowhere()
	}
	about, err := h.identity.Instance(c.r.Context())
	if err != nil {
		return err
	}
	f, err := settingsForm(c, s, &about)
	if err != nil {
		return err
	}
	return showSection(c, s, f, picturesBeside(c, s, about))
}

// picturesBeside returns the form for pictures if a section has one.
func picturesBeside(c *call, s settingsSection, about linnet.InstanceView) *form {
	if s.name != "" {
		return nil
	}
	return sitePicturesForm(c, about)
}

func (h *instancePages) changeInstance(c *call) error {
	s, ok := h.settingsNamed(c, c.r.PathValue("section"))
	if !ok {
		return errNowhere()
	}
	about, err := h.identity.Instance(c.r.Context())
	if err != nil {
		return err
	}
	f, err := settingsForm(c, s, &about)
	if err != nil {
		return err
	}
	var in linnet.InstanceChange
	errs := fieldErrors{}
	if s.read(c, &in, errs); len(errs) > 0 {
		f.refill(c.r.PostForm, errs)
		return showSection(c, s, f, picturesBeside(c, s, about))
	}
	if _, err := h.identity.ChangeInstance(c.r.Context(), c.by(), in); err != nil {
		if f.refused(err, nil) {
			return showSection(c, s, f, picturesBeside(c, s, about))
		}
		return err
	}
	return saved(c, s.path())
}

// sitePicturesForm returns the form for the server's icon and thumbnail.
func sitePicturesForm(c *call, about linnet.InstanceView) *form {
	f := startForm(c, paths.AdminSettings+"/pictures", c.tr("Save pictures"),
		field{Kind: fileField, Name: "icon", Label: c.tr("Logo"), Hint: c.tr("Used as the favicon and app icon. Square, at least 512 × 512 pixels. JPEG, PNG, GIF or WebP, at most 16 MB.")},
		field{Kind: fileField, Name: "thumbnail", Label: c.tr("Banner"), Hint: c.tr("Shown on the front page, in apps, and on sites that link here. Ideally 2400 × 1260 pixels.")})
	if about.Icon.Name != "" {
		f.Fields = append(f.Fields, field{Kind: checkField, Name: "no-icon", Label: c.tr("Remove logo")})
	}
	if about.Thumbnail.Name != "" {
		f.Fields = append(f.Fields, field{Kind: checkField, Name: "no-thumbnail", Label: c.tr("Remove banner")})
	}
	return f
}

func (h *instancePages) changeSitePictures(c *call) error {
	about, err := h.identity.Instance(c.r.Context())
	if err != nil {
		return err
	}
	err = changePictures(c, []pictureInput{{"icon", media.Icon}, {"thumbnail", media.Thumbnail}}, func(shape media.Shape, file *uploads.File) error {
		return h.identity.SetPicture(c.r.Context(), c.by(), shape, file)
	})
	if err == nil {
		return saved(c, paths.AdminSettings)
	}
	pictures := sitePicturesForm(c, about)
	if !pictures.refused(err, nil) {
		return err
	}
	s, _ := h.settingsNamed(c, "")
	f, err := settingsForm(c, s, &about)
	if err != nil {
		return err
	}
	return showSection(c, s, f, pictures)
}
