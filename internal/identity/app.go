package identity

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/sessions"
	"linnet/internal/text"
)

// OutOfBand is the redirect URI of clients whose users copy the code by hand.
const OutOfBand = "urn:ietf:wg:oauth:2.0:oob"

var (
	errClient = linnet.Errorf(linnet.Unauthenticated, "Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.")
	errGrant  = linnet.Errorf(linnet.Invalid, "The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.")
)

// Apps manages OAuth clients and their tokens. It is safe for concurrent use.
type Apps struct {
	st       *store.Store
	opt      core.Options
	core     *core.Service
	identity *Service
}

// NewApps returns the Apps of a Service.
func NewApps(b core.Base, c *core.Service, s *Service) *Apps {
	return &Apps{st: b.Store, opt: b.Options, core: c, identity: s}
}

// Register registers an OAuth client and returns its secret, which is not stored. An app without
// a token is deleted after store.UnusedAppTTL.
// https://docs.joinmastodon.org/methods/apps/#create
func (s *Apps) Register(ctx context.Context, r linnet.AppRequest) (a linnet.App, secret string, err error) {
	r.Scopes, r.Name = grantScopes(r.Scopes), text.Line(r.Name)
	switch {
	case r.Name == "":
		return a, "", linnet.FieldError("client_name", "ERR_BLANK", "can't be blank")
	case utf8.RuneCountInString(r.Name) > linnet.MaxAppName:
		return a, "", linnet.FieldError("client_name", "ERR_TOO_LONG", "is too long (maximum is %d characters)", linnet.MaxAppName)
	case text.Overmarked(r.Name):
		return a, "", core.Overmarked("client_name")
	case len(r.Website) > linnet.MaxURL || r.Website != "" && !webURL(r.Website):
		return a, "", linnet.FieldError("website", "ERR_INVALID", "must be an HTTP or HTTPS address")
	case len(r.RedirectURIs) == 0:
		return a, "", linnet.FieldError("redirect_uris", "ERR_BLANK", "can't be blank")
	case len(r.RedirectURIs) > linnet.MaxAppRedirects:
		return a, "", linnet.FieldError("redirect_uris", "ERR_TOO_LONG", "can have at most %[2]d entries (%[1]d given)", len(r.RedirectURIs), linnet.MaxAppRedirects)
	}
	for _, u := range r.RedirectURIs {
		if !ValidRedirect(u) {
			return a, "", linnet.FieldError("redirect_uris", "ERR_INVALID", "%q is not an absolute URI", u)
		}
	}
	for _, sc := range r.Scopes {
		if !linnet.ValidScope(sc) {
			return a, "", linnet.FieldError("scopes", "ERR_INVALID", "can't contain %q, which is not a scope", sc)
		}
	}
	shard := store.RandomShard()
	secret = sessions.NewSecret(shard)
	a = linnet.App{Name: r.Name, Website: r.Website, RedirectURIs: r.RedirectURIs, Scopes: r.Scopes, CreatedAt: s.st.Now()}
	if err := s.st.Sessions.CreateApp(ctx, shard, &a, record.Hash(secret)); err != nil {
		return a, "", core.StoreError(err)
	}
	a.ClientID = a.ID.String()
	return a, secret, nil
}

func webURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}

// ValidRedirect reports whether a redirect URI is an absolute URI without a fragment (RFC 6749
// section 3.1.2). The scheme is http, https or one of an app. It refuses schemes that a browser or
// another program executes or opens, and URIs that wrap such a URI.
func ValidRedirect(s string) bool {
	if s == OutOfBand {
		return true
	}
	hidden := func(r rune) bool { return r <= ' ' || unicode.In(r, unicode.C, unicode.Z) }
	u, err := url.Parse(s)
	if err != nil || u.Scheme == "" || len(s) > linnet.MaxURL || strings.Contains(s, "#") || strings.ContainsFunc(s, hidden) {
		return false
	}
	if u.Scheme == "http" || u.Scheme == "https" {
		return u.Host != ""
	}
	return !opensOther(s)
}

