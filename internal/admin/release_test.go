package admin_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/admin"
	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/kv/diskkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/mastodon"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/instance"
	"linnet/internal/web"
)

var (
	anew   = flag.String("anew", "", "write testdata/`name`.tar.gz with the program as it is, and what it answers")
	update = flag.Bool("update", false, "write anew what the program answers about the stores in testdata")
)

// recorded has the expected answers of an API on the store of a release. It is stored next to that
// store.
type recorded struct {
	At      time.Time                  // time of the requests
	People  map[string]string          // ids by login
	Tokens  map[string]string          // by login
	Answers map[string]json.RawMessage // by login and path
}

// running is a program with its API and pages on an embedded store.
type running struct {
	*testing.T
	*app.App
	api   http.Handler
	pages http.Handler
	close func()
}

func install(t *testing.T, dir string, now func() time.Time) *running {
	t.Helper()
	e, err := diskkv.Open(dir, diskkv.Options{Reserve: -1, Sync: diskkv.SyncInterval, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	st := store.New(e, store.Options{Now: now})
	if err := st.Instance.CheckFormat(t.Context()); err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	svc, err := app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Exclusive: true, Log: log, Rates: core.Unlimited()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); svc.Run(ctx) }()
	i := &running{T: t, App: svc, api: mastodon.New(svc, mastodon.Options{Version: "0.1.0", Log: log, Now: now}),
		pages: web.New(svc, web.Options{Version: "0.1.0", Log: log, Now: now})}
	i.close = func() {
		cancel()
		<-done
		e.Close()
		i.close = func() {}
	}
	t.Cleanup(func() { i.close() })
	if err := svc.Upgrade(ctx); err != nil {
		t.Fatal(err)
	}
	return i
}

// ask sends an API request with a token.
func (i *running) ask(token, method, path string, form url.Values) json.RawMessage {
	i.Helper()
	r := httptest.NewRequest(method, "https://linnet.test"+path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	i.api.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		i.Fatalf("%s %s answers %d: %s", method, path, w.Code, w.Body)
	}
	return bytes.TrimSpace(w.Body.Bytes())
}

// settle waits until all tasks are done.
func (i *running) settle() {
	for !i.Idle() {
		select {
		case <-i.Context().Done():
			i.Fatal("tasks go on")
		case <-time.After(time.Millisecond):
		}
	}
}

// releasePaths returns the paths that each user requests.
func releasePaths(people map[string]string) []string {
	out := []string{"/api/v1/accounts/verify_credentials", "/api/v1/preferences", "/api/v1/timelines/home?limit=10", "/api/v1/timelines/public?limit=10",
		"/api/v1/notifications?limit=10", "/api/v1/conversations", "/api/v1/lists", "/api/v2/filters", "/api/v1/markers?timeline[]=home&timeline[]=notifications",
		"/api/v1/bookmarks", "/api/v1/favourites", "/api/v1/mutes", "/api/v1/blocks", "/api/v1/follow_requests", "/api/v1/featured_tags",
		"/api/v2/notifications/policy"}
	for _, login := range slices.Sorted(maps.Keys(people)) {
		at := "/api/v1/accounts/" + people[login]
		out = append(out, at, at+"/statuses?limit=10", at+"/followers", at+"/following", "/api/v1/accounts/relationships?id[]="+people[login])
	}
	return out
}

// TestStoreOfARelease checks that a store of an earlier release passes the check, and the API gives
// each user the same answers as then.
func TestStoreOfARelease(t *testing.T) {
	if *anew != "" {
		writeRelease(t, filepath.Join("testdata", *anew))
	}
	archives, err := filepath.Glob(filepath.Join("testdata", "*.tar.gz"))
	if err != nil || len(archives) == 0 {
		t.Fatal("there are no stores of releases", err)
	}
	for _, archive := range archives {
		name := strings.TrimSuffix(archive, ".tar.gz")
		t.Run(filepath.Base(name), func(t *testing.T) { storeOfARelease(t, name) })
	}
}

func storeOfARelease(t *testing.T, name string) {
	was := readRecord(t, name+".json.gz")
	dir := t.TempDir()
	unpack(t, name+".tar.gz", dir)
	i := install(t, dir, func() time.Time { return was.At })
	if report, err := admin.Check(t.Context(), i.App, admin.CheckOptions{}); err != nil || len(report.Findings) > 0 {
		t.Errorf("the store of the release is not whole: %v %+v", err, report)
	}
	is := i.answers(was)
	if *update || "testdata/"+*anew == filepath.ToSlash(name) {
		was.Answers = is
		writeRecord(t, name+".json.gz", was)
	}
	if len(is) != len(was.Answers) {
		t.Errorf("%d answers, %d are recorded: go test -run StoreOfARelease ./internal/admin -update", len(is), len(was.Answers))
	}
	for what, b := range is {
		if !sameJSON(t, b, was.Answers[what]) {
			t.Errorf("%s answers\n%s\nand did answer\n%s", what, b, was.Answers[what])
		}
	}
	i.samePages(was)
}

