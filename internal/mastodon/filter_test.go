package mastodon_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"linnet/internal/mastodon"
	"linnet/internal/mastodon/streaming"
)

// TestFiltersChangedEvent checks the event about changed filters, which has no payload in a frame
// and Mastodon's placeholder in an event stream.
func TestFiltersChangedEvent(t *testing.T) {
	l := newLive(t, streaming.Limits{}, "ann", "bob")
	l.run([]step{{as: "ann", do: "POST /api/v1/accounts/{bob}/follow"}})
	c, _ := l.dial("?stream=user&access_token="+l.as("ann"), nil)
	l.settled(c)
	resp, lines := l.events("user", l.as("ann"))
	defer resp.Body.Close()
	l.run([]step{{as: "ann", do: "POST /api/v2/filters", body: "title=x&context[]=home&keywords_attributes[0][keyword]=word"}})
	_, frame, err := c.Read(t.Context())
	if err != nil || string(frame) != `{"stream":["user"],"event":"filters_changed"}` {
		t.Errorf("frame %s, %v", frame, err)
	}
	next := func() string {
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if line = strings.TrimSuffix(line, "\n"); line != "" && line[0] != ':' {
				return line
			}
		}
	}
	if event, data := next(), next(); event != "event: filters_changed" || data != "data: undefined" {
		t.Errorf("event stream: %q, %q", event, data)
	}
	l.post("bob", "status=a+word")
	if h := l.hear(c); h.Event != "update" || !strings.Contains(h.Payload, `"keyword_matches":["word"]`) {
		t.Errorf("got %+v", h)
	}
}

// TestGoldenFilters checks that each member of the documents about filters is unchanged.
func TestGoldenFilters(t *testing.T) {
	w := newWorld(t, memory(t), mastodon.Options{}, "ann", "bob")
	w.run([]step{
		{as: "bob", do: "POST /api/v1/statuses", body: "status=some+word", save: "s=id"},
		{as: "ann", do: "POST /api/v2/filters", body: "title=Words&context[]=public&context[]=home&expires_in=600&filter_action=blur&keywords_attributes[0][keyword]=word&keywords_attributes[1][keyword]=absent&keywords_attributes[1][whole_word]=0", save: "f=id"},
		{as: "ann", do: "POST /api/v2/filters/{f}/statuses", body: "status_id={s}"},
	})
	var doc bytes.Buffer
	doc.WriteByte('[')
	for i, path := range []string{"/api/v2/filters", "/api/v1/filters", "/api/v1/statuses/{s}"} {
		w.call("ann", "GET "+path, "", "")
		body := w.last.Body.Bytes()
		if i > 0 {
			doc.WriteByte(',')
		}
		if i == 2 {
			var status struct{ Filtered json.RawMessage }
			if err := json.Unmarshal(body, &status); err != nil {
				t.Fatal(err)
			}
			body = status.Filtered
		}
		doc.Write(body)
	}
	doc.WriteByte(']')
	golden(t, "filters", doc.Bytes(), regexp.MustCompile(`\b\d{16,}\b|20\d\d-\d\d-\d\d(T[0-9:.]*Z)?`))
}
