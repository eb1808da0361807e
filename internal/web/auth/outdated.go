package auth

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// outdatedForm is a submitted form whose token or session has expired. It isn't executed, but shown
// again, after a new login if necessary.
type outdatedForm struct {
	Action string     `json:"action"`          // action of the form with the query
	Page   string     `json:"page"`            // page with the form
	Fields url.Values `json:"fields"`          // without passwords and tokens
	Files  bool       `json:"files,omitempty"` // the form had files, which are not stored
	User   linnet.ID  `json:"user,omitempty"`  // for whose page the form was made; 0 if unknown
}

// Text encodes the form for an input.
func (k outdatedForm) Text() string {
	b, err := json.Marshal(k)
	if err != nil { // can't happen with strings
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

// sentPendingForm decodes the form that was sent with a login. ok is false if there is none.
func sentPendingForm(c *page.Context) (k outdatedForm, ok bool) {
	b, err := base64.RawURLEncoding.DecodeString(c.Request.PostForm.Get(page.PendingField))
	if err != nil || len(b) == 0 || json.Unmarshal(b, &k) != nil {
		return outdatedForm{}, false
	}
	if k.Fields == nil {
		k.Fields = url.Values{}
	}
	return k, ui.IsLocalPath(k.Page)
}

// ShowOutdated handles a form with an invalid token: it shows the form again, or the login.
func (h *Pages) ShowOutdated(c *page.Context) error {
	late := c.Tr("We didn't accept the form because it's out of date or your browser doesn't send cookies. Nothing was changed.")
	if page.LogsIn(c.Pattern) && c.Pattern != "/login/code" {
		return h.showLogin(c, http.StatusForbidden, loginPage{Login: c.Typed("login"), Error: late})
	}
	k := outdatedForm{Action: c.Request.URL.RequestURI(), Fields: url.Values{}, Files: len(c.Files) > 0}
	k.Page = c.PreviousPage(k.Action)
	for name, values := range c.Request.PostForm {
		if !page.IsSecretField(name) {
			k.Fields[name] = values
		}
	}
	k.User = page.FormUser(c)
	if k.User != 0 && k.User != c.Viewer() {
		if done, err := h.showOtherAccount(c, k); done || err != nil {
			return err
		}
	}
	below := late + " " + c.Tr("What you typed is below. Send it again.")
	if c.Me != nil && k.isPost() {
		// Saved only if the browser confirms that the form came from a page of this server.
		save := (c.Request.Header.Get("Origin") != "" || c.Request.Header.Get("Sec-Fetch-Site") == "same-origin") && c.SameOrigin()
		return h.showOutdatedPost(c, http.StatusForbidden, k, below, save)
	}
	if h.showOutdatedForm(c, http.StatusForbidden, k, "", below) {
		return nil
	}
	if c.Me == nil && c.Pattern != "/login/code" {
		c.PendingForm = k.Text()
		return h.showLogin(c, http.StatusForbidden, loginPage{
			Error: c.Tr("You've been logged out, so nothing was changed. Log in to get back what you typed.")})
	}
	return page.ForeignForm(c.Request, locale.Mark("We didn't accept the form because it's out of date or your browser doesn't send cookies. Nothing was changed."))
}

// showOtherAccount handles a form that was made for another account than the active one. If the
// browser has a session of that account, it offers to continue with it. Otherwise a reader with a
// login is asked to log in to that account, or has nothing to do after a log-out. It returns false
// if it sends nothing.
func (h *Pages) showOtherAccount(c *page.Context, k outdatedForm) (done bool, err error) {
	all, err := page.Others(c)
	if err != nil {
		return false, err
	}
	if at := slices.IndexFunc(all, func(o page.OtherAccount) bool { return o.ID == k.User }); at >= 0 {
		c.PendingForm = k.Text()
		return true, c.Render(http.StatusForbidden, page.Page{Title: c.Tr("Switch account"), Body: otherAccountView(c, all[at].UserView, page.TypedTexts(c, k.Fields))})
	}
	switch {
	case c.Pattern == "/logout": // by a second click
		return true, c.Redirect("/")
	case c.Me == nil:
		return false, nil
	}
	return true, h.askForWriter(c, k)
}

// askForWriter asks for the account that a form was made for.
func (h *Pages) askForWriter(c *page.Context, k outdatedForm) error {
	c.PendingForm = k.Text()
	why := c.Tr("This text was written with another account. Nothing was changed. Log in to that account to get the text back.")
	if len(page.TypedTexts(c, k.Fields)) == 0 {
		why = c.Tr("This page was opened with another account. Nothing was changed. Log in to that account and try again.")
	}
	return h.showLogin(c, http.StatusForbidden, loginPage{Error: why})
}

// showOutdatedAfterLogin shows a form that was sent with a login, in the session of the login.
func (h *Pages) showOutdatedAfterLogin(c *page.Context, k outdatedForm) error {
	below := c.Tr("You're logged in again. What you typed is below and hasn't been sent yet.")
	if c.Pattern == paths.SwitchAccount {
		below = c.Tr("You've switched to %s. What you typed is below and hasn't been sent yet.", "@"+c.Me.Login)
	}
	r := c.Request.Clone(c.Request.Context())
	r.Method, r.URL, r.RequestURI = http.MethodGet, &url.URL{Path: paths.Compose}, paths.Compose
	r.Header.Set("Cookie", page.SessionCookies(c))
	again := &page.Context{Site: c.Site, Writer: c.Writer, Request: r, Pattern: paths.Compose, RequestID: c.RequestID}
	if err := again.IdentifyBy(c.NewSession); err != nil {
		return err
	}
	if k.User != 0 && again.Viewer() != k.User {
		return h.askForWriter(again, k)
	}
	c.Request.PostForm = k.Fields
	r.PostForm = k.Fields
	if k.isPost() {
		if again.Me != nil {
			return h.showOutdatedPost(again, http.StatusOK, k, below, true)
		}
	} else if h.showOutdatedForm(c, http.StatusOK, k, c.NewSession, below) {
		return nil
	}
	heading := locale.Mark("You're logged in again")
	if c.Pattern == paths.SwitchAccount {
		heading = locale.Mark("You've switched accounts")
	}
	return &page.Error{Code: http.StatusOK, Heading: heading, Back: k.Page, BackText: "Go back to the page",
		Msg: "Your last action wasn't completed. What you typed is below."}
}

// showOutdatedForm shows the page of a form again with its content, to the reader or to the owner
// of another session. If the page doesn't have the form, it returns false and sends nothing.
func (h *Pages) showOutdatedForm(c *page.Context, code int, k outdatedForm, session, notice string) bool {
	u, err := url.ParseRequestURI(k.Page)
	if err != nil {
		return false
	}
	r := c.Request.Clone(c.Request.Context())
	r.Method, r.URL, r.RequestURI, r.Body, r.ContentLength, r.Form, r.PostForm = http.MethodGet, u, k.Page, http.NoBody, 0, nil, nil
	r.Header.Del("Content-Type")
	r.Header.Set("Sec-Fetch-Mode", "same-origin") // stays with the account, see isVisit in package page
	if session != "" {
		r.Header.Set("Cookie", page.SessionCookies(c))
	}
	inner := &responseRecorder{header: http.Header{"X-Request-Id": {c.RequestID}}}
	h.Pages.ServeHTTP(inner, r)
	return showFilled(c, code, inner, k.Fields, notice, func(doc *html.Node) *html.Node { return findForm(doc, k) })
}

// showFilled sends a page with the submitted content in one of its forms. If the page has no such
// form, it returns false and sends nothing.
func showFilled(c *page.Context, code int, made *responseRecorder, typed url.Values, notice string, find func(doc *html.Node) *html.Node) bool {
	if made.code != http.StatusOK || !strings.HasPrefix(made.header.Get("Content-Type"), "text/html") {
		return false
	}
	doc, err := html.Parse(&made.body)
	if err != nil {
		return false
	}
	form := find(doc)
	if form == nil {
		return false
	}
	refill(form, typed)
	announce(doc, notice)
	var b bytes.Buffer
	if html.Render(&b, doc) != nil {
		return false
	}
	h := c.Writer.Header()
	for name, values := range made.header {
		if name == "Set-Cookie" {
			values = append(h[name], values...)
		}
		h[name] = values
	}
	h.Del("Content-Length")
	h.Set("Cache-Control", "no-store")
	c.Writer.WriteHeader(code)
	_, _ = b.WriteTo(c.Writer) // the client may have disconnected
	return true
}

// responseRecorder records a response.
type responseRecorder struct {
	header http.Header
	code   int
	body   bytes.Buffer
}

// Header returns the recorded headers.
func (m *responseRecorder) Header() http.Header { return m.header }

// WriteHeader records the status code.
func (m *responseRecorder) WriteHeader(code int) {
	if m.code == 0 {
		m.code = code
	}
}

// Write records a part of the body.
func (m *responseRecorder) Write(b []byte) (int, error) {
	m.WriteHeader(http.StatusOK)
	return m.body.Write(b)
}

// attr returns an attribute of an element; "" if it has none.
func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// setAttr sets an attribute, or removes it if on is false.
func setAttr(n *html.Node, name, value string, on bool) {
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
	if on {
		n.Attr = append(n.Attr, html.Attribute{Key: name, Val: value})
	}
}

// findForm returns the form of a page with the action and subject of k, or nil. Of several it
// returns the one with the most submitted inputs.
func findForm(doc *html.Node, k outdatedForm) (best *html.Node) {
	most := -1
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || n.Data != "form" || !strings.EqualFold(attr(n, "method"), "post") {
			continue
		}
		if action := attr(n, "action"); action != k.Action && !(action == "" && k.Page == k.Action) {
			continue
		}
		has := 0
		for e := range n.Descendants() {
			if name := attr(e, "name"); e.Type == html.ElementNode && name != "" && e.Data != "button" && k.Fields.Has(name) {
				has++
			}
		}
		if has > most && sameForm(n, k.Fields) {
			best, most = n, has
		}
	}
	return best
}

// sameForm reports whether a form is the one that was submitted. Its hidden inputs must be equal,
// except random ones, and it must have all submitted inputs. A form with fewer hidden inputs would
// have another effect.
func sameForm(form *html.Node, sent url.Values) bool {
	free := func(name string) bool { return name == "key" || name == "draft" || page.IsSecretField(name) }
	has, hidden, seen := map[string]bool{}, url.Values{}, map[string]bool{}
	for n := range form.Descendants() {
		name := attr(n, "name")
		if n.Type != html.ElementNode || name == "" {
			continue
		}
		has[name] = true
		if n.Data == "input" && attr(n, "type") == "hidden" {
			hidden.Add(name, attr(n, "value"))
		} else {
			seen[name] = true
		}
	}
	for name := range sent {
		if !has[name] && !free(name) {
			return false
		}
	}
	for name, values := range hidden {
		if free(name) {
			continue
		}
		for _, v := range values {
			if !slices.Contains(sent[name], v) {
				return false
			}
		}
		if !seen[name] && len(values) != len(sent[name]) {
			return false
		}
	}
	return true
}

// refill sets the visible inputs of a form to the submitted values. Hidden inputs stay, except the
// idempotency key and the draft.
func refill(form *html.Node, sent url.Values) {
	used, focused := map[string]int{}, false
	next := func(name string) string {
		i := used[name]
		used[name]++
		if i < len(sent[name]) {
			return sent[name][i]
		}
		return ""
	}
	for n := range form.Descendants() {
		name := attr(n, "name")
		if n.Type != html.ElementNode || name == "" || page.IsSecretField(name) {
			continue
		}
		typed := ""
		switch n.Data {
		case "input":
			switch kind := attr(n, "type"); {
			case kind == "checkbox" || kind == "radio":
				setAttr(n, "checked", "", slices.Contains(sent[name], attr(n, "value")))
			case kind == "hidden" && (name == "key" || name == "draft"):
				if key := sent.Get(name); key != "" {
					setAttr(n, "value", key, true)
				}
			case kind != "hidden" && kind != "password":
				typed = next(name)
				setAttr(n, "value", typed, true)
			}
		case "textarea":
			typed = next(name)
			for n.FirstChild != nil {
				n.RemoveChild(n.FirstChild)
			}
			n.AppendChild(&html.Node{Type: html.TextNode, Data: typed})
		case "select":
			for o := range n.Descendants() {
				if o.Type == html.ElementNode && o.Data == "option" {
					setAttr(o, "selected", "", slices.Contains(sent[name], attr(o, "value")))
				}
			}
		}
		if typed != "" {
			for p := range n.Ancestors() {
				if p.Data == "details" {
					setAttr(p, "open", "", true)
				}
			}
			setAttr(n, "autofocus", "", !focused)
			focused = true
		}
	}
}

// announce adds a notice at the top of a page.
func announce(doc *html.Node, notice string) {
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == "main" {
			p := &html.Node{Type: html.ElementNode, Data: "p", Attr: []html.Attribute{{Key: "class", Val: "notice wrong"}, {Key: "role", Val: "alert"}}}
			p.AppendChild(&html.Node{Type: html.TextNode, Data: notice})
			n.InsertBefore(p, n.FirstChild)
			return
		}
	}
}
