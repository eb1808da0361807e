package cluster_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"testing"
	"time"

	"linnet/internal/kv/redistest"
	"linnet/tools/seed"
)

// Names of the servers. The first has all roles, the second leaves tasks to the others, and the
// third only runs tasks.
const (
	serverA = "a"
	serverB = "b"
)

// world is an instance of several servers.
type world struct {
	*testing.T
	bin     string
	redis   *redistest.Nodes
	proxy   *proxy
	url     string
	servers map[string]*server
	worker  *server
}

func newWorld(t *testing.T) *world {
	redistest.Require(t)
	w := &world{T: t, bin: build(t), redis: redistest.Cluster(t, 3, 3), servers: map[string]*server{}}
	serve := func(name, role string) *server {
		return newServer(t, name, w.bin, "--role", role, "--store", w.redis.URL(), "--redis.wait_replicas", "1",
			"--trusted-proxies", "127.0.0.1")
	}
	w.servers[serverA], w.servers[serverB], w.worker = serve(serverA, "all"), serve(serverB, "web"), serve("worker", "worker")
	w.proxy = newProxy(t, w.servers[serverA], w.servers[serverB])
	w.url = "http://" + w.proxy.server.Listener.Addr().String()
	for _, s := range []*server{w.servers[serverA], w.servers[serverB], w.worker} {
		s.args = append(s.args, "--public-url", w.url)
		s.start()
	}
	w.proxy.watch(t)
	return w
}

// command runs another command on the same Redis while the servers run.
func (w *world) command(stdin string, words ...string) string {
	w.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if w.redis != nil {
		words = append(words, "--store", w.redis.URL())
	}
	cmd := exec.CommandContext(ctx, w.bin, append(words, "--data", w.TempDir())...)
	cmd.Env, cmd.Stdin = cleanEnv(), strings.NewReader(stdin)
	var talk strings.Builder
	cmd.Stderr = &talk
	out, err := cmd.Output()
	if err != nil {
		w.Fatalf("linnet %s: %v\n%s%s", strings.Join(words, " "), err, out, talk.String())
	}
	return string(out)
}

// fill fills a Redis store with users, follows and posts.
func fill(t *testing.T, store string, opt seed.Options) {
	t.Helper()
	if _, err := seed.FillStore(t.Context(), map[string]string{"store": store, "data": t.TempDir()}, nil, opt); err != nil {
		t.Fatal("fill the store: ", err)
	}
}

// person creates an account and logs an app in.
func (w *world) person(name string) *client {
	w.Helper()
	w.command(password+"\n", "user", "create", name)
	c := w.client()
	c.logIn(w, name)
	return c
}

// id returns the account id of a client.
func (c *client) id(t testing.TB) string {
	t.Helper()
	return c.do(t, http.MethodGet, "/api/v1/accounts/verify_credentials", nil).get("id")
}

// post posts a status and returns its id.
func (c *client) post(t testing.TB, text string) string {
	t.Helper()
	return c.do(t, http.MethodPost, "/api/v1/statuses", url.Values{"status": {text}}).get("id")
}

// sees reports whether a status is on the first page of the client's home.
func (c *client) sees(t testing.TB, status string) bool {
	t.Helper()
	home := c.do(t, http.MethodGet, "/api/v1/timelines/home", nil)
	return strings.Contains(string(home.body), fmt.Sprintf(`"id":"%s"`, status))
}

// inOneWindow runs f, which tests a limit. If it fails because the window of the limit ended
// meanwhile, it runs once more.
func inOneWindow(t *testing.T, window time.Duration, f func() error) {
	t.Helper()
	began := time.Now().Truncate(window)
	err := f()
	if err != nil && !time.Now().Truncate(window).Equal(began) {
		err = f()
	}
	if err != nil {
		t.Error(err)
	}
}
