package web

import (
	"time"

	"linnet/internal/linnet"
	"linnet/internal/web/paths"
)

// Rules against sign-ups, for administrators.

func (h *instancePages) signUpBlockRoutes() []route {
	return []route{
		{pattern: paths.AdminSignUpBlocks, get: allowed(linnet.ManageBlocks, h.signUpBlocks), post: allowed(linnet.ManageBlocks, h.addSignUpBlock)},
		{pattern: paths.AdminSignUpBlocks + "/remove", post: allowed(linnet.ManageBlocks, h.removeSignUpBlock)},
	}
}

func signUpBlockForm(c *call) *form {
	return startForm(c, paths.AdminSignUpBlocks, c.tr("Add"),
		field{Kind: selectField, Name: "kind", Label: c.tr("Rule type"), Choices: pick(string(linnet.BlockAddress), string(linnet.BlockAddress), c.tr("IP address or network"),
			string(linnet.BlockEmail), c.tr("E-mail address or domain"), string(linnet.BlockName), c.tr("Username"))},
		field{Kind: lineField, Name: "value", Label: c.tr("Address, domain or word"), Required: true,
			Hint: c.tr("A network such as 192.0.2.0/24 or 2001:db8::/32; a domain such as mail.example, including its subdomains; or a word that usernames can't contain. For a pattern of the whole username, use * and ?, for example free*.")},
		field{Kind: selectField, Name: "ask", Label: c.tr("Action"), Choices: pick("", "", c.tr("Block sign-up"), "1", c.tr("Require approval"))},
		field{Kind: selectField, Name: "expires", Label: c.tr("Expires after"), Choices: pick("0", "24", c.tr("1 day"), "168", c.tr("7 days"), "720", c.tr("30 days"), "8760", c.tr("1 year"), "0", c.tr("Never"))},
		field{Kind: lineField, Name: "note", Label: c.tr("Note"), Hint: c.tr("Only administrators can see it. At most %d characters.", linnet.MaxSignUpBlockNote)})
}

// blockWord says what a rule against sign-ups is about.
func blockWord(c *call, kind linnet.BlockKind) string {
	switch kind {
	case linnet.BlockAddress:
		return c.tr("address")
	case linnet.BlockEmail:
		return c.tr("e-mail")
	case linnet.BlockCanonical:
		return c.tr("e-mail address (hash)")
	case linnet.BlockName:
		return c.tr("name")
	}
	return string(kind)
}

func (h *instancePages) signUpBlocks(c *call) error { return h.showSignUpBlocks(c, signUpBlockForm(c)) }

func (h *instancePages) showSignUpBlocks(c *call, f *form) error {
	all, err := h.moderation.SignUpBlocks(c.r.Context(), c.by())
	if err != nil {
		return err
	}
	t := &table{Caption: c.tr("Sign-up rules"), Head: []string{c.tr("Type"), c.tr("Value"), c.tr("Action"), c.tr("Note"), c.tr("Expires"), ""}, Empty: c.tr("No rules yet.")}
	for _, b := range all {
		does, until := c.tr("blocked"), textCell(c.tr("never"))
		if b.Ask {
			does = c.tr("requires approval")
		}
		if !b.Expires.IsZero() {
			until = timeCell(b.Expires)
		}
		t.Rows = append(t.Rows, []cell{textCell(blockWord(c, b.Kind)), textCell(b.Value), textCell(does), textCell(b.Note), until,
			{Forms: []*form{button(c, paths.AdminSignUpBlocks+"/remove", c.tr("Remove"), c.tr("Remove the rule for %s", b.Value), "id", b.ID.String())}}})
	}
	return showAdmin(c, f.code(), c.tr("Sign-up blocks"), paths.AdminSignUpBlocks, formPage{
		Lead:  c.tr("These rules apply to all new sign-ups, also with an invitation. Existing accounts are not affected."),
		Parts: []formSection{{Title: c.tr("Rules"), Table: t}, {Title: c.tr("New rule"), Form: f}}})
}

func (h *instancePages) addSignUpBlock(c *call) error {
	f, errs := signUpBlockForm(c), fieldErrors{}
	hours := numberTyped(c, "expires", errs)
	_, err := h.moderation.AddSignUpBlock(c.r.Context(), c.by(), linnet.SignUpBlock{Kind: linnet.BlockKind(c.typed("kind")), Value: c.typed("value"), Ask: *ticked(c, "ask"), Note: c.typed("note")},
		time.Duration(min(hours, 1e5))*time.Hour)
	if err == nil {
		return saved(c, paths.AdminSignUpBlocks)
	}
	if f.refused(err, nil) {
		return h.showSignUpBlocks(c, f)
	}
	return err
}

func (h *instancePages) removeSignUpBlock(c *call) error {
	id, ok := linnet.ParseID(c.typed("id"))
	if !ok {
		return errNowhere()
	}
	if err := h.moderation.RemoveSignUpBlock(c.r.Context(), c.by(), id); err != nil {
		return err
	}
	return saved(c, paths.AdminSignUpBlocks)
}
