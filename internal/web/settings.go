package web

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/media"
	"linnet/internal/uploads"
)

// The pages on which people say how things are to be for them.

func settingsRoutes() []route {
	return []route{
		{pattern: "/theme", post: own((*call).chooseTheme)},
		{pattern: settingsRoot, get: own((*call).settingsList)},
		{pattern: "/settings/{$}", get: own(func(c *call) error { return c.seeOther(settingsRoot) })},
		{pattern: "/settings/profile", get: own((*call).profileSettings), post: own((*call).changeProfile)},
		{pattern: tagsPath, get: own((*call).featuredTags), post: own((*call).changeFeatured)},
		{pattern: "/settings/appearance", get: own((*call).appearance), post: own((*call).changeAppearance)},
		{pattern: "/settings/notifications", get: own((*call).policy), post: own((*call).changePolicy)},
		{pattern: "/settings/filters", get: own((*call).filters)},
		{pattern: "/settings/filters/new", get: own((*call).newFilter), post: own((*call).createFilter)},
		{pattern: "/settings/filters/{id}", get: own((*call).editFilter), post: own((*call).changeFilter)},
		{pattern: "/settings/filters/{id}/delete", post: own((*call).deleteFilter)},
		{pattern: followedTagsPath, get: own((*call).followedTags), post: own((*call).changeFollowedTags)},
		{pattern: "/settings/lists", get: own((*call).shownLists), post: own((*call).changeShownLists)},
		{pattern: "/settings/mutes", get: own((*call).mutes), post: own((*call).endMute)},
		{pattern: "/settings/blocks", get: own((*call).blocks), post: own((*call).endBlock)},
		{pattern: "/settings/apps", get: own((*call).apps), post: own((*call).endApp)},
	}
}

// showSettings answers with a page of settings; here is the path of its section.
func (c *call) showSettings(code int, title, here string, d formPage) error {
	if d.Done == "" && c.r.URL.Query().Get("done") != "" {
		d.Done = c.tr("Saved.")
	}
	return c.showSettingsBody(code, title, here, formPageView(d))
}

// showSettingsBody is like showSettings, for a page with another component.
func (c *call) showSettingsBody(code int, title, here string, section templ.Component) error {
	p, err := c.settingsPlacesFor(here)
	if err != nil {
		return err
	}
	return c.showPlace(code, p, title, here, section)
}

// saved redirects to a page with the confirmation that a form was saved.
func (c *call) saved(path string) error { return c.seeOther(doneMark(path, "saved")) }

var pictureHint = locale.Mark("Cropped to a square. JPEG, PNG, GIF or WebP, at most 16 MB.")

// profileForm is the form of a profile, in sections.
func (c *call) profileForm() *form {
	f := c.form("/settings/profile", c.tr("Save"))
	f.Fields = slices.Concat(c.lookFields(), c.lineFields(), c.findFields(), c.postingFields())
	return f
}

// lookFields returns the fields of the pictures and the name.
func (c *call) lookFields() []field {
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
		field{Kind: lineField, Name: "display_name", Label: c.tr("Display name"), Value: u.Name, Hint: c.atMostCharacters(linnet.MaxDisplayName)},
		field{Kind: areaField, Name: "note", Label: c.tr("Bio"), Value: u.Note, Rows: 5, Hint: c.atMostCharacters(linnet.MaxNote)},
		field{Kind: checkField, Name: "bot", Label: c.tr("Automated account (bot)"), On: u.Bot})
}

// atMostCharacters returns the text about a maximum length.
func (c *call) atMostCharacters(most int64) string {
	return c.trn(most, "At most %s character.", "At most %s characters.")
}

