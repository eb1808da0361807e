package identity_test

import (
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// TestCodeReuseRevokesToken checks that a second use of an authorization code revokes the token of
// the first use.
func TestCodeReuseRevokesToken(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann := w.Person("ann")
		const uri = "https://app.test/"
		app, secret, err := w.Apps.Register(w.Ctx, linnet.AppRequest{Name: "App", RedirectURIs: []string{uri}, Scopes: []string{"read"}})
		w.OK(err)
		other, otherSecret, err := w.Apps.Register(w.Ctx, linnet.AppRequest{Name: "Other", RedirectURIs: []string{uri}, Scopes: []string{"read"}})
		w.OK(err)
		for _, by := range []linnet.CodeExchange{
			{ClientID: app.ClientID, ClientSecret: secret, RedirectURI: uri}, {ClientID: other.ClientID, ClientSecret: otherSecret, RedirectURI: uri},
		} {
			code := apptest.Must(w.Apps.Approve(w.Ctx, ann, linnet.Grant{ClientID: app.ClientID, RedirectURI: uri, Scopes: []string{"read"}}))(w.T)
			first := linnet.CodeExchange{ClientID: app.ClientID, ClientSecret: secret, RedirectURI: uri, Code: code}
			token := apptest.Must(w.Apps.Exchange(w.Ctx, first))(w.T)
			w.OK(apptest.Err(w.Identity.Session(w.Ctx, token.Value)))
			unknown := first
			unknown.ClientSecret = "wrong"
			apptest.WantKind(w, apptest.Err(w.Apps.Exchange(w.Ctx, unknown)), linnet.Unauthenticated)
			w.OK(apptest.Err(w.Identity.Session(w.Ctx, token.Value)))
			by.Code = code
			for range 2 {
				apptest.WantKind(w, apptest.Err(w.Apps.Exchange(w.Ctx, by)), linnet.Invalid)
				apptest.WantKind(w, apptest.Err(w.Identity.Session(w.Ctx, token.Value)), linnet.Unauthenticated)
			}
		}
		w.Check()
	})
}
