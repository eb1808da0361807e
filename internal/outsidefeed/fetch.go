package outsidefeed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/outbound"
	"linnet/internal/wording"
)

// response is the read response of a site.
type response struct {
	status int
	header http.Header
	data   []byte
	at     *url.URL // address after redirects
	moved  *url.URL // address after the permanent redirects before the first temporary one; nil for none
}

// get fetches a document. It follows redirects itself, to distinguish permanent ones.
func (s *Service) get(ctx context.Context, link, etag, modified string) (*response, error) {
	at, err := url.Parse(link)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", outbound.ErrForbidden, err)
	}
	out, permanent := &response{}, true
	for range redirects + 1 {
		end, err := s.hosts.begin(ctx, at.Hostname())
		if err != nil {
			return nil, err
		}
		resp, data, err := s.ask(ctx, at, etag, modified)
		end()
		if err != nil {
			return nil, err
		}
		out.status, out.header, out.data, out.at = resp.StatusCode, resp.Header, data, at
		switch resp.StatusCode {
		case http.StatusMovedPermanently, http.StatusPermanentRedirect:
		case http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect:
			permanent = false
		default:
			return out, nil
		}
		if at, err = at.Parse(resp.Header.Get("Location")); err != nil || resp.Header.Get("Location") == "" {
			return nil, fmt.Errorf("invalid redirect: %w", err)
		}
		if permanent {
			out.moved = at
		}
	}
	return nil, errors.New("too many redirects")
}

// ask makes one request and reads its response.
func (s *Service) ask(ctx context.Context, at *url.URL, etag, modified string) (*http.Response, []byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, nil, err
	}
	r.Header.Set("User-Agent", "Linnet (feed reader; +"+s.opt.PublicURL+"/)")
	r.Header.Set("Accept", "application/atom+xml,application/rss+xml,application/feed+json,application/xml;q=0.9,text/xml;q=0.9,application/json;q=0.8,text/html;q=0.7,*/*;q=0.1")
	if etag != "" {
		r.Header.Set("If-None-Match", etag)
	}
	if modified != "" {
		r.Header.Set("If-Modified-Since", modified)
	}
	resp, err := s.pages.Do(r)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return resp, nil, nil
	}
	data, err := io.ReadAll(resp.Body)
	return resp, data, err
}

// statusError is a response with an unexpected status.
type statusError int

func (e statusError) Error() string { return "status " + strconv.Itoa(int(e)) }

// problem returns the text of an error of a request, in the form of wording.Store.
func problem(err error) string {
	var status statusError
	switch {
	case errors.As(err, &status):
		return wording.Store("The site responded with the status %d.", int(status))
	case errors.Is(err, outbound.ErrForbidden):
		return wording.Store("The address isn't allowed.")
	case errors.Is(err, outbound.ErrTooLarge):
		return wording.Store("The feed is too large (maximum is %d MB).", feedBytes>>20)
	case errors.Is(err, errNoFeed):
		return wording.Store("There is no valid feed at the address.")
	case outbound.IsTimeout(err):
		return wording.Store("The site didn't respond in time.")
	}
	return wording.Store("The site couldn't be reached.")
}

// Limits of the time between two requests of a feed.
const (
	usualWait = time.Hour
	leastWait = 15 * time.Minute
	mostWait  = 24 * time.Hour
)

// waitAfter returns the time until the next request after a successful one: the longest of the
// hints, within limits.
func waitAfter(d *document, h http.Header) time.Duration {
	wait := time.Duration(0)
	if d != nil {
		wait = d.every
	}
	for part := range strings.SplitSeq(h.Get("Cache-Control"), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		if n, err := strconv.Atoi(strings.Trim(value, `"`)); err == nil && strings.EqualFold(name, "max-age") && n > 0 && n < 1e8 {
			wait = max(wait, time.Duration(n)*time.Second)
		}
	}
	if wait == 0 {
		return usualWait
	}
	return min(max(wait, leastWait), mostWait)
}

// waitAfterFailure returns the time until the next request after some failures. It doubles up to a
// day.
func waitAfterFailure(failures int) time.Duration {
	return min(usualWait<<min(max(failures-1, 0), 10), mostWait)
}

// retryAfter returns the time that a site asks to wait, or 0. It is at most a day.
func retryAfter(h http.Header, now time.Time) time.Duration {
	v := strings.TrimSpace(h.Get("Retry-After"))
	if n, err := strconv.Atoi(v); err == nil && n > 0 {
		return min(time.Duration(min(n, 1e6))*time.Second, mostWait)
	}
	if t, err := http.ParseTime(v); err == nil && t.After(now) {
		return min(t.Sub(now), mostWait)
	}
	return 0
}

// hostWait is how long a job waits for other requests of its host.
const hostWait = 20 * time.Second

// errBusyHost means that other requests to the host have taken too long.
var errBusyHost = errors.New("other requests to the host are running")

// hosts allows one request per host at a time. The zero value is ready to use.
type hosts struct {
	mu  sync.Mutex
	all map[string]*hostSlot
}

type hostSlot struct {
	held    chan struct{}
	waiting int
}

// begin waits until no other request to a host is running. end must be called after the request.
func (h *hosts) begin(ctx context.Context, host string) (end func(), err error) {
	h.mu.Lock()
	if h.all == nil {
		h.all = map[string]*hostSlot{}
	}
	slot := h.all[host]
	if slot == nil {
		slot = &hostSlot{held: make(chan struct{}, 1)}
		h.all[host] = slot
	}
	slot.waiting++
	h.mu.Unlock()
	leave := func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if slot.waiting--; slot.waiting == 0 {
			delete(h.all, host)
		}
	}
	t := time.NewTimer(hostWait)
	defer t.Stop()
	select {
	case slot.held <- struct{}{}:
		return func() { <-slot.held; leave() }, nil
	case <-t.C:
		err = errBusyHost
	case <-ctx.Done():
		err = ctx.Err()
	}
	leave()
	return nil, err
}

// hostOf returns the host of an address without "www.".
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
}

// sourceOf returns the name and address under which the items of a feed name their source.
func sourceOf(f *linnet.OutsideFeed) linnet.AppName {
	return linnet.AppName{Name: SiteOf(f), Website: cmp.Or(f.Site, f.URL)}
}

// SiteOf returns the name of the site of a feed: its host.
func SiteOf(f *linnet.OutsideFeed) string { return hostOf(cmp.Or(f.Site, f.URL)) }
