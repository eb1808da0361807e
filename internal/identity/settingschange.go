package identity

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/wording"
)

// ChangeInstance changes the settings and adds the old and new values to the audit log. by must be
// allowed to change settings.
func (s *Settings) ChangeInstance(ctx context.Context, by linnet.Actor, c linnet.InstanceChange) (linnet.Instance, error) {
	if err := s.core.Authorize(ctx, by, c.Needs()); err != nil {
		return linnet.Instance{}, err
	}
	stored, err := s.instance(ctx)
	if err != nil {
		return linnet.Instance{}, err
	}
	c = cleanInstance(c)
	if err := checkInstance(c, stored.Contact); err != nil {
		return linnet.Instance{}, err
	}
	if err := s.maySecureStaff(ctx, by, c); err != nil {
		return linnet.Instance{}, err
	}
	logged := ""
	in, err := s.updateInstance(ctx, func(in *linnet.Instance) ([]kv.Op, error) {
		before, err := s.described(ctx, *in, nil)
		if err != nil {
			return nil, err
		}
		ops, err := s.applyChange(ctx, in, c)
		if err != nil {
			return nil, err
		}
		after, err := s.described(ctx, *in, c.Style)
		if err != nil {
			return nil, err
		}
		detail := string(core.Changes(before, after))
		if detail == "" || detail == logged {
			return ops, nil
		}
		logged = detail
		return ops, s.core.LogAct(ctx, by, core.ActSettings, 0, detail, "")
	})
	return in, core.StoreError(err)
}

// maySecureStaff returns an error if by requires a second factor of staff without having one,
// because by would lose their permissions.
func (s *Settings) maySecureStaff(ctx context.Context, by linnet.Actor, c linnet.InstanceChange) error {
	if c.StaffSecured == nil || !*c.StaffSecured || by.IsOperator() {
		return nil
	}
	ok, err := s.st.Sessions.Secured(ctx, by.ID())
	if err == nil && !ok {
		err = linnet.FieldError("staff_secured", "ERR_INVALID", "can be turned on only after you set up two-factor authentication or a passkey for yourself")
	}
	return core.StoreError(err)
}

// applyChange applies a checked change of the settings and returns its operations.
func (s *Settings) applyChange(ctx context.Context, in *linnet.Instance, c linnet.InstanceChange) (ops []kv.Op, err error) {
	core.Set(&in.Title, c.Title)
	core.Set(&in.Description, c.Description)
	core.Set(&in.Contact, c.Contact)
	core.Set(&in.Rules, c.Rules)
	core.Set(&in.Private, c.Private)
	core.Set(&in.Trends, c.Trends)
	core.Set(&in.Cards, c.Cards)
	core.Set(&in.Registrations, c.Registrations)
	core.Set(&in.EmailRequired, c.EmailRequired)
	core.Set(&in.StaffSecured, c.StaffSecured)
	core.Set(&in.NewDays, c.NewDays)
	core.Set(&in.Invites, c.Invites)
	core.Set(&in.InviteUses, c.InviteUses)
	core.Set(&in.InviteDays, c.InviteDays)
	core.Set(&in.StatusChars, c.StatusChars)
	core.Set(&in.ThumbnailAlt, c.ThumbnailAlt)
	if c.Privacy != nil && *c.Privacy != in.Privacy {
		in.Privacy, in.PrivacyAt = *c.Privacy, s.st.Now().UTC().Truncate(time.Second)
	}
	if c.AccentLight != nil || c.AccentDark != nil {
		light, dark := in.Accent.Light, in.Accent.Dark
		core.Set(&light, c.AccentLight)
		core.Set(&dark, c.AccentDark)
		if in.Accent, err = linnet.CheckAccent(light, dark); err != nil {
			return nil, err
		}
	}
	if c.Questions != nil {
		if in.Questions, err = parseQuestions(*c.Questions); err != nil {
			return nil, err
		}
	}
	if c.Style != nil {
		in.Style = ""
		if *c.Style != "" {
			sum := sha256.Sum256([]byte(*c.Style))
			in.Style = hex.EncodeToString(sum[:8])
		}
		ops = s.st.Instance.StyleOps(*in, *c.Style)
	}
	if c.ContactUser == nil {
		return ops, nil
	}
	if in.ContactUser = 0; *c.ContactUser == "" {
		return ops, nil
	}
	u, err := s.view.UserByLogin(ctx, 0, *c.ContactUser)
	if linnet.KindOf(err) == linnet.NotFound {
		return nil, linnet.FieldError("contact_user", "ERR_INVALID", "is %q, but there's no such account", *c.ContactUser)
	}
	in.ContactUser = u.ID
	return ops, err
}

