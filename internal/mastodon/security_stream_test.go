package mastodon_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/mastodon"
	"linnet/internal/mastodon/streaming"
)

// streamPaths returns the event streams. {list} is replaced with a list of the viewer.
func streamPaths() []string {
	return []string{"user", "user/notification", "public", "public/local", "public/remote", "hashtag", "hashtag/local", "list", "direct"}
}

// wire collects what a client hears.
type wire struct {
	mu   sync.Mutex
	text strings.Builder
}

func (x *wire) add(s string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.text.WriteString(s)
}

func (x *wire) heard() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.text.String()
}

// ear is a stream of a viewer over one of the transports.
type ear struct {
	viewer, path, way string
	ended             chan struct{} // closed when the stream has
	wire
}

func newEar(viewer, path, way string) *ear {
	return &ear{viewer: viewer, path: path, way: way, ended: make(chan struct{})}
}

// mayHear returns whether a stream contains a status of ann with a mention and a tag, for viewers
// who can see it.
func mayHear(viewer, path, vis string) bool {
	if !maySee(viewer, vis) || viewer == blocked || viewer == blocker {
		return false
	}
	switch path {
	case "user":
		return viewer == author || viewer == follower && vis != "direct" || viewer == mentioned
	case "user/notification":
		return viewer == mentioned
	case "public", "public/local", "hashtag", "hashtag/local":
		return vis == "public"
	case "list":
		return vis != "direct"
	case "direct":
		return vis == "direct" && (viewer == author || viewer == mentioned)
	}
	return false
}

// TestStreamsShowToWhomTheyMay listens as all viewers to all streams while statuses of each
// visibility are posted and deleted. A viewer receives neither the text of an invisible status
// nor its id when it is deleted. Blocked and blocking users receive nothing, even if they are
// mentioned and had followed.
func TestStreamsShowToWhomTheyMay(t *testing.T) {
	l := newLive(t, streaming.Limits{}, author, follower, mentioned, requester, other, blocked, blocker)
	l.run([]step{{as: follower, do: "POST /api/v1/accounts/{ann}/follow"},
		{as: blocked, do: "POST /api/v1/accounts/{ann}/follow"}, {as: blocker, do: "POST /api/v1/accounts/{ann}/follow"},
		{as: author, do: "PATCH /api/v1/accounts/update_credentials", body: "locked=true"},
		{as: requester, do: "POST /api/v1/accounts/{ann}/follow", body: "notify=true"}})
	var ears []*ear
	for _, v := range slices.Concat(viewers, []string{blocked, blocker}) {
		if v != nobody {
			l.run([]step{{as: v, do: "POST /api/v1/lists", body: "title=x", save: "list_" + v + "=id"},
				{as: v, do: "POST /api/v1/lists/{list_" + v + "}/accounts", body: "account_ids[]={ann}"}})
		}
		switch v {
		case blocked:
			l.run([]step{{as: author, do: "POST /api/v1/accounts/{blocked}/block"}})
		case blocker:
			l.run([]step{{as: blocker, do: "POST /api/v1/accounts/{ann}/block"}})
		}
		ears = append(ears, l.listen(v)...)
	}
	ids := map[string]string{}
	for _, vis := range visibilities[:4] {
		ids[vis] = l.post(author, "status=marker-"+vis+"+@mentioned+@blocked+@blocker+%23matrix&visibility="+vis)
	}
	l.settle()
	l.hearAll(ears, "marker-", ids)
	for _, vis := range visibilities[:4] {
		l.run([]step{{as: author, do: "DELETE /api/v1/statuses/" + ids[vis]}})
	}
	l.hearOut(ears)
	for _, e := range ears {
		for vis, id := range ids {
			// Public streams also send the id of a deleted public status to blocked users, because
			// they may have seen it before.
			open := mayHear(nobody, e.path, vis)
			if text := e.heard(); strings.Contains(text, id) && !mayHear(e.viewer, e.path, vis) && !open {
				t.Errorf("%s %s as %q lets the %s status through:\n%s", e.way, e.path, e.viewer, vis, text)
			}
		}
	}
}

// hearOut waits until the streams have received all events and then ends them. It sends a last
// event. Events are sent in order, so earlier ones have passed every stream when one receives the
// last one.
func (l *live) hearOut(ears []*ear) {
	l.t.Helper()
	l.settle()
	l.post(author, "status=the+last&visibility=public")
	public := ears[slices.IndexFunc(ears, func(e *ear) bool { return e.path == "public" && e.viewer != blocked && e.viewer != blocker })]
	l.within("the last status", func() bool { return strings.Contains(public.heard(), "the last") })
	l.halt()
	for _, e := range ears {
		<-e.ended
	}
}

