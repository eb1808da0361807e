package cards

import (
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"linnet/internal/linnet"
)

func TestCardOfAPage(t *testing.T) {
	at, _ := url.Parse("https://site.test/a/b")
	for name, c := range map[string]struct {
		page, kind string
		want       linnet.Card
		image      string
		none       bool
	}{
		"all of it": {page: `<html lang="de-AT"><head><title>t</title><meta property="og:title" content=" A &amp;  B "><meta name="og:description" content="d"><meta property="og:site_name" content="Site">
			<meta property="og:image" content="../p.png"><meta property="og:image:alt" content="alt"><meta name="author" content="Ann"><meta property="article:published_time" content="2026-05-04T10:00:00+02:00">`,
			want: linnet.Card{Title: "A & B", Description: "d", Site: "Site", Author: "Ann", Language: "de", Published: time.Date(2026, 5, 4, 8, 0, 0, 0, time.UTC), Image: linnet.CardImage{Description: "alt"}}, image: "https://site.test/p.png"},
		"title alone":          {page: `<title> One <b>two</b></title>`, want: linnet.Card{Title: "One <b>two</b>"}},
		"twitter":              {page: `<meta name="twitter:title" content="T"><meta name="twitter:image" content="//i.test/x">`, want: linnet.Card{Title: "T"}, image: "https://i.test/x"},
		"the first counts":     {page: `<meta property="og:title" content="1"><meta property="og:title" content="2">`, want: linnet.Card{Title: "1"}},
		"another charset":      {page: "<title>caf\xe9</title>", kind: "text/html; charset=iso-8859-1", want: linnet.Card{Title: "café"}},
		"a charset of no name": {page: "<title>caf\xc3\xa9</title>", kind: "text/html; charset=utf-9000", want: linnet.Card{Title: "café"}},
		"the charset is late":  {page: strings.Repeat("<meta name=a content=b>", 200) + `<meta charset="windows-1251"><title>` + "\xcf\xf0\xe8" + `</title>`, kind: "text/html", want: linnet.Card{Title: "При"}},
		"the charset is late, in the form of before": {page: "<!--" + strings.Repeat(" ", 2000) + `--><meta http-equiv="Content-Type" content="text/html; charset=shift_jis"><title>` + "\x83n\x83g" + `</title>`, kind: "text/html", want: linnet.Card{Title: "ハト"}},
		"no charset, late UTF-8":                     {page: "<!--" + strings.Repeat(" ", 2000) + "--><title>café</title>", kind: "text/html", want: linnet.Card{Title: "café"}},
		"a drawing with a title":                     {page: `<svg><title>Menu</title></svg><svg/><title>Birds</title>`, kind: "text/html", want: linnet.Card{Title: "Birds"}},
		"drawings in drawings":                       {page: `<svg><svg><title>a</title></svg><title>b</title></svg><title>Birds</title><svg><title>c</title></svg>`, kind: "text/html", want: linnet.Card{Title: "Birds"}},
		"the charset is inside":                      {page: `<meta charset="windows-1251"><title>` + "\xcf\xf0\xe8" + `</title>`, kind: "text/html", want: linnet.Card{Title: "При"}},
		"no other scheme":                            {page: `<title>t</title><meta property="og:image" content="javascript:x"><meta property="article:author" content="file://x/">`, want: linnet.Card{Title: "t", Author: "file://x/"}},
		"an author's page":                           {page: `<title>t</title><meta property="article:author" content="https://a.test/">`, want: linnet.Card{Title: "t", AuthorURL: "https://a.test/"}},
		"no turned text":                             {page: `<title>a` + "\u202e" + `b</title>`, want: linnet.Card{Title: "ab"}},
		"too many marks":                             {page: `<title>a` + strings.Repeat("\u0301", 50) + `</title>`, none: true},
		"no title":                                   {page: `<meta name="description" content="d">`, none: true},
		"no page":                                    {page: "\x00\x01\x02<", none: true},
		"nothing":                                    {none: true},
		"an endless tag":                             {page: `<meta x="` + strings.Repeat("a", maxTag+10), none: true},
		"cut in the middle":                          {page: `<title>t</title><meta property="og:description" content="d`, want: linnet.Card{Title: "t"}},
	} {
		p := readPage([]byte(c.page), c.kind)
		got, image := p.card("https://site.test/", at, time.Time{})
		if got == nil || c.none {
			if (got == nil) != c.none {
				t.Errorf("%s: %+v", name, got)
			}
			continue
		}
		c.want.Link = "https://site.test/"
		if *got != c.want {
			t.Errorf("%s: %+v, want %+v", name, *got, c.want)
		}
		if shown := ""; image != nil || c.image != "" {
			if image != nil {
				shown = image.String()
			}
			if shown != c.image {
				t.Errorf("%s: its picture is %q, want %q", name, shown, c.image)
			}
		}
	}
}

func TestLongTitles(t *testing.T) {
	for _, one := range []string{"a", "é", "👩‍👩‍👧", "अ"} {
		for n, want := range map[int]int{5: 5, 10: 10, 11: 10, 500: 10} {
			got := line(strings.Repeat(one, n), 10)
			if s, cut := strings.CutSuffix(got, "…"); cut != (n > 10) || s != strings.Repeat(one, want) {
				t.Errorf("%d of %s: %q", n, one, got)
			}
		}
	}
}

func TestNormalLinks(t *testing.T) {
	for in, want := range map[string]string{
		"https://A.test": "https://a.test/", "http://a.test/b?c#d": "http://a.test/b?c", "https://bücher.test/ü": "https://xn--bcher-kva.test/%C3%BC",
		"https://a.test:8443/": "https://a.test:8443/", "https://u:p@a.test/": "", "ftp://a.test/": "", "https://": "", "https://[::1]/": "https://[::1]/", "https://a b/": "",
	} {
		if got := normal(in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

// TestSitesAreSpared checks that the pages fetched from a site per minute are limited over all of
// its hosts.
func TestSitesAreSpared(t *testing.T) {
	var h hosts
	now, n := time.Now(), 0
	for i := range 3 * perSite {
		if h.admit(strings.Repeat("a", i%5+1)+".site.test", now) {
			n++
		}
	}
	if n != perSite || !h.admit("other.test", now) || !h.admit("a.site.test", now.Add(sites)) {
		t.Errorf("%d pages of a site", n)
	}
}

func FuzzPage(f *testing.F) {
	f.Add([]byte(`<html lang=de><title>t</title><meta property=og:title content="x&amp;y"><meta name=og:image content=/p.png>`), "text/html")
	f.Add([]byte("<meta charset=utf-16><title>\xff\xfe"), "text/html; charset=shift_jis")
	f.Fuzz(func(t *testing.T, data []byte, kind string) {
		at, _ := url.Parse("https://site.test/")
		p := readPage(data, kind)
		c, image := p.card("https://site.test/", at, time.Time{})
		if c == nil {
			return
		}
		for _, s := range []string{c.Title, c.Description, c.Site, c.Author, c.Image.Description} {
			if !utf8.ValidString(s) || strings.ContainsAny(s, "\n\u202e") || len(s) > 64*linnet.MaxCardDescription+3 {
				t.Errorf("%q", s)
			}
		}
		if c.Title == "" || image != nil && image.Scheme != "https" && image.Scheme != "http" {
			t.Errorf("%+v %v", c, image)
		}
	})
}
