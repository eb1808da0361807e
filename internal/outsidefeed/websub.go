package outsidefeed

import (
	"cmp"
	"context"
	"crypto"
	"crypto/hmac"
	_ "crypto/sha1" // registers a hash function for signed
	"crypto/sha256"
	_ "crypto/sha512" // registers hash functions for signed
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mmcdole/gofeed"
	"github.com/mmcdole/gofeed/atom"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/social"
	"linnet/internal/store/db"
)

// HubPath is the beginning of the paths that hubs request. The id of the feed and a token follow.
const HubPath = "/api/v1/linnet/websub/"

// MaxNotification is the maximum number of bytes of a hub's notification.
const MaxNotification = feedBytes

// Modes of requests to and from hubs.
const (
	subscribe   = "subscribe"
	unsubscribe = "unsubscribe"
	denied      = "denied"
)

const (
	hubWait      = 6 * time.Hour       // time between two requests of a feed whose hub works
	pingWait     = time.Minute         // least time between a request and the next one after a notification
	pingDelay    = 10 * time.Minute    // a notification belongs to the items found up to this long after it
	leaseTime    = 10 * 24 * time.Hour // requested of hubs
	mostLease    = 30 * 24 * time.Hour
	renewBefore  = time.Hour // a subscription is renewed this long before the last possible request
	verifyTime   = time.Hour // a hub can confirm a subscription this long after the request
	mostOfAnswer = 4096      // bytes of a challenge
)

var errNotSubscribed = linnet.Errorf(linnet.Gone, "This subscription doesn't exist.")

// callback returns the URL of HubPath, or "" if hubs can't reach the public URL over HTTPS.
func callback(public string) string {
	u, err := url.Parse(public)
	if err != nil || u.Scheme != "https" {
		return ""
	}
	host := strings.ToLower(u.Hostname())
	if ip, err := netip.ParseAddr(host); err == nil && (!ip.IsGlobalUnicast() || ip.IsPrivate()) || host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return ""
	}
	return public + HubPath
}

// hubOf returns the hub that a document names, and the feed's address at the hub.
func hubOf(f *gofeed.Feed, data []byte, at *url.URL) (hub, topic string) {
	links := map[string]string{}
	add := func(rel, href string) {
		if href = absolute(at, href); href != "" && links[rel] == "" {
			links[rel] = href
		}
	}
	if a, ok := f.OriginalFeed().(*atom.Feed); ok {
		for _, l := range a.Links {
			add(l.Rel, l.Href)
		}
	}
	for _, prefix := range []string{"atom", "atom10"} {
		for _, l := range f.Extensions[prefix]["link"] {
			add(l.Attrs["rel"], l.Attrs["href"])
		}
	}
	var doc struct {
		Hubs []struct{ Type, URL string } `json:"hubs"`
	}
	if f.FeedType == "json" && json.Unmarshal(data, &doc) == nil {
		add("self", f.FeedLink)
		for _, h := range doc.Hubs {
			if strings.EqualFold(h.Type, "WebSub") {
				add("hub", h.URL)
			}
		}
	}
	return links["hub"], links["self"]
}

var (
	linkValue = regexp.MustCompile(`<([^>]*)>((?:\s*;\s*[\w*]+\s*=\s*(?:"[^"]*"|[^",;\s]*))*)`)
	linkRel   = regexp.MustCompile(`(?i);\s*rel\s*=\s*(?:"([^"]*)"|([^",;\s]*))`)
)

// linkHeader returns the first link with a relation in the Link headers of a response, or "".
func linkHeader(r *response, rel string) string {
	for _, m := range linkValue.FindAllStringSubmatch(strings.Join(r.header.Values("Link"), ","), 20) {
		if kind := linkRel.FindStringSubmatch(m[2]); kind != nil && slices.Contains(strings.Fields(strings.ToLower(kind[1]+" "+kind[2])), rel) {
			return absolute(r.at, m[1])
		}
	}
	return ""
}

// offered returns the hub that a response names in its headers or document, and the feed's address
// at the hub. It returns "" if there is none, or if the hub can't be used. A hub without HTTPS could
// reveal the secret.
func (s *Service) offered(r *response, d *document, set *linnet.OutsideFeedSettings) (hub, topic string) {
	hub, topic = d.hub, d.topic
	if named := linkHeader(r, "hub"); named != "" {
		hub, topic = named, cmp.Or(linkHeader(r, "self"), topic)
	}
	u, err := url.Parse(hub)
	if err != nil || hub == "" || s.callback == "" || u.Scheme != "https" && !s.hubs.Allowed(u) || set.Blocks(hostOf(hub)) {
		return "", ""
	}
	return hub, cmp.Or(topic, r.at.String())
}

