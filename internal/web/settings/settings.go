package settings

import (
	"slices"
	"strconv"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/media"
	"linnet/internal/uploads"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// profileLookFields returns the inputs for the pictures and the name.
func profileLookFields(c *page.Context) []form.Field {
	u := c.Me
	fields := []form.Field{{Kind: form.HeadingField, Name: "look", Label: c.Tr("Name and pictures")},
		{Kind: form.FileField, Name: "avatar", Label: c.Tr("Picture"), Hint: c.Tr(form.PictureHint()), Frame: "circle", Picture: paths.Avatar(*u)}}
	if u.Avatar != "" {
		fields = append(fields, form.Field{Kind: form.CheckField, Name: "no-avatar", Label: c.Tr("Remove picture")})
	}
	fields = append(fields, altField(c, "avatar_description", c.Tr("Description of the picture"), u.AvatarAlt))
	fields = append(fields, form.Field{Kind: form.FileField, Name: "header", Label: c.Tr("Banner"), Hint: c.Tr("Shown at the top of your profile, cropped to an aspect ratio of 3:1."), Frame: "banner", Picture: ui.If(u.Banner != "", paths.File(u.Banner))})
	if u.Banner != "" {
		fields = append(fields, form.Field{Kind: form.CheckField, Name: "no-header", Label: c.Tr("Remove banner")})
	}
	return append(fields, altField(c, "header_description", c.Tr("Description of the banner"), u.BannerAlt),
		form.Field{Kind: form.LineField, Name: "display_name", Label: c.Tr("Display name"), Value: u.Name, Hint: form.AtMostCharacters(c, linnet.MaxDisplayName)},
		form.Field{Kind: form.AreaField, Name: "note", Label: c.Tr("Bio"), Value: u.Note, Rows: 5, Hint: form.AtMostCharacters(c, linnet.MaxNote)},
		form.Field{Kind: form.CheckField, Name: "bot", Label: c.Tr("Automated account (bot)"), On: u.Bot})
}

// altField returns the input for the description of a picture.
func altField(c *page.Context, name, label, now string) form.Field {
	return form.Field{Kind: form.AreaField, Name: name, Label: label, Value: now, Rows: 2, Hint: form.AtMostCharacters(c, linnet.MaxProfileAlt)}
}

// lineFields returns the inputs for the profile's table.
func lineFields(c *page.Context) []form.Field {
	fields := []form.Field{{Kind: form.HeadingField, Name: "lines", Label: c.Tr("Profile fields"), Hint: c.Tr("Up to %s fields, shown as a table.", c.Num(linnet.MaxProfileFields))}}
	for i := range linnet.MaxProfileFields {
		var line linnet.ProfileField
		if i < len(c.Me.Fields) {
			line = c.Me.Fields[i]
		}
		n := strconv.Itoa(i + 1)
		fields = append(fields, form.Field{Kind: form.LineField, Name: "name" + n, Label: c.Tr("Label %s", n), Value: line.Name, Half: true},
			form.Field{Kind: form.LineField, Name: "value" + n, Label: c.Tr("Content %s", n), Value: line.Value, Half: true})
	}
	return append(fields, form.Field{Kind: form.AreaField, Name: "attribution", Label: c.Tr("Websites that can credit you as the author"), Value: strings.Join(c.Me.Attribution, "\n"), Rows: 3, Hint: c.Tr("One domain per line, such as example.org. At most %s domains.", c.Num(linnet.MaxAttribution))})
}

// tabFields returns the inputs for the tabs of the profile.
func tabFields(c *page.Context) []form.Field {
	t := c.Me.Tabs
	return []form.Field{{Kind: form.HeadingField, Name: "tabs", Label: c.Tr("Tabs of your profile"), Hint: c.Tr("You still see the tabs that you hide from others.")},
		{Kind: form.CheckField, Name: "show_media", Label: c.Tr("Show the media tab"), On: !t.NoMedia},
		{Kind: form.CheckField, Name: "show_media_replies", Label: c.Tr("Include replies in the media tab"), On: !t.NoMediaReplies},
		{Kind: form.CheckField, Name: "show_featured", Label: c.Tr("Show featured hashtags, accounts and collections"), On: !t.NoFeatured}}
}

// findFields returns the inputs about discovery and privacy.
func findFields(c *page.Context) []form.Field {
	u := c.Me
	return []form.Field{{Kind: form.HeadingField, Name: "find", Label: c.Tr("Privacy and reach")},
		{Kind: form.CheckField, Name: "locked", Label: c.Tr("Approve follow requests"), On: u.Locked, Hint: c.Tr("You approve each new follower. Turning this off accepts all pending requests.")},
		{Kind: form.CheckField, Name: "discoverable", Label: c.Tr("Suggest your account to others"), On: u.Discoverable},
		{Kind: form.CheckField, Name: "indexable", Label: c.Tr("Include your public posts in search results"), On: u.Indexable, Hint: c.Tr("Lets everyone on this server find your public posts by their text, and lets search engines list your public posts and your profile.")},
		{Kind: form.CheckField, Name: "feeds", Label: c.Tr("RSS, Atom and JSON feeds of your public posts"), On: !u.NoFeeds, Hint: c.Tr("If you turn this off, your feeds stop working.")},
		{Kind: form.CheckField, Name: "hide_network", Label: c.Tr("Hide who you follow and who follows you"), On: u.HideNetwork}}
}

// postingFields returns the inputs for the defaults of new posts.
func postingFields(c *page.Context) []form.Field {
	p := c.Me.Posting
	return []form.Field{{Kind: form.HeadingField, Name: "posting", Label: c.Tr("Posting defaults")},
		{Kind: form.SelectField, Name: "visibility", Label: c.Tr("Default visibility"), Choices: form.Options(p.Visibility.String(),
			"public", c.Tr("Public"), "unlisted", c.Tr("Unlisted (not in public timelines)"), "private", c.Tr("Followers"), "direct", c.Tr("Mentioned people only"))},
		{Kind: form.SelectField, Name: "quoters", Label: c.Tr("Who can quote new posts"), Choices: form.Options(p.QuotePolicy.String(),
			"public", c.Tr("Everyone"), "followers", c.Tr("Followers"), "nobody", c.Tr("Only you")), Hint: c.Tr("Only you can quote your followers-only posts.")},
		{Kind: form.CheckField, Name: "ask_alt", Label: c.Tr("Show a reminder before posting media without descriptions"), On: !p.NoAltReminder, Hint: c.Tr("Applies on the web. Apps have their own settings.")},
		{Kind: form.CheckField, Name: "undo_send", Label: c.Tr("Delay sending by 10 seconds so that you can undo"), On: p.UndoSend, Hint: c.Tr("Applies to new posts and replies on the web. Requires JavaScript. If you leave the page, the post is sent at once.")},
		{Kind: form.CheckField, Name: "sensitive", Label: c.Tr("Mark your media as sensitive"), On: p.Sensitive},
		{Kind: form.LineField, Name: "language", Label: c.Tr("Posting language"), Value: p.Language, Hint: c.Tr("A language code such as en or pt-BR. Optional.")}}
}

// verification explains the verification of links and lists their state. It is empty if the server
// fetches no pages and no link is verified.
func (h *Pages) verification(c *page.Context) (s form.Section) {
	for _, f := range c.Me.Fields {
		switch {
		case !f.Verified.IsZero():
			s.Facts = append(s.Facts, form.Fact{Name: f.Value, Is: form.TextCell(ui.VerifiedText(c.ForReader(c.Request.Context()), f.Verified))})
		case h.Core.Cards() && strings.HasPrefix(f.Value, "https://"):
			s.Facts = append(s.Facts, form.Fact{Name: f.Value, Is: form.TextCell(c.Tr("Not verified"))})
		}
	}
	if !h.Core.Cards() && len(s.Facts) == 0 {
		return s
	}
	s.ID, s.Title = "verification", c.Tr("Verified links")
	s.Text = c.Tr("A link in your profile fields is shown as verified if the linked page links back to your profile. Add this line to the page, which must use HTTPS, then save your profile. The text between the tags can be anything.")
	s.Code = `<a rel="me" href="` + c.Me.URL + `">@` + c.Me.Login + "@" + c.Me.Host + `</a>`
	return s
}

// profile is the page of the reader's profile and defaults.
func (h *Pages) profile(c *page.Context) (*form.Page, error) {
	f := form.New(c, "/settings/profile", c.Tr("Save"), slices.Concat(profileLookFields(c), lineFields(c), tabFields(c), findFields(c), postingFields(c))...)
	f.Inputs = map[string]page.FormField{"fields_attributes": {Name: "value1", Subject: c.Tr("The fields")}, "attribution_domains": {Name: "attribution", Subject: c.Tr("The list of websites")}}
	p := &form.Page{Title: c.Tr("Profile"), Path: "/settings/profile", Form: f, Parts: []form.Section{{Form: f, Links: []form.Link{{Path: "/@" + c.Me.Login, Text: c.Tr("View profile")}}}}}
	if v := h.verification(c); v.ID != "" {
		p.Parts = append(p.Parts, v)
	}
	return p, nil
}

func (h *Pages) saveProfile(c *page.Context) (string, error) {
	lines := []linnet.ProfileField{}
	for i := range linnet.MaxProfileFields {
		n := strconv.Itoa(i + 1)
		if l := (linnet.ProfileField{Name: c.Typed("name" + n), Value: c.Typed("value" + n)}); l.Name != "" || l.Value != "" {
			lines = append(lines, l)
		}
	}
	note, domains, noFeeds := c.Request.PostForm.Get("note"), strings.Fields(c.Request.PostForm.Get("attribution")), c.Request.PostForm.Get("feeds") == ""
	noAltReminder := c.Request.PostForm.Get("ask_alt") == ""
	change := linnet.ProfileChange{Name: form.Text(c, "display_name"), Note: &note, Fields: &lines, Bot: form.Checked(c, "bot"), Discoverable: form.Checked(c, "discoverable"),
		Indexable: form.Checked(c, "indexable"), HideNetwork: form.Checked(c, "hide_network"), Locked: form.Checked(c, "locked"), NoFeeds: &noFeeds,
		Sensitive: form.Checked(c, "sensitive"), NoAltReminder: &noAltReminder, UndoSend: form.Checked(c, "undo_send"), Language: form.Text(c, "language"), Attribution: &domains}
	change.ShowMedia, change.ShowMediaReplies, change.ShowFeatured = form.Checked(c, "show_media"), form.Checked(c, "show_media_replies"), form.Checked(c, "show_featured")
	if v, ok := linnet.ParseVisibility(c.Typed("visibility")); ok {
		change.Visibility = &v
	}
	if p, ok := linnet.ParseQuotePolicy(c.Typed("quoters")); ok {
		change.QuotePolicy = &p
	}
	if c.Typed("no-avatar") == "" {
		change.AvatarAlt = form.Text(c, "avatar_description")
	}
	if c.Typed("no-header") == "" {
		change.BannerAlt = form.Text(c, "header_description")
	}
	err := form.ChangePictures(c, form.ProfilePictures(), func(shape media.Shape, f *uploads.File) error {
		return h.Social.Profiles.SetPicture(c.Request.Context(), c.Me.ID, shape, f)
	})
	if err == nil { // a new picture has no description before
		_, err = h.Social.Profiles.Update(c.Request.Context(), c.Me.ID, change)
	}
	return form.Saved("/settings/profile"), err
}

func appearance(c *page.Context) (*form.Page, error) {
	l := c.Me.Appearance
	languages := []string{"", c.Tr("Same as browser")}
	for _, k := range locale.Languages() {
		languages = append(languages, k.Code, k.Name)
	}
	f := form.New(c, "/settings/appearance", c.Tr("Save"),
		form.Field{Kind: form.SelectField, Name: "language", Label: c.Tr("Language"), Choices: form.Options(l.Language, languages...)},
		form.Field{Kind: form.SelectField, Name: "theme", Label: c.Tr("Theme"), Choices: form.Options(l.Theme, "", c.Tr("Same as system"), "light", c.Tr("Light"), "dark", c.Tr("Dark"))},
		form.Field{Kind: form.CheckField, Name: "dense", Label: c.Tr("Compact layout"), On: l.Dense},
		form.Field{Kind: form.CheckField, Name: "still", Label: c.Tr("Reduce motion"), On: l.Still, Hint: c.Tr("Motion is always reduced if your system asks for it.")},
		form.Field{Kind: form.CheckField, Name: "endless", Label: c.Tr("Load older posts automatically"), On: !l.Paged, Hint: c.Tr("If this setting is off, a button at the end of the timeline loads older posts.")},
		form.Field{Kind: form.LineField, Name: "zone", Label: c.Tr("Time zone"), Value: l.Zone,
			Hint: c.Tr("A time zone such as Europe/Berlin. Leave empty to use your browser's time zone, or UTC without JavaScript. Times are currently shown in %s.", c.Zone())})
	return &form.Page{Title: c.Tr("Appearance"), Path: "/settings/appearance", Lead: c.Tr("These settings apply in every browser where you're logged in."), Form: f}, nil
}

func (h *Pages) saveAppearance(c *page.Context) (string, error) {
	look := c.Me.Appearance
	look.Theme, look.Dense, look.Still = c.Typed("theme"), *form.Checked(c, "dense"), *form.Checked(c, "still")
	look.Paged = !*form.Checked(c, "endless")
	look.Zone, look.Language = c.Typed("zone"), c.Typed("language")
	_, err := h.Social.Profiles.Update(c.Request.Context(), c.Me.ID, linnet.ProfileChange{Appearance: &look})
	return form.Saved("/settings/appearance"), err
}

// policy is the page about whose notifications the reader gets.
func (h *Pages) policy(c *page.Context) (*form.Page, error) {
	p, err := h.Notify.NotificationPolicy(c.Request.Context(), c.Me.ID)
	if err != nil {
		return nil, err
	}
	row := func(name, label string, now linnet.Treatment) form.Field {
		return form.Field{Kind: form.SelectField, Name: name, Label: label, Choices: form.Options(string(now),
			string(linnet.Accept), c.Tr("Show"), string(linnet.Hold), c.Tr("Filter"), string(linnet.Drop), c.Tr("Ignore"))}
	}
	part := form.Section{Form: form.New(c, "/settings/notifications", c.Tr("Save"),
		row("for_not_following", c.Tr("From people you don't follow"), p.NotFollowing),
		row("for_not_followers", c.Tr("From people who don't follow you"), p.NotFollowers),
		row("for_new_accounts", c.Tr("From accounts less than 30 days old"), p.NewAccounts),
		row("for_private_mentions", c.Tr("Private mentions from people you don't follow"), p.PrivateMentions),
		row("for_bots", c.Tr("From automated accounts (bots)"), p.Bots),
		row("for_limited_accounts", c.Tr("From accounts silenced by moderators"), p.Limited))}
	if p.Requests > 0 {
		part.Text = c.Tr("Currently filtered: %s from %s.", c.Trn(int64(p.Notifications), "%s notification", "%s notifications"), c.Trn(int64(p.Requests), "%s person", "%s people"))
	}
	return &form.Page{Title: c.Tr("Notifications"), Path: "/settings/notifications", Lead: c.Tr("Choose whose notifications you get. Changes apply to new notifications."),
		Form: part.Form, Parts: []form.Section{part}}, nil
}

func (h *Pages) savePolicy(c *page.Context) (string, error) {
	errs := page.FieldErrors{}
	typed := func(name string) linnet.Treatment {
		t := linnet.Treatment(c.Typed(name))
		if t != "" && !linnet.ValidTreatment(t) {
			errs[name] = c.Tr("Choose one of the three options.")
		}
		return t
	}
	change := linnet.PolicyChange{NotFollowing: typed("for_not_following"), NotFollowers: typed("for_not_followers"), NewAccounts: typed("for_new_accounts"),
		PrivateMentions: typed("for_private_mentions"), Limited: typed("for_limited_accounts"), Bots: typed("for_bots")}
	if len(errs) > 0 {
		return "", errs
	}
	_, err := h.Notify.ChangePolicy(c.Request.Context(), c.Me.ID, change)
	return form.Saved("/settings/notifications"), err
}

// chooseTheme stores the reader's theme. Values other than light and dark mean the theme of the
// system.
func (h *Pages) chooseTheme(c *page.Context) error {
	look := c.Me.Appearance
	if look.Theme = c.Typed("theme"); look.Theme != "light" && look.Theme != "dark" {
		look.Theme = ""
	}
	if _, err := h.Social.Profiles.Update(c.Request.Context(), c.Me.ID, linnet.ProfileChange{Appearance: &look}); err != nil {
		return err
	}
	return c.Redirect(c.PreviousPage("/"))
}