// lineFields returns the fields of the profile's table.
func (c *call) lineFields() []field {
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
func (c *call) findFields() []field {
	u := c.me
	return []field{{Kind: headField, Name: "find", Label: c.tr("Privacy and reach")},
		{Kind: checkField, Name: "locked", Label: c.tr("Approve follow requests"), On: u.Locked, Hint: c.tr("You approve each new follower. Turning this off accepts all pending requests.")},
		{Kind: checkField, Name: "discoverable", Label: c.tr("Suggest your account to others"), On: u.Discoverable},
		{Kind: checkField, Name: "indexable", Label: c.tr("Include your public posts in search results"), On: u.Indexable, Hint: c.tr("Everyone on this server can then find your posts by their words. Search engines can list your posts and profile.")},
		{Kind: checkField, Name: "feeds", Label: c.tr("RSS, Atom and JSON feeds of your public posts"), On: !u.NoFeeds, Hint: c.tr("Turn this off to remove your feeds.")},
		{Kind: checkField, Name: "hide_network", Label: c.tr("Hide who you follow and who follows you"), On: u.HideNetwork}}
}

// postingFields say how posts begin.
func (c *call) postingFields() []field {
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
func (c *call) verification() (s formSection) {
	for _, f := range c.me.Fields {
		switch {
		case !f.Verified.IsZero():
			s.Facts = append(s.Facts, fact{f.Value, textCell(verifiedSays(c.forReader(c.r.Context()), f.Verified))})
		case c.svc.Core.Cards() && strings.HasPrefix(f.Value, "https://"):
			s.Facts = append(s.Facts, fact{f.Value, textCell(c.tr("Not verified"))})
		}
	}
	if !c.svc.Core.Cards() && len(s.Facts) == 0 {
		return s
	}
	s.ID, s.Title = "verification", c.tr("Verified links")
	s.Text = c.tr("Links in your profile fields are shown as verified if the page links back to your profile. Add this line to your page, which must use https, then save your profile. The text between the tags can be anything.")
	s.Code = `<a rel="me" href="` + c.me.URL + `">@` + c.me.Login + "@" + c.me.Host + `</a>`
	return s
}

// verifiedSays returns the text of the verification mark.
func verifiedSays(ctx context.Context, at time.Time) string {
	return tr(ctx, "Ownership of this link was checked on %s", full(ctx, at))
}

func (c *call) showProfileSettings(f *form) error {
	parts := []formSection{{Form: f, Links: []navLink{{Path: "/@" + c.me.Login, Text: c.tr("View profile")}}}}
	if v := c.verification(); v.ID != "" {
		parts = append(parts, v)
	}
	return c.showSettings(f.code(), c.tr("Profile"), "/settings/profile", formPage{Parts: parts})
}

func (c *call) profileSettings() error { return c.showProfileSettings(c.profileForm()) }

func (c *call) changeProfile() error {
	f, name, note, language := c.profileForm(), c.typed("display_name"), c.r.PostForm.Get("note"), c.typed("language")
	noFeeds := c.r.PostForm.Get("feeds") == ""
	change := linnet.ProfileChange{Name: &name, Note: &note, Fields: c.typedLines(), Bot: c.ticked("bot"), Discoverable: c.ticked("discoverable"),
		Indexable: c.ticked("indexable"), HideNetwork: c.ticked("hide_network"), Locked: c.ticked("locked"), NoFeeds: &noFeeds,
		Sensitive: c.ticked("sensitive"), AskAlt: c.ticked("ask_alt"), Language: &language}
	if v, ok := linnet.ParseVisibility(c.typed("visibility")); ok {
		change.Visibility = &v
	}
	domains := strings.Fields(c.r.PostForm.Get("attribution"))
	change.Attribution = &domains
	if p, ok := linnet.ParseQuotePolicy(c.typed("quoters")); ok {
		change.QuotePolicy = &p
	}
	_, err := c.svc.Social.UpdateProfile(c.r.Context(), c.me.ID, change)
	if err == nil {
		err = c.changePictures(profilePictures(), func(shape media.Shape, f *uploads.File) error {
			return c.svc.Social.SetPicture(c.r.Context(), c.me.ID, shape, f)
		})
	}
	if err != nil {
		if f.refused(err, map[string]formField{"fields_attributes": {"value1", c.tr("The fields")}, "attribution_domains": {"attribution", c.tr("The list of websites")}}) {
			return c.showProfileSettings(f)
		}
		return err
	}
	return c.saved("/settings/profile")
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
func (c *call) changePictures(inputs []pictureInput, set func(media.Shape, *uploads.File) error) error {
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
func (c *call) typedLines() *[]linnet.ProfileField {
	lines := []linnet.ProfileField{}
	for i := range linnet.MaxProfileFields {
		n := strconv.Itoa(i + 1)
		if l := (linnet.ProfileField{Name: c.typed("name" + n), Value: c.typed("value" + n)}); l.Name != "" || l.Value != "" {
			lines = append(lines, l)
		}
	}
	return &lines
}

func (c *call) appearanceForm() *form {
	l := c.me.Appearance
	languages := []string{"", c.tr("Same as browser")}
	for _, k := range locale.Languages() {
		languages = append(languages, k.Code, k.Name)
	}
	return c.form("/settings/appearance", c.tr("Save"),
		field{Kind: selectField, Name: "language", Label: c.tr("Language"), Choices: pick(l.Language, languages...)},
		field{Kind: selectField, Name: "theme", Label: c.tr("Theme"), Choices: pick(l.Theme, "", c.tr("Same as system"), "light", c.tr("Light"), "dark", c.tr("Dark"))},
		field{Kind: checkField, Name: "dense", Label: c.tr("Compact layout"), On: l.Dense},
		field{Kind: checkField, Name: "still", Label: c.tr("Reduce motion"), On: l.Still, Hint: c.tr("Motion is always reduced if your system asks for it.")},
		field{Kind: lineField, Name: "zone", Label: c.tr("Time zone"), Value: l.Zone,
			Hint: c.tr("A name such as Europe/Berlin. Leave empty to use your browser's time zone, or UTC without JavaScript. Times are currently shown in %s.", c.zone())})
}

func (c *call) showAppearance(f *form) error {
	return c.showSettings(f.code(), c.tr("Appearance"), "/settings/appearance", formPage{Lead: c.tr("Applies in every browser where you're logged in."), Parts: []formSection{{Form: f}}})
}

func (c *call) appearance() error { return c.showAppearance(c.appearanceForm()) }

func (c *call) changeAppearance() error {
	look := c.me.Appearance
	look.Theme, look.Dense, look.Still = c.typed("theme"), *c.ticked("dense"), *c.ticked("still")
	look.Zone, look.Language = c.typed("zone"), c.typed("language")
	_, err := c.svc.Social.UpdateProfile(c.r.Context(), c.me.ID, linnet.ProfileChange{Appearance: &look})
	if err != nil {
		if f := c.appearanceForm(); f.refused(err, nil) {
			return c.showAppearance(f)
		}
		return err
	}
	return c.saved("/settings/appearance")
}

func (c *call) policyForm(p linnet.NotificationPolicy) *form {
	row := func(name, label string, now linnet.Treatment) field {
		return field{Kind: selectField, Name: name, Label: label, Choices: pick(string(now),
			string(linnet.Accept), c.tr("Show"), string(linnet.Hold), c.tr("Filter"), string(linnet.Drop), c.tr("Ignore"))}
	}
	return c.form("/settings/notifications", c.tr("Save"),
		row("for_not_following", c.tr("From people you don't follow"), p.NotFollowing),
		row("for_not_followers", c.tr("From people who don't follow you"), p.NotFollowers),
		row("for_new_accounts", c.tr("From accounts less than 30 days old"), p.NewAccounts),
		row("for_private_mentions", c.tr("Private mentions from people you don't follow"), p.PrivateMentions),
		row("for_limited_accounts", c.tr("From accounts silenced by moderators"), p.Limited))
}

func (c *call) showPolicy(f *form, p linnet.PolicyView) error {
	part := formSection{Form: f}
	if p.Requests > 0 {
		part.Text = c.tr("Currently filtered: %s from %s.", c.trn(int64(p.Notifications), "%s notification", "%s notifications"), c.trn(int64(p.Requests), "%s person", "%s people"))
	}
	return c.showSettings(f.code(), c.tr("Notifications"), "/settings/notifications", formPage{
		Lead: c.tr("Choose whose notifications you get. Changes apply to new notifications."), Parts: []formSection{part}})
}

func (c *call) policy() error {
	p, err := c.svc.Notify.NotificationPolicy(c.r.Context(), c.me.ID)
	if err != nil {
		return err
	}
	return c.showPolicy(c.policyForm(p.NotificationPolicy), p)
}

func (c *call) changePolicy() error {
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
		p, err := c.svc.Notify.NotificationPolicy(c.r.Context(), c.me.ID)
		if err != nil {
			return err
		}
		f := c.policyForm(p.NotificationPolicy)
		f.refill(c.r.PostForm, errs)
		return c.showPolicy(f, p)
	}
	if _, err := c.svc.Notify.ChangePolicy(c.r.Context(), c.me.ID, change); err != nil {
		return err
	}
	return c.saved("/settings/notifications")
}
