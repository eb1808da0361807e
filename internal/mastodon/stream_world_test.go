package mastodon_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/coder/websocket"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/mastodon"
	"linnet/internal/mastodon/streaming"
)

// soon bounds every wait of these tests.
const soon = time.Minute

// live is a world with a real server, because streams need connections.
type live struct {
	*world
	api *mastodon.API
	url string
}

func newLive(t *testing.T, o streaming.Limits, logins ...string) *live {
	t.Helper()
	return newLiveOver(t, memkv.New(memkv.Options{}), o, logins...)
}

func newLiveOver(t *testing.T, e kv.Engine, o streaming.Limits, logins ...string) *live {
	t.Helper()
	w := newWorld(t, e, mastodon.Options{Streams: o}, logins...)
	l := &live{world: w, api: w.api.(*mastodon.API)}
	s := httptest.NewUnstartedServer(w.api)
	// Small buffers, so that a client that does not read is noticed soon.
	s.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		_ = c.(*net.TCPConn).SetWriteBuffer(4 << 10)
		return ctx
	}
	s.Start()
	l.url = s.URL
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), soon)
		defer cancel()
		if err := l.api.CloseStreams(ctx); err != nil {
			t.Errorf("streams did not end: %v", err)
		}
		s.Close()
	})
	return l
}

// events opens an event stream.
func (l *live) events(path, token string) (*http.Response, *bufio.Reader) {
	l.t.Helper()
	req, err := http.NewRequestWithContext(l.t.Context(), http.MethodGet, l.url+"/api/v1/streaming/"+path, nil)
	if err != nil {
		l.t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { resp.Body.Close() })
	return resp, bufio.NewReader(resp.Body)
}

// dial opens a WebSocket, and returns the status code.
func (l *live) dial(query string, o *websocket.DialOptions) (c *websocket.Conn, code int) {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), soon)
	defer cancel()
	c, resp, err := websocket.Dial(ctx, l.url+"/api/v1/streaming"+query, o)
	if resp == nil {
		l.t.Fatalf("dial %s: %v", query, err)
	}
	if c != nil {
		l.t.Cleanup(func() { c.CloseNow() })
	}
	return c, resp.StatusCode
}

func (l *live) say(c *websocket.Conn, frame string) {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), soon)
	defer cancel()
	if err := c.Write(ctx, websocket.MessageText, []byte(frame)); err != nil {
		l.t.Fatalf("send %s: %v", frame, err)
	}
}

// heard is a frame from the server, of either kind.
type heard struct {
	Stream  []string
	Event   string
	Payload string
	Error   string
	Status  int
}

func (l *live) hear(c *websocket.Conn) heard {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), soon)
	defer cancel()
	_, text, err := c.Read(ctx)
	if err != nil {
		l.t.Fatalf("no frame: %v", err)
	}
	var h heard
	if err := json.Unmarshal(text, &h); err != nil {
		l.t.Fatalf("frame %s: %v", text, err)
	}
	return h
}

// settled waits until the frames sent before have been obeyed: they are obeyed
// in turn, and a frame of no kind is answered.
func (l *live) settled(c *websocket.Conn) {
	l.t.Helper()
	l.say(c, `{"type":"ready?"}`)
	if h := l.hear(c); h.Status != http.StatusUnprocessableEntity {
		l.t.Fatalf("got %+v while frames were obeyed", h)
	}
}

// post posts a status with the API and returns its id.
func (l *live) post(who, form string) string {
	l.t.Helper()
	l.run([]step{{as: who, do: "POST /api/v1/statuses", body: form, save: "posted=id"}})
	return l.vars["posted"]
}

// within waits for a condition.
func (l *live) within(what string, happens func() bool) {
	l.t.Helper()
	for end := time.Now().Add(soon); !happens(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			l.t.Fatalf("not within %v: %s", soon, what)
		}
	}
}
