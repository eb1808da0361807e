package app_test

import (
	"testing"

	"linnet/internal/linnet"
)

// TestCodeReuseRevokesToken checks that a second use of an authorization code revokes the token of
// the first use.
func TestCodeReuseRevokesToken(t *testing.T) {
	onEngines(t, func(w *world) {
		ann := w.person("ann")
		const uri = "https://app.test/"
		app, secret, err := w.Apps.Register(w.ctx, linnet.AppRequest{Name: "App", RedirectURIs: []string{uri}, Scopes: []string{"read"}})
		w.did(err)
		other, otherSecret, err := w.Apps.Register(w.ctx, linnet.AppRequest{Name: "Other", RedirectURIs: []string{uri}, Scopes: []string{"read"}})
		w.did(err)
		for _, by := range []linnet.CodeExchange{
			{ClientID: app.ClientID, ClientSecret: secret, RedirectURI: uri}, {ClientID: other.ClientID, ClientSecret: otherSecret, RedirectURI: uri},
		} {
			code := must(w.Apps.Approve(w.ctx, ann, linnet.Grant{ClientID: app.ClientID, RedirectURI: uri, Scopes: []string{"read"}}))(w.T)
			first := linnet.CodeExchange{ClientID: app.ClientID, ClientSecret: secret, RedirectURI: uri, Code: code}
			token := must(w.Apps.Exchange(w.ctx, first))(w.T)
			w.did(second(w.Identity.Session(w.ctx, token.Value)))
			unknown := first
			unknown.ClientSecret = "wrong"
			kindIs(w, second(w.Apps.Exchange(w.ctx, unknown)), linnet.Unauthenticated)
			w.did(second(w.Identity.Session(w.ctx, token.Value)))
			by.Code = code
			for range 2 {
				kindIs(w, second(w.Apps.Exchange(w.ctx, by)), linnet.Invalid)
				kindIs(w, second(w.Identity.Session(w.ctx, token.Value)), linnet.Unauthenticated)
			}
		}
		w.check()
	})
}