// opensOther reports whether a scheme of a URI, or of the URI that it wraps, belongs to browsers
// or other programs. Examples are "javascript:…" and "feed:javascript:…".
func opensOther(uri string) bool {
	scheme, rest, ok := strings.Cut(uri, ":")
	if !ok || !isScheme(scheme) {
		return false
	}
	switch strings.ToLower(scheme) {
	case "javascript", "jscript", "data", "vbscript", "livescript", "mocha", "file", "filesystem", "blob", "about", "view-source", "jar", "chrome",
		"chrome-extension", "moz-extension", "resource", "wyciwyg", "ws", "wss", "ftp", "ftps", "sftp", "gopher", "telnet", "ssh", "smb", "ldap", "ldaps",
		"mailto", "tel", "sms", "intent", "cid", "mid", "res", "ms-its", "mhtml", "shell", "search-ms", "ms-msdt", "vnd.ms.radio",
		"feed", "feeds", "pcast", "itpc", "webcal", "webcals":
		return true
	}
	rest, err := url.PathUnescape(strings.TrimLeft(rest, "/"))
	return err != nil || opensOther(rest)
}

// isScheme reports whether s is a scheme by RFC 3986 section 3.1.
func isScheme(s string) bool {
	for i, r := range []byte(s) {
		letter := 'a' <= r|0x20 && r|0x20 <= 'z'
		if !letter && (i == 0 || (r < '0' || r > '9') && r != '+' && r != '-' && r != '.') {
			return false
		}
	}
	return s != ""
}

// App finds a registered client.
func (s *Apps) App(ctx context.Context, clientID string) (linnet.App, error) {
	a, _, err := s.app(ctx, clientID)
	return a, err
}

// ByID finds a registered client by its id.
func (s *Apps) ByID(ctx context.Context, id linnet.ID) (linnet.App, error) {
	return s.App(ctx, id.String())
}

func (s *Apps) app(ctx context.Context, clientID string) (a linnet.App, hash string, err error) {
	id, ok := linnet.ParseID(clientID)
	if !ok {
		return a, "", errClient
	}
	a, hash, ok, err = s.st.Sessions.App(ctx, id)
	if err != nil {
		return a, "", core.StoreError(err)
	}
	if !ok {
		return a, "", errClient
	}
	a.ClientID = a.ID.String()
	return a, hash, nil
}

// client finds a client and checks its secret.
func (s *Apps) client(ctx context.Context, clientID, secret string) (linnet.App, error) {
	a, hash, err := s.app(ctx, clientID)
	if err != nil {
		return a, err
	}
	if subtle.ConstantTimeCompare([]byte(record.Hash(secret)), []byte(hash)) != 1 {
		return a, errClient
	}
	return a, nil
}

// CheckGrant checks the parameters of an authorize link before anything is shown or redirected (RFC
// 9700 section 2.1). It returns Unauthenticated for an unknown client. It returns Invalid for a
// redirect URI that isn't one of the app's, and for scopes beyond the app's, and names the field.
func (s *Apps) CheckGrant(ctx context.Context, g linnet.Grant) (linnet.App, error) {
	a, err := s.App(ctx, g.ClientID)
	if err != nil {
		return a, err
	}
	if !registered(a.RedirectURIs, g.RedirectURI) {
		return a, linnet.FieldError("redirect_uri", "ERR_INVALID", "%q is not registered for this app", g.RedirectURI)
	}
	if bad := beyond(grantScopes(g.Scopes), a.Scopes); bad != "" {
		return a, linnet.FieldError("scope", "ERR_INVALID", "can't contain %q, which is not one of the app's scopes", bad)
	}
	if c := g.Challenge; c != "" && (len(c) < 43 || len(c) > 128) {
		return a, linnet.FieldError("code_challenge", "ERR_INVALID", "is not an S256 challenge")
	}
	return a, nil
}

// registered reports whether a redirect URI is one of an app's. A native app can listen on any port
// of a loopback address (RFC 8252 section 7.3).
func registered(uris []string, asked string) bool {
	if slices.Contains(uris, asked) {
		return true
	}
	portless, ok := withoutLoopbackPort(asked)
	return ok && slices.ContainsFunc(uris, func(u string) bool {
		other, ok := withoutLoopbackPort(u)
		return ok && other == portless
	})
}

