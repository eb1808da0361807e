package mastodon_test

import (
	"context"
	"log/slog"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/kv/rediskv"
	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
	"linnet/internal/mastodon"
	"linnet/internal/store"
)

// keyish are texts that would reach other keys, commands or shards if they were inserted into a key
// unchanged.
var keyish = []string{":", "{", "}", "{0}", "x}:y", "user:{0}:1", "a\r\nDEL canary", "a\nFLUSHALL\n", "\x00", "a\x00b", "*", "?", "[a]", "\\", "a:b", "..", "\xff\xfe",
	"\u202e{1}", "}{", "{}", "'", "\"", "$3\r\nabc", "canary:", "token:{5}:x", strings.Repeat("k", 150), strings.Repeat("}", 150), strings.Repeat("\u00df", 120)}

// TestKeysCannotBeInjected sends such texts as every name, id or secret. Existing keys stay
// unchanged, and new keys are of known kinds.
func TestKeysCannotBeInjected(t *testing.T) {
	t.Run("memory", func(t *testing.T) {
		e := memkv.New(memkv.Options{})
		inject(t, e)
		records(t, e) // fails for undocumented keys
	})
	t.Run("redis", func(t *testing.T) {
		srv := redistest.Start(t)
		canaries := []string{"canary", "canary:", "victim:1", "a", "a:b", "k", "x}:y", "}{", "*"}
		for _, k := range canaries {
			srv.Do("SET", k, "alive")
		}
		e, err := rediskv.Open(t.Context(), srv.URL(), rediskv.Options{Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		inject(t, e)
		for _, k := range canaries {
			if got := srv.Do("GET", k); got != "alive" {
				t.Errorf("%s is now %q", k, got)
			}
			srv.Do("DEL", k)
		}
		form := regexp.MustCompile(`^[a-z.-]{1,24}(:\{\d{1,4}\}:[^{}\x00-\x1f\x7f]{0,200})$`)
		for _, k := range strings.Split(srv.Do("EVAL", "return table.concat(redis.call('KEYS','*'),'\\n')", "0"), "\n") {
			if !form.MatchString(k) && !strings.HasPrefix(k, "meter:") && !strings.HasPrefix(k, "linnet") {
				t.Errorf("an unknown key %q", k)
			}
		}
	})
}

func inject(t *testing.T, e kv.Engine) {
	t.Helper()
	w := newWorld(t, e, mastodon.Options{}, "ann")
	w.run([]step{{as: "ann", do: "POST /api/v1/statuses", body: "status=before+%23tag", save: "s=id"}})
	w.settle()
	w.as("app")
	before := len(records(t, e))
	for _, evil := range keyish {
		q, p := url.QueryEscape(evil), url.PathEscape(evil)
		for _, s := range []step{
			{as: "app", do: "POST /api/v1/accounts", body: "username=" + q + "&password=correct+horse&agreement=true&email=a@b.c", code: 422},
			{do: "GET /api/v1/accounts/lookup?acct=" + q, code: below500}, {as: "ann", do: "GET /api/v1/accounts/search?q=" + q, code: below500},
			{do: "GET /.well-known/webfinger?resource=" + q, code: below500}, {do: "GET /.well-known/webfinger?resource=acct:" + q + "@linnet.test", code: below500},
			{do: "GET /api/v1/timelines/tag/" + p, code: below500}, {do: "GET /api/v1/timelines/tag/x?any[]=" + q + "&all[]=" + q + "&none[]=" + q, code: below500},
			{do: "GET /api/v1/tags/" + p, code: below500}, {as: "ann", do: "GET /api/v2/search?q=" + q, code: below500}, {as: "ann", do: "GET /api/v2/search?q=%23" + q, code: below500},
			{as: "ann", do: "GET /api/v2/search?q=@" + q, code: below500}, {do: "GET /api/v1/accounts/{ann}/statuses?tagged=" + q, code: below500},
			{as: "ann", do: "GET /api/v1/lists/" + p, code: below500}, {as: "ann", do: "GET /api/v1/timelines/list/" + p, code: below500},
			{do: "GET /api/v1/statuses/" + p, code: below500}, {do: "GET /api/v1/accounts/" + p, code: below500},
			{as: "ann", do: "GET /api/v1/notifications/" + p, code: below500}, {as: "ann", do: "POST /api/v1/notifications/" + p + "/dismiss", code: below500},
			{do: "POST /oauth/token", body: "grant_type=client_credentials&client_id=" + q + "&client_secret=" + q, code: below500},
			{do: "POST /oauth/token", body: "grant_type=authorization_code&redirect_uri=https://app.test/cb&client_id={client_id}&client_secret={client_secret}&code=" + q, code: 400},
			{do: "POST /oauth/token", body: "grant_type=authorization_code&redirect_uri=https://app.test/cb&client_id={client_id}&client_secret={client_secret}&code=000-" + q, code: 400},
			{do: "POST /oauth/revoke", body: "client_id={client_id}&client_secret={client_secret}&token=" + q, code: below500},
			{do: "GET /api/v1/streaming/hashtag?tag=" + q + "&access_token=" + q, code: below500},
			{do: "GET /avatars/" + p, code: below500},
		} {
			w.injected(s, evil)
		}
		for _, token := range []string{evil, "000-" + evil} {
			if _, err := w.svc.Identity.Session(context.Background(), token); linnet.KindOf(err) != linnet.Unauthenticated {
				t.Errorf("token %q: %v", token, err)
			}
		}
		if err := w.svc.Moderation.Setup.CheckToken(context.Background(), evil); linnet.KindOf(err) != linnet.NotFound {
			t.Errorf("set-up token %q: %v", evil, err)
		}
		if _, _, err := w.svc.Identity.LogIn(context.Background(), evil, "wrong horse", netip.Addr{}); linnet.KindOf(err) != linnet.Unauthenticated && linnet.KindOf(err) != linnet.TooMany {
			t.Errorf("login of %q: %v", evil, err)
		}
	}
	w.settle()
	if after := len(records(t, e)); after != before {
		t.Errorf("%d records became %d", before, after)
	}
	for i, evil := range keyish { // those that do write
		if i%2 == 0 {
			w.injected(step{as: "ann", do: "POST /api/v1/statuses", body: "status=x+%23" + url.QueryEscape(evil) + "+@" + url.QueryEscape(evil), code: below500}, evil)
		}
		w.call("ann", "POST /api/v1/statuses", "status=keyed", "Idempotency-Key: "+evil)
		if w.last.Code >= 500 {
			t.Errorf("idempotency key %q: %d %s", evil, w.last.Code, w.last.Body)
		}
	}
	w.settle()
	w.run([]step{{do: "GET /api/v1/statuses/{s}", want: []string{"content~before"}}, {do: "GET /api/v1/timelines/tag/tag", want: []string{"0.id={s}"}}})
	if _, err := store.New(e, store.Options{}).Accounts.UserByLogin(context.Background(), "ann"); err != nil {
		t.Error(err)
	}
}

func (w *world) injected(s step, evil string) {
	w.t.Helper()
	w.call(s.as, s.do, s.body, "")
	if s.code == below500 && w.last.Code < 500 || s.code == w.last.Code {
		return
	}
	w.t.Errorf("%s %s with %.40q: %d %.200s", s.do, s.body, evil, w.last.Code, w.last.Body)
}
