package cards

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/publicsuffix"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/outbound"
	"linnet/internal/record"
	"linnet/internal/task"
	"linnet/internal/uploads"
)

// Outcomes of fetching a page.
const (
	found   = "found"
	nothing = "nothing" // it has no card
	failed  = "failed"  // it can be tried again
	refused = "refused" // the address must not be fetched
)

// Outcomes returns the outcomes of fetching a page, for metrics.
func Outcomes() []string { return []string{found, nothing, failed, refused} }

const (
	leased       = time.Minute    // lifetime of a server's lease for a link; longer than fetching page and picture
	refetchAfter = 24 * time.Hour // delay before a page without a card is fetched again
	crowded      = time.Minute    // delay before a site with too many requests is contacted again
)

// waits returns the delay before the next attempt, by the number of failures.
func waits(tries int) time.Duration {
	all := []time.Duration{10 * time.Minute, time.Hour, 6 * time.Hour}
	if tries >= len(all) {
		return refetchAfter
	}
	return all[tries]
}

// do makes one attempt of a job.
func (s *Service) do(ctx context.Context, a Args) (next []kv.Op, err error) {
	work := s.work
	if a.User != 0 {
		work = s.verify
	}
	wait, err := work(ctx, a)
	if err != nil || wait <= 0 || a.Try >= mostTries {
		return nil, err
	}
	again, err := s.outbox.Later(a, wait)
	return again.Ops(), err
}

// work adds the card of its link to a status. wait is the delay before another attempt; 0 for none.
func (s *Service) work(ctx context.Context, a Args) (wait time.Duration, err error) {
	if on, err := s.core.CardsNow(ctx); err != nil || !on {
		return 0, err
	}
	if a.Link != "" { // the waiting user doesn't need another attempt
		_, err := s.know(ctx, a.Link)
		return 0, err
	}
	st, err := s.st.Statuses.Status(ctx, a.Status)
	if err != nil || st == nil {
		return 0, err
	}
	link := s.linkOf(st)
	if link == "" || st.Card != nil && st.Card.Link == link {
		return 0, nil
	}
	f, err := s.know(ctx, link)
	switch {
	case err != nil:
		return 0, err
	case f.Card != nil:
		return 0, s.st.Statuses.Cards.Set(ctx, st.ID, f.Card, func(st *linnet.Status) bool { return s.linkOf(st) == link })
	case f.Final:
		return 0, nil
	}
	return max(f.Until.Sub(s.st.Now()), time.Second), nil
}

// know returns the state of a link and fetches it if that is due. Concurrent callers share the
// result.
func (s *Service) know(ctx context.Context, link string) (*linnet.Fetched, error) {
	v, err, _ := s.flights.Do(link, func() (any, error) { return s.knowAlone(ctx, link) })
	if err != nil {
		return nil, err
	}
	return v.(*linnet.Fetched), nil
}

func (s *Service) knowAlone(ctx context.Context, link string) (*linnet.Fetched, error) {
	f, err := s.st.Statuses.Cards.Get(ctx, link)
	if err != nil {
		return nil, err
	}
	now := s.st.Now()
	if f.Card != nil && now.Sub(f.Card.Fetched) < linnet.CardLife || f.Card == nil && now.Before(f.Until) {
		return f, nil
	}
	if !s.hosts.admit(hostOf(link), now) {
		f.Card, f.Until, f.Final = nil, now.Add(crowded), false
		return f, nil
	}
	f.Card, f.Until, f.Final, f.Tries = nil, now.Add(leased), false, f.Tries+1
	made, err := s.st.Statuses.Cards.SetCard(ctx, link, f, nil)
	if err != nil || !made { // another server was first, and fetches it
		return f, err
	}
	return f, s.fetch(ctx, link, f)
}

// fetch fetches the page of a link that is leased to this server, and stores the result.
func (s *Service) fetch(ctx context.Context, link string, f *linnet.Fetched) error {
	c, image, outcome, err := s.page(ctx, link)
	s.opt.Observe.NotePreviewed(outcome)
	if err != nil {
		s.opt.Log.Debug("fetched link preview", "host", hostOf(link), "outcome", outcome, "err", err)
	}
	now := s.st.Now()
	switch outcome {
	case found:
		f.Card, f.Until, f.Tries, f.Final = c, now.Add(linnet.CardLife), 0, true
		if image != nil && s.opt.Files != nil {
			stored, err := s.picture(ctx, image)
			if err != nil { // the card has no picture
				s.opt.Log.Debug("cannot fetch preview picture", "host", image.Hostname(), "err", err)
			} else {
				stored.Description, f.Card.Image = f.Card.Image.Description, stored
			}
		}
		return s.store(ctx, link, f)
	case failed:
		f.Until, f.Final = now.Add(waits(f.Tries-1)), waits(f.Tries-1) == refetchAfter
	default:
		f.Until, f.Tries, f.Final = now.Add(refetchAfter), 0, true
	}
	_, err = s.st.Statuses.Cards.SetCard(ctx, link, f, nil)
	return err
}

// Preload stores the preview of a page, so that the page is not fetched. image can be nil. A nil
// card means that the page has no preview.
func (s *Service) Preload(ctx context.Context, link string, c *linnet.Card, image *uploads.File) error {
	link = normal(link)
	f, err := s.st.Statuses.Cards.Get(ctx, link)
	if err != nil {
		return err
	}
	f.Until, f.Final = s.st.Now().Add(linnet.CardLife), true
	if c == nil {
		_, err = s.st.Statuses.Cards.SetCard(ctx, link, f, nil)
		return err
	}
	card := *c
	card.Link, card.Fetched = link, s.st.Now().Truncate(time.Millisecond)
	if image != nil {
		stored, err := s.uploads.StoreCardImage(ctx, image)
		if err != nil {
			return err
		}
		stored.Description, card.Image = card.Image.Description, stored
	}
	f.Card = &card
	return s.store(ctx, link, f)
}