// described returns the settings as parts of text for the audit log. A nil style means the stored
// style sheet.
func (s *Settings) described(ctx context.Context, in linnet.Instance, style *string) (parts []core.Part, err error) {
	contact := ""
	if in.ContactUser != 0 {
		u, err := s.core.LookupUser(ctx, in.ContactUser)
		if err != nil {
			return nil, err
		}
		if u != nil {
			contact = u.Login
		}
	}
	if style == nil {
		stored, err := s.core.Style(ctx)
		if err != nil {
			return nil, err
		}
		style = &stored
	}
	return []core.Part{core.PartOf(wording.Messagef("Name"), in.Title), core.PartOf(wording.Messagef("Description"), in.Description), core.PartOf(wording.Messagef("Contact e-mail address"), in.Contact), core.PartOf(wording.Messagef("Description of the banner"), in.ThumbnailAlt),
		core.PartOf(wording.Messagef("Contact account"), contact), core.PartOf(wording.Messagef("Rules"), strings.Join(in.Rules, "\n")), core.PartOf(wording.Messagef("Privacy policy"), in.Privacy),
		core.PartOf(wording.Messagef("Private"), in.Private), core.PartOf(wording.Messagef("Trends"), in.Trends), core.PartOf(wording.Messagef("Link previews"), in.Cards),
		core.PartOf(wording.Messagef("Who can sign up"), whoSignsUp(in.Registrations)), core.PartOf(wording.Messagef("Sign-up questions"), linnet.SignUpQuestionLines(in.Questions)),
		core.PartOf(wording.Messagef("New accounts need an e-mail address"), in.EmailRequired), core.PartOf(wording.Messagef("Staff need two-factor authentication or a passkey"), in.StaffSecured),
		core.PartOf(wording.Messagef("Number of days that new accounts have stricter limits"), strconv.Itoa(in.NewDays)),
		core.PartOf(wording.Messagef("Open invitations per member"), strconv.Itoa(in.Invites)),
		core.PartOf(wording.Messagef("Maximum uses of a member's invitation"), strconv.Itoa(in.InviteUses)),
		core.PartOf(wording.Messagef("Maximum days before a member's invitation expires"), strconv.Itoa(in.InviteDays)),
		core.PartOf(wording.Messagef("Maximum characters per post"), strconv.Itoa(in.StatusChars)),
		core.PartOf(wording.Messagef("Accent colour (light theme)"), in.Accent.Light), core.PartOf(wording.Messagef("Accent colour (dark theme)"), in.Accent.Dark),
		core.PartOf(wording.Messagef("Custom CSS"), *style)}, nil
}

// whoSignsUp returns the text for a sign-up mode, as in the settings.
func whoSignsUp(r linnet.Registrations) wording.Message {
	switch r {
	case linnet.RegisterOpen:
		return wording.Messagef("Anyone")
	case linnet.RegisterApproval:
		return wording.Messagef("Anyone, after approval by a moderator")
	case linnet.RegisterInvite:
		return wording.Messagef("Only people with an invitation")
	}
	return wording.Messagef("No one")
}
