package auth

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// outOfBand is the redirect URI of apps that can't receive a redirect. The user copies the code
// from the page.
const outOfBand = "urn:ietf:wg:oauth:2.0:oob"

// authRequest is an app's request in the address of the authorization page. Its forms are sent to
// the same address.
type authRequest struct {
	grant  linnet.Grant
	app    linnet.App
	target target // where the response goes
	query  url.Values
}

// oauthError is an error for the app, sent to a redirect URI that is known to belong to it. Apps
// get it in English. The description has at most one value, the name of a parameter. See RFC 6749
// section 4.1.2.1.
type oauthError struct{ code, description, name string }

// Error returns the code and the description in English.
func (e *oauthError) Error() string { return e.code + ": " + e.in(locale.English()) }

// in returns the description in a language.
func (e *oauthError) in(l *locale.Language) string {
	if e.name != "" {
		return l.Text(e.description, e.name)
	}
	return l.Text(e.description)
}

type consentPage struct {
	App     linnet.App
	Website string // "" unless it is a link for browsers
	Returns string // where the reader returns to; "" if a code is shown
	Powers  []ui.Power
	Action  string // address of the form
	Other   string // path of the login page for another account
	Others  []page.OtherAccount
	Switch  string // action of the form that switches to one of Others
}

// authRequest reads and checks the request. Errors found before the redirect URI is known to belong
// to the app are shown to the reader. Later ones are sent to the app.
func (h *Pages) authRequest(c *page.Context) (authRequest, error) {
	q, err := url.ParseQuery(c.Request.URL.RawQuery)
	if err != nil {
		return authRequest{}, appError(c, c.Tr("the request can't be read"))
	}
	for _, name := range []string{"client_id", "redirect_uri"} {
		if len(q[name]) != 1 {
			return authRequest{}, appError(c, c.Tr("%s must appear once", name))
		}
	}
	a := authRequest{query: q, grant: linnet.Grant{ClientID: q.Get("client_id"), RedirectURI: q.Get("redirect_uri"),
		Scopes: strings.Fields(q.Get("scope")), Challenge: q.Get("code_challenge"), State: q.Get("state")}}
	if len(a.grant.Scopes) == 0 {
		a.grant.Scopes = []string{"read"}
	}
	var ok bool
	if a.target, ok = parseTarget(a.grant.RedirectURI); !ok {
		return authRequest{}, appError(c, c.Tr("redirect_uri is not a valid URI"))
	}
	a.app, err = h.Apps.CheckGrant(c.Request.Context(), a.grant)
	switch {
	case err == nil:
		return a, checkParams(q)
	case wrongField(err) == "scope":
		return a, &oauthError{code: "invalid_scope", description: locale.Mark("the app isn't registered for this scope")}
	case wrongField(err) == "code_challenge":
		return a, &oauthError{code: "invalid_request", description: locale.Mark("code_challenge must be 43 characters of base64url")}
	case page.IsKind(err, linnet.Unauthenticated), page.IsKind(err, linnet.NotFound):
		return authRequest{}, appError(c, c.Tr("the app isn't registered here (client_id)"))
	case page.IsKind(err, linnet.Invalid):
		return authRequest{}, appError(c, c.Tr("redirect_uri doesn't match any that the app registered"))
	}
	return authRequest{}, fmt.Errorf("check the authorization request: %w", err)
}

// appError returns an error that is shown to the reader and must not be sent to the app. why is in
// the reader's language.
func appError(c *page.Context, why string) error {
	return &page.Error{Code: http.StatusBadRequest,
		Msg: "The app that sent you here made a mistake: %s. Try removing this account from the app and adding it again.", Args: []any{why}}
}

// wrongField returns the name of the field that CheckGrant refuses. It checks client and redirect
// URI first, so they are valid if another field is refused.
func wrongField(err error) string {
	var e *linnet.Error
	if errors.As(err, &e) && e.Kind == linnet.Invalid && len(e.Fields) == 1 {
		return e.Fields[0].Name
	}
	return ""
}