// store stores a card, and a task that deletes its picture.
func (s *Service) store(ctx context.Context, link string, f *linnet.Fetched) error {
	name := f.Card.Image.Name
	if name == "" {
		f.Card.Image = linnet.CardImage{}
		_, err := s.st.Statuses.Cards.SetCard(ctx, link, f, nil)
		return err
	}
	end, err := task.NewLater(record.CardKey(link).Shard, name, TaskPicture, pictureArgs{name}, f.Card.Fetched.Add(linnet.CardLife))
	if err != nil {
		return err
	}
	made, err := s.st.Statuses.Cards.SetCard(ctx, link, f, &end)
	if err == nil && !made {
		s.uploads.Discard(ctx, name)
		f.Card.Image = linnet.CardImage{}
	}
	return err
}

// page fetches a page and makes its card. image is the address of its picture.
func (s *Service) page(ctx context.Context, link string) (c *linnet.Card, image *url.URL, outcome string, err error) {
	a, outcome, err := s.ask(ctx, link)
	if outcome != found {
		return nil, nil, outcome, err
	}
	p := readPage(a.data, a.contentType)
	c, image = p.card(link, a.at, s.st.Now().Truncate(time.Millisecond))
	if c == nil {
		return nil, nil, nothing, nil
	}
	return c, image, found, s.credit(ctx, c, p.meta[creatorMeta], a.at.Hostname())
}

// answer is the read part of a site's response.
type answer struct {
	data        []byte // at most pageBytes
	contentType string
	at          *url.URL // address of the page after redirects
}

// ask fetches an HTML page.
func (s *Service) ask(ctx context.Context, link string) (a answer, outcome string, err error) {
	resp, err := s.get(ctx, s.pages, link, "text/html,application/xhtml+xml")
	if err != nil {
		return a, outcomeOf(err), err
	}
	defer resp.Body.Close()
	a.contentType, a.at = resp.Header.Get("Content-Type"), resp.Request.URL
	kind, _, _ := mime.ParseMediaType(a.contentType)
	switch {
	case resp.StatusCode == http.StatusRequestTimeout || resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= 500:
		return a, failed, errors.New(resp.Status)
	case resp.StatusCode != http.StatusOK || kind != "text/html" && kind != "application/xhtml+xml":
		return a, nothing, nil
	}
	a.data, err = io.ReadAll(resp.Body)
	if err != nil && !errors.Is(err, outbound.ErrTooLarge) { // data beyond the limit isn't needed
		return a, outcomeOf(err), err
	}
	return a, found, nil
}

// credit sets the author of a card to the user that the page names, if that is a user of this
// server who allows the site to do so. Otherwise Claims is set.
func (s *Service) credit(ctx context.Context, c *linnet.Card, creator, site string) error {
	login, host, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(creator), "@"), "@")
	if login == "" || !strings.EqualFold(host, s.own) {
		return nil
	}
	id, err := s.st.Accounts.UserByLogin(ctx, login)
	if err != nil || id == 0 {
		return err
	}
	b := s.st.Batch()
	ref := b.User(id)
	if err := b.Run(ctx); err != nil || ref.User == nil || ref.User.Hidden() {
		return err
	}
	if !ref.User.Attributed(site) {
		c.Claims = id
		return nil
	}
	c.Author, c.AuthorURL = "@"+ref.User.Login, s.opt.PublicURL+"/@"+ref.User.Login
	return nil
}

// picture fetches and stores a picture.
func (s *Service) picture(ctx context.Context, at *url.URL) (k linnet.CardImage, err error) {
	resp, err := s.get(ctx, s.images, at.String(), "image/png,image/jpeg,image/gif,image/webp")
	if err != nil {
		return k, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return k, errors.New(resp.Status)
	}
	file, err := s.uploads.Receive(resp.Body)
	if err != nil {
		return k, err
	}
	defer file.Close()
	return s.uploads.StoreCardImage(ctx, file)
}

func (s *Service) get(ctx context.Context, c *outbound.Client, link, accept string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, link, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("User-Agent", "Linnet (link preview bot; +"+s.opt.PublicURL+"/)")
	r.Header.Set("Accept", accept)
	return c.Do(r)
}

func outcomeOf(err error) string {
	if errors.Is(err, outbound.ErrForbidden) {
		return refused
	}
	return failed
}

// hosts counts recent requests per site, so that users can't flood a site by posting links to it.
// The zero value is ready to use.
type hosts struct {
	mu    sync.Mutex
	since time.Time
	asked map[string]int
}

const (
	perSite = 20          // pages of a site within a minute
	sites   = time.Minute // counting period
)

// admit counts a request to the site of a host, and returns false if there were too many. All hosts
// of a registered domain are one site.
func (h *hosts) admit(host string, now time.Time) bool {
	if site, err := publicsuffix.EffectiveTLDPlusOne(strings.TrimSuffix(host, ".")); err == nil {
		host = site
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.asked == nil || now.Sub(h.since) >= sites {
		h.asked, h.since = map[string]int{}, now
	}
	if h.asked[host] >= perSite {
		return false
	}
	h.asked[host]++
	return true
}
