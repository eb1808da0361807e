package outsidefeed

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/media"
	"linnet/internal/social"
	"linnet/internal/store/db"
	"linnet/internal/text"
	"linnet/internal/uploads"
	"linnet/internal/wording"
)

const (
	recent     = 7 * 24 * time.Hour // older items are only added to the profile
	mostFresh  = 20                 // new items of one request that reach home timelines
	pictureEnd = 20 * time.Second   // time that must be left for fetching a picture
	manyFails  = 20                 // failures after which a feed can count as dead
)

// do makes one request for a feed and returns the task of the next one.
func (s *Service) do(ctx context.Context, a Args) ([]kv.Op, error) {
	if a.Hub != "" {
		s.askHub(ctx, a.User, &linnet.FeedHub{URL: a.Hub, Topic: a.Topic}, unsubscribe)
		return nil, nil
	}
	f, err := s.st.Accounts.OutsideFeed(ctx, a.User)
	if err != nil || f == nil || f.Chain != a.Chain {
		return nil, err
	}
	now := s.st.Now()
	if now.Before(f.Next) { // an earlier attempt did it, but its server has stopped
		return s.next(a, f.Next)
	}
	b := s.st.Batch()
	ref := b.User(a.User)
	if err := b.Run(ctx); err != nil || ref.User == nil {
		return nil, err
	}
	set, err := s.st.Accounts.OutsideFeedSettings(ctx)
	if err != nil {
		return nil, err
	}
	var got polled
	switch {
	case ref.Followers == 0 && !f.Fetched.IsZero():
		f.Chain, f.Next = "", time.Time{}
	case ref.User.Suspended || set.Who == linnet.FeedsOff || set.Blocks(hostOf(f.URL)):
		f.Next = now.Add(mostWait)
	default:
		got, err = s.poll(ctx, f, ref.User, &set)
		if errors.Is(err, errBusyHost) {
			return s.next(a, now.Add(time.Minute))
		}
		if err != nil {
			return nil, err
		}
		got.follow = ref.Followers > 0 && !f.Dead && s.callback != ""
	}
	if f.Dead {
		f.Chain = ""
	}
	next := f.Next
	for range db.MaxRaces {
		mode := s.arrange(f, &got, next)
		made, err := s.st.Accounts.SetOutsideFeed(ctx, f)
		if err != nil {
			return nil, err
		}
		if made {
			if mode != "" {
				s.askHub(ctx, f.User, f.Hub, mode)
			}
			if f.Chain == "" {
				return nil, nil
			}
			return s.next(a, f.Next)
		}
		now, err := s.st.Accounts.OutsideFeed(ctx, a.User)
		if err != nil || now == nil || now.Chain != a.Chain { // a newer chain replaces this one
			return nil, err
		}
		f.Hub, f.Version = now.Hub, now.Version // the hub has sent a request
	}
	return nil, db.TooManyRaces("external feed", a.User)
}

func (s *Service) next(a Args, at time.Time) ([]kv.Op, error) {
	j, err := s.outbox.Later(a, max(at.Sub(s.st.Now()), 0))
	return j.Ops(), err
}

// polled is the result of a request that concerns the hub of a feed.
type polled struct {
	read       bool   // the feed has changed, so that the hub is known
	hub, topic string // "" for none
	fresh      int    // new items since the previous request
	follow     bool   // notifications are useful
}

