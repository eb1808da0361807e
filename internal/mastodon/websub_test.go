package mastodon_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/mastodon"
	"linnet/internal/outsidefeed"
	"linnet/internal/store"
)

// TestHubRequests checks the responses to the requests of a WebSub hub: questions about
// subscriptions, and notifications that are valid, forged or too large.
func TestHubRequests(t *testing.T) {
	svc := apptest.WithPush(t, memkv.New(memkv.Options{}), store.Options{}).App
	api := mastodon.New(svc, mastodon.Options{Log: apptest.Quiet()})
	call := func(method, path, signature, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		if signature != "" {
			r.Header.Set("X-Hub-Signature", signature)
		}
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		return w
	}
	asked := make(chan url.Values, 1)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			_ = r.ParseForm()
			asked <- r.PostForm
			return
		}
		w.Header().Set("Link", `</hub>; rel="hub", </feed>; rel="self"`)
		fmt.Fprint(w, `<rss version="2.0"><channel><title>Example</title></channel></rss>`)
	}))
	defer site.Close()
	ann := apptest.Must(svc.Identity.SignUp(t.Context(), linnet.SignUp{Login: "ann", Password: "a long password", Agreed: true}))(t)
	feed := apptest.Must(svc.Outside.Resolve(t.Context(), linnet.By(ann.ID), site.URL+"/feed"))(t)
	apptest.Must(svc.Social.Follow(t.Context(), ann.ID, feed.ID, linnet.FollowOptions{}))(t)
	if err := svc.Outside.Fetch(t.Context(), linnet.Operator(), feed.ID); err != nil {
		t.Fatal(err)
	}
	form := <-asked
	path := strings.TrimPrefix(form.Get("hub.callback"), "https://linnet.test")
	question := func(mode, topic string) string {
		return path + "?" + url.Values{"hub.mode": {mode}, "hub.topic": {topic}, "hub.challenge": {"<b>x"}, "hub.lease_seconds": {"86400"}}.Encode()
	}
	sign := func(body string) string {
		m := hmac.New(sha256.New, []byte(form.Get("hub.secret")))
		m.Write([]byte(body))
		return "sha256=" + hex.EncodeToString(m.Sum(nil))
	}
	large := strings.Repeat("x", outsidefeed.MaxNotification+1)
	for _, c := range []struct {
		method, path, signature, body string
		code                          int
	}{
		{"POST", path, sign("x"), "x", 410}, // not confirmed yet
		{"GET", question("unsubscribe", form.Get("hub.topic")), "", "", 404},
		{"GET", question("subscribe", site.URL+"/other"), "", "", 404},
		{"GET", strings.Replace(question("subscribe", form.Get("hub.topic")), "?", "0?", 1), "", "", 404},
		{"GET", "/api/v1/linnet/websub/x/y", "", "", 404},
		{"GET", question("subscribe", form.Get("hub.topic")), "", "", 200},
		{"POST", path, "", "x", 403},
		{"POST", path, sign("y"), "x", 403},
		{"POST", path, sign(large), large, 413},
		{"POST", path + "0", sign("x"), "x", 410},
		{"POST", path, sign("x"), "x", 200},
	} {
		w := call(c.method, c.path, c.signature, c.body)
		if w.Code != c.code {
			t.Errorf("%s %.200s: %d, want %d: %s", c.method, c.path, w.Code, c.code, w.Body)
		}
		if h := w.Header(); c.method == "GET" && w.Code == 200 && (w.Body.String() != "<b>x" || !strings.HasPrefix(h.Get("Content-Type"), "text/plain") || h.Get("X-Content-Type-Options") != "nosniff") {
			t.Errorf("the confirmation is %q with %v", w.Body, h)
		}
	}
}
