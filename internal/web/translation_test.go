package web_test

import (
	"net/http"
	"strings"
	"testing"

	"linnet/internal/core"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/translation/translationtest"
)

// TestTranslatedPage checks that a post in another language offers a translation, which is shown on
// its own page with a link back. A failed translation shows an error and the original.
func TestTranslatedPage(t *testing.T) {
	w := &world{t: t, engine: memkv.New(memkv.Options{}), base: publicURL, rates: core.Unlimited(), translator: translationtest.New(t)}
	w.start()
	t.Cleanup(func() { w.halt() })
	ann, _ := w.user("ann"), w.user("bob")
	st := w.post(ann.ID, linnet.Draft{Text: "Hallo <Welt>", Warning: "Achtung", Language: "de", Poll: &linnet.PollDraft{Options: []string{"ja", "nein"}, Seconds: 3600}})
	b := w.browser().logIn("bob")
	path := postPath(st) + "?translate=1"
	want(t, b.get("/@ann"), http.StatusOK, `href="`+path+`"`, ">Translate</a>")
	page := b.get(path)
	want(t, page, http.StatusOK, "EN: Hallo &lt;Welt&gt;", "EN: Achtung", "EN: ja", "Translated from ", "Deutsch</bdi>", "127.0.0.1:", "Show original</a>", `lang="en"`)
	if strings.Contains(page.body, ">Translate</a>") {
		t.Error("what is translated is offered again")
	}
	original := b.get(postPath(st))
	want(t, original, http.StatusOK, "Hallo &lt;Welt&gt;", "ja</span>", ">Translate</a>")
	if strings.Contains(original.body, "EN: ") {
		t.Error("a translation stayed in the post")
	}
	b.header.Set("Accept-Language", "de-AT,de;q=0.9,en;q=0.8")
	for _, reader := range []*browser{b, w.browser()} {
		if strings.Contains(reader.get(postPath(st)).body, ">Translate</a>") {
			t.Error("a translation is offered to somebody who reads German, or to nobody")
		}
	}
	b.header.Del("Accept-Language")
	w.translator.Answer(func(h http.ResponseWriter) { http.Error(h, "{}", http.StatusBadGateway) })
	other := w.post(ann.ID, linnet.Draft{Text: "Zweites", Language: "de"})
	want(t, b.get(postPath(other)+"?translate=1"), http.StatusOK, "Zweites", "Not translated: The translation service isn't responding", ">Translate</a>")
	private := linnet.Private
	hidden := w.post(ann.ID, linnet.Draft{Text: "geheim", Language: "de", Visibility: &private})
	want(t, b.get(postPath(hidden)+"?translate=1"), http.StatusNotFound)
	want(t, w.browser().logIn("ann").get(postPath(hidden)+"?translate=1"), http.StatusOK, "geheim", "Not translated: Only public and unlisted posts can be translated.")
}