// withoutLoopbackPort removes the port of an http URL whose host is a loopback address.
func withoutLoopbackPort(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "http" || u.User != nil {
		return "", false
	}
	host, err := netip.ParseAddr(u.Hostname())
	if err != nil || !host.IsLoopback() {
		return "", false
	}
	u.Host = u.Hostname()
	return u.String(), true
}

// grantScopes returns the requested scopes without duplicates, or "read" if there are none.
func grantScopes(asked []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, sc := range asked {
		if !seen[sc] {
			seen[sc] = true
			out = append(out, sc)
		}
	}
	if len(out) == 0 {
		return []string{"read"}
	}
	return out
}

// beyond returns the first scope that have doesn't include, or "".
func beyond(asked, have []string) string {
	for _, sc := range asked {
		if !linnet.ScopeWithin(sc, have) {
			return sc
		}
	}
	return ""
}

// Approve creates an authorization code. It is valid once, for ten minutes, and not after a change
// of the password. The grant is checked again.
func (s *Apps) Approve(ctx context.Context, user linnet.ID, g linnet.Grant) (code string, err error) {
	a, err := s.CheckGrant(ctx, g)
	if err != nil {
		return "", err
	}
	sec, err := s.st.Accounts.Secret(ctx, user)
	if err != nil {
		return "", core.StoreError(err)
	}
	code, v := sessions.NewSecret(user.Shard()), visitOf(ctx)
	err = s.st.Sessions.PutCode(ctx, code, record.Code{User: user, App: a.ID, RedirectURI: g.RedirectURI,
		Scopes: grantScopes(g.Scopes), Challenge: g.Challenge, Secret: sec.Version, Device: v.device, Place: v.network})
	return code, core.StoreError(err)
}

// codeReused revokes the token that a used code was exchanged for, because the code may have been
// stolen. RFC 6749 section 4.1.2.
func (s *Apps) codeReused(ctx context.Context, c record.Code) error {
	if err := s.identity.EndSession(ctx, c.User, c.Token); err != nil && linnet.KindOf(err) != linnet.NotFound {
		return err
	}
	return errGrant
}

// Exchange turns a code into a token. It returns Unauthenticated for an unknown client or a wrong
// secret, and Invalid for a wrong code, redirect URI or verifier. A reused code also revokes its
// token.
func (s *Apps) Exchange(ctx context.Context, x linnet.CodeExchange) (linnet.Token, error) {
	a, err := s.client(ctx, x.ClientID, x.ClientSecret)
	if err != nil {
		return linnet.Token{}, err
	}
	c, ok, err := s.st.Sessions.GetCode(ctx, x.Code)
	if err != nil {
		return linnet.Token{}, core.StoreError(err)
	}
	if ok && c.Token != "" {
		return linnet.Token{}, s.codeReused(ctx, c)
	}
	if !ok || c.App != a.ID || c.RedirectURI != x.RedirectURI || !verified(c.Challenge, x.Verifier) {
		return linnet.Token{}, errGrant
	}
	if err := s.keepApp(ctx, a.ID); err != nil {
		return linnet.Token{}, err
	}
	secret := sessions.NewSecret(c.User.Shard())
	rec := tokenRecord(ctx, a, c.User, c.Scopes, s.st.Now())
	ok, err = s.st.Sessions.UseCode(ctx, x.Code, secret, rec, c.Secret)
	if err != nil {
		return linnet.Token{}, core.StoreError(err)
	}
	if !ok { // another request has used the code since
		if c, _, err = s.st.Sessions.GetCode(store.Durable(ctx), x.Code); err != nil {
			return linnet.Token{}, core.StoreError(err)
		}
		if c.Token != "" {
			return linnet.Token{}, s.codeReused(ctx, c)
		}
		return linnet.Token{}, errGrant
	}
	// The entry has the origin of the approval, not of the app's request.
	e := linnet.SecurityEntry{At: rec.Created, Event: linnet.AppAllowed, Device: c.Device, Network: c.Place, Detail: a.Name}
	if err := s.st.Sessions.LogSecurity(ctx, c.User, e); err != nil {
		s.opt.Log.Warn("cannot record the authorization of an app", "err", err)
	}
	return linnet.Token{Value: secret, Scopes: c.Scopes, CreatedAt: rec.Created}, nil
}

