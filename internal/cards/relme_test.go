package cards

import (
	"net/netip"
	"strings"
	"testing"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/outbound"
)

func TestLinksBack(t *testing.T) {
	own := []string{"https://linnet.test/@Ann", "https://linnet.test/users/Ann"}
	for name, c := range map[string]struct {
		page, kind string
		want       bool
	}{
		"a":                      {page: `<p><a rel="me" href="https://linnet.test/@Ann">me</a>`, want: true},
		"link":                   {page: `<head><link rel=me href=https://linnet.test/@Ann>`, want: true},
		"closed by itself":       {page: `<link href="https://linnet.test/@Ann" rel="me"/>`, want: true},
		"in any case":            {page: `<A REL="ME" HREF="HTTPS://Linnet.test/@aNN">`, want: true},
		"among other tokens":     {page: "<a rel='nofollow\tMe\nnoopener' href='https://linnet.test/@Ann'>", want: true},
		"the lasting name":       {page: `<a rel="me" href="https://linnet.test/users/Ann">`, want: true},
		"a slash behind it":      {page: `<a rel="me" href=" https://linnet.test/@Ann/ ">`, want: true},
		"the port of the scheme": {page: `<a rel="me" href="https://linnet.test:443/@Ann#top">`, want: true},
		"written as a reference": {page: `<a rel="me" href="https&#58;//linnet.test/&#x40;Ann">`, want: true},
		"another charset":        {page: "caf\xe9<a rel=me href=https://linnet.test/@Ann>", kind: "text/html; charset=iso-8859-1", want: true},
		"the second of two":      {page: `<a rel="me" href="https://other.test/@Ann"><a rel="me" href="https://linnet.test/@Ann">`, want: true},
		"no rel":                 {page: `<a href="https://linnet.test/@Ann">`},
		"another rel":            {page: `<a rel="met home" href="https://linnet.test/@Ann">`},
		"no href":                {page: `<a rel="me">https://linnet.test/@Ann</a>`},
		"somebody else":          {page: `<a rel="me" href="https://linnet.test/@Anna">`},
		"a page below":           {page: `<a rel="me" href="https://linnet.test/@Ann/media">`},
		"a query":                {page: `<a rel="me" href="https://linnet.test/@Ann?x">`},
		"another host":           {page: `<a rel="me" href="https://linnet.test.evil.test/@Ann">`},
		"another port":           {page: `<a rel="me" href="https://linnet.test:8443/@Ann">`},
		"another scheme":         {page: `<a rel="me" href="http://linnet.test/@Ann">`},
		"credentials":            {page: `<a rel="me" href="https://linnet.test@evil.test/@Ann">`},
		"another element":        {page: `<area rel="me" href="https://linnet.test/@Ann"><meta rel="me" href="https://linnet.test/@Ann">`},
		"in a comment":           {page: `<!-- <a rel="me" href="https://linnet.test/@Ann"> -->`},
		"in a script":            {page: `<script>'<a rel="me" href="https://linnet.test/@Ann">'</script>`},
		"in a text field":        {page: `<textarea><a rel="me" href="https://linnet.test/@Ann"></textarea>`},
		"as a text":              {page: `&lt;a rel="me" href="https://linnet.test/@Ann"&gt;`},
		"in another's value":     {page: `<a title='<a rel="me" href="https://linnet.test/@Ann">'>`},
		"the first rel counts":   {page: `<a rel="x" rel="me" href="https://linnet.test/@Ann">`},
		"the first href counts":  {page: `<a rel="me" href="/x" href="https://linnet.test/@Ann">`},
		"cut in the middle":      {page: `<a rel="me" href="https://linnet.test/@Ann`},
		"behind an endless tag":  {page: `<p x="` + strings.Repeat("a", maxTag+10) + `"><a rel="me" href="https://linnet.test/@Ann">`},
		"no page":                {page: "\x00\x01\x02<"},
		"nothing":                {},
	} {
		if got := linksBack([]byte(c.page), c.kind, own); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestVerifiable(t *testing.T) {
	s := &Service{own: "linnet.test", opt: core.Options{PublicURL: "https://linnet.test"},
		pages: outbound.New(outbound.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})}
	for value, want := range map[string]bool{
		"https://ann.test": true, "https://Ann.test/a?b#c": true, "https://ann.test:8443/": true, "https://xn--bcher-kva.test/": true, "https://bücher.test/": false,
		"http://ann.test/": false, "http://127.0.0.1:8080/": true, "http://10.0.0.1/": false, "https://linnet.test/@bob": false, "https://u:p@ann.test/": false,
		"see https://ann.test": false, "ann.test": false, "ftp://ann.test": false, "mailto:ann@ann.test": false, "javascript:x": false, "": false,
	} {
		u := &linnet.User{Fields: []linnet.ProfileField{{Name: "Home", Value: value}}}
		if got := len(s.unverified(u)) == 1; got != want {
			t.Errorf("%q: %v", value, got)
		}
	}
}

func FuzzLinksBack(f *testing.F) {
	f.Add([]byte(`<a rel="me x" href="https://linnet.test/@ann/">`), "text/html", "https://linnet.test/@ann")
	f.Add([]byte("<meta charset=utf-16><link rel=me href=\xff\xfe"), "text/html; charset=shift_jis", "https://linnet.test/@ann?")
	f.Fuzz(func(t *testing.T, data []byte, kind, href string) {
		own := []string{"https://linnet.test/@ann"}
		if linksBack(data, kind, own) && !strings.Contains(strings.ToLower(string(data)), "<") {
			t.Errorf("%q is a page that links back", data)
		}
		if leadsTo(href, own) && !strings.Contains(strings.ToLower(href), "linnet.test") {
			t.Errorf("%q leads to %v", href, own)
		}
	})
}
