package mastodon_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"net/netip"
	"strings"

	"linnet/internal/linnet"
)

const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

// approve returns a function that approves the app as ann, like the consent page, and stores the
// code.
func approve(redirect, scopes string, pkce bool) func(w *world) {
	return func(w *world) {
		w.t.Helper()
		g := linnet.Grant{ClientID: w.vars["client_id"], RedirectURI: redirect, Scopes: strings.Fields(scopes)}
		if pkce {
			sum := sha256.Sum256([]byte(verifier))
			g.Challenge = base64.RawURLEncoding.EncodeToString(sum[:])
		}
		code, err := w.svc.Apps.Approve(context.Background(), w.ids["ann"], g)
		if err != nil {
			w.t.Fatal(err)
		}
		w.vars["code"] = code
	}
}

func oauthScenarios() []scenario {
	const cb = "https://app.test/cb"
	const client = "&client_id={client_id}&client_secret={client_secret}"
	const exchange = "grant_type=authorization_code&code={code}" + client
	invalidClient := []string{"error=invalid_client", "error_description~Client authentication failed"}
	return []scenario{
		{name: "register an app", steps: []step{
			{do: "POST /api/v1/apps", body: "client_name=Phanpy&redirect_uris=https://phanpy.test/&scopes=read+write+follow+push&website=https://phanpy.test",
				want: []string{"name=Phanpy", "redirect_uri=https://phanpy.test/", "redirect_uris.0=https://phanpy.test/",
					"scopes=[\"read\",\"write\",\"follow\",\"push\"]", "client_secret_expires_at=0", "vapid_key~=", "website=https://phanpy.test"}, save: "id=client_id"},
			{do: "POST /oauth/token", body: "grant_type=client_credentials&client_id={id}&client_secret=wrong", code: 401, want: invalidClient},
			{do: "POST /api/v1/apps", body: `{"client_name":"Elk","redirect_uris":["https://elk.test/a","https://elk.test/b"],"scopes":"read"}`,
				want: []string{"redirect_uris#2", "redirect_uri=https://elk.test/a\nhttps://elk.test/b", "website=null"}},
			{do: "POST /api/v1/apps", body: "client_name=toot&redirect_uris=urn:ietf:wg:oauth:2.0:oob%0Atoot://cb", want: []string{"redirect_uris#2", "scopes=[\"read\"]"}},
			{do: "POST /api/v1/apps", body: "redirect_uris=https://a.test/", code: 422, want: []string{"error~Validation failed"}},
			{do: "POST /api/v1/apps", body: "client_name=x", code: 422},
			{do: "POST /api/v1/apps", body: "client_name=x&redirect_uris=javascript:alert(1)", code: 422},
			{do: "POST /api/v1/apps", body: "client_name=x&redirect_uris=DATA:text/html,x", code: 422}, {do: "POST /api/v1/apps", body: "client_name=x&redirect_uris=view-source:https://a.test/", code: 422},
			{do: "POST /api/v1/apps", body: "client_name=x&redirect_uris=filesystem:https://a.test/x", code: 422}, {do: "POST /api/v1/apps", body: "client_name=x&redirect_uris=mailto:a@b.test", code: 422},
			{do: "POST /api/v1/apps", body: "client_name=x&redirect_uris=intent://x", code: 422}, {do: "POST /api/v1/apps", body: "client_name=x&redirect_uris=tusky://oauth"},
			{do: "POST /api/v1/apps", body: "client_name=x&redirect_uris=not+a+uri", code: 422}, {do: "POST /api/v1/apps", body: "client_name=x&redirect_uris=feed:javascript:alert(1)", code: 422},
			{do: "POST /api/v1/apps", body: "client_name=x&redirect_uris=https://a.test/&scopes=everything", code: 422},
			{do: "POST /api/v1/apps", body: "client_name=x&redirect_uris=https://a.test/&scopes=read:statuses+write:media+admin:read", want: []string{"scopes#3"}},
		}},
		{name: "client credentials", steps: []step{
			{do: "POST /oauth/token", body: "grant_type=client_credentials&scope=read" + client,
				want: []string{"token_type=Bearer", "scope=read", "created_at~1", "Cache-Control=no-store"}, save: "token=access_token"},
			{do: "GET /api/v1/apps/verify_credentials", header: "Authorization: Bearer {token}", want: []string{"name=Tests", "client_secret!"}},
			{do: "POST /oauth/token", body: `{"grant_type":"client_credentials","client_id":"{client_id}","client_secret":"{client_secret}"}`, want: []string{"scope=read"}},
			{do: "POST /oauth/token", body: "grant_type=client_credentials&scope=admin:write" + client, code: 400, want: []string{"error=invalid_scope"}},
			{do: "POST /oauth/token", body: "grant_type=client_credentials&client_id=x&client_secret=y", code: 401, want: invalidClient},
			{do: "POST /oauth/token", body: "grant_type=client_credentials", code: 401, want: invalidClient},
			{do: "POST /oauth/token", body: "grant_type=password&username=ann&password=correct+horse" + client, code: 400, want: []string{"error=unsupported_grant_type"}},
			{do: "POST /oauth/token", body: "grant_type=refresh_token" + client, code: 400, want: []string{"error=unsupported_grant_type"}},
			{do: "POST /oauth/token", body: "code=x" + client, code: 400, want: []string{"error=invalid_request"}},
			{do: "POST /oauth/token", body: `{"grant_type":["client_credentials"]}`, code: 400, want: []string{"error=invalid_request"}},
			{do: "GET /oauth/token", code: 405},
		}},
		{name: "a code", people: "ann", steps: []step{
			{before: approve(cb, "read write", false), do: "POST /oauth/token", body: exchange + "&redirect_uri=" + cb + "&scope=ignored",
				want: []string{"token_type=Bearer", "scope=read write"}, save: "token=access_token"},
			{do: "GET /api/v1/accounts/verify_credentials", header: "Authorization: Bearer {token}", want: []string{"username=ann"}},
			{do: "GET /api/v1/accounts/verify_credentials", header: "Authorization: bearer {token}"},
			{do: "POST /oauth/token", body: exchange + "&redirect_uri=" + cb, code: 400, want: []string{"error=invalid_grant"}},
			{before: approve(cb, "read", false), do: "POST /oauth/token", body: exchange + "&redirect_uri=https://app.test/other", code: 400, want: []string{"error=invalid_grant"}},
			{before: approve(cb, "read", false), do: "POST /oauth/token", body: exchange, code: 400, want: []string{"error=invalid_grant"}},
			{do: "POST /oauth/token", body: "grant_type=authorization_code&redirect_uri=" + cb + client, code: 400, want: []string{"error=invalid_request"}},
			{do: "POST /oauth/token", body: "grant_type=authorization_code&code=guess&redirect_uri=" + cb + client, code: 400, want: []string{"error=invalid_grant"}},
			{before: approve(cb, "read", false), do: "POST /oauth/token", body: "grant_type=authorization_code&code={code}&client_id={client_id}&client_secret=x&redirect_uri=" + cb, code: 401, want: invalidClient},
			{before: secretOf, do: "POST /oauth/token", body: "grant_type=authorization_code&code={code}&client_id={id2}&client_secret={secret2}&redirect_uri=" + cb, code: 400, want: []string{"error=invalid_grant"}},
		}},
		{name: "proof of key", people: "ann", steps: []step{
			{before: approve(cb, "read", true), do: "POST /oauth/token", body: exchange + "&redirect_uri=" + cb + "&code_verifier=" + verifier, want: []string{"scope=read"}},
			{before: approve(cb, "read", true), do: "POST /oauth/token", body: exchange + "&redirect_uri=" + cb + "&code_verifier=wrong" + verifier, code: 400, want: []string{"error=invalid_grant"}},
			{before: approve(cb, "read", true), do: "POST /oauth/token", body: exchange + "&redirect_uri=" + cb, code: 400, want: []string{"error=invalid_grant"}},
			{before: approve(cb, "read", false), do: "POST /oauth/token", body: exchange + "&redirect_uri=" + cb + "&code_verifier=" + verifier, code: 400, want: []string{"error=invalid_grant"}},
		}},
		{name: "basic authentication", steps: []step{
			{before: basic, do: "POST /oauth/token", body: "grant_type=client_credentials", header: "Authorization: Basic {basic}", want: []string{"token_type=Bearer"}},
		}},
		{name: "revoke", people: "ann", steps: []step{
			{as: "ann", do: "GET /api/v1/accounts/verify_credentials"},
			{before: tokenOfAnn, do: "POST /oauth/revoke", body: "token={token}&client_id={client_id}&client_secret=wrong", code: 403, want: []string{"error=unauthorized_client"}},
			{before: secretOf, do: "POST /oauth/revoke", body: "token={token}&client_id={id2}&client_secret={secret2}", code: 403, want: []string{"error=unauthorized_client"}},
			{as: "ann", do: "GET /api/v1/accounts/verify_credentials"},
			{do: "POST /oauth/revoke", body: "token=unknown" + client, want: []string{"={}"}},
			{do: "POST /oauth/revoke", body: "token={token}" + client, want: []string{"={}"}},
			{as: "ann", do: "GET /api/v1/accounts/verify_credentials", code: 401},
			{do: "POST /oauth/revoke", body: "token={token}" + client, want: []string{"={}"}},
		}},
		{name: "a cookie is no token", people: "ann", steps: []step{
			{before: webSession, do: "GET /api/v1/accounts/verify_credentials", header: "Authorization: Bearer {token}", code: 401},
			{do: "GET /api/v1/accounts/verify_credentials", header: "Cookie: linnet={token}; __Host-session={token}; session={token}", code: 401},
		}},
	}
}

func secretOf(w *world) {
	app, secret, err := w.svc.Apps.Register(context.Background(), linnet.AppRequest{Name: "Other", RedirectURIs: []string{"https://app.test/cb"}, Scopes: []string{"read"}})
	if err != nil {
		w.t.Fatal(err)
	}
	w.vars["id2"], w.vars["secret2"] = app.ClientID, secret
}

func basic(w *world) {
	w.vars["basic"] = base64.StdEncoding.EncodeToString([]byte(w.vars["client_id"] + ":" + w.vars["client_secret"]))
}

func tokenOfAnn(w *world) { w.vars["token"] = w.as("ann") }

func webSession(w *world) {
	token, _, err := w.svc.Identity.LogIn(context.Background(), "ann", "correct horse", netip.MustParseAddr("192.0.2.1"))
	if err != nil {
		w.t.Fatal(err)
	}
	w.vars["token"] = token
}
