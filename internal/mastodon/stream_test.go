package mastodon_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/mastodon/streaming"
	"linnet/internal/record"
)

func TestEventStream(t *testing.T) {
	l := newLive(t, streaming.Limits{Heartbeat: 200 * time.Millisecond}, "ann", "bob")
	l.run([]step{{as: "ann", do: "POST /api/v1/accounts/{bob}/follow"}})
	resp, lines := l.events("user", l.as("ann"))
	if got := resp.Header.Get("Content-Type"); resp.StatusCode != http.StatusOK || got != "text/event-stream" {
		t.Fatalf("answered %d %s", resp.StatusCode, got)
	}
	if got := resp.Header.Get("Cache-Control"); !strings.Contains(got, "no-store") {
		t.Errorf("Cache-Control: %q", got)
	}
	next := func() string {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("the stream broke off: %v", err)
		}
		return strings.TrimSuffix(line, "\n")
	}
	if got := next(); got != ":)" {
		t.Errorf("first line %q", got)
	}
	if got := next(); got != ":thump" {
		t.Errorf("while nothing happens: %q", got)
	}
	id := l.post("bob", "status=two%0Alines")
	l.run([]step{{as: "ann", do: "GET /api/v1/statuses/" + id}})
	asked := l.last.Body.String()
	var got []string
	hear := func(lines int) {
		for len(got) < lines {
			if line := next(); line != ":thump" {
				got = append(got, line)
			}
		}
	}
	hear(3) // before the deletion
	l.run([]step{{as: "bob", do: "DELETE /api/v1/statuses/" + id}})
	hear(6)
	want := "event: update|data: " + asked + "||event: delete|data: " + id + "|"
	if strings.Join(got, "|") != want {
		t.Errorf("events\n%s\nwant\n%s", strings.Join(got, "|"), want)
	}
}

// TestEventStreamsOverEitherHTTP checks that HTTP/1.1, with a connection for each stream, and
// HTTP/2 send the same events.
func TestEventStreamsOverEitherHTTP(t *testing.T) {
	l := newLive(t, streaming.Limits{}, "ann")
	second := httptest.NewUnstartedServer(l.world.api)
	second.EnableHTTP2 = true
	second.StartTLS()
	t.Cleanup(second.Close)
	t.Cleanup(func() { _ = l.api.CloseStreams(t.Context()) })
	for _, c := range []struct {
		url     string
		client  *http.Client
		version int
	}{{l.url, http.DefaultClient, 1}, {second.URL, second.Client(), 2}} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.url+"/api/v1/streaming/user", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+l.as("ann"))
		resp, err := c.client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if resp.ProtoMajor != c.version || resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "text/event-stream" ||
			resp.Header.Get("Cache-Control") != "private, no-store" || resp.Close != (c.version == 1) || len(resp.TransferEncoding) > 0 {
			t.Errorf("HTTP/%d answered %s %d, closed %v, coded %q, %v", c.version, resp.Proto, resp.StatusCode, resp.Close, resp.TransferEncoding, resp.Header)
		}
		lines := bufio.NewReader(resp.Body)
		hear := func(want string) {
			t.Helper()
			if got, err := lines.ReadString('\n'); err != nil || !strings.HasPrefix(got, want) {
				t.Fatalf("HTTP/%d: %q, %v, want %q", c.version, got, err, want)
			}
		}
		hear(":)\n")
		for range 3 { // the stream continues after an event
			l.post("ann", "status=heard")
			hear("event: update\n")
			hear("data: ")
			hear("\n")
		}
		if resp, err := c.client.Head(c.url + "/api/v1/streaming/public"); err != nil || resp.StatusCode != http.StatusOK {
			t.Errorf("HTTP/%d: HEAD %v, %v", c.version, resp, err)
		}
	}
}

