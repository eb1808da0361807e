package text

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
)

// policy permits exactly the output of HTML and FieldValue.
func policy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br")
	p.AllowURLSchemes("http", "https")
	p.RequireParseableURLs(true)
	p.RequireNoFollowOnLinks(false)
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("target").Matching(regexp.MustCompile(`^_blank$`)).OnElements("a")
	p.AllowAttrs("rel").Matching(regexp.MustCompile(`^(tag|(me )?nofollow noopener noreferrer)$`)).OnElements("a")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^(u-url mention|mention hashtag)$`)).OnElements("a")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^(|h-card|invisible|ellipsis)$`)).OnElements("span")
	p.AllowNoAttrs().OnElements("span")
	return p
}

// checker checks HTML with a sanitiser that shares no code with this package.
type checker struct {
	policy *bluemonday.Policy
	href   *regexp.Regexp
}

func newChecker() checker {
	return checker{policy: policy(), href: regexp.MustCompile(`href="[^"<>]*"`)}
}

// html checks all guarantees of the HTML of a text.
func (c checker) html(t *testing.T, in string) {
	t.Helper()
	d := Parse(in)
	for _, out := range []string{d.HTML(everyone()), d.HTML(Resolver{}), FieldValue(in, everyone())} {
		c.sanitised(t, in, out)
		shown := checkNesting(t, in, out)
		if got, want := strings.Fields(shown), strings.Fields(d.Text()); strings.Join(got, "") != strings.Join(want, "") {
			t.Errorf("%q reads as %q in %s", in, shown, out)
		}
	}
	for _, u := range d.Links() {
		p, err := url.Parse(u)
		if err != nil || p.Scheme != "http" && p.Scheme != "https" || p.Hostname() == "" || p.User != nil {
			t.Errorf("link %q in %q: %+v, %v", u, in, p, err)
		}
	}
}

// sanitised checks that the sanitiser changes nothing. It encodes addresses differently, so they
// are compared separately.
func (c checker) sanitised(t *testing.T, in, out string) {
	t.Helper()
	clean := c.policy.Sanitize(out)
	if c.href.ReplaceAllString(clean, "href") != c.href.ReplaceAllString(out, "href") {
		t.Errorf("%q is not safe as rendered:\n     got %s\nafter it %s", in, out, clean)
	}
	for _, h := range c.href.FindAllString(out, -1) {
		if v := strings.TrimPrefix(h, `href="`); !strings.HasPrefix(v, "http://") && !strings.HasPrefix(v, "https://") {
			t.Errorf("%q gives the address %s", in, h)
		}
	}
}

// checkNesting reports elements that aren't closed in order, and returns the visible text.
func checkNesting(t *testing.T, in, out string) string {
	t.Helper()
	var shown strings.Builder
	var open []string
	z := html.NewTokenizer(strings.NewReader(out))
	for {
		switch z.Next() {
		case html.ErrorToken:
			if len(open) > 0 {
				t.Errorf("%q leaves %q open: %s", in, open, out)
			}
			return shown.String()
		case html.TextToken:
			shown.Write(z.Text()) // with decoded entities
		case html.StartTagToken:
			if name, _ := z.TagName(); string(name) != "br" {
				open = append(open, string(name))
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if len(open) == 0 || open[len(open)-1] != string(name) {
				t.Fatalf("%q closes %s within %q: %s", in, name, open, out)
			}
			open = open[:len(open)-1]
		default:
			t.Fatalf("%q gives something else than elements and text: %s", in, out)
		}
	}
}
