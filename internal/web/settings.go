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
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// The pages on which people say how things are to be for them.

func (h *settingsPages) settingsRoutes() []page.Route {
	return []page.Route{
		{Pattern: "/theme", Post: page.LoggedIn(h.chooseTheme)},
		{Pattern: paths.Settings, Get: page.LoggedIn(settingsList)},
		{Pattern: "/settings/{$}", Get: page.LoggedIn(func(c *page.Context) error { return c.Redirect(paths.Settings) })},
		{Pattern: "/settings/profile", Get: page.LoggedIn(h.profileSettings), Post: page.LoggedIn(h.changeProfile)},
		{Pattern: paths.FeaturedTags, Get: page.LoggedIn(h.featuredTags), Post: page.LoggedIn(h.changeFeatured)},
		{Pattern: "/settings/appearance", Get: page.LoggedIn(appearance), Post: page.LoggedIn(h.changeAppearance)},
		{Pattern: "/settings/notifications", Get: page.LoggedIn(h.policy), Post: page.LoggedIn(h.changePolicy)},
		{Pattern: "/settings/filters", Get: page.LoggedIn(h.filters)},
		{Pattern: "/settings/filters/new", Get: page.LoggedIn(newFilter), Post: page.LoggedIn(h.createFilter)},
		{Pattern: "/settings/filters/{id}", Get: page.LoggedIn(h.editFilter), Post: page.LoggedIn(h.changeFilter)},
		{Pattern: "/settings/filters/{id}/delete", Post: page.LoggedIn(h.deleteFilter)},
		{Pattern: paths.FollowedTags, Get: page.LoggedIn(h.followedTags), Post: page.LoggedIn(h.changeFollowedTags)},
		{Pattern: "/settings/lists", Get: page.LoggedIn(h.shownLists), Post: page.LoggedIn(h.changeShownLists)},
		{Pattern: "/settings/mutes", Get: page.LoggedIn(h.mutes), Post: page.LoggedIn(h.endMute)},
		{Pattern: "/settings/blocks", Get: page.LoggedIn(h.blocks), Post: page.LoggedIn(h.endBlock)},
		{Pattern: "/settings/apps", Get: page.LoggedIn(h.apps), Post: page.LoggedIn(h.endApp)},
	}
}

// showSettings answers with a page of settings; here is the path of its section.
func showSettings(c *page.Context, code int, title, here string, d formPage) error {
	if d.Done == "" && c.Request.URL.Query().Get("done") != "" {
		d.Done = c.Tr("Saved.")
	}
	return showSettingsBody(c, code, title, here, formPageView(d))
}

// showSettingsBody is like showSettings, for a page with another component.
func showSettingsBody(c *page.Context, code int, title, here string, section templ.Component) error {
	p, err := settingsPlacesFor(c, here)
	if err != nil {
		return err
	}
	return showPlace(c, code, p, title, here, section)
}

// saved redirects to a page with the confirmation that a form was saved.
func saved(c *page.Context, path string) error { return c.Redirect(ui.WithDone(path, "saved")) }

var pictureHint = locale.Mark("Cropped to a square. JPEG, PNG, GIF or WebP, at most 16 MB.")

// profileForm is the form of a profile, in sections.
func profileForm(c *page.Context) *form {
	f := startForm(c, "/settings/profile", c.Tr("Save"))
	f.Fields = slices.Concat(profileLookFields(c), lineFields(c), findFields(c), postingFields(c))
	return f
}

// lookFields returns the fields of the pictures and the name.
func profileLookFields(c *page.Context) []field {
	u := c.Me
	fields := []field{{Kind: headField, Name: "look", Label: c.Tr("Name and pictures")},
		{Kind: fileField, Name: "avatar", Label: c.Tr("Picture"), Hint: c.Tr(pictureHint)}}
	if u.Avatar != "" {
		fields = append(fields, field{Kind: checkField, Name: "no-avatar", Label: c.Tr("Remove picture")})
	}
	fields = append(fields, field{Kind: fileField, Name: "header", Label: c.Tr("Banner"), Hint: c.Tr("Shown at the top of your profile, three times as wide as high.")})
	if u.Banner != "" {
		fields = append(fields, field{Kind: checkField, Name: "no-header", Label: c.Tr("Remove banner")})
	}
	return append(fields,
		field{Kind: lineField, Name: "display_name", Label: c.Tr("Display name"), Value: u.Name, Hint: atMostCharacters(c, linnet.MaxDisplayName)},
		field{Kind: areaField, Name: "note", Label: c.Tr("Bio"), Value: u.Note, Rows: 5, Hint: atMostCharacters(c, linnet.MaxNote)},
		field{Kind: checkField, Name: "bot", Label: c.Tr("Automated account (bot)"), On: u.Bot})
}