// arrange updates the hub of a feed and the time of its next request, which is next without a hub.
// It returns the mode of the request to send to the hub after f was written, or "".
func (s *Service) arrange(f *linnet.OutsideFeed, got *polled, next time.Time) (mode string) {
	now := s.st.Now()
	f.Next = next
	if got.read && got.hub == "" {
		f.Hub = nil
	} else if got.read && (f.Hub == nil || f.Hub.URL != got.hub || f.Hub.Topic != got.topic) {
		f.Hub = &linnet.FeedHub{URL: got.hub, Topic: got.topic} // an earlier subscription expires
	}
	if f.Hub == nil {
		return ""
	}
	h := *f.Hub
	f.Hub = &h
	if !got.follow {
		if h.Asked.IsZero() {
			return ""
		}
		f.Hub = &linnet.FeedHub{URL: h.URL, Topic: h.Topic}
		return unsubscribe
	}
	tried := f.Tried.Truncate(time.Millisecond)
	if got.fresh > 0 && h.Pinged.Before(tried.Add(-pingDelay)) {
		h.Pinged = time.Time{} // the hub has missed an item
	}
	switch {
	case h.Pinged.After(tried): // during the request
		f.Next = now.Add(pingWait)
	case f.Failures == 0 && !h.Pinged.IsZero() && h.Subscribed(now.Add(hubWait)):
		f.Next = now.Add(max(next.Sub(now), hubWait+rand.N(hubWait/10)))
	}
	if h.Expires.After(f.Next.Add(renewBefore)) || h.Tries > 0 && now.Before(h.Asked.Add(waitAfterFailure(h.Tries))) {
		return ""
	}
	h.Asked, h.Tries = now, h.Tries+1
	return subscribe
}

// askHub sends a request to a hub, which then requests Confirm. An error has no effect, because a
// later request of the feed repeats it, and unused subscriptions expire.
func (s *Service) askHub(ctx context.Context, feed linnet.ID, h *linnet.FeedHub, mode string) {
	if err := s.sendToHub(ctx, feed, h, mode); err != nil {
		s.opt.Log.Debug("cannot send a request to a hub", "host", hostOf(h.URL), "mode", mode, "err", err)
	}
}

func (s *Service) sendToHub(ctx context.Context, feed linnet.ID, h *linnet.FeedHub, mode string) error {
	token, err := s.hubKey(ctx, "token", feed, h.Topic)
	if err != nil {
		return err
	}
	form := url.Values{"hub.mode": {mode}, "hub.topic": {h.Topic}, "hub.callback": {s.callback + feed.String() + "/" + token}}
	if mode == subscribe {
		secret, err := s.hubKey(ctx, "secret", feed, h.Topic)
		if err != nil {
			return err
		}
		form.Set("hub.secret", secret)
		form.Set("hub.lease_seconds", strconv.Itoa(int(leaseTime.Seconds())))
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("User-Agent", "Linnet (feed reader; +"+s.opt.PublicURL+"/)")
	end, err := s.hosts.begin(ctx, r.URL.Hostname())
	if err != nil {
		return err
	}
	defer end()
	resp, err := s.hubs.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return statusError(resp.StatusCode)
	}
	return nil
}

// hubKey returns the token of a feed's path, or the secret of its notifications. They are derived,
// so that a subscription of a deleted feed can still be ended.
func (s *Service) hubKey(ctx context.Context, purpose string, feed linnet.ID, topic string) (string, error) {
	key, err := s.core.DeriveKey(ctx, "websub "+purpose)
	if err != nil {
		return "", err
	}
	m := hmac.New(sha256.New, key)
	m.Write([]byte(feed.String() + "\x00" + topic))
	return hex.EncodeToString(m.Sum(nil)), nil
}