// hearAll waits until each ear has received its events, and checks the others.
func (l *live) hearAll(ears []*ear, mark string, ids map[string]string) {
	l.t.Helper()
	for vis := range ids {
		for _, e := range ears {
			if mayHear(e.viewer, e.path, vis) {
				l.within(fmt.Sprintf("%s %s as %q hears the %s status", e.way, e.path, e.viewer, vis),
					func() bool { return strings.Contains(e.heard(), mark+vis) })
			} else if strings.Contains(e.heard(), mark+vis) {
				l.t.Errorf("%s %s as %q hears the %s status:\n%s", e.way, e.path, e.viewer, vis, e.heard())
			}
		}
	}
}

// listen opens every stream that a viewer may open, over both ways, and checks
// that the others are refused.
func (l *live) listen(viewer string) []*ear {
	l.t.Helper()
	var ears []*ear
	for _, path := range streamPaths() {
		query := "?tag=matrix&list=" + l.vars["list_"+viewer]
		personal := !strings.HasPrefix(path, "public") && !strings.HasPrefix(path, "hashtag")
		name := strings.ReplaceAll(path, "/", ":")
		if viewer == nobody && personal {
			if resp, _ := l.events(path+"?tag=matrix&list="+l.vars["list_"+author], ""); resp.StatusCode != 401 && resp.StatusCode != 422 {
				l.t.Errorf("%s is open to nobody: %d", path, resp.StatusCode)
			}
			if c, code := l.dial("?stream="+name, nil); c != nil {
				l.t.Errorf("socket %s is open to nobody: %d", path, code)
			}
			continue
		}
		sse, ws := newEar(viewer, path, "SSE"), newEar(viewer, path, "WebSocket")
		token := l.as(viewer)
		resp, lines := l.events(path+query, token)
		if resp.StatusCode != 200 {
			l.t.Fatalf("%s as %q: %d", path, viewer, resp.StatusCode)
		}
		go sse.read(lines)
		c, code := l.dial(query+"&stream="+name+"&access_token="+token, nil)
		if c == nil {
			l.t.Fatalf("socket %s as %q: %d", path, viewer, code)
		}
		c.SetReadLimit(1 << 20)
		l.settled(c)
		go ws.readSocket(l.t.Context(), c)
		ears = append(ears, sse, ws)
	}
	return ears
}

func (e *ear) read(r *bufio.Reader) {
	defer close(e.ended)
	for {
		line, err := r.ReadString('\n')
		e.add(line)
		if err != nil {
			return
		}
	}
}

func (e *ear) readSocket(ctx context.Context, c *websocket.Conn) {
	defer close(e.ended)
	for {
		_, r, err := c.Reader(ctx)
		if err != nil {
			return
		}
		b, _ := io.ReadAll(r)
		e.add(string(b) + "\n")
	}
}

// TestNewPasswordEndsStreams checks that a new password closes open streams, and that old tokens
// open none.
func TestNewPasswordEndsStreams(t *testing.T) {
	l := newLive(t, streaming.Limits{}, "ann")
	token := l.as("ann")
	c, _ := l.dial("?stream=user&access_token="+token, nil)
	_, lines := l.events("user", token)
	if err := l.svc.Identity.SetPassword(t.Context(), linnet.Operator(), "ann", "another horse"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	if _, _, err := c.Read(ctx); websocket.CloseStatus(err) != websocket.StatusTryAgainLater {
		t.Errorf("WebSocket after a new password: %v", err)
	}
	if rest, err := io.ReadAll(lines); err != nil || string(rest) != ":)\n" {
		t.Errorf("event stream after a new password: %q, %v", rest, err)
	}
	if _, code := l.dial("?stream=user&access_token="+token, nil); code != 401 {
		t.Errorf("a dead token opens a socket: %d", code)
	}
	if resp, _ := l.events("user", token); resp.StatusCode != 401 {
		t.Errorf("a dead token opens a stream: %d", resp.StatusCode)
	}
}

// TestStreamsCountBadTokens checks that invalid tokens of streams count against rate limits.
func TestStreamsCountBadTokens(t *testing.T) {
	w := newLimitedWorld(t, memory(t), mastodon.Options{}, core.Rates{Address: 3}, false)
	for i := range 4 {
		w.call("", "GET /api/v1/streaming/user?access_token=guess", "", "")
		if want := map[bool]int{true: 401, false: 429}[i < 3]; w.last.Code != want {
			t.Errorf("attempt %d: %d, want %d", i, w.last.Code, want)
		}
	}
}