// TestConnectedSocketMissesNothing checks that a socket receives its first stream from the moment
// that its client is connected.
func TestConnectedSocketMissesNothing(t *testing.T) {
	l := newLive(t, streaming.Limits{}, "ann", "bob")
	l.run([]step{
		{as: "ann", do: "POST /api/v1/lists", body: "title=Friends", save: "list=id"},
		{as: "ann", do: "POST /api/v1/lists/{list}/accounts", body: "account_ids[]={bob}"},
	})
	for n := range 20 {
		c, _ := l.dial("?stream=list&list="+l.vars["list"]+"&access_token="+l.as("ann"), nil)
		id := l.post("bob", fmt.Sprint("status=", n))
		if h := l.hear(c); h.Event != "update" || !strings.Contains(h.Payload, id) {
			t.Fatalf("post %d: %+v", n, h)
		}
		c.CloseNow()
	}
}

func TestSocketCarriesSeveralStreams(t *testing.T) {
	l := newLive(t, streaming.Limits{}, "ann", "bob")
	l.run([]step{
		{as: "ann", do: "POST /api/v1/lists", body: "title=Friends", save: "list=id"},
		{as: "ann", do: "POST /api/v1/lists/{list}/accounts", body: "account_ids[]={bob}"},
	})
	c, _ := l.dial("?stream=user&access_token="+l.as("ann"), nil)
	l.say(c, `{"type":"subscribe","stream":"hashtag","tag":"BirdSong"}`)
	l.say(c, `{"type":"subscribe","stream":"list","list":"`+l.vars["list"]+`"}`)
	l.say(c, `{"type":"subscribe","stream":"public:local"}`)
	l.say(c, `{"type":"subscribe","stream":"public"}`)
	l.say(c, `{"type":"unsubscribe","stream":"public"}`)
	l.settled(c)
	id := l.post("bob", "status=listen, @ann, #birdsong")
	want := map[string]string{"hashtag BirdSong": "update", "list " + l.vars["list"]: "update", "public:local": "update", "user": "notification"}
	for range 4 {
		h := l.hear(c)
		stream := strings.Join(h.Stream, " ")
		if want[stream] != h.Event || h.Event == "" || !strings.Contains(h.Payload, `"id":"`+id+`"`) {
			t.Errorf("got %+v, still want %v", h, want)
		}
		delete(want, stream)
	}
	l.run([]step{{as: "bob", do: "DELETE /api/v1/statuses/" + id}})
	for range 3 { // not at home, where ann does not follow bob
		if h := l.hear(c); h.Event != "delete" || h.Payload != id {
			t.Errorf("got %+v, want the deletion of %s", h, id)
		}
	}
}

// TestStreamsAreRefused checks codes at the door, before any upgrade.
func TestStreamsAreRefused(t *testing.T) {
	l := newLive(t, streaming.Limits{}, "ann")
	ann, narrow := "access_token="+l.as("ann"), "access_token="+l.as("ann/read:accounts")
	for _, c := range []struct {
		query string
		code  int
	}{
		{"", 401}, {"?stream=user", 401}, {"?stream=nonsense", 401}, {"?access_token=wrong", 401},
		{"?stream=public&access_token=wrong", 401},
		{"?stream=user&" + narrow, 403}, {"?stream=user:notification&" + narrow, 403},
		{"?stream=user&access_token=" + l.as("app"), 401},
		{"?stream=public", 101}, {"?stream=hashtag&tag=x", 101}, {"?stream=public&" + narrow, 101},
		{"?" + ann, 101}, {"?stream=user&" + ann, 101}, {"?stream=direct&" + ann, 101},
	} {
		if _, code := l.dial(c.query, nil); code != c.code {
			t.Errorf("WebSocket %s: %d, want %d", c.query, code, c.code)
		}
	}
	for _, c := range []struct {
		path, token string
		code        int
	}{
		{"health", "", 200}, {"public", "", 200}, {"public/local?only_media=true", "", 200}, {"public/remote", "", 200},
		{"hashtag?tag=x", "", 200}, {"hashtag/local?tag=x", "", 200}, {"hashtag", "", 422}, {"hashtag?tag=no+tag", "", 422},
		{"user", "", 401}, {"user", "wrong", 401}, {"user", l.as("ann/read:accounts"), 403}, {"direct", l.as("ann"), 200},
		{"user/notification", l.as("ann/read:statuses"), 403}, {"user/notification", l.as("ann/read:notifications"), 200},
		{"list?list=12345678901234", l.as("ann"), 404}, {"list?list=x", l.as("ann"), 422}, {"list", l.as("ann"), 422},
		{"nonsense", l.as("ann"), 404}, {"", l.as("ann"), 404},
	} {
		resp, _ := l.events(c.path, c.token)
		if resp.StatusCode != c.code {
			t.Errorf("GET %s: %d, want %d", c.path, resp.StatusCode, c.code)
		}
		resp.Body.Close()
	}
}