// atMostCharacters returns the text about a maximum length.
func atMostCharacters(c *page.Context, most int64) string {
	return c.Trn(most, "At most %s character.", "At most %s characters.")
}

// lineFields returns the fields of the profile's table.
func lineFields(c *page.Context) []field {
	fields := []field{{Kind: headField, Name: "lines", Label: c.Tr("Profile fields"), Hint: c.Tr("Up to %s, shown as a table.", c.Num(linnet.MaxProfileFields))}}
	for i := range linnet.MaxProfileFields {
		var line linnet.ProfileField
		if i < len(c.Me.Fields) {
			line = c.Me.Fields[i]
		}
		n := strconv.Itoa(i + 1)
		fields = append(fields, field{Kind: lineField, Name: "name" + n, Label: c.Tr("Label %s", n), Value: line.Name, Half: true},
			field{Kind: lineField, Name: "value" + n, Label: c.Tr("Content %s", n), Value: line.Value, Half: true})
	}
	return append(fields, field{Kind: areaField, Name: "attribution", Label: c.Tr("Websites that can credit you as author"), Value: strings.Join(c.Me.Attribution, "\n"), Rows: 3, Hint: c.Tr("One domain per line, such as example.org. At most %s.", c.Num(linnet.MaxAttribution))})
}

// findFields returns the fields about discovery and privacy.
func findFields(c *page.Context) []field {
	u := c.Me
	return []field{{Kind: headField, Name: "find", Label: c.Tr("Privacy and reach")},
		{Kind: checkField, Name: "locked", Label: c.Tr("Approve follow requests"), On: u.Locked, Hint: c.Tr("You approve each new follower. Turning this off accepts all pending requests.")},
		{Kind: checkField, Name: "discoverable", Label: c.Tr("Suggest your account to others"), On: u.Discoverable},
		{Kind: checkField, Name: "indexable", Label: c.Tr("Include your public posts in search results"), On: u.Indexable, Hint: c.Tr("Everyone on this server can then find your posts by their words. Search engines can list your posts and profile.")},
		{Kind: checkField, Name: "feeds", Label: c.Tr("RSS, Atom and JSON feeds of your public posts"), On: !u.NoFeeds, Hint: c.Tr("Turn this off to remove your feeds.")},
		{Kind: checkField, Name: "hide_network", Label: c.Tr("Hide who you follow and who follows you"), On: u.HideNetwork}}
}

// postingFields say how posts begin.
func postingFields(c *page.Context) []field {
	p := c.Me.Posting
	return []field{{Kind: headField, Name: "posting", Label: c.Tr("Posting defaults")},
		{Kind: selectField, Name: "visibility", Label: c.Tr("Default visibility"), Choices: pick(p.Visibility.String(),
			"public", c.Tr("Public"), "unlisted", c.Tr("Unlisted (not in public timelines)"), "private", c.Tr("Followers"), "direct", c.Tr("Mentioned people only"))},
		{Kind: selectField, Name: "quoters", Label: c.Tr("Who can quote new posts"), Choices: pick(p.QuotePolicy.String(),
			"public", c.Tr("Everyone"), "followers", c.Tr("Followers"), "nobody", c.Tr("Only you")), Hint: c.Tr("Followers-only posts can only be quoted by you.")},
		{Kind: checkField, Name: "ask_alt", Label: c.Tr("Show a reminder before posting media without descriptions"), On: p.AskAlt, Hint: c.Tr("On the web. Apps have their own settings.")},
		{Kind: checkField, Name: "sensitive", Label: c.Tr("Mark your media as sensitive"), On: p.Sensitive},
		{Kind: lineField, Name: "language", Label: c.Tr("Posting language"), Value: p.Language, Hint: c.Tr("A code such as en or pt-BR. Optional.")}}
}

// verification explains the verification of links and lists their state. It is empty if the server
// fetches no pages and no link is verified.
func (h *settingsPages) verification(c *page.Context) (s formSection) {
	for _, f := range c.Me.Fields {
		switch {
		case !f.Verified.IsZero():
			s.Facts = append(s.Facts, fact{f.Value, textCell(ui.VerifiedText(c.ForReader(c.Request.Context()), f.Verified))})
		case h.core.Cards() && strings.HasPrefix(f.Value, "https://"):
			s.Facts = append(s.Facts, fact{f.Value, textCell(c.Tr("Not verified"))})
		}
	}
	if !h.core.Cards() && len(s.Facts) == 0 {
		return s
	}
	s.ID, s.Title = "verification", c.Tr("Verified links")
	s.Text = c.Tr("Links in your profile fields are shown as verified if the page links back to your profile. Add this line to your page, which must use https, then save your profile. The text between the tags can be anything.")
	s.Code = `<a rel="me" href="` + c.Me.URL + `">@` + c.Me.Login + "@" + c.Me.Host + `</a>`
	return s
}

