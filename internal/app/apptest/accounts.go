package apptest

import (
	"bytes"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/pquerna/otp/totp"
	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/task"
)

// SignUpFast signs up a user without a password, which is faster.
func (w *World) SignUpFast(login string) (linnet.User, error) {
	u, t, err := w.Store.Accounts.CreateUser(w.Ctx, store.RandomShard(), linnet.User{Login: login}, record.Secret{},
		func(id linnet.ID) (task.Task, error) {
			return task.New(id.Shard(), "settle-user", map[string]linnet.ID{"user": id}, w.Store.Now())
		})
	if t.ID != "" {
		err = errors.Join(err, w.Store.Accounts.FinishSignUp(w.Ctx, u.ID))
	}
	return u, err
}

// Password is the password of all accounts that User creates.
const Password = "correct horse"

// LoginAddr is the address that tests log in from.
var LoginAddr = netip.MustParseAddr("192.0.2.1")

// Confirmed returns the actor of a staff member who has just confirmed the password.
func (w *World) Confirmed(id linnet.ID) linnet.Actor {
	w.Helper()
	w.OK(w.Identity.ConfirmPassword(w.Ctx, identity.OwnSession{User: id, ID: "session"}, Password, LoginAddr))
	return linnet.By(id).In("session")
}

// EnableTwoFactor turns on two-factor login.
func EnableTwoFactor(t *testing.T, w *World, who linnet.ID) {
	t.Helper()
	begun := Must(w.Identity.BeginTwoFactor(w.Ctx, who))(t)
	code := Must(totp.GenerateCode(begun.Secret, w.Store.Now()))(t)
	Must(w.Identity.ConfirmTwoFactor(w.Ctx, identity.OwnSession{User: who}, code, Password, LoginAddr))(t)
}

// SetRegistrations sets the registration mode.
func (w *World) SetRegistrations(r linnet.Registrations) {
	w.Helper()
	Must(w.Settings.ChangeInstance(w.Ctx, linnet.Operator(), linnet.InstanceChange{Registrations: &r}))(w)
}

// Applicant returns a valid request for an account, with a reason.
func Applicant(login string) linnet.SignUp {
	return linnet.SignUp{Login: login, Password: "correct horse", Agreed: true, Reason: "I like birds."}
}

// Guest returns a valid sign-up with an invitation code.
func Guest(login, code string) linnet.SignUp {
	return linnet.SignUp{Login: login, Password: "correct horse", Agreed: true, Invite: code}
}

// Moderate performs a moderation action on an account.
func (w *World) Moderate(by linnet.Actor, on linnet.ID, act linnet.Moderation) error {
	return w.Moderation.Moderate(w.Ctx, by, linnet.Measure{On: on, Act: act, Reason: "because"})
}

// Operate performs an action of the operator on an account.
func (w *World) Operate(login string, m linnet.Measure) error {
	u, err := w.Moderation.AccountNamed(w.Ctx, linnet.Operator(), login)
	if err != nil {
		return err
	}
	m.On = u.ID
	return w.Moderation.Moderate(w.Ctx, linnet.Operator(), m)
}

// GiveRole gives an account a built-in role, as the operator.
func (w *World) GiveRole(login string, r linnet.Role) error {
	return w.Operate(login, linnet.Measure{Act: linnet.GiveRole, Role: r})
}

// OK fails the test at once on an error.
func (w *World) OK(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// CreateRole creates a role as the operator.
func (w *World) CreateRole(name string, may linnet.Permission) linnet.CustomRole {
	w.Helper()
	return Must(w.Moderation.WriteRole(w.Ctx, linnet.Operator(), 0, linnet.RoleChange{Name: &name, Permissions: &may}))(w.T)
}

// Emoji adds a custom emoji.
func (w *World) Emoji(code string) error {
	w.Helper()
	f, err := w.Uploads.Receive(bytes.NewReader(Picture(20, 20)))
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = w.Emojis.Add(w.Ctx, linnet.Operator(), linnet.NewEmoji{Shortcode: code}, f)
	return err
}

// Shortcodes returns the shortcodes of the custom emoji that a text is shown with.
func Shortcodes(p *linnet.Pictured) string {
	var all []string
	for _, e := range p.Of() {
		all = append(all, e.Shortcode)
	}
	return strings.Join(all, " ")
}

// DeleteUser deletes a user, checks that the user and the status are not found, and waits for the
// tasks.
func (w *World) DeleteUser(id, status linnet.ID) {
	w.Helper()
	if err := w.Social.Deletion.DeleteUser(w.Ctx, id); err != nil {
		w.Fatal(err)
	}
	_, err := w.View.User(w.Ctx, 0, id)
	WantKind(w, err, linnet.NotFound)
	_, err = w.View.Status(w.Ctx, 0, status)
	WantKind(w, err, linnet.NotFound)
	WantKind(w, w.Social.Deletion.DeleteUser(w.Ctx, id), linnet.NotFound)
	w.Drain()
	w.Check()
}

// KeysOf returns the keys of records with a user's id.
func KeysOf(w *World, id linnet.ID) (found []string) {
	w.Helper()
	for cursor := ""; ; {
		keys, next, err := w.Store.Engine().Keys(w.Ctx, cursor)
		if err != nil {
			w.Fatal(err)
		}
		for _, k := range keys {
			if k.Kind == "idem" {
				continue // expires within an hour
			}
			if k.ID == id.String() || strings.HasPrefix(k.ID, id.String()+".") {
				found = append(found, k.String())
			}
		}
		if cursor = next; cursor == "" {
			slices.Sort(found)
			return found
		}
	}
}

// SetLanguage sets a user's language.
func (w *World) SetLanguage(who linnet.ID, code string) {
	w.Helper()
	Must(w.Social.Profiles.Update(w.Ctx, who, linnet.ProfileChange{Appearance: &linnet.Appearance{Language: code}}))(w)
}

// StoreDescriptions stores text as the descriptions of a user's pictures, without checking it.
func StoreDescriptions(t testing.TB, st *store.Store, user linnet.ID, text string) {
	t.Helper()
	_, _, ok, err := st.Accounts.UpdateUser(t.Context(), user, func(u *linnet.User) error {
		u.AvatarAlt, u.BannerAlt = text, text
		return nil
	}, nil)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
}
