package instance

import (
	"time"

	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// blockWord returns the kind of a rule in words.
func blockWord(c *page.Context, kind linnet.BlockKind) string {
	switch kind {
	case linnet.BlockAddress:
		return c.Tr("address")
	case linnet.BlockEmail:
		return c.Tr("e-mail")
	case linnet.BlockCanonical:
		return c.Tr("e-mail address (hash)")
	case linnet.BlockName:
		return c.Tr("name")
	}
	return string(kind)
}

// signUpBlocks is the page of the rules against sign-ups.
func (h *Pages) signUpBlocks(c *page.Context) (*form.Page, error) {
	all, err := h.Moderation.SignUpBlocks.List(c.Request.Context(), c.Actor())
	if err != nil {
		return nil, err
	}
	t := &form.Table{Caption: c.Tr("Sign-up rules"), Head: []string{c.Tr("Type"), c.Tr("Value"), c.Tr("Action"), c.Tr("Note"), c.Tr("Expires"), ""}, Empty: c.Tr("No sign-up rules yet.")}
	for _, b := range all {
		does, until := c.Tr("blocked"), form.TextCell(c.Tr("never"))
		if b.Ask {
			does = c.Tr("requires approval")
		}
		if !b.Expires.IsZero() {
			until = form.TimeCell(b.Expires)
		}
		t.Rows = append(t.Rows, []form.Cell{form.TextCell(blockWord(c, b.Kind)), form.TextCell(b.Value), form.TextCell(does), form.TextCell(b.Note), until,
			{Forms: []*form.Form{form.Button(c, paths.AdminSignUpBlocks+"/remove", c.Tr("Remove"), c.Tr("Remove the rule for %s", b.Value), "id", b.ID.String())}}})
	}
	f := form.New(c, paths.AdminSignUpBlocks, c.Tr("Add"),
		form.Field{Kind: form.SelectField, Name: "kind", Label: c.Tr("Rule type"), Choices: form.Options(string(linnet.BlockAddress), string(linnet.BlockAddress), c.Tr("IP address or network"),
			string(linnet.BlockEmail), c.Tr("E-mail address or domain"), string(linnet.BlockName), c.Tr("Username"))},
		form.Field{Kind: form.LineField, Name: "value", Label: c.Tr("Address, domain or word"), Required: true,
			Hint: c.Tr("A network such as 192.0.2.0/24 or 2001:db8::/32; a domain such as mail.example, including its subdomains; or a word that usernames can't contain. To match whole usernames, use a pattern with * and ?, such as free*.")},
		form.Field{Kind: form.SelectField, Name: "ask", Label: c.Tr("Action"), Choices: form.Options("", "", c.Tr("Block sign-up"), "1", c.Tr("Require approval"))},
		form.Field{Kind: form.SelectField, Name: "expires", Label: c.Tr("Expires after"), Choices: form.Options("0", "24", c.Tr("1 day"), "168", c.Tr("7 days"), "720", c.Tr("30 days"), "8760", c.Tr("1 year"), "0", c.Tr("Never"))},
		form.Field{Kind: form.LineField, Name: "note", Label: c.Tr("Note"), Hint: c.Tr("Only staff who manage sign-up blocks can see the note. At most %d characters.", linnet.MaxSignUpBlockNote)})
	return &form.Page{Title: c.Tr("Sign-up blocks"), Path: paths.AdminSignUpBlocks, Form: f,
		Lead:  c.Tr("Sign-up rules apply to all new sign-ups, even with an invitation. Existing accounts are only affected if they change their e-mail address."),
		Parts: []form.Section{{Title: c.Tr("Rules"), Table: t}, {Title: c.Tr("New rule"), Form: f}}}, nil
}

func (h *Pages) addSignUpBlock(c *page.Context) (string, error) {
	hours := form.Number(c, "expires", page.FieldErrors{}) // invalid values mean never, like 0
	_, err := h.Moderation.SignUpBlocks.Add(c.Request.Context(), c.Actor(), linnet.SignUpBlock{Kind: linnet.BlockKind(c.Typed("kind")), Value: c.Typed("value"), Ask: *form.Checked(c, "ask"), Note: c.Typed("note")},
		time.Duration(min(hours, 1e5))*time.Hour)
	return form.Saved(paths.AdminSignUpBlocks), err
}

func (h *Pages) removeSignUpBlock(c *page.Context) (string, error) {
	id, ok := linnet.ParseID(c.Typed("id"))
	if !ok {
		return "", page.NotFound()
	}
	return form.Saved(paths.AdminSignUpBlocks), h.Moderation.SignUpBlocks.Remove(c.Request.Context(), c.Actor(), id)
}