// poll fetches a feed once, posts its new items and changes f. It returns only errors of this
// server.
func (s *Service) poll(ctx context.Context, f *linnet.OutsideFeed, u *linnet.User, set *linnet.OutsideFeedSettings) (got polled, err error) {
	now := s.st.Now()
	f.Tried = now
	r, err := s.get(ctx, f.URL, f.ETag, f.Modified)
	if errors.Is(err, errBusyHost) {
		return got, err
	}
	var d *document
	if err == nil && r.status == http.StatusOK {
		d, err = parseFeed(r.data, r.at, now)
	}
	if err != nil {
		s.failed(f, problem(err), 0)
		return got, nil
	}
	switch r.status {
	case http.StatusOK:
		if got.fresh, err = s.take(ctx, f, u, d); err != nil {
			return got, err
		}
		got.read = true
		got.hub, got.topic = s.offered(r, d, set)
		f.ETag, f.Modified = header(r, "ETag"), header(r, "Last-Modified")
	case http.StatusNotModified:
	case http.StatusGone:
		f.Dead, f.Problem = true, wording.Store("The site has ended this feed.")
		return got, nil
	default:
		s.failed(f, problem(statusError(r.status)), retryAfter(r.header, now))
		return got, nil
	}
	if r.moved != nil {
		if err := s.move(ctx, f, u, r.moved.String()); err != nil {
			return got, err
		}
	}
	f.Fetched, f.Failures, f.Problem = now, 0, ""
	wait := waitAfter(d, r.header)
	f.Next = now.Add(wait + rand.N(wait/10))
	return got, nil
}

// header returns a header for the next request, or "" if it is too long.
func header(r *response, name string) string {
	if v := r.header.Get(name); len(v) <= 500 {
		return v
	}
	return ""
}

// failed records a failed request. wait is the time that the site asks to wait; 0 for none.
func (s *Service) failed(f *linnet.OutsideFeed, problem string, wait time.Duration) {
	now := s.st.Now()
	f.Failures, f.Problem = f.Failures+1, problem
	wait = max(wait, waitAfterFailure(f.Failures))
	f.Next = now.Add(wait + rand.N(wait/10))
	since := f.Fetched
	if since.IsZero() {
		since = f.User.Time()
	}
	f.Dead = f.Failures >= manyFails && now.Sub(since) > linnet.OutsideFeedsDeadAfter
	s.opt.Log.Debug("cannot fetch external feed", "host", hostOf(f.URL), "failures", f.Failures, "problem", wording.Message(problem).String())
}

// move changes the address of a feed after a permanent redirect. The feed keeps its address if
// another account has the new one.
func (s *Service) move(ctx context.Context, f *linnet.OutsideFeed, u *linnet.User, to string) error {
	if to == f.URL || len(to) > text.MaxURL {
		return nil
	}
	owner, err := s.st.Accounts.ClaimOutsideURL(ctx, to, f.User)
	if err != nil || owner != f.User {
		return err
	}
	f.Former = slices.DeleteFunc(append([]string{f.URL}, f.Former...), func(old string) bool { return old == to })
	f.Former = f.Former[:min(len(f.Former), linnet.MaxFormerFeedURLs)]
	f.URL = to
	_, _, _, err = s.st.Accounts.UpdateUser(ctx, u.ID, func(u *linnet.User) error { u.Feed = to; return nil }, nil)
	return core.StoreError(err)
}

// take posts the new items of a document and updates the profile. It returns the number of items
// that are new since the first request.
func (s *Service) take(ctx context.Context, f *linnet.OutsideFeed, u *linnet.User, d *document) (news int, err error) {
	if err := s.describe(ctx, f, u, d); err != nil {
		return 0, err
	}
	known := make(map[uint64]bool, len(f.Seen))
	for _, h := range f.Seen {
		known[h] = true
	}
	var fresh []item
	for _, i := range d.items {
		if !slices.ContainsFunc(i.hashes, func(h uint64) bool { return known[h] }) {
			fresh = append(fresh, i)
		}
		for _, h := range i.hashes { // also within a document
			known[h] = true
		}
	}
	first := f.Fetched.IsZero()
	if first {
		fresh = fresh[:min(len(fresh), linnet.FirstFeedItems)]
	} else {
		news = len(fresh)
	}
	now := s.st.Now()
	for n, i := range slices.Backward(fresh) { // oldest first
		old := first || n >= mostFresh || !i.at.IsZero() && now.Sub(i.at) > recent
		if err := s.post(ctx, f, u, &i, d.language, old); err != nil {
			return 0, err
		}
	}
	f.Seen = remembered(d, f.Seen)
	return news, nil
}

