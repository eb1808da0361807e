package identity_test

import (
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/store/sessions"
)

// TestUnusedAppsGo checks that an app without a token is deleted after a week. An app that has
// received a token stays.
func TestUnusedAppsGo(t *testing.T) {
	clock := &apptest.Clock{}
	w := apptest.Idle(t, memkv.New(memkv.Options{Now: clock.Now}), store.Options{Now: clock.Now})
	ann := w.Person("ann")
	grant := func(app linnet.App) linnet.Grant {
		return linnet.Grant{ClientID: app.ClientID, RedirectURI: "https://a.test/", Scopes: []string{"read"}}
	}
	uses := map[string]struct {
		stays bool
		use   func(app linnet.App, secret string) error
	}{
		"never used": {false, func(linnet.App, string) error { return nil }},
		"approved, code not exchanged": {false, func(app linnet.App, _ string) error {
			_, err := w.Apps.Approve(w.Ctx, ann, grant(app))
			return err
		}},
		"code exchanged": {true, func(app linnet.App, secret string) error {
			code, err := w.Apps.Approve(w.Ctx, ann, grant(app))
			if err != nil {
				return err
			}
			_, err = w.Apps.Exchange(w.Ctx, linnet.CodeExchange{ClientID: app.ClientID, ClientSecret: secret, Code: code, RedirectURI: "https://a.test/"})
			return err
		}},
		"token of its own": {true, func(app linnet.App, secret string) error {
			_, err := w.Apps.ClientToken(w.Ctx, app.ClientID, secret, nil)
			return err
		}},
		"somebody signed up": {true, func(app linnet.App, _ string) error {
			for range 2 {
				if _, err := w.Apps.UserToken(w.Ctx, ann, app.ID, []string{"read"}); err != nil {
					return err
				}
			}
			return nil
		}},
	}
	apps := map[string]linnet.App{}
	for name, u := range uses {
		app, secret, err := w.Apps.Register(w.Ctx, linnet.AppRequest{Name: "T", RedirectURIs: []string{"https://a.test/"}, Scopes: []string{"read"}})
		if err == nil {
			err = u.use(app, secret)
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		apps[name] = app
	}
	for _, after := range []time.Duration{sessions.UnusedAppTTL - time.Minute, 2 * time.Minute, 1000 * time.Hour} {
		clock.Advance(after)
		for name, u := range uses {
			_, err := w.Apps.App(w.Ctx, apps[name].ClientID)
			if there := err == nil; there != (u.stays || after == sessions.UnusedAppTTL-time.Minute) {
				t.Errorf("%s, %v later: %v", name, after, err)
			}
			if err != nil {
				apptest.WantKind(t, err, linnet.Unauthenticated)
			}
		}
	}
}
