package clients_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// browser visits pages and submits forms like a user's browser: it stores cookies, sends hidden
// fields, follows redirects, and sends the origin of a form. It runs no scripts.
type browser struct {
	http *http.Client
	at   *url.URL // of the current page
}

// page is a loaded page.
type page struct {
	url   *url.URL
	code  int
	forms []form
	codes []string // texts of <code> elements
	html  string
}

// form is a form with the field values of the page.
type form struct {
	action, method string
	fields         []field
}

type field struct{ name, kind, value string }

func newBrowser(t *testing.T) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{http: &http.Client{Jar: jar, Timeout: 20 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// errLeft is returned for a redirect to another site, with the target in the page's url.
var errLeft = errors.New("the browser was sent to another site")

// visit opens an address.
func (b *browser) visit(address string) (*page, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	return b.load(http.MethodGet, u, nil)
}

// submit sends a form with some fields filled in. button is the name and value of the pressed
// button, or empty.
func (b *browser) submit(f form, fill map[string]string, button field) (*page, error) {
	values := url.Values{}
	for _, in := range f.fields {
		switch in.kind {
		case "submit", "button":
		default:
			values.Set(in.name, in.value)
		}
	}
	for name, value := range fill {
		if !slices.ContainsFunc(f.fields, func(in field) bool { return in.name == name }) {
			return nil, fmt.Errorf("the form for %s has no field %q: %v", f.action, name, f.fields)
		}
		values.Set(name, value)
	}
	if button.name != "" {
		values.Set(button.name, button.value)
	}
	u, err := b.at.Parse(f.action)
	if err != nil {
		return nil, fmt.Errorf("action of the form: %w", err)
	}
	if f.method != http.MethodPost {
		u.RawQuery = values.Encode()
		return b.load(http.MethodGet, u, nil)
	}
	return b.load(http.MethodPost, u, values)
}

// load fetches a page and follows redirects within the site.
func (b *browser) load(method string, u *url.URL, values url.Values) (*page, error) {
	for range 10 {
		resp, err := b.fetch(method, u, values)
		if err != nil {
			return nil, err
		}
		body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
		_ = resp.Body.Close()
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", u, err)
		}
		if resp.StatusCode < 300 || resp.StatusCode > 399 {
			b.at = u
			return parsePage(u, resp.StatusCode, body)
		}
		to, err := u.Parse(resp.Header.Get("Location"))
		if err != nil {
			return nil, fmt.Errorf("redirect of %s: %w", u, err)
		}
		if to.Scheme != u.Scheme || to.Host != u.Host {
			return &page{url: to, code: resp.StatusCode}, errLeft
		}
		b.at, u, method, values = u, to, http.MethodGet, nil
	}
	return nil, fmt.Errorf("too many redirects at %s", u)
}

func (b *browser) fetch(method string, u *url.URL, values url.Values) (*http.Response, error) {
	req, err := http.NewRequest(method, u.String(), strings.NewReader(values.Encode()))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "text/html,application/xhtml+xml")
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Origin", b.at.Scheme+"://"+b.at.Host)
		req.Header.Set("Referer", b.at.String())
		req.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	return b.http.Do(req)
}

// parsePage finds the forms and the code elements of a page.
func parsePage(u *url.URL, code int, body []byte) (*page, error) {
	p := &page{url: u, code: code, html: string(body)}
	d := xml.NewDecoder(strings.NewReader(p.html))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var text *string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return p, nil
		}
		if err != nil {
			return nil, fmt.Errorf("page %s cannot be read: %w", u, err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			text = p.open(e)
		case xml.CharData:
			if text != nil {
				*text += strings.TrimSpace(string(e))
			}
		case xml.EndElement:
			text = nil
		}
	}
}

// open handles the start of an element and returns the target for its text.
func (p *page) open(e xml.StartElement) (text *string) {
	attr := func(name string) string {
		for _, a := range e.Attr {
			if strings.EqualFold(a.Name.Local, name) {
				return a.Value
			}
		}
		return ""
	}
	switch strings.ToLower(e.Name.Local) {
	case "form":
		p.forms = append(p.forms, form{action: attr("action"), method: strings.ToUpper(attr("method"))})
	case "input", "button", "textarea", "select":
		kind := attr("type")
		if kind == "" && e.Name.Local == "button" {
			kind = "submit"
		}
		if n := len(p.forms); n > 0 {
			p.forms[n-1].fields = append(p.forms[n-1].fields, field{attr("name"), kind, attr("value")})
		}
	case "code":
		p.codes = append(p.codes, "")
		return &p.codes[len(p.codes)-1]
	}
	return nil
}

// form returns the form that has a field with a name.
func (p *page) form(name string) (form, bool) {
	for _, f := range p.forms {
		if slices.ContainsFunc(f.fields, func(in field) bool { return in.name == name }) {
			return f, true
		}
	}
	return form{}, false
}
