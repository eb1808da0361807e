package torture

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	requestTime = 15 * time.Second
	maxBody     = 8 << 20
)

// client sends requests to a server and counts errors.
type client struct {
	base string
	http http.Client

	broken atomic.Int64 // requests sent without a response: reset, end of file or timeout
	failed atomic.Int64 // responses with 5xx

	mu     sync.Mutex
	watch  *outage
	sample string // the last failure
}

func newClient(base string) *client {
	return &client{base: base, http: http.Client{Timeout: requestTime, Transport: &http.Transport{
		MaxIdleConns: 256, MaxIdleConnsPerHost: 256, IdleConnTimeout: time.Minute,
		DialContext: (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
	}}}
}

// answerError is a response with an error status.
type answerError struct {
	code int
	what string
}

func (e *answerError) Error() string { return e.what }

// refused reports whether an act was certainly not done, because the server refused it or did not
// receive it.
func refused(err error) bool {
	var a *answerError
	if errors.As(err, &a) {
		return a.code < 500
	}
	return unsent(err)
}

// unsent reports whether no connection could be opened.
func unsent(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// gone reports whether the response is 404.
func gone(err error) bool {
	var a *answerError
	return errors.As(err, &a) && a.code == http.StatusNotFound
}

// do makes a request and decodes the response into v, unless v is nil. It returns the query of the
// next page, or "".
func (c *client) do(ctx context.Context, token, method, path string, form url.Values, key string, v any) (next string, err error) {
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return "", err
	}
	// Without this, the library would repeat a request with a key, and report the last error only.
	req.GetBody = nil
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	sent := time.Now()
	resp, err := c.http.Do(req)
	if err != nil {
		if ctx.Err() == nil && !unsent(err) {
			c.broken.Add(1)
			c.note(err.Error())
		}
		return "", err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	c.observe(sent, resp, method)
	if err != nil {
		c.broken.Add(1)
		c.note(err.Error())
		return "", fmt.Errorf("read the response to %s %s: %w", method, path, err)
	}
	if resp.StatusCode/100 != 2 {
		a := &answerError{resp.StatusCode, fmt.Sprintf("%s %s: %s: %.200s", method, path, resp.Status, data)}
		if resp.StatusCode >= 500 {
			c.failed.Add(1)
			c.note(a.what)
		}
		return "", a
	}
	if v != nil {
		if err := json.NewDecoder(bytes.NewReader(data)).Decode(v); err != nil {
			return "", fmt.Errorf("%s %s: %w", method, path, err)
		}
	}
	return nextQuery(resp.Header.Get("Link")), nil
}

func (c *client) note(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sample = what
}

// nextQuery returns the query of the next page in a Link header (RFC 8288).
func nextQuery(link string) string {
	for part := range strings.SplitSeq(link, ",") {
		address, params, ok := strings.Cut(part, ">")
		if ok && strings.Contains(params, `rel="next"`) {
			_, query, _ := strings.Cut(address, "?")
			return query
		}
	}
	return ""
}

// status contains the used fields of a status.
type status struct {
	ID      string `json:"id"`
	Content string `json:"content"`
	Reblog  *struct {
		ID string `json:"id"`
	} `json:"reblog"`
}

// text returns the content without its tags.
func (s status) text() string {
	t := strings.TrimPrefix(s.Content, "<p>")
	return strings.TrimSuffix(t, "</p>")
}

// older reports whether id a is lower than id b.
func older(a, b string) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return a < b
}

// pages reads a list of statuses to its end. It fails on duplicates, and if ordered is set on wrong
// order.
func (c *client) pages(ctx context.Context, token, path string, ordered bool) ([]status, error) {
	var all []status
	seen := map[string]bool{}
	for query := "limit=40"; query != ""; {
		var page []status
		next, err := c.do(ctx, token, http.MethodGet, path+"?"+query, nil, "", &page)
		if err != nil {
			return nil, err
		}
		for _, s := range page {
			if seen[s.ID] {
				return nil, fmt.Errorf("%s: status %s (%s) appears twice", path, s.ID, s.text())
			}
			if n := len(all); ordered && n > 0 && !older(s.ID, all[n-1].ID) {
				return nil, fmt.Errorf("%s: status %s appears below %s", path, s.ID, all[n-1].ID)
			}
			seen[s.ID] = true
			all = append(all, s)
		}
		query = next
	}
	return all, nil
}