// TestReleasesRefuseNewerStores checks that a release refuses its store once this program has
// opened it, unless both write the same format. This program refuses a store of the next format.
// CheckFormat of each program requires a known format.
func TestReleasesRefuseNewerStores(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join("testdata", "*.tar.gz"))
	if err != nil || len(archives) == 0 {
		t.Fatal("there are no stores of releases", err)
	}
	for _, archive := range archives {
		dir := t.TempDir()
		unpack(t, archive, dir)
		e, err := diskkv.Open(dir, diskkv.Options{Reserve: -1})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		knew := formatOf(t, e)
		if err := store.New(e, store.Options{}).Instance.CheckFormat(t.Context()); err != nil {
			t.Fatal(err)
		}
		if is := formatOf(t, e); is != record.Format || knew < 1 || knew > is || knew == 1 && is == 1 {
			t.Errorf("%s wrote format %d; opened by this program it has format %d", archive, knew, is)
		}
		put := kv.Put{Key: record.MetaKey("format"), Version: 99, Data: record.Encode(record.FormatRecord{Format: record.Format + 1})}
		if _, err := e.Txn(t.Context(), nil, put); err != nil {
			t.Fatal(err)
		}
		if err := store.New(e, store.Options{}).Instance.CheckFormat(t.Context()); !errors.As(err, new(instance.ErrFormat)) {
			t.Errorf("a store of the next format opens with %v", err)
		}
	}
}

// TestFormatOfAFullStore checks that a full store of an earlier format can be opened. It gets the
// new format when it is opened with free space.
func TestFormatOfAFullStore(t *testing.T) {
	e := &fullEngine{Engine: memkv.New(memkv.Options{}), full: true}
	put := kv.Put{Key: record.MetaKey("format"), Version: 1, Data: record.Encode(record.FormatRecord{Format: 1})}
	if _, err := e.Engine.Txn(t.Context(), nil, put); err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{1, record.Format} {
		if err := store.New(e, store.Options{}).Instance.CheckFormat(t.Context()); err != nil || formatOf(t, e) != want {
			t.Errorf("opened with %v; it has format %d, want %d", err, formatOf(t, e), want)
		}
		e.full = false
	}
}

// fullEngine is an engine that refuses writes while full is set.
type fullEngine struct {
	kv.Engine
	full bool
}

func (f *fullEngine) Txn(ctx context.Context, conds []kv.Cond, ops ...kv.Op) (int, error) {
	if f.full {
		return -1, kv.ErrFull
	}
	return f.Engine.Txn(ctx, conds, ops...)
}

// formatOf returns the stored format.
func formatOf(t *testing.T, e kv.Engine) int {
	t.Helper()
	get := &kv.Get{Key: record.MetaKey("format")}
	var r record.FormatRecord
	if err := e.Read(t.Context(), get); err != nil || record.Decode(get, &r) != nil {
		t.Fatal("there is no format", err)
	}
	return r.Format
}

// answers sends all requests as all users.
func (i *running) answers(r recorded) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for login, token := range r.Tokens {
		for _, path := range releasePaths(r.People) {
			out[login+" "+path] = i.ask(token, "GET", path, nil)
		}
	}
	return out
}

// samePages fails unless the public page of each profile shows the first public statuses of the
// API.
func (i *running) samePages(r recorded) {
	for login, id := range r.People {
		w := httptest.NewRecorder()
		i.pages.ServeHTTP(w, httptest.NewRequest("GET", "https://linnet.test/@"+login, nil))
		if w.Code != http.StatusOK {
			i.Errorf("the page of %s answers %d", login, w.Code)
			continue
		}
		var statuses []struct {
			ID, Visibility, URL string
			InReplyTo           string `json:"in_reply_to_id"`
		}
		if err := json.Unmarshal(r.Answers[admin.DemoAdmin+" /api/v1/accounts/"+id+"/statuses?limit=10"], &statuses); err != nil {
			i.Fatal(err)
		}
		shown := 0
		for _, st := range statuses {
			if st.Visibility != "public" || st.InReplyTo != "" {
				continue
			}
			if shown++; shown <= 5 && !strings.Contains(w.Body.String(), st.ID) {
				i.Errorf("the page of %s does not show %s", login, st.URL)
			}
		}
	}
}

func sameJSON(t *testing.T, a, b json.RawMessage) bool {
	t.Helper()
	var x, y any
	if err := errors.Join(json.Unmarshal(a, &x), json.Unmarshal(b, &y)); err != nil {
		return false
	}
	return reflect.DeepEqual(x, y)
}

