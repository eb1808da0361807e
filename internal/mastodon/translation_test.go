package mastodon_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"linnet/internal/app"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/mastodon"
	"linnet/internal/translation/translationtest"
)

func translating(t *testing.T, people string) (*world, *translationtest.Server) {
	t.Helper()
	server := translationtest.New(t)
	var set app.Options
	set.Translate.URL, set.Translate.Key = server.URL, server.Key
	return newOptionalWorld(t, memkv.New(memkv.Options{}), mastodon.Options{}, set, logins(people)...), server
}

// Public statuses are translated with all their texts. Invisible ones are not, and a translation
// contains no HTML.
func TestTranslation(t *testing.T) {
	w, server := translating(t, "ann bob cat")
	const translate = "POST /api/v1/statuses/{s}/translate"
	w.run([]step{
		{do: "GET /api/v2/instance", want: []string{"configuration.translation.enabled=true"}},
		{do: "GET /api/v1/instance/translation_languages", want: []string{"de.0=en", "de.1=fr", "de#2", "en#1", "en.0=de", "pt-BR.0=en", "und.*=de en fr"}},
		{as: "bob", do: "POST /api/v1/accounts/{ann}/follow"},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=Hallo <b>Welt</b> @bob %23tag https://a.test/x&spoiler_text=Achtung&language=de&poll[options][]=ja&poll[options][]=nein&poll[expires_in]=3600", save: "s=id"},
		{as: "cat", do: translate, want: []string{"language=en", "detected_source_language=de", "provider~127.0.0.1:", "spoiler_text=EN: Achtung",
			"content~<p>EN: Hallo &lt;b&gt;Welt", `content~href="https://linnet.test/@bob"`, "content~/tags/tag", "poll.id={s}", "poll.options.*.title=EN: ja EN: nein", "media_attachments#0"}},
		{as: "cat", do: translate, body: "lang=fr", want: []string{"language=fr", "spoiler_text=FR: Achtung"}},
		{as: "cat", do: translate, body: "lang=de", code: 403, want: []string{"error~Can't translate from de into de. Available languages: en, fr"}},
		{as: "cat", do: translate, body: "lang=xx", code: 403, want: []string{"error~from de into xx"}},
		{as: "cat", do: translate, body: "lang=fr-CA", want: []string{"language=fr"}},
		{do: translate, code: 401},
		{as: "cat/write", do: translate, code: 403},
		{as: "cat", do: "POST /api/v1/statuses/{s}/reblog", save: "r=id"},
		{as: "bob", do: "POST /api/v1/statuses/{r}/translate", want: []string{"spoiler_text=EN: Achtung"}},
		{as: "cat", do: "PATCH /api/v1/accounts/update_credentials", body: "source[language]=fr"}, {as: "cat", do: translate, want: []string{"language=fr"}},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=sotto voce&language=it", save: "s=id"}, {as: "bob", do: translate, want: []string{"content=<p>EN: sotto voce</p>", "detected_source_language=it"}},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=bom dia&language=pt", save: "s=id"}, {as: "bob", do: translate, want: []string{"language=en", "detected_source_language=pt"}},
	})
	before := len(server.Asked())
	w.run([]step{
		{as: "ann", do: "POST /api/v1/statuses", body: "status=geheim&visibility=private&language=de", save: "s=id"},
		{as: "bob", do: translate, code: 403, want: []string{"error~Only public and unlisted posts"}}, {as: "cat", do: translate, code: 404, want: []string{"error=Record not found"}},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=@bob geheim&visibility=direct&language=de", save: "s=id"},
		{as: "bob", do: translate, code: 403}, {as: "cat", do: translate, code: 404}, {as: "cat", do: "POST /api/v1/statuses/1/translate", code: 404},
	})
	if asked := server.Asked(); len(asked) != before {
		t.Errorf("what not everybody may read left the server: %q", asked[before:])
	}
}

// A translation is cached for all viewers until the status is edited. It is not shown to viewers
// who cannot see the status.
func TestTranslationsAreKept(t *testing.T) {
	w, server := translating(t, "ann bob cat")
	w.run([]step{{as: "ann", do: "POST /api/v1/statuses", body: "status=eins&language=de", save: "s=id"}})
	id, _ := linnet.ParseID(w.vars["s"])
	release := server.Hold()
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if got, err := w.svc.Translation.Status(t.Context(), w.ids["bob"], id, "en"); err != nil || got.Text != "EN: eins" {
				t.Error(got.Text, err)
			}
		})
	}
	release()
	wg.Wait()
	if asked := server.Asked(); len(asked) != 1 {
		t.Errorf("asked %d times: %q", len(asked), asked)
	}
	w.run([]step{
		{as: "ann", do: "PUT /api/v1/statuses/{s}", body: "status=zwei&language=de"},
		{as: "bob", do: "POST /api/v1/statuses/{s}/translate", want: []string{"content=<p>EN: zwei</p>"}},
		{as: "ann", do: "POST /api/v1/accounts/{cat}/block"}, {as: "cat", do: "POST /api/v1/statuses/{s}/translate", code: 404},
		{as: "ann", do: "DELETE /api/v1/statuses/{s}"}, {as: "bob", do: "POST /api/v1/statuses/{s}/translate", code: 404},
	})
	if asked := server.Asked(); len(asked) != 2 {
		t.Errorf("asked %d times: %q", len(asked), asked)
	}
}

// TestTranslationFails checks that errors of the translation server are reported as temporary, and
// aren't cached.
func TestTranslationFails(t *testing.T) {
	w, server := translating(t, "ann bob")
	w.run([]step{{as: "ann", do: "POST /api/v1/statuses", body: "status=eins&language=de", save: "s=id"}})
	for name, answer := range map[string]func(http.ResponseWriter){
		"refused": func(h http.ResponseWriter) { http.Error(h, `{"error":"Slow down"}`, http.StatusTooManyRequests) },
		"no JSON": func(h http.ResponseWriter) { h.Write([]byte("<html>")) },
		"too few": func(h http.ResponseWriter) { h.Write([]byte(`{"translatedText":[]}`)) },
		"too much": func(h http.ResponseWriter) {
			h.Write([]byte(`{"translatedText":["` + strings.Repeat("x", 2<<20) + `"]}`))
		},
		"elsewhere":   func(h http.ResponseWriter) { h.Header().Set("Location", "/languages"); h.WriteHeader(http.StatusFound) },
		"broken off":  func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
		"other shape": func(h http.ResponseWriter) { h.Write([]byte(`{"translatedText":"one"}`)) },
	} {
		server.Answer(answer)
		w.call("bob", "POST /api/v1/statuses/{s}/translate", "", "")
		if w.last.Code != http.StatusServiceUnavailable || w.last.Header().Get("Retry-After") != "60" {
			t.Errorf("%s: %d %s", name, w.last.Code, w.last.Body)
		}
	}
	server.Answer(nil)
	w.run([]step{{as: "bob", do: "POST /api/v1/statuses/{s}/translate", want: []string{"content=<p>EN: eins</p>"}}})
	var codes []int
	for range 250 { // a window may begin in between
		w.call("bob", "POST /api/v1/statuses/{s}/translate", "", "")
		codes = append(codes, w.last.Code)
	}
	if !slices.Contains(codes, http.StatusTooManyRequests) {
		t.Error("nothing ends what one may ask for")
	}
}