// checkParams checks parameters that the service doesn't need. PKCE must be S256 or absent. With
// "plain", the default of RFC 7636, anyone who sees this address could use the code.
func checkParams(q url.Values) error {
	for _, name := range []string{"response_type", "scope", "state", "code_challenge", "code_challenge_method"} {
		if len(q[name]) > 1 {
			return &oauthError{"invalid_request", locale.Mark("%s appears more than once"), name}
		}
	}
	switch q.Get("response_type") {
	case "code":
	case "":
		return &oauthError{code: "invalid_request", description: locale.Mark("response_type is missing")}
	default:
		return &oauthError{code: "unsupported_response_type", description: locale.Mark("only response_type=code is supported")}
	}
	challenge, method := q.Get("code_challenge"), q.Get("code_challenge_method")
	switch {
	case challenge == "" && method == "":
		return nil
	case method != "S256":
		return &oauthError{code: "invalid_request", description: locale.Mark("code_challenge_method must be S256")}
	case len(challenge) != 43 || strings.Trim(challenge, unreserved) != "":
		return &oauthError{code: "invalid_request", description: locale.Mark("code_challenge must be 43 characters of base64url")}
	}
	return nil
}

const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// checkRequest reads the request. If it has an error, checkRequest responds to the app or returns
// an error for the reader, and ok is false.
func (h *Pages) checkRequest(c *page.Context) (a authRequest, ok bool, err error) {
	a, err = h.authRequest(c)
	var oe *oauthError
	if !errors.As(err, &oe) {
		return a, err == nil, err
	}
	if a.target.Oob {
		return a, false, appError(c, oe.in(c.Lang()))
	}
	if c.Me == nil { // redirects only after the user is known (RFC 9700 section 4.11.2)
		return a, false, c.RedirectToLogin(c.Request.URL.RequestURI())
	}
	return a, false, h.answerApp(c, a, url.Values{"error": {oe.code}, "error_description": {oe.in(locale.English())}})
}

func (h *Pages) consentForm(c *page.Context) error {
	a, ok, err := h.checkRequest(c)
	if !ok {
		return err
	}
	next := c.Request.URL.RequestURI()
	// Mastodon.py sends False.
	force := !slices.Contains([]string{"", "0", "f", "false", "off"}, strings.ToLower(a.query.Get("force_login")))
	if force { // return here without force_login, so that the user logs in only once
		a.query.Del("force_login")
		next = c.Request.URL.EscapedPath() + "?" + a.query.Encode()
	}
	if c.Me == nil || force {
		return c.RedirectToLogin(next)
	}
	here := paths.Authorize + "?" + c.Request.URL.RawQuery
	others, err := page.Others(c)
	if err != nil {
		return err
	}
	p := consentPage{App: a.app, Website: webLink(a.app.Website), Returns: a.target.Shown,
		Powers: ui.Powers(a.grant.Scopes), Action: here, Other: "/login?next=" + url.QueryEscape(here), Others: others, Switch: paths.SwitchAccount + "?next=" + url.QueryEscape(here)}
	c.FormTargets = a.target.Source
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Authorize app"), Sheet: "single.css", Body: consentView(c, p)})
}

func (h *Pages) consent(c *page.Context) error {
	a, ok, err := h.checkRequest(c)
	if !ok {
		return err
	}
	if c.Me == nil {
		return c.RedirectToLogin(c.Request.URL.RequestURI())
	}
	switch c.Request.PostForm.Get("decision") {
	case "approve":
		code, err := h.Apps.Approve(c.VisitorContext(), c.Me.ID, a.grant)
		if err != nil {
			return fmt.Errorf("authorize the app: %w", err)
		}
		if a.target.Oob {
			return c.Render(http.StatusOK, page.Page{Title: c.Tr("Copy this code"), Body: codeView(codePage{App: a.app.Name, Code: code})})
		}
		return h.answerApp(c, a, url.Values{"code": {code}})
	case "deny":
		if a.target.Oob {
			return c.Render(http.StatusOK, page.Page{Title: c.Tr("Access denied"), Body: refusedView(a.app.Name)})
		}
		return h.answerApp(c, a, url.Values{"error": {"access_denied"}, "error_description": {"the owner of the account refused"}})
	}
	return &page.Error{Code: http.StatusBadRequest, Back: c.Request.URL.RequestURI(), BackText: "Reload the page",
		Msg: "Choose whether to authorize the app."}
}

type codePage struct{ App, Code string }

// answerApp redirects to the app with 303. With 307 a browser would repeat the form and send its
// content to the app (RFC 9700 section 4.12).
func (h *Pages) answerApp(c *page.Context, a authRequest, answer url.Values) error {
	if a.query.Has("state") {
		answer.Set("state", a.grant.State)
	}
	answer.Set("iss", h.Core.PublicURL()+"/") // same as in the metadata (RFC 9207)
	return c.Redirect(withQuery(a.grant.RedirectURI, answer))
}
