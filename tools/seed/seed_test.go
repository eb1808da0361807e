package seed_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/enginetest"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/tools/seed"
)

// graphFile writes a compressed graph of n users and about m follows. It includes repetitions,
// lines to skip, and one user with followers among almost all others.
func graphFile(t *testing.T, n, m int) string {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	fmt.Fprintln(z, "# follower\tfollowee")
	for range m {
		from := r.IntN(n)
		fmt.Fprintf(z, "%d\t%d\n", from, r.IntN(n)*r.IntN(n)/n)
	}
	for i := range n - 1 {
		fmt.Fprintf(z, "%d\t%d\n", i, n-1)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return file(t, "follows.tsv.gz", b.String())
}

func file(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func postsFile(t *testing.T, n int) string {
	t.Helper()
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "This is text %d, about #birds and #tag%d.\n", i, i%7)
	}
	return file(t, "posts.txt", b.String()+"\n"+strings.Repeat("too long ", 100)+"\n")
}

// contents returns the complete content of an engine as text.
func contents(t *testing.T, e kv.Engine) map[string]string {
	t.Helper()
	out := map[string]string{}
	cursor := ""
	for {
		keys, next, err := e.Keys(t.Context(), cursor)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range keys {
			get, set := &kv.Get{Key: k}, &kv.Range{Key: k, Limit: kv.MaxRange}
			counters := &kv.Counters{Key: k, Names: []string{"followers", "following", "statuses", "users"}}
			switch shape(t, k) {
			case "value":
				err = e.Read(t.Context(), get)
			case "set":
				err = e.Read(t.Context(), set)
			default:
				err = e.Read(t.Context(), counters)
			}
			if err != nil {
				t.Fatal(err)
			}
			out[k.String()] = fmt.Sprint(string(get.Data), get.Version, set.Members, counters.Values)
		}
		if next == "" {
			return out
		}
		cursor = next
	}
}

func shape(t *testing.T, k kv.Key) string {
	t.Helper()
	for _, d := range record.Keys() {
		if d.Kind == k.Kind {
			return d.Shape
		}
	}
	t.Fatalf("%v is not in the table of keys", k)
	return ""
}

func TestImport(t *testing.T) {
	follows, posts := graphFile(t, 1500, 6000), postsFile(t, 900)
	enginetest.Each(t, func(t *testing.T, open func(*testing.T) kv.Engine) {
		w := newWorld(t, open(t))
		w.user("somebody")
		opt := seed.Options{Follows: follows, Posts: posts, Password: "correct horse"}
		did, err := seed.Fill(w.ctx, w.App, opt)
		w.must(err)
		if did.Users != 1500 || did.Posts != 900 || did.Already || did.Follows < 5000 || did.Left < 3 {
			t.Errorf("imported %+v", did)
		}
		r := w.mustBeClean()
		if r.Users != 1501 || r.Statuses != 900 || len(r.Findings) > 0 {
			t.Errorf("the check counts %d users, %d statuses: %+v", r.Users, r.Statuses, r.Findings)
		}
		last, err := w.View.UserByLogin(w.ctx, 0, "u1499")
		w.must(err)
		if last.Followers != 1499 {
			t.Errorf("the last user has %d followers, want 1499", last.Followers)
		}
		me, err := w.Identity.Authenticate(w.ctx, "u0", "correct horse")
		w.must(err)
		home, err := w.Reading.Home(w.ctx, me.ID, linnet.Page{})
		w.must(err)
		if len(home.Items) == 0 {
			t.Error("nothing at home")
		}
		listed, err := w.Discovery.Directory(w.ctx, me.ID, linnet.DirectoryQuery{Limit: 80})
		w.must(err)
		if len(listed) != 80 || listed[1].LastStatusAt.IsZero() { // the first one has just signed up
			t.Errorf("%d in the directory, or not by their last posts", len(listed))
		}
		if again, err := seed.Fill(w.ctx, w.App, opt); err != nil || !again.Already {
			t.Errorf("the second run: %+v, %v", again, err)
		}
		w.drain()
		w.mustBeClean()
	})
}

// broken is an engine that fails permanently after some writes. The first failing write can still
// take effect.
type broken struct {
	kv.Engine
	left  atomic.Int64
	after bool
}

var errBroken = errors.New("the process was killed")

func (b *broken) Txn(ctx context.Context, conds []kv.Cond, ops ...kv.Op) (int, error) {
	switch left := b.left.Add(-1); {
	case left > 0:
		return b.Engine.Txn(ctx, conds, ops...)
	case left == 0 && b.after:
		_, err := b.Engine.Txn(ctx, conds, ops...)
		return 0, errors.Join(errBroken, err)
	}
	return 0, errBroken
}