// remembered returns the hashes of the items of a document, and then the earlier ones.
func remembered(d *document, before []uint64) []uint64 {
	var out []uint64
	have := map[uint64]bool{}
	add := func(h uint64) {
		if !have[h] && len(out) < linnet.FeedItemHashes {
			have[h] = true
			out = append(out, h)
		}
	}
	for _, i := range d.items {
		for _, h := range i.hashes {
			add(h)
		}
	}
	for _, h := range before {
		add(h)
	}
	return out
}

// post posts an item. It skips items that can't be posts.
func (s *Service) post(ctx context.Context, f *linnet.OutsideFeed, u *linnet.User, i *item, language string, old bool) error {
	p := s.compose(i)
	p.Source, p.Old, p.At = sourceOf(f), old, i.at
	if p.At.IsZero() {
		p.At = s.st.Now()
	}
	if i.language != "" {
		language = i.language
	}
	p.Language = language
	if a := s.attach(ctx, u, i); a != nil {
		p.Media = []linnet.Attachment{*a}
	}
	posted, err := s.posting.PostFeedItem(ctx, u, p)
	if (err != nil || !posted) && len(p.Media) > 0 {
		if rerr := s.uploads.RemoveDetached(ctx, u.ID, p.Media); rerr != nil {
			return rerr
		}
	}
	if linnet.KindOf(err) == linnet.Invalid {
		s.opt.Log.Debug("cannot post an item of an external feed", "host", hostOf(f.URL), "err", err)
		return nil
	}
	return err
}

// attach fetches and stores the picture of an item. It returns nil without a usable one, or if
// there is too little time.
func (s *Service) attach(ctx context.Context, u *linnet.User, i *item) *linnet.Attachment {
	file := s.picture(ctx, i.picture)
	if file == nil {
		return nil
	}
	defer file.Close()
	alt := uploads.FitDescription(i.alt)
	a, err := s.uploads.Upload(ctx, u.ID, file, nil, linnet.AttachmentChange{Description: &alt})
	if err != nil {
		s.opt.Log.Debug("cannot store the picture of an item", "host", hostOf(i.picture), "err", err)
		return nil
	}
	if a.Clip != nil { // only pictures
		_ = s.uploads.RemoveDetached(ctx, u.ID, []linnet.Attachment{*a}) // otherwise it expires after a day
		return nil
	}
	return a
}

// describe updates the name, description and picture of the account.
func (s *Service) describe(ctx context.Context, f *linnet.OutsideFeed, u *linnet.User, d *document) error {
	f.Site = d.site
	c := profile(f, d)
	if *c.Name != u.Name || *c.Note != u.Note {
		_, err := s.social.Profiles.Update(ctx, u.ID, c)
		if err != nil && linnet.KindOf(err) != linnet.Invalid {
			return err
		}
	}
	if d.picture == f.Picture {
		return nil
	}
	file := s.picture(ctx, d.picture)
	if file == nil {
		return nil // the next request tries again
	}
	defer file.Close()
	if err := s.social.Profiles.SetPicture(ctx, u.ID, media.Avatar, file); err != nil && linnet.KindOf(err) != linnet.Invalid {
		return err
	}
	f.Picture = d.picture
	return nil
}

// profile returns the name and the description of a feed's account, within the limits of profiles.
func profile(f *linnet.OutsideFeed, d *document) linnet.ProfileChange {
	name := fit(d.title, linnet.MaxDisplayName)
	if core.CheckMarks("name", name) != nil || name == "" {
		name = fit(hostOf(f.URL), linnet.MaxDisplayName)
	}
	link := cmp.Or(f.Site, f.URL)
	note := fit(d.note, linnet.MaxNote-linnet.URLChars-2)
	if core.CheckMarks("note", note) != nil {
		note = ""
	}
	if with := strings.TrimSpace(note + "\n\n" + link); text.Count(with) <= linnet.MaxNote {
		note = with
	}
	return social.CleanProfile(linnet.ProfileChange{Name: &name, Note: &note})
}
