package web

import (
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/media"
	"linnet/internal/uploads"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// The pages on which people say how things are to be for them.

func (h *settingsPages) settingsRoutes() []route {
	return []route{
		{pattern: "/theme", post: own(h.chooseTheme)},
		{pattern: paths.Settings, get: own(settingsList)},
		{pattern: "/settings/{$}", get: own(func(c *call) error { return c.seeOther(paths.Settings) })},
		{pattern: "/settings/profile", get: own(h.profileSettings), post: own(h.changeProfile)},
		{pattern: paths.FeaturedTags, get: own(h.featuredTags), post: own(h.changeFeatured)},
		{pattern: "/settings/appearance", get: own(appearance), post: own(h.changeAppearance)},
		{pattern: "/settings/notifications", get: own(h.policy), post: own(h.changePolicy)},
		{pattern: "/settings/filters", get: own(h.filters)},
		{pattern: "/settings/filters/new", get: own(newFilter), post: own(h.createFilter)},
		{pattern: "/settings/filters/{id}", get: own(h.editFilter), post: own(h.changeFilter)},
		{pattern: "/settings/filters/{id}/delete", post: own(h.deleteFilter)},
		{pattern: paths.FollowedTags, get: own(h.followedTags), post: own(h.changeFollowedTags)},
		{pattern: "/settings/lists", get: own(h.shownLists), post: own(h.changeShownLists)},
		{pattern: "/settings/mutes", get: own(h.mutes), post: own(h.endMute)},
		{pattern: "/settings/blocks", get: own(h.blocks), post: own(h.endBlock)},
		{pattern: "/settings/apps", get: own(h.apps), post: own(h.endApp)},
	}
}

// showSettings answers with a page of settings; here is the path of its section.
func showSettings(c *call, code int, title, here string, d formPage) error {
	if d.Done == "" && c.r.URL.Query().Get("done") != "" {
		d.Done = c.tr("Saved.")
	}
	return showSettingsBody(c, code, title, here, formPageView(d))
}

// showSettingsBody is like showSettings, for a page with another component.
func showSettingsBody(c *call, code int, title, here string, section templ.Component) error {
	p, err := settingsPlacesFor(c, here)
	if err != nil {
		return err
	}
	return showPlace(c, code, p, title, here, section)
}

// saved redirects to a page with the confirmation that a form was saved.
func saved(c *call, path string) error { return c.seeOther(ui.WithDone(path, "saved")) }

var pictureHint = locale.Mark("Cropped to a square. JPEG, PNG, GIF or WebP, at most 16 MB.")

// profileForm is the form of a profile, in sections.
func profileForm(c *call) *form {
	f := startForm(c, "/settings/profile", c.tr("Save"))
	f.Fields = slices.Concat(profileLookFields(c), lineFields(c), findFields(c), postingFields(c))
	return f
}

// lookFields returns the fields of the pictures and the name.
func profileLookFields(c *call) []field {
	u := c.me
	fields := []field{{Kind: headField, Name: "look", Label: c.tr("Name and pictures")},
		{Kind: fileField, Name: "avatar", Label: c.tr("Picture"), Hint: c.tr(pictureHint)}}
	if u.Avatar != "" {
		fields = append(fields, field{Kind: checkField, Name: "no-avatar", Label: c.tr("Remove picture")})
	}
	fields = append(fields, field{Kind: fileField, Name: "header", Label: c.tr("Banner"), Hint: c.tr("Shown at the top of your profile, three times as wide as high.")})
	if u.Banner != "" {
		fields = append(fields, field{Kind: checkField, Name: "no-header", Label: c.tr("Remove banner")})
	}
	return append(fields,
		field{Kind: lineField, Name: "display_name", Label: c.tr("Display name"), Value: u.Name, Hint: atMostCharacters(c, linnet.MaxDisplayName)},
		field{Kind: areaField, Name: "note", Label: c.tr("Bio"), Value: u.Note, Rows: 5, Hint: atMostCharacters(c, linnet.MaxNote)},
		field{Kind: checkField, Name: "bot", Label: c.tr("Automated account (bot)"), On: u.Bot})
}

// atMostCharacters returns the text about a maximum length.
func atMostCharacters(c *call, most int64) string {
	return c.trn(most, "At most %s character.", "At most %s characters.")
}

// lineFields returns the fields of the profile's table.
func lineFields(c *call) []field {
	fields := []field{{Kind: headField, Name: "lines", Label: c.tr("Profile fields"), Hint: c.tr("Up to %s, shown as a table.", c.num(linnet.MaxProfileFields))}}
	for i := range linnet.MaxProfileFields {
		var line linnet.ProfileField
		if i < len(c.me.Fields) {
			line = c.me.Fields[i]
		}
		n := strconv.Itoa(i + 1)
		fields = append(fields, field{Kind: lineField, Name: "name" + n, Label: c.tr("Label %s", n), Value: line.Name, Half: true},
			field{Kind: lineField, Name: "value" + n, Label: c.tr("Content %s", n), Value: line.Value, Half: true})
	}
	return append(fields, field{Kind: areaField, Name: "attribution", Label: c.tr("Websites that can credit you as author"), Value: strings.Join(c.me.Attribution, "\n"), Rows: 3, Hint: c.tr("One domain per line, such as example.org. At most %s.", c.num(linnet.MaxAttribution))})
}

// findFields returns the fields about discovery and privacy.
func findFields(c *call) []field {
	u := c.me
	return []field{{Kind: headField, Name: "find", Label: c.tr("Privacy and reach")},
		{Kind: checkField, Name: "locked", Label: c.tr("Approve follow requests"), On: u.Locked, Hint: c.tr("You approve each new follower. Turning this off accepts all pending requests.")},
		{Kind: checkField, Name: "discoverable", Label: c.tr("Suggest your account to others"), On: u.Discoverable},
		{Kind: checkField, Name: "indexable", Label: c.tr("Include your public posts in search results"), On: u.Indexable, Hint: c.tr("Everyone on this server can then find your posts by their words. Search engines can list your posts and profile.")},
		{Kind: checkField, Name: "feeds", Label: c.tr("RSS, Atom and JSON feeds of your public posts"), On: !u.NoFeeds, Hint: c.tr("Turn this off to remove your feeds.")},
		{Kind: checkField, Name: "hide_network", Label: c.tr("Hide who you follow and who follows you"), On: u.HideNetwork}}
}

// postingFields say how posts begin.
func postingFields(c *call) []field {
	p := c.me.Posting
	return []field{{Kind: headField, Name: "posting", Label: c.tr("Posting defaults")},
		{Kind: selectField, Name: "visibility", Label: c.tr("Default visibility"), Choices: pick(p.Visibility.String(),
			"public", c.tr("Public"), "unlisted", c.tr("Unlisted (not in public timelines)"), "private", c.tr("Followers"), "direct", c.tr("Mentioned people only"))},
		{Kind: selectField, Name: "quoters", Label: c.tr("Who can quote new posts"), Choices: pick(p.QuotePolicy.String(),
			"public", c.tr("Everyone"), "followers", c.tr("Followers"), "nobody", c.tr("Only you")), Hint: c.tr("Followers-only posts can only be quoted by you.")},
		{Kind: checkField, Name: "ask_alt", Label: c.tr("Show a reminder before posting media without descriptions"), On: p.AskAlt, Hint: c.tr("On the web. Apps have their own settings.")},
		{Kind: checkField, Name: "sensitive", Label: c.tr("Mark your media as sensitive"), On: p.Sensitive},
		{Kind: lineField, Name: "language", Label: c.tr("Posting language"), Value: p.Language, Hint: c.tr("A code such as en or pt-BR. Optional.")}}
}

// verification explains the verification of links and lists their state. It is empty if the server
// fetches no pages and no link is verified.
func (h *settingsPages) verification(c *call) (s formSection) {
	for _, f := range c.me.Fields {
		switch {
		case !f.Verified.IsZero():
			s.Facts = append(s.Facts, fact{f.Value, textCell(ui.VerifiedText(c.forReader(c.r.Context()), f.Verified))})
		case h.core.Cards() && strings.HasPrefix(f.Value, "https://"):
			s.Facts = append(s.Facts, fact{f.Value, textCell(c.tr("Not verified"))})
		}
	}
	if !h.core.Cards() && len(s.Facts) == 0 {
		return s
	}
	s.ID, s.Title = "verification", c.tr("Verified links")
	s.Text = c.tr("Links in your profile fields are shown as verified if the page links back to your profile. Add this line to your page, which must use https, then save your profile. The text between the tags can be anything.")
	s.Code = `<a rel="me" href="` + c.me.URL + `">@` + c.me.Login + "@" + c.me.Host + `</a>`
	return s
}

func (h *settingsPages) showProfileSettings(c *call, f *form) error {
	parts := []formSection{{Form: f, Links: []navLink{{Path: "/@" + c.me.Login, Text: c.tr("View profile")}}}}
	if v := h.verification(c); v.ID != "" {
		parts = append(parts, v)
	}
	return showSettings(c, f.code(), c.tr("Profile"), "/settings/profile", formPage{Parts: parts})
}

func (h *settingsPages) profileSettings(c *call) error {
	return h.showProfileSettings(c, profileForm(c))
}

func (h *settingsPages) changeProfile(c *call) error {
	f, name, note, language := profileForm(c), c.typed("display_name"), c.r.PostForm.Get("note"), c.typed("language")
	noFeeds := c.r.PostForm.Get("feeds") == ""
	change := linnet.ProfileChange{Name: &name, Note: &note, Fields: typedLines(c), Bot: ticked(c, "bot"), Discoverable: ticked(c, "discoverable"),
		Indexable: ticked(c, "indexable"), HideNetwork: ticked(c, "hide_network"), Locked: ticked(c, "locked"), NoFeeds: &noFeeds,
		Sensitive: ticked(c, "sensitive"), AskAlt: ticked(c, "ask_alt"), Language: &language}
	if v, ok := linnet.ParseVisibility(c.typed("visibility")); ok {
		change.Visibility = &v
	}
	domains := strings.Fields(c.r.PostForm.Get("attribution"))
	change.Attribution = &domains
	if p, ok := linnet.ParseQuotePolicy(c.typed("quoters")); ok {
		change.QuotePolicy = &p
	}
	_, err := h.social.UpdateProfile(c.r.Context(), c.me.ID, change)
	if err == nil {
		err = changePictures(c, profilePictures(), func(shape media.Shape, f *uploads.File) error {
			return h.social.SetPicture(c.r.Context(), c.me.ID, shape, f)
		})
	}
	if err != nil {
		if f.refused(err, map[string]formField{"fields_attributes": {"value1", c.tr("The fields")}, "attribution_domains": {"attribution", c.tr("The list of websites")}}) {
			return h.showProfileSettings(c, f)
		}
		return err
	}
	return saved(c, "/settings/profile")
}

// pictureInput is an input for a picture. The input "no-" plus its name removes the picture.
type pictureInput struct {
	name  string
	shape media.Shape
}

func profilePictures() []pictureInput {
	return []pictureInput{{"avatar", media.Avatar}, {"header", media.Banner}}
}

// changePictures calls set with each uploaded picture, and with nil for pictures to remove.
func changePictures(c *call, inputs []pictureInput, set func(media.Shape, *uploads.File) error) error {
	for _, p := range inputs {
		sent, away := c.files[p.name], c.typed("no-"+p.name) != ""
		if len(sent) == 0 && !away {
			continue
		}
		var file *uploads.File
		if len(sent) > 0 {
			if err := sent[0].err; err != nil {
				return inField(err, p.name)
			}
			if err := c.countAs(core.RateMedia); err != nil {
				return err
			}
			file = sent[0].file
		}
		if err := set(p.shape, file); err != nil {
			return err
		}
	}
	return nil
}

// inField converts an error of a file into an error of its input.
func inField(err error, name string) error {
	e := refusal(err)
	if e == nil || len(e.Fields) == 0 {
		return err
	}
	return linnet.FieldError(name, e.Fields[0].Code, "%s", e.Fields[0].Msg)
}

// typedLines returns the submitted lines of the table, without empty ones.
func typedLines(c *call) *[]linnet.ProfileField {
	lines := []linnet.ProfileField{}
	for i := range linnet.MaxProfileFields {
		n := strconv.Itoa(i + 1)
		if l := (linnet.ProfileField{Name: c.typed("name" + n), Value: c.typed("value" + n)}); l.Name != "" || l.Value != "" {
			lines = append(lines, l)
		}
	}
	return &lines
}

func appearanceForm(c *call) *form {
	l := c.me.Appearance
	languages := []string{"", c.tr("Same as browser")}
	for _, k := range locale.Languages() {
		languages = append(languages, k.Code, k.Name)
	}
	return startForm(c, "/settings/appearance", c.tr("Save"),
		field{Kind: selectField, Name: "language", Label: c.tr("Language"), Choices: pick(l.Language, languages...)},
		field{Kind: selectField, Name: "theme", Label: c.tr("Theme"), Choices: pick(l.Theme, "", c.tr("Same as system"), "light", c.tr("Light"), "dark", c.tr("Dark"))},
		field{Kind: checkField, Name: "dense", Label: c.tr("Compact layout"), On: l.Dense},
		field{Kind: checkField, Name: "still", Label: c.tr("Reduce motion"), On: l.Still, Hint: c.tr("Motion is always reduced if your system asks for it.")},
		field{Kind: lineField, Name: "zone", Label: c.tr("Time zone"), Value: l.Zone,
			Hint: c.tr("A name such as Europe/Berlin. Leave empty to use your browser's time zone, or UTC without JavaScript. Times are currently shown in %s.", c.zone())})
}

func showAppearance(c *call, f *form) error {
	return showSettings(c, f.code(), c.tr("Appearance"), "/settings/appearance", formPage{Lead: c.tr("Applies in every browser where you're logged in."), Parts: []formSection{{Form: f}}})
}

func appearance(c *call) error { return showAppearance(c, appearanceForm(c)) }

func (h *settingsPages) changeAppearance(c *call) error {
	look := c.me.Appearance
	look.Theme, look.Dense, look.Still = c.typed("theme"), *ticked(c, "dense"), *ticked(c, "still")
	look.Zone, look.Language = c.typed("zone"), c.typed("language")
	_, err := h.social.UpdateProfile(c.r.Context(), c.me.ID, linnet.ProfileChange{Appearance: &look})
	if err != nil {
		if f := appearanceForm(c); f.refused(err, nil) {
			return showAppearance(c, f)
		}
		return err
	}
	return saved(c, "/settings/appearance")
}

func policyForm(c *call, p linnet.NotificationPolicy) *form {
	row := func(name, label string, now linnet.Treatment) field {
		return field{Kind: selectField, Name: name, Label: label, Choices: pick(string(now),
			string(linnet.Accept), c.tr("Show"), string(linnet.Hold), c.tr("Filter"), string(linnet.Drop), c.tr("Ignore"))}
	}
	return startForm(c, "/settings/notifications", c.tr("Save"),
		row("for_not_following", c.tr("From people you don't follow"), p.NotFollowing),
		row("for_not_followers", c.tr("From people who don't follow you"), p.NotFollowers),
		row("for_new_accounts", c.tr("From accounts less than 30 days old"), p.NewAccounts),
		row("for_private_mentions", c.tr("Private mentions from people you don't follow"), p.PrivateMentions),
		row("for_limited_accounts", c.tr("From accounts silenced by moderators"), p.Limited))
}

func showPolicy(c *call, f *form, p linnet.PolicyView) error {
	part := formSection{Form: f}
	if p.Requests > 0 {
		part.Text = c.tr("Currently filtered: %s from %s.", c.trn(int64(p.Notifications), "%s notification", "%s notifications"), c.trn(int64(p.Requests), "%s person", "%s people"))
	}
	return showSettings(c, f.code(), c.tr("Notifications"), "/settings/notifications", formPage{
		Lead: c.tr("Choose whose notifications you get. Changes apply to new notifications."), Parts: []formSection{part}})
}

func (h *settingsPages) policy(c *call) error {
	p, err := h.notify.NotificationPolicy(c.r.Context(), c.me.ID)
	if err != nil {
		return err
	}
	return showPolicy(c, policyForm(c, p.NotificationPolicy), p)
}

func (h *settingsPages) changePolicy(c *call) error {
	get := func(name string) linnet.Treatment { return linnet.Treatment(c.typed(name)) }
	change := linnet.PolicyChange{NotFollowing: get("for_not_following"), NotFollowers: get("for_not_followers"), NewAccounts: get("for_new_accounts"),
		PrivateMentions: get("for_private_mentions"), Limited: get("for_limited_accounts")}
	errs := fieldErrors{}
	for name, t := range map[string]linnet.Treatment{"for_not_following": change.NotFollowing, "for_not_followers": change.NotFollowers,
		"for_new_accounts": change.NewAccounts, "for_private_mentions": change.PrivateMentions, "for_limited_accounts": change.Limited} {
		if t != "" && !linnet.ValidTreatment(t) {
			errs[name] = c.tr("Choose one of the three options.")
		}
	}
	if len(errs) > 0 {
		p, err := h.notify.NotificationPolicy(c.r.Context(), c.me.ID)
		if err != nil {
			return err
		}
		f := policyForm(c, p.NotificationPolicy)
		f.refill(c.r.PostForm, errs)
		return showPolicy(c, f, p)
	}
	if _, err := h.notify.ChangePolicy(c.r.Context(), c.me.ID, change); err != nil {
		return err
	}
	return saved(c, "/settings/notifications")
}
