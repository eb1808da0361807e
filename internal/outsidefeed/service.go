package outsidefeed

import (
	"context"
	"crypto/rand"
	"time"

	"golang.org/x/sync/singleflight"

	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/linnet"
	"linnet/internal/outbound"
	"linnet/internal/posting"
	"linnet/internal/social"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/uploads"
	"linnet/internal/view"
)

// Kinds of tasks. Their names and arguments are stored.
const (
	TaskAdd   = "add-feed"   // completes the account of a new feed
	TaskFetch = "fetch-feed" // fetches a feed and schedules the next request
)

const (
	fetchers  = 8
	workTime  = time.Minute // for one feed with its pictures
	pageTime  = 10 * time.Second
	imageTime = 15 * time.Second
	feedBytes = 1 << 20 // maximum bytes of a feed or page, after decompression
	imgBytes  = 8 << 20
	redirects = 5
)

// Service adds and fetches external feeds. It is safe for concurrent use.
type Service struct {
	st    *store.Store
	opt   core.Options
	tasks *task.Queue

	core    *core.Service
	uploads *uploads.Service
	view    *view.Service
	social  *social.Service
	posting *posting.Service

	pages, images, hubs *outbound.Client
	hosts               hosts
	flights             singleflight.Group
	outbox              *core.Outbox[Args]
	callback            string // URL of HubPath; "" if hubs can't reach this server
}

// New returns a Service.
func New(b core.Base, c *core.Service, u *uploads.Service, v *view.Service, so *social.Service, p *posting.Service) *Service {
	client := func(time time.Duration, most int64, redirects int) *outbound.Client {
		return outbound.New(outbound.Options{Allow: b.Options.Reach, Timeout: time, MaxBody: most, Redirects: redirects})
	}
	s := &Service{callback: callback(b.Options.PublicURL), st: b.Store, opt: b.Options, tasks: b.Tasks, core: c, uploads: u, view: v, social: so, posting: p,
		pages: client(pageTime, feedBytes, 0), images: client(imageTime, imgBytes, redirects), hubs: client(pageTime, feedBytes, redirects)}
	s.outbox = core.NewOutbox(b, core.OutboxOptions[Args]{Workers: fetchers, Time: workTime, Do: s.do, Failed: "cannot fetch external feed; will retry",
		Task: func(a Args) (uint16, string) { return a.User.Shard(), TaskFetch }})
	return s
}

// Handlers returns the handlers of these kinds.
func (s *Service) Handlers() map[string]task.Handler {
	return map[string]task.Handler{TaskAdd: core.TaskHandler(s.add), TaskFetch: core.TaskHandler(s.resume), social.TaskEndHub: core.TaskHandler(s.endHub)}
}

// Args identify a feed by its account. A task whose chain isn't the feed's chain is obsolete.
type Args struct {
	User  linnet.ID `json:"user"`
	Chain string    `json:"chain"`
	// Hub and Topic are the subscription to end, if the feed was deleted.
	Hub   string `json:"hub,omitempty"`
	Topic string `json:"topic,omitempty"`
}

// Run fetches feeds until ctx ends. Fetches interrupted then are repeated by the server that finds
// their task.
func (s *Service) Run(ctx context.Context) {
	s.outbox.Run(ctx)
	s.pages.CloseIdle()
	s.images.CloseIdle()
	s.hubs.CloseIdle()
}

// resume continues a job that was due, or whose server has not done it.
func (s *Service) resume(ctx context.Context, a Args) (*Args, error) {
	return nil, s.outbox.Resume(ctx, a)
}

// schedule returns the job that fetches a feed at a time, and changes f accordingly. Earlier jobs
// become obsolete.
func (s *Service) schedule(f *linnet.OutsideFeed, at time.Time) (core.Job[Args], error) {
	f.Chain, f.Next, f.Dead = rand.Text(), at, false
	a := Args{User: f.User, Chain: f.Chain}
	if wait := at.Sub(s.st.Now()); wait > 0 {
		return s.outbox.Later(a, wait)
	}
	return s.outbox.New(a)
}

// wake schedules a request for a feed. Without always, it does so only for feeds that aren't
// scheduled: paused and dead ones.
func (s *Service) wake(ctx context.Context, user linnet.ID, always bool) error {
	f, err := s.st.Accounts.OutsideFeed(ctx, user)
	if err != nil || f == nil || f.Chain != "" && !always {
		return err
	}
	j, err := s.schedule(f, s.st.Now())
	if err != nil {
		return err
	}
	made, err := s.st.Accounts.SetOutsideFeed(ctx, f, j.Ops()...)
	if err == nil && made { // otherwise the feed has just been scheduled or fetched
		s.outbox.Begin(ctx, j)
	}
	return err
}

// Followed resumes fetching a feed that had no followers.
func (s *Service) Followed(ctx context.Context, f event.FeedFollowed) error {
	return s.wake(ctx, f.Feed, false)
}