// writeRelease creates the demo data, and adds filters, markers, notes and other records.
func writeRelease(t *testing.T, name string) {
	t.Helper()
	end := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	clock, dir := admin.NewDemoClock(end), t.TempDir()
	i := install(t, dir, clock.Now)
	if err := admin.Demo(t.Context(), i.App, clock); err != nil {
		t.Fatal(err)
	}
	r := recorded{At: end.Add(time.Hour), People: map[string]string{}, Tokens: map[string]string{}}
	a, _, err := i.Apps.Register(t.Context(), linnet.AppRequest{Name: "Tests", RedirectURIs: []string{"https://app.test/cb"}, Scopes: []string{"read", "write", "follow"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, login := range []string{admin.DemoAdmin, "huck", "holmes", "lizzy", "ishmael", "walt"} {
		u, err := i.Moderation.AccountNamed(t.Context(), linnet.Operator(), login)
		if err != nil {
			t.Fatal(err)
		}
		r.People[login] = u.ID.String()
	}
	for _, login := range []string{admin.DemoAdmin, "huck", "lizzy"} {
		id, _ := linnet.ParseID(r.People[login])
		tok, err := i.Apps.UserToken(t.Context(), id, a.ID, a.Scopes)
		if err != nil {
			t.Fatal(err)
		}
		r.Tokens[login] = tok.Value
	}
	i.furnish(r)
	i.settle()
	i.close()
	pack(t, dir, name+".tar.gz")
	writeRecord(t, name+".json.gz", r)
}

func readRecord(t *testing.T, name string) (r recorded) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err == nil {
		err = json.NewDecoder(z).Decode(&r)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func writeRecord(t *testing.T, name string, r recorded) {
	t.Helper()
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err := errors.Join(json.NewEncoder(z).Encode(r), z.Close()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// furnish creates records that the demo data doesn't contain.
func (i *running) furnish(r recorded) {
	i.Helper()
	var home []struct{ ID string }
	if err := json.Unmarshal(i.ask(r.Tokens["huck"], "GET", "/api/v1/timelines/home", nil), &home); err != nil || len(home) < 3 {
		i.Fatal(err, len(home))
	}
	for _, act := range []struct {
		as, do string
		form   url.Values
	}{
		{"huck", "POST /api/v2/filters", url.Values{"title": {"Whales"}, "context[]": {"home", "public"}, "filter_action": {"warn"}, "keywords_attributes[0][keyword]": {"whale"}}},
		{"huck", "POST /api/v1/markers", url.Values{"home[last_read_id]": {home[1].ID}}},
		{"huck", "POST /api/v1/accounts/" + r.People["walt"] + "/note", url.Values{"comment": {"writes long lines"}}},
		{"huck", "POST /api/v1/accounts/" + r.People["lizzy"] + "/mute", url.Values{"notifications": {"false"}}},
		{"lizzy", "POST /api/v1/accounts/" + r.People["walt"] + "/block", nil},
		{"huck", "POST /api/v1/statuses/" + home[2].ID + "/mute", nil},
		{"huck", "POST /api/v1/statuses/" + home[0].ID + "/bookmark", nil},
		{"huck", "POST /api/v1/lists", url.Values{"title": {"Afloat"}, "exclusive": {"true"}, "replies_policy": {"none"}}},
		{"huck", "POST /api/v1/featured_tags", url.Values{"name": {"river"}}},
		{"huck", "POST /api/v1/statuses", url.Values{"status": {"@holmes a word between us"}, "visibility": {"direct"}}},
		{"lizzy", "POST /api/v1/statuses", url.Values{"status": {"for those who follow #river"}, "visibility": {"private"}, "spoiler_text": {"a river"}}},
		{"lizzy", "PATCH /api/v2/notifications/policy", url.Values{"for_not_following": {"filter"}}},
	} {
		method, path, _ := strings.Cut(act.do, " ")
		i.ask(r.Tokens[act.as], method, path, act.form)
		i.settle()
	}
}

// pack archives the files of a directory.
func pack(t *testing.T, dir, archive string) {
	t.Helper()
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	w := tar.NewWriter(z)
	err := errors.Join(w.AddFS(os.DirFS(dir)), w.Close(), z.Close())
	if err == nil {
		err = os.MkdirAll(filepath.Dir(archive), 0o755)
	}
	if err == nil {
		err = os.WriteFile(archive, b.Bytes(), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// unpack extracts an archive into a directory.
func unpack(t *testing.T, archive, dir string) {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, filepath.FromSlash(h.Name))
		if h.FileInfo().IsDir() {
			err = os.MkdirAll(to, 0o755)
		} else {
			var b []byte
			if b, err = io.ReadAll(r); err == nil {
				err = errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, b, 0o644))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