// verified checks a PKCE verifier (RFC 7636 section 4.6, S256). It also refuses a verifier without
// a challenge, because the client would rely on a missing protection (RFC 9700 section 2.1.1).
func verified(challenge, verifier string) bool {
	if challenge == "" || verifier == "" {
		return challenge == verifier
	}
	sum := sha256.Sum256([]byte(verifier))
	return subtle.ConstantTimeCompare([]byte(base64.RawURLEncoding.EncodeToString(sum[:])), []byte(challenge)) == 1
}

func tokenRecord(ctx context.Context, a linnet.App, user linnet.ID, scopes []string, now time.Time) record.TokenRecord {
	v := visitOf(ctx)
	return record.TokenRecord{User: user, App: a.ID, Client: linnet.AppName{Name: a.Name, Website: a.Website},
		Scopes: scopes, Created: now, Device: v.device, Place: v.network}
}

// ClientToken issues an app token (client credentials, RFC 6749 section 4.4).
func (s *Apps) ClientToken(ctx context.Context, clientID, secret string, scopes []string) (linnet.Token, error) {
	a, err := s.client(ctx, clientID, secret)
	if err != nil {
		return linnet.Token{}, err
	}
	scopes = grantScopes(scopes)
	if bad := beyond(scopes, a.Scopes); bad != "" {
		return linnet.Token{}, linnet.FieldError("scope", "ERR_INVALID", "can't contain %q, which is not one of the app's scopes", bad)
	}
	return s.issue(ctx, a, 0, scopes)
}

// UserToken issues a token for a user who has signed up through an app. It returns Invalid for
// groups and external feeds, which can't log in.
func (s *Apps) UserToken(ctx context.Context, user, app linnet.ID, scopes []string) (linnet.Token, error) {
	u, err := s.core.LookupUser(ctx, user)
	if err != nil {
		return linnet.Token{}, err
	}
	if u != nil && !u.Person() {
		return linnet.Token{}, linnet.Errorf(linnet.Invalid, "%s is a group or an external feed and can't have tokens.", u.Login)
	}
	a, err := s.ByID(ctx, app)
	if err != nil {
		return linnet.Token{}, err
	}
	return s.issue(ctx, a, user, scopes)
}

func (s *Apps) issue(ctx context.Context, a linnet.App, user linnet.ID, scopes []string) (linnet.Token, error) {
	home := a.ID
	if user != 0 {
		home = user
	}
	if err := s.keepApp(ctx, a.ID); err != nil {
		return linnet.Token{}, err
	}
	secret := sessions.NewSecret(home.Shard())
	rec := tokenRecord(ctx, a, user, scopes, s.st.Now())
	_, err := s.st.Sessions.IssueToken(ctx, secret, rec, nil)
	if err == nil && user != 0 {
		s.identity.security.noteLogIn(ctx, user, linnet.AppAllowed, a.Name)
	}
	return linnet.Token{Value: secret, Scopes: scopes, CreatedAt: rec.Created}, core.StoreError(err)
}

// keepApp marks an app with a token, so that it isn't deleted after store.UnusedAppTTL.
func (s *Apps) keepApp(ctx context.Context, id linnet.ID) error {
	ok, err := s.st.Sessions.KeepApp(ctx, id)
	if err == nil && !ok {
		return errClient
	}
	return core.StoreError(err)
}

// Revoke revokes a token of the client. It succeeds for an unknown token (RFC 7009 section 2.2). It
// returns Forbidden for a token of another client.
func (s *Apps) Revoke(ctx context.Context, clientID, secret, token string) error {
	a, err := s.client(ctx, clientID, secret)
	if linnet.KindOf(err) == linnet.Unauthenticated {
		return linnet.Errorf(linnet.Forbidden, "You are not authorized to revoke this token")
	}
	if err != nil {
		return err
	}
	t, ok, err := s.st.Sessions.Token(store.Durable(ctx), token)
	if err != nil || !ok {
		return core.StoreError(err)
	}
	if t.App != a.ID {
		return linnet.Errorf(linnet.Forbidden, "You are not authorized to revoke this token")
	}
	if err := s.identity.endSession(ctx, token, t.User); err != nil || t.User == 0 {
		return err
	}
	return s.identity.security.note(ctx, t.User, linnet.AppEnded, 0, t.Client.Name)
}
