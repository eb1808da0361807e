package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"linnet/internal/backend"
	"linnet/internal/exit"
	"linnet/internal/linnet"
)

// instanceInfo is the JSON form of the instance settings.
type instanceInfo struct {
	Title        string `json:"title"`
	Description  string `json:"description"`
	Contact      string `json:"contact"`
	ContactUser  string `json:"contact_user"`
	Open         bool   `json:"open"`
	Private      bool   `json:"private"`
	Trends       bool   `json:"trends"`
	Previews     bool   `json:"link_previews"`
	Register     string `json:"registrations"`
	NewDays      int    `json:"new_account_days"`
	Invites      int    `json:"member_invites"`
	InviteUses   int    `json:"member_invite_uses"`
	InviteDays   int    `json:"member_invite_days"`
	StatusChars  int    `json:"status_characters"`
	AccentLight  string `json:"accent_light"`
	AccentDark   string `json:"accent_dark"`
	ThumbnailAlt string `json:"thumbnail_description"`

	EmailRequired bool     `json:"email_required"`
	StaffSecured  bool     `json:"staff_two_factor"`
	Rules         []string `json:"rules"`
	Privacy       string   `json:"privacy_policy"`
	Users         int64    `json:"users"` // without groups
	Groups        int64    `json:"groups"`
	Statuses      int64    `json:"statuses"`
	Active        int64    `json:"active_month"`
}

func instanceShow(ctx context.Context, c *call, b *backend.Backend) error {
	v, err := b.App.Settings.Instance(ctx)
	if err != nil {
		return fmt.Errorf("cannot read the instance settings: %w", err)
	}
	i := instanceInfo{Title: v.Title, Description: v.Description, Contact: v.Contact, Register: string(v.Registrations),
		Open: v.Registrations == linnet.RegisterOpen, Private: v.Private, Trends: v.Trends, Previews: v.Cards, EmailRequired: v.EmailRequired, StaffSecured: v.StaffSecured, NewDays: v.NewDays, Invites: v.Invites, InviteUses: v.InviteUses, InviteDays: v.InviteDays, StatusChars: v.StatusChars,
		AccentLight: v.Accent.Light, AccentDark: v.Accent.Dark, ThumbnailAlt: v.ThumbnailAlt, Rules: v.Rules, Privacy: v.Privacy,
		Users: v.People, Groups: v.Groups, Statuses: v.Statuses, Active: v.ActiveMonth}
	if v.ContactView != nil {
		i.ContactUser = v.ContactView.Login
	}
	if c.flag("json") {
		return printJSON(c.stdout, i)
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "title\t%s\ndescription\t%s\ncontact\t%s\ncontact-user\t%s\nregistrations\t%s\nprivate\t%t\ntrends\t%t\nlink-previews\t%t\nemail-required\t%t\nstaff-two-factor\t%t\nnew-account-days\t%d\nmember-invites\t%d\nmember-invite-uses\t%d\nmember-invite-days\t%d\nstatus-characters\t%d\naccent-light\t%s\naccent-dark\t%s\nthumbnail-description\t%s\n",
		orDash(i.Title), orDash(i.Description), orDash(i.Contact), orDash(i.ContactUser), i.Register, i.Private, i.Trends, i.Previews, i.EmailRequired, i.StaffSecured, i.NewDays, i.Invites,
		i.InviteUses, i.InviteDays, i.StatusChars, orDash(i.AccentLight), orDash(i.AccentDark), orDash(i.ThumbnailAlt))
	fmt.Fprintf(w, "users\t%d\ngroups\t%d\nactive this month\t%d\nstatuses\t%d\n", i.Users, i.Groups, i.Active, i.Statuses)
	for n, r := range i.Rules {
		fmt.Fprintf(w, "rule %d\t%s\n", n+1, r)
	}
	return w.Flush()
}

// instanceKeys lists the keys of instance set.
var instanceKeys = [...]string{"title", "description", "contact", "contact-user", "registrations", "open", "private", "trends", "link-previews", "email-required", "staff-two-factor", "privacy-policy", "new-account-days", "member-invites", "member-invite-uses", "member-invite-days", "status-characters",
	"accent-light", "accent-dark", "style", "thumbnail-description"}

// shownInstanceKeys returns the keys that the help lists. It leaves out open, a short form of
// registrations.
func shownInstanceKeys() []string {
	return slices.DeleteFunc(slices.Clone(instanceKeys[:]), func(key string) bool { return key == "open" })
}

func instanceSet(ctx context.Context, c *call, b *backend.Backend) error {
	var change linnet.InstanceChange
	for _, pair := range c.args() {
		if err := instancePair(&change, pair); err != nil {
			return err
		}
	}
	return changeInstance(ctx, c, b, change)
}

// textField returns the text of a change that belongs to a key, or nil.
func textField(change *linnet.InstanceChange, key string) **string {
	return map[string]**string{"title": &change.Title, "description": &change.Description, "contact": &change.Contact,
		"contact-user": &change.ContactUser, "privacy-policy": &change.Privacy, "accent-light": &change.AccentLight, "accent-dark": &change.AccentDark, "style": &change.Style, "thumbnail-description": &change.ThumbnailAlt}[key]
}

