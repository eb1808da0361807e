package clients_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mattn/go-mastodon"

	"linnet/internal/kv/redistest"
	"linnet/tools/seed"
)

// TestGraph is a day on a grown server with an unmodified client. A user reads home to its end, and
// a post of the most followed account appears once at each follower's home. The follows are random,
// or read from the files LINNET_TEST_FOLLOWS and LINNET_TEST_POSTS.
func TestGraph(t *testing.T) {
	bin := build(t)
	for _, engine := range []string{"embedded", "redis"} {
		t.Run(engine, func(t *testing.T) {
			store := map[string]string{"data": t.TempDir()}
			if engine == "redis" {
				store["store"] = redistest.Single(t)
			}
			testGraph(t, bin, store)
		})
	}
}

// crowd describes the imported users.
type crowd struct {
	server *server
	tokens map[string]string // by login
	star   string            // most followed account
	reader string            // user whose home is longer than a feed
}

// testGraph fills a store, given as options, and starts a server on it.
func testGraph(t *testing.T, bin string, store map[string]string) {
	c := &crowd{star: "u0", reader: "u7"}
	opt := seed.Options{Generated: true, Users: 800, PerUser: 10}
	users := 800
	if follows := os.Getenv("LINNET_TEST_FOLLOWS"); follows != "" {
		opt = seed.Options{Follows: follows, Posts: os.Getenv("LINNET_TEST_POSTS"), PerUser: 2}
		users = c.pick(t, follows)
	}
	did, err := seed.FillStore(t.Context(), store, nil, opt)
	if err != nil {
		t.Fatal("fill the store: ", err)
	}
	t.Logf("filled with %+v", did)
	var flags []string
	for name, value := range store {
		flags = append(flags, "--"+name, value)
	}
	s := startOn(t, bin, flags)
	c.server = s
	file := filepath.Join(t.TempDir(), "accounts")
	s.long(t, "user", "tokens", "--count", strconv.Itoa(users), "--prefix", "u", "--out", file)
	c.tokens = readTokens(t, file)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	c.readToTheEnd(ctx, t)
	c.postToAll(ctx, t)
}

// long runs a command that can take minutes.
func (s *server) long(t *testing.T, words ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.bin, append(words, s.store...)...)
	cmd.Env = cleanEnv()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("linnet %s: %v\n%s", strings.Join(words, " "), err, out)
	}
}

// pick selects the most followed user and the user with most followees from a file of follows. It
// returns the number of users.
func (c *crowd) pick(t *testing.T, path string) (users int) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	in, out := map[int]int{}, map[int]int{}
	for lines := bufio.NewScanner(r); lines.Scan(); {
		var a, b int
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		if _, err := fmt.Sscan(lines.Text(), &a, &b); err != nil {
			t.Fatal(err)
		}
		out[a]++
		in[b]++
		users = max(users, a+1, b+1)
	}
	star, reader := 0, 0
	for u := range users {
		if in[u] > in[star] {
			star = u
		}
		if out[u] > out[reader] {
			reader = u
		}
	}
	t.Logf("u%d has %d followers, u%d follows %d", star, in[star], reader, out[reader])
	c.star, c.reader = fmt.Sprint("u", star), fmt.Sprint("u", reader)
	return users
}

func readTokens(t *testing.T, path string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	tokens := map[string]string{}
	for line := range strings.Lines(string(data)) {
		login, token, _ := strings.Cut(strings.TrimSpace(line), ":")
		tokens[login] = token
	}
	return tokens
}

func (c *crowd) client(login string) *mastodon.Client {
	return mastodon.NewClient(&mastodon.Config{Server: c.server.url, AccessToken: c.tokens[login]})
}

// readToTheEnd pages through home, beyond the length of the feed, and checks that each status of
// the followees appears once, in order.
func (c *crowd) readToTheEnd(ctx context.Context, t *testing.T) {
	t.Helper()
	cl := c.client(c.reader)
	me, err := cl.GetAccountCurrentUser(ctx)
	if err != nil {
		t.Fatal(err)
	}
	want := me.StatusesCount
	for pg := (&mastodon.Pagination{Limit: 80}); pg != nil; {
		page, err := cl.GetAccountFollowing(ctx, me.ID, pg)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range page {
			want += a.StatusesCount
		}
		if pg.MaxID == "" {
			break
		}
		pg = &mastodon.Pagination{Limit: 80, MaxID: pg.MaxID}
	}
	seen := map[mastodon.ID]bool{}
	var last mastodon.ID
	pages := 0
	for pg := (&mastodon.Pagination{Limit: 40}); ; pages++ {
		page, err := cl.GetTimelineHome(ctx, pg)
		if err != nil {
			t.Fatalf("page %d: %v", pages, err)
		}
		for _, st := range page {
			if seen[st.ID] || last != "" && st.ID.Compare(last) >= 0 {
				t.Fatalf("page %d: status %s is repeated or out of order", pages, st.ID)
			}
			seen[st.ID], last = true, st.ID
		}
		if pg.MaxID == "" || len(page) == 0 {
			break
		}
		pg = &mastodon.Pagination{Limit: 40, MaxID: pg.MaxID}
	}
	t.Logf("%s read %d statuses on %d pages", c.reader, len(seen), pages)
	if len(seen) <= 1000 {
		t.Errorf("home ends with %d statuses, within what a feed keeps", len(seen))
	}
	if int64(len(seen)) != want {
		t.Errorf("home has %d statuses, those followed have written %d", len(seen), want)
	}
}

// postToAll posts as the most followed account and reads the home of each follower.
func (c *crowd) postToAll(ctx context.Context, t *testing.T) {
	t.Helper()
	star := c.client(c.star)
	st, err := star.PostStatus(ctx, &mastodon.Toot{Status: "to all of you"})
	if err != nil {
		t.Fatal(err)
	}
	var followers []string
	for pg := (&mastodon.Pagination{Limit: 80}); ; {
		page, err := star.GetAccountFollowers(ctx, st.Account.ID, pg)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range page {
			followers = append(followers, a.Username)
		}
		if pg.MaxID == "" || len(page) == 0 {
			break
		}
		pg = &mastodon.Pagination{Limit: 80, MaxID: pg.MaxID}
	}
	if int64(len(followers)) != st.Account.FollowersCount || len(followers) < 100 {
		t.Fatalf("%d followers listed, %d counted", len(followers), st.Account.FollowersCount)
	}
	work := make(chan string)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for login := range work {
				if err := eventually(func() error { return c.standsOnce(ctx, login, st.ID) }); err != nil {
					t.Errorf("%s: %v", login, err)
				}
			}
		})
	}
	for _, f := range followers {
		work <- f
	}
	close(work)
	wg.Wait()
	t.Logf("%d followers have looked", len(followers))
}

func (c *crowd) standsOnce(ctx context.Context, login string, id mastodon.ID) error {
	page, err := c.client(login).GetTimelineHome(ctx, &mastodon.Pagination{Limit: 40})
	if err != nil {
		return err
	}
	n := 0
	for _, st := range page {
		if st.ID == id {
			n++
		}
	}
	if n != 1 {
		return fmt.Errorf("the status stands %d times at home", n)
	}
	return nil
}