// Confirm handles a hub's question whether a request came from this server, and its refusals. It
// returns the response for a request that was made recently, and NotFound otherwise.
func (s *Service) Confirm(ctx context.Context, feed linnet.ID, token string, q url.Values) (challenge string, err error) {
	topic, challenge := q.Get("hub.topic"), q.Get("hub.challenge")
	want, err := s.hubKey(ctx, "token", feed, topic)
	if err != nil {
		return "", err
	}
	if !hmac.Equal([]byte(want), []byte(token)) || len(challenge) > mostOfAnswer {
		return "", errNoFeedHere
	}
	for range db.MaxRaces {
		f, err := s.st.Accounts.OutsideFeed(ctx, feed)
		if err != nil {
			return "", core.StoreError(err)
		}
		now, wanted := s.st.Now(), f != nil && f.Hub != nil && f.Hub.Topic == topic && !f.Hub.Asked.IsZero()
		switch mode := q.Get("hub.mode"); {
		case mode == unsubscribe && !wanted:
			return challenge, nil
		case mode == subscribe && wanted && challenge != "" && now.Sub(f.Hub.Asked) < verifyTime:
			f.Hub.Tries, f.Hub.Expires = 0, now.Add(lease(q.Get("hub.lease_seconds")))
		case mode == denied && wanted:
			f.Hub.Expires, challenge = time.Time{}, ""
		default:
			return "", errNoFeedHere
		}
		made, err := s.st.Accounts.SetOutsideFeed(ctx, f)
		if err != nil || made {
			return challenge, core.StoreError(err)
		}
	}
	return "", db.TooManyRaces("external feed", feed)
}

// lease returns the time of a lease: a day if the hub names none.
func lease(seconds string) time.Duration {
	n, err := strconv.Atoi(seconds)
	if err != nil || n <= 0 {
		return 24 * time.Hour
	}
	return time.Duration(min(n, int(mostLease.Seconds()))) * time.Second
}

// Notified handles a notification of a hub that a feed has changed, whose body read returns. It only
// fetches the feed soon, because the feed itself is the better source. It returns Gone without a
// subscription, and Forbidden for a wrong signature.
func (s *Service) Notified(ctx context.Context, feed linnet.ID, token, signature string, read func() ([]byte, error)) error {
	f, err := s.st.Accounts.OutsideFeed(ctx, feed)
	if err != nil {
		return core.StoreError(err)
	}
	if f == nil || !f.Hub.Subscribed(s.st.Now()) {
		return errNotSubscribed
	}
	want, err := s.hubKey(ctx, "token", feed, f.Hub.Topic)
	if err != nil {
		return err
	}
	if !hmac.Equal([]byte(want), []byte(token)) {
		return errNotSubscribed
	}
	secret, err := s.hubKey(ctx, "secret", feed, f.Hub.Topic)
	if err != nil {
		return err
	}
	body, err := read()
	if err != nil {
		return err
	}
	if !signed(secret, body, signature) {
		return linnet.Errorf(linnet.Forbidden, "The signature is missing or wrong.")
	}
	return core.StoreError(s.ping(ctx, f))
}

// signed checks the value of X-Hub-Signature. Google's hub, which YouTube uses, only signs with SHA-1.
func signed(secret string, data []byte, signature string) bool {
	method, sum, _ := strings.Cut(signature, "=")
	of := map[string]crypto.Hash{"sha1": crypto.SHA1, "sha256": crypto.SHA256, "sha384": crypto.SHA384, "sha512": crypto.SHA512}[strings.ToLower(method)]
	got, err := hex.DecodeString(sum)
	if of == 0 || err != nil {
		return false
	}
	m := hmac.New(of.New, []byte(secret))
	m.Write(data)
	return hmac.Equal(m.Sum(nil), got)
}

// ping fetches a feed now, or a minute after the last request. A request that is due or running
// repeats itself, see arrange.
func (s *Service) ping(ctx context.Context, f *linnet.OutsideFeed) error {
	for range db.MaxRaces {
		now := s.st.Now()
		soon := f.Tried.Add(pingWait)
		if soon.Before(now) {
			soon = now
		}
		later := f.Next.After(soon)
		if !later && f.Hub.Pinged.After(f.Tried) {
			return nil // an earlier notification has the same effect
		}
		f.Hub.Pinged = now
		var j core.Job[Args]
		var err error
		if later {
			if j, err = s.schedule(f, soon); err != nil {
				return err
			}
		}
		made, err := s.st.Accounts.SetOutsideFeed(ctx, f, j.Ops()...)
		switch {
		case err != nil:
			return err
		case made && soon.After(now):
			s.tasks.Left(ctx, f.User.Shard())
			return nil
		case made:
			s.outbox.Begin(ctx, j)
			return nil
		}
		if f, err = s.st.Accounts.OutsideFeed(ctx, f.User); err != nil || f == nil || f.Hub == nil {
			return err
		}
	}
	return db.TooManyRaces("external feed", f.User)
}

// endHub ends the subscription of a deleted feed.
func (s *Service) endHub(ctx context.Context, a social.EndHubArgs) (*social.EndHubArgs, error) {
	return nil, s.outbox.Resume(ctx, Args{User: a.Feed, Hub: a.Hub, Topic: a.Topic})
}