// What a client sends together with its request, before the answer, counts too.
func TestSocketTakesEarlyFrames(t *testing.T) {
	l := newLive(t, streaming.Limits{}, "ann")
	conn, err := net.Dial("tcp", strings.TrimPrefix(l.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(soon)); err != nil {
		t.Fatal(err)
	}
	var early bytes.Buffer
	early.WriteString("GET /api/v1/streaming?access_token=" + l.as("ann") + " HTTP/1.1\r\nHost: linnet.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
	for _, text := range []string{`{"type":"subscribe","stream":"public"}`, `{"type":"subscribe","stream":"` + strings.Repeat("x", 900) + `"}`} {
		early.Write([]byte{0x81, 0xfe, byte(len(text) >> 8), byte(len(text)), 0, 0, 0, 0}) // text, masked with zeros
		early.WriteString(text)
	}
	if _, err := conn.Write(early.Bytes()); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewReader(conn)
	resp, err := http.ReadResponse(answers, nil)
	if err != nil || resp.StatusCode != http.StatusSwitchingProtocols {
		t.Fatal(resp, err)
	}
	head := make([]byte, 2)
	if _, err := io.ReadFull(answers, head); err != nil {
		t.Fatal(err)
	}
	rest, err := answers.ReadString('}')
	if err != nil || !strings.Contains(rest, "error") {
		t.Errorf("the answer to a stream that there is not: %q, %v", rest, err)
	}
}

// brittle is an engine that panics when a list is looked up.
type brittle struct{ kv.Engine }

func (e brittle) Read(ctx context.Context, qs ...kv.Query) error {
	for _, q := range qs {
		if kv.KeyOf(q).Kind == record.KindList {
			panic("a list was looked up")
		}
	}
	return e.Engine.Read(ctx, qs...)
}

// A panic closes one socket only and frees its place in the gate, for which the server's shutdown
// waits.
func TestSocketThatPanics(t *testing.T) {
	l := newLiveOver(t, brittle{memkv.New(memkv.Options{})}, streaming.Limits{}, "ann")
	token := l.as("ann")
	other, _ := l.dial("?access_token="+token, nil)
	c, _ := l.dial("?access_token="+token, nil)
	l.say(c, `{"type":"subscribe","stream":"list","list":"12345678901234"}`)
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	if _, text, err := c.Read(ctx); err == nil {
		t.Errorf("the socket goes on: %s", text)
	}
	if _, code := l.dial("?stream=list&list=12345678901234&access_token="+token, nil); code != http.StatusInternalServerError {
		t.Errorf("a panic before the handshake: code %d", code)
	}
	l.settled(other)
}

func TestSocketAcceptsBrowsersOfAnyOrigin(t *testing.T) {
	l := newLive(t, streaming.Limits{}, "ann")
	token := l.as("ann")
	c, code := l.dial("", &websocket.DialOptions{Subprotocols: []string{token, "other"},
		HTTPHeader: http.Header{"Origin": {"https://phanpy.social"}, "User-Agent": {""}}})
	if code != http.StatusSwitchingProtocols {
		t.Fatalf("answered %d", code)
	}
	if c.Subprotocol() != token {
		t.Errorf("protocol %q, want the token", c.Subprotocol())
	}
}

func TestSocketAnswersFaultsWithFrames(t *testing.T) {
	l := newLive(t, streaming.Limits{}, "ann", "bob")
	l.run([]step{{as: "bob", do: "POST /api/v1/lists", body: "title=His", save: "his=id"}})
	c, _ := l.dial("?stream=list&list="+l.vars["his"]+"&access_token="+l.as("ann/read:statuses"), nil)
	if h := l.hear(c); h.Status != http.StatusNotFound || h.Error == "" {
		t.Errorf("somebody else's list: %+v", h)
	}
	for _, f := range []struct {
		frame  string
		status int
	}{
		{`nonsense`, 422}, {`[]`, 422}, {`{"type":5}`, 422}, {`{}`, 422}, {`{"type":"shout","stream":"user"}`, 422},
		{`{"type":"subscribe"}`, 422}, {`{"type":"subscribe","stream":"nonsense"}`, 422},
		{`{"type":"subscribe","stream":"hashtag"}`, 422}, {`{"type":"subscribe","stream":"hashtag","tag":"no tag"}`, 422},
		{`{"type":"subscribe","stream":"list","list":"x"}`, 422},
		{`{"type":"subscribe","stream":"list","list":"` + l.vars["his"] + `"}`, 404},
		{`{"type":"subscribe","stream":"user:notification"}`, 403},
	} {
		l.say(c, f.frame)
		if h := l.hear(c); h.Status != f.status || h.Error == "" {
			t.Errorf("%s: %+v, want %d", f.frame, h, f.status)
		}
	}
	l.say(c, `{"type":"unsubscribe","stream":"public"}`) // never subscribed: nothing to say
	l.settled(c)
	anonymous, _ := l.dial("?stream=public", nil)
	l.say(anonymous, `{"type":"subscribe","stream":"user"}`)
	if h := l.hear(anonymous); h.Status != http.StatusUnauthorized {
		t.Errorf("user without a token: %+v", h)
	}
}

func TestNotificationsNeedTheirScope(t *testing.T) {
	l := newLive(t, streaming.Limits{}, "ann", "bob")
	c, _ := l.dial("?stream=user&access_token="+l.as("ann/read:statuses"), nil)
	l.settled(c)
	l.post("bob", "status=hello @ann")
	own := l.post("ann", "status=mine")
	if h := l.hear(c); h.Event != "update" || !strings.Contains(h.Payload, own) {
		t.Errorf("got %+v, want ann's own status only", h)
	}
}

func TestOpenStreamsAreLimited(t *testing.T) {
	l := newLive(t, streaming.Limits{PerUser: 2, PerAddress: 1}, "ann", "bob")
	first, _ := l.dial("?access_token="+l.as("ann"), nil)
	l.events("user", l.as("ann"))
	refused, _ := l.events("user", l.as("ann"))
	body, _ := io.ReadAll(refused.Body)
	if refused.StatusCode != http.StatusTooManyRequests || !strings.Contains(string(body), "maximum is 2") {
		t.Errorf("third connection: %d %s", refused.StatusCode, body)
	}
	if _, code := l.dial("?access_token="+l.as("bob"), nil); code != http.StatusSwitchingProtocols {
		t.Errorf("another user: %d", code)
	}
	if _, code := l.dial("?stream=public", nil); code != http.StatusSwitchingProtocols {
		t.Errorf("first without a token: %d", code)
	}
	if resp, _ := l.events("public", ""); resp.StatusCode != http.StatusTooManyRequests {
		t.Errorf("second without a token: %d", resp.StatusCode)
	}
	first.CloseNow()
	l.within("a place after one is given back", func() bool {
		_, code := l.dial("?access_token="+l.as("ann"), nil)
		return code == http.StatusSwitchingProtocols
	})
}

func TestSocketLimits(t *testing.T) {
	l := newLive(t, streaming.Limits{}, "ann")
	c, _ := l.dial("?stream=user&access_token="+l.as("ann"), nil)
	for i := range 63 {
		l.say(c, `{"type":"subscribe","stream":"hashtag","tag":"t`+strings.Repeat("a", i+1)+`"}`)
	}
	l.say(c, `{"type":"subscribe","stream":"hashtag","tag":"ta"}`) // repeated: counts once
	l.settled(c)
	l.say(c, `{"type":"subscribe","stream":"public"}`)
	if h := l.hear(c); h.Status != http.StatusTooManyRequests || !strings.Contains(h.Error, "64") {
		t.Errorf("one more than 64 streams: %+v", h)
	}
	l.say(c, `{"type":"subscribe","stream":"`+strings.Repeat("x", 9<<10)+`"}`)
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	if _, _, err := c.Read(ctx); websocket.CloseStatus(err) != websocket.StatusMessageTooBig {
		t.Errorf("a frame of 9 KiB: %v", err)
	}
}

func TestStreamsEndWithTheirSession(t *testing.T) {
	l := newLive(t, streaming.Limits{}, "ann")
	c, _ := l.dial("?stream=user&access_token="+l.as("ann"), nil)
	_, lines := l.events("user", l.as("ann"))
	l.run([]step{{do: "POST /oauth/revoke", body: "client_id={client_id}&client_secret={client_secret}&token=" + l.as("ann")}})
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	if _, _, err := c.Read(ctx); websocket.CloseStatus(err) != websocket.StatusTryAgainLater {
		t.Errorf("WebSocket after revocation: %v", err)
	}
	if rest, err := io.ReadAll(lines); err != nil || string(rest) != ":)\n" {
		t.Errorf("event stream after revocation: %q, %v", rest, err)
	}
}

// TestSlowClientIsCutOff has a client that reads nothing while much happens. It
// must lose its connection, and with it its place.
func TestSlowClientIsCutOff(t *testing.T) {
	for kind, connect := range map[string]func(*live){
		"event stream": func(l *live) { l.events("user", l.as("ann")) },
		"WebSocket":    func(l *live) { l.dial("?stream=user&access_token="+l.as("ann"), nil) },
	} {
		t.Run(kind, func(t *testing.T) {
			l := newLive(t, streaming.Limits{PerUser: 1, Write: 100 * time.Millisecond}, "ann")
			connect(l)
			l.within("an end of the slow connection", func() bool {
				for range 20 {
					l.post("ann", "status="+strings.Repeat("long ", 99))
				}
				_, code := l.dial("?access_token="+l.as("ann"), nil)
				return code == http.StatusSwitchingProtocols
			})
		})
	}
}

// TestStreamsEndWithTheServer checks that CloseStreams closes all streams and refuses new ones.
func TestStreamsEndWithTheServer(t *testing.T) {
	l := newLive(t, streaming.Limits{}, "ann")
	c, _ := l.dial("?stream=user&access_token="+l.as("ann"), nil)
	_, lines := l.events("public", "")
	go c.CloseRead(t.Context())
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	if err := l.api.CloseStreams(ctx); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(lines); err != nil || string(rest) != ":)\n" {
		t.Errorf("event stream: %q, %v", rest, err)
	}
	if resp, _ := l.events("public", ""); resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("after the end: %d", resp.StatusCode)
	}
}

// TestStreamsKeepMarksApart checks that the favourite and bookmark marks of a user aren't in events
// for another user.
func TestStreamsKeepMarksApart(t *testing.T) {
	l := newLive(t, streaming.Limits{}, "ann", "bob", "cat")
	l.run([]step{{as: "ann", do: "POST /api/v1/accounts/{bob}/follow"}})
	id := l.post("cat", "status=worth keeping")
	for _, mark := range []string{"bookmark", "favourite"} {
		l.run([]step{{as: "bob", do: "POST /api/v1/statuses/" + id + "/" + mark}})
	}
	c, _ := l.dial("?stream=user&access_token="+l.as("ann"), nil)
	l.settled(c)
	l.run([]step{{as: "bob", do: "POST /api/v1/statuses/" + id + "/reblog"}})
	h := l.hear(c)
	if !strings.Contains(h.Payload, id) || strings.Contains(h.Payload, `"bookmarked":true`) ||
		strings.Contains(h.Payload, `"favourited":true`) || strings.Contains(h.Payload, `"reblogged":true`) {
		t.Errorf("ann hears %s %s", h.Event, h.Payload)
	}
}