func (b *broken) Apply(ctx context.Context, ops ...kv.Op) error {
	if b.left.Add(-1) > 0 {
		return b.Engine.Apply(ctx, ops...)
	}
	return errBroken
}

// TestImportBrokenOff checks that an import that is interrupted several times, each time later, has
// the result of one without interruption.
func TestImportBrokenOff(t *testing.T) {
	opt := seed.Options{Follows: graphFile(t, 300, 1500), Posts: postsFile(t, 200), PerUser: 2}
	e := openMemory(t)
	steps := int64(40)
	if testing.Short() {
		steps = 400
	}
	runs := 0
	for done := false; !done; runs++ {
		b := &broken{Engine: e, after: runs%2 == 1}
		b.left.Store(int64(runs+1) * steps)
		w := newWorld(t, b)
		_, err := seed.Fill(w.ctx, w.App, opt)
		if err != nil && !errors.Is(err, errBroken) {
			t.Fatal(err)
		}
		done = err == nil
	}
	if runs < 3 {
		t.Fatalf("the import was broken off %d times only", runs-1)
	}
	w := newWorld(t, e)
	w.mustBeClean()
	if r := w.check(); r.Users != 300 || r.Statuses != 596 { // 2 of the 202 lines can't be posted
		t.Errorf("%d users and %d statuses, want 300 and 596", r.Users, r.Statuses)
	}
}

// TestImportIsDrawnFromTheSeed checks that an import creates the same store twice. Exceptions are
// the action log, which contains times, and the search index, which a server builds.
func TestImportIsDrawnFromTheSeed(t *testing.T) {
	opt := seed.Options{Follows: graphFile(t, 100, 500), Posts: postsFile(t, 80), Seed: 5,
		Until: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)}
	worlds := make([]map[string]string, 2)
	for i := range worlds {
		e := openMemory(t)
		w := newWorld(t, e)
		_, err := seed.Fill(w.ctx, w.App, opt)
		w.must(err)
		worlds[i] = contents(t, e)
		maps.DeleteFunc(worlds[i], func(key, _ string) bool {
			return strings.HasPrefix(key, "act:") || strings.HasPrefix(key, "acts:") || strings.HasPrefix(key, "search")
		})
	}
	for k, v := range worlds[0] {
		if worlds[1][k] != v {
			t.Errorf("%s: %s and %s", k, v, worlds[1][k])
		}
	}
	if len(worlds[0]) != len(worlds[1]) || len(worlds[0]) < 500 {
		t.Errorf("%d and %d keys", len(worlds[0]), len(worlds[1]))
	}
}

func TestImportRefuses(t *testing.T) {
	w := newWorld(t, openMemory(t))
	w.user("v7")
	good := file(t, "good.tsv", "0\t1\r\n1\t9\n\n# end\n")
	for name, c := range map[string]struct {
		opt  seed.Options
		kind linnet.Kind
		want string
	}{
		"nothing":       {seed.Options{}, linnet.Invalid, "no users"},
		"no number":     {seed.Options{Follows: file(t, "f", "0\t1\n0 2\n")}, linnet.Invalid, "line 2"},
		"negative":      {seed.Options{Follows: file(t, "f", "-1\t2\n")}, linnet.Invalid, "line 1"},
		"huge":          {seed.Options{Follows: file(t, "f", "4294967295\t2\n")}, linnet.Invalid, "line 1"},
		"endless line":  {seed.Options{Users: 1, Posts: file(t, "f", strings.Repeat("x", 2<<20))}, linnet.Invalid, "longer"},
		"no gzip":       {seed.Options{Follows: file(t, "f", "\x1f\x8bxxxxxxxxxxxxxxxxxxxx")}, linnet.Invalid, "f is damaged"},
		"prefix":        {seed.Options{Follows: good, Prefix: "a b"}, linnet.Invalid, "can't be a username"},
		"common one":    {seed.Options{Follows: good, Prefix: "w", Password: "12345678"}, linnet.Invalid, "easy to guess"},
		"password":      {seed.Options{Follows: good, Prefix: "w", Password: "short"}, linnet.Invalid, "too short"},
		"login taken":   {seed.Options{Follows: good, Prefix: "v"}, linnet.Conflict, "v7"},
		"other options": {seed.Options{Follows: good, Prefix: "v", Days: 4}, linnet.Conflict, "other files or options"},
	} {
		if name == "other options" { // needs the record of an earlier import
			_, _ = seed.Fill(w.ctx, w.App, seed.Options{Follows: good, Prefix: "v"})
		}
		_, err := seed.Fill(w.ctx, w.App, c.opt)
		if err == nil || linnet.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want kind %v and %q", name, err, c.kind, c.want)
		}
	}
	if _, err := seed.Fill(w.ctx, w.App, seed.Options{Follows: "does-not-exist"}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}
