package auth

import (
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// TestSameForm checks that a form only matches a pending one if it has all its fields and the same
// hidden values.
func TestSameForm(t *testing.T) {
	doc, err := html.Parse(strings.NewReader(`<form method="post" action="/x"><input type="hidden" name="of" value="1"><input name="text"><button name="act" value="a"></button></form>`))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		sent string
		is   bool
	}{{"of=1&text=a&act=b", true}, {"of=1", true}, {"of=2&text=a", false}, {"text=a", false}, {"of=1&text=a&about=3", false}, {"of=1&of=2&text=a", false}, {"of=1&key=3&form_token=x", true}} {
		sent, _ := url.ParseQuery(k.sent)
		if is := findForm(doc, outdatedForm{Action: "/x", Fields: sent}) != nil; is != k.is {
			t.Errorf("%s: %v", k.sent, is)
		}
	}
}