// switchField returns the switch of a change that belongs to a key, or nil.
func switchField(change *linnet.InstanceChange, key string) **bool {
	return map[string]**bool{"private": &change.Private, "trends": &change.Trends, "link-previews": &change.Cards, "email-required": &change.EmailRequired, "staff-two-factor": &change.StaffSecured}[key]
}

// numberField returns the number of a change that belongs to a key with its explanation, or nil.
func numberField(change *linnet.InstanceChange, key string) (to **int, advice string) {
	switch key {
	case "new-account-days":
		return &change.NewDays, "0 disables the limits for new accounts."
	case "member-invites":
		return &change.Invites, fmt.Sprintf("0 to %d. If it is 0, only staff can invite people.", linnet.MaxMemberInvites)
	case "member-invite-uses":
		return &change.InviteUses, fmt.Sprintf("1 to %d: maximum number of sign-ups with a member's invitation.", linnet.MaxMemberUses)
	case "member-invite-days":
		return &change.InviteDays, fmt.Sprintf("1 to %d: maximum number of days that a member's invitation is valid.", linnet.MaxMemberDays)
	case "status-characters":
		return &change.StatusChars, fmt.Sprintf("%d to %d: maximum length of a post.", linnet.MinStatusChars, linnet.MaxStatusChars)
	}
	return nil, ""
}

// instancePair applies KEY=VALUE to a change.
func instancePair(change *linnet.InstanceChange, pair string) error {
	key, value, ok := strings.Cut(pair, "=")
	if !ok {
		return exit.UsageError(fmt.Sprintf("%q does not have the form KEY=VALUE", pair), "For example: linnet instance set title='Our place'.")
	}
	if text := textField(change, key); text != nil {
		*text = &value
		return nil
	}
	if number, advice := numberField(change, key); number != nil {
		n, err := strconv.Atoi(value)
		if err != nil {
			return exit.UsageError(fmt.Sprintf("%s must be a number, not %q", key, value), advice)
		}
		*number = &n
		return nil
	}
	if sw := switchField(change, key); sw != nil {
		on, err := strconv.ParseBool(value)
		if err != nil {
			return exit.UsageError(fmt.Sprintf("%s must be true or false, not %q", key, value), "")
		}
		*sw = &on
		return nil
	}
	switch key {
	case "open":
		open, err := strconv.ParseBool(value)
		if err != nil {
			return exit.UsageError(fmt.Sprintf("open must be true or false, not %q", value), "")
		}
		r := linnet.RegisterClosed
		if open {
			r = linnet.RegisterOpen
		}
		change.Registrations = &r
	case "registrations":
		r := linnet.Registrations(value)
		if !slices.Contains(linnet.AllRegistrations(), r) {
			return exit.UsageError(fmt.Sprintf("registrations must be one of %s, not %q", joinWords(linnet.AllRegistrations()), value), "")
		}
		change.Registrations = &r
	default:
		return exit.UsageError(fmt.Sprintf("unknown key %q", key),
			exit.DidYouMean(key, instanceKeys[:], "", "Keys are "+strings.Join(instanceKeys[:], ", ")+"."))
	}
	return nil
}

// joinWords joins words with commas.
func joinWords[S ~string](words []S) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = string(w)
	}
	return strings.Join(out, ", ")
}

func ruleAdd(ctx context.Context, c *call, b *backend.Backend) error {
	v, err := b.App.Settings.Instance(ctx)
	if err != nil {
		return fmt.Errorf("cannot read the rules: %w", err)
	}
	rules := append(slices.Clone(v.Rules), c.args()[0])
	return changeInstance(ctx, c, b, linnet.InstanceChange{Rules: &rules})
}

func ruleRemove(ctx context.Context, c *call, b *backend.Backend) error {
	v, err := b.App.Settings.Instance(ctx)
	if err != nil {
		return fmt.Errorf("cannot read the rules: %w", err)
	}
	n, err := strconv.Atoi(c.args()[0])
	if err != nil || n < 1 || n > len(v.Rules) {
		return &exit.Error{Code: exit.NotFound, What: fmt.Sprintf("there is no rule %s", c.args()[0]), Advice: "See linnet instance show."}
	}
	rules := slices.Delete(slices.Clone(v.Rules), n-1, n)
	return changeInstance(ctx, c, b, linnet.InstanceChange{Rules: &rules})
}

// renameFields renames the fields of an error to keys of instance set.
func renameFields(err error) error {
	var e *linnet.Error
	if !errors.As(err, &e) {
		return err
	}
	named := *e
	named.Fields = slices.Clone(e.Fields)
	for i, f := range named.Fields {
		named.Fields[i].Name = strings.ReplaceAll(f.Name, "_", "-")
		if f.Name == "staff_secured" {
			named.Fields[i].Name = "staff-two-factor"
		}
	}
	return &named
}

func changeInstance(ctx context.Context, c *call, b *backend.Backend, change linnet.InstanceChange) error {
	if _, err := b.App.Settings.ChangeInstance(ctx, linnet.Operator(), change); err != nil {
		return refused("cannot change the instance settings", renameFields(err))
	}
	return instanceShow(ctx, c, b)
}