func (h *settingsPages) showProfileSettings(c *page.Context, f *form) error {
	parts := []formSection{{Form: f, Links: []navLink{{Path: "/@" + c.Me.Login, Text: c.Tr("View profile")}}}}
	if v := h.verification(c); v.ID != "" {
		parts = append(parts, v)
	}
	return showSettings(c, f.code(), c.Tr("Profile"), "/settings/profile", formPage{Parts: parts})
}

func (h *settingsPages) profileSettings(c *page.Context) error {
	return h.showProfileSettings(c, profileForm(c))
}

func (h *settingsPages) changeProfile(c *page.Context) error {
	f, name, note, language := profileForm(c), c.Typed("display_name"), c.Request.PostForm.Get("note"), c.Typed("language")
	noFeeds := c.Request.PostForm.Get("feeds") == ""
	change := linnet.ProfileChange{Name: &name, Note: &note, Fields: typedLines(c), Bot: ticked(c, "bot"), Discoverable: ticked(c, "discoverable"),
		Indexable: ticked(c, "indexable"), HideNetwork: ticked(c, "hide_network"), Locked: ticked(c, "locked"), NoFeeds: &noFeeds,
		Sensitive: ticked(c, "sensitive"), AskAlt: ticked(c, "ask_alt"), Language: &language}
	if v, ok := linnet.ParseVisibility(c.Typed("visibility")); ok {
		change.Visibility = &v
	}
	domains := strings.Fields(c.Request.PostForm.Get("attribution"))
	change.Attribution = &domains
	if p, ok := linnet.ParseQuotePolicy(c.Typed("quoters")); ok {
		change.QuotePolicy = &p
	}
	_, err := h.social.UpdateProfile(c.Request.Context(), c.Me.ID, change)
	if err == nil {
		err = changePictures(c, profilePictures(), func(shape media.Shape, f *uploads.File) error {
			return h.social.SetPicture(c.Request.Context(), c.Me.ID, shape, f)
		})
	}
	if err != nil {
		if f.refused(err, map[string]page.FormField{"fields_attributes": {Name: "value1", Subject: c.Tr("The fields")}, "attribution_domains": {Name: "attribution", Subject: c.Tr("The list of websites")}}) {
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
func changePictures(c *page.Context, inputs []pictureInput, set func(media.Shape, *uploads.File) error) error {
	for _, p := range inputs {
		sent, away := c.Files[p.name], c.Typed("no-"+p.name) != ""
		if len(sent) == 0 && !away {
			continue
		}
		var file *uploads.File
		if len(sent) > 0 {
			if err := sent[0].Err; err != nil {
				return page.InField(err, p.name)
			}
			if err := c.CountAs(core.RateMedia); err != nil {
				return err
			}
			file = sent[0].File
		}
		if err := set(p.shape, file); err != nil {
			return err
		}
	}
	return nil
}

// typedLines returns the submitted lines of the table, without empty ones.
func typedLines(c *page.Context) *[]linnet.ProfileField {
	lines := []linnet.ProfileField{}
	for i := range linnet.MaxProfileFields {
		n := strconv.Itoa(i + 1)
		if l := (linnet.ProfileField{Name: c.Typed("name" + n), Value: c.Typed("value" + n)}); l.Name != "" || l.Value != "" {
			lines = append(lines, l)
		}
	}
	return &lines
}

func appearanceForm(c *page.Context) *form {
	l := c.Me.Appearance
	languages := []string{"", c.Tr("Same as browser")}
	for _, k := range locale.Languages() {
		languages = append(languages, k.Code, k.Name)
	}
	return startForm(c, "/settings/appearance", c.Tr("Save"),
		field{Kind: selectField, Name: "language", Label: c.Tr("Language"), Choices: pick(l.Language, languages...)},
		field{Kind: selectField, Name: "theme", Label: c.Tr("Theme"), Choices: pick(l.Theme, "", c.Tr("Same as system"), "light", c.Tr("Light"), "dark", c.Tr("Dark"))},
		field{Kind: checkField, Name: "dense", Label: c.Tr("Compact layout"), On: l.Dense},
		field{Kind: checkField, Name: "still", Label: c.Tr("Reduce motion"), On: l.Still, Hint: c.Tr("Motion is always reduced if your system asks for it.")},
		field{Kind: lineField, Name: "zone", Label: c.Tr("Time zone"), Value: l.Zone,
			Hint: c.Tr("A name such as Europe/Berlin. Leave empty to use your browser's time zone, or UTC without JavaScript. Times are currently shown in %s.", c.Zone())})
}

func showAppearance(c *page.Context, f *form) error {
	return showSettings(c, f.code(), c.Tr("Appearance"), "/settings/appearance", formPage{Lead: c.Tr("Applies in every browser where you're logged in."), Parts: []formSection{{Form: f}}})
}

func appearance(c *page.Context) error { return showAppearance(c, appearanceForm(c)) }

func (h *settingsPages) changeAppearance(c *page.Context) error {
	look := c.Me.Appearance
	look.Theme, look.Dense, look.Still = c.Typed("theme"), *ticked(c, "dense"), *ticked(c, "still")
	look.Zone, look.Language = c.Typed("zone"), c.Typed("language")
	_, err := h.social.UpdateProfile(c.Request.Context(), c.Me.ID, linnet.ProfileChange{Appearance: &look})
	if err != nil {
		if f := appearanceForm(c); f.refused(err, nil) {
			return showAppearance(c, f)
		}
		return err
	}
	return saved(c, "/settings/appearance")
}

func policyForm(c *page.Context, p linnet.NotificationPolicy) *form {
	row := func(name, label string, now linnet.Treatment) field {
		return field{Kind: selectField, Name: name, Label: label, Choices: pick(string(now),
			string(linnet.Accept), c.Tr("Show"), string(linnet.Hold), c.Tr("Filter"), string(linnet.Drop), c.Tr("Ignore"))}
	}
	return startForm(c, "/settings/notifications", c.Tr("Save"),
		row("for_not_following", c.Tr("From people you don't follow"), p.NotFollowing),
		row("for_not_followers", c.Tr("From people who don't follow you"), p.NotFollowers),
		row("for_new_accounts", c.Tr("From accounts less than 30 days old"), p.NewAccounts),
		row("for_private_mentions", c.Tr("Private mentions from people you don't follow"), p.PrivateMentions),
		row("for_limited_accounts", c.Tr("From accounts silenced by moderators"), p.Limited))
}

func showPolicy(c *page.Context, f *form, p linnet.PolicyView) error {
	part := formSection{Form: f}
	if p.Requests > 0 {
		part.Text = c.Tr("Currently filtered: %s from %s.", c.Trn(int64(p.Notifications), "%s notification", "%s notifications"), c.Trn(int64(p.Requests), "%s person", "%s people"))
	}
	return showSettings(c, f.code(), c.Tr("Notifications"), "/settings/notifications", formPage{
		Lead: c.Tr("Choose whose notifications you get. Changes apply to new notifications."), Parts: []formSection{part}})
}

func (h *settingsPages) policy(c *page.Context) error {
	p, err := h.notify.NotificationPolicy(c.Request.Context(), c.Me.ID)
	if err != nil {
		return err
	}
	return showPolicy(c, policyForm(c, p.NotificationPolicy), p)
}

func (h *settingsPages) changePolicy(c *page.Context) error {
	get := func(name string) linnet.Treatment { return linnet.Treatment(c.Typed(name)) }
	change := linnet.PolicyChange{NotFollowing: get("for_not_following"), NotFollowers: get("for_not_followers"), NewAccounts: get("for_new_accounts"),
		PrivateMentions: get("for_private_mentions"), Limited: get("for_limited_accounts")}
	errs := page.FieldErrors{}
	for name, t := range map[string]linnet.Treatment{"for_not_following": change.NotFollowing, "for_not_followers": change.NotFollowers,
		"for_new_accounts": change.NewAccounts, "for_private_mentions": change.PrivateMentions, "for_limited_accounts": change.Limited} {
		if t != "" && !linnet.ValidTreatment(t) {
			errs[name] = c.Tr("Choose one of the three options.")
		}
	}
	if len(errs) > 0 {
		p, err := h.notify.NotificationPolicy(c.Request.Context(), c.Me.ID)
		if err != nil {
			return err
		}
		f := policyForm(c, p.NotificationPolicy)
		f.refill(c.Request.PostForm, errs)
		return showPolicy(c, f, p)
	}
	if _, err := h.notify.ChangePolicy(c.Request.Context(), c.Me.ID, change); err != nil {
		return err
	}
	return saved(c, "/settings/notifications")
}
