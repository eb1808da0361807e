// Package cards fetches the links of statuses and profiles. It makes preview cards from pages, and
// finds pages that link back to a profile. It does not know who posts or sees a link.
//
// Invariants:
//
//   - Nothing is fetched while link previews are off, and earlier cards are not shown.
//   - Nothing is fetched in a request or by a task worker. Separate fetchers wait for sites,
//     so a site that does not answer blocks nothing else.
//   - A status link is fetched by one server at a time, and again only when it is due,
//     however many statuses contain it. Before a fetch it is recorded as failed, so that a
//     page that crashes one server does not crash the others at once.
//   - A profile link is fetched when the profile is saved, unless it is verified, and retried
//     a few times. The fetches per user and hour are limited.
//   - A link that is being typed is fetched like one of a status, before it is posted. The fetches
//     per user and hour are limited.
//   - Only short plain texts of a page are passed on, and a picture that was decoded and
//     encoded again. A reader's browser never contacts the site.
package cards

import (
	"context"
	"time"

	"golang.org/x/sync/singleflight"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/outbound"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/uploads"
)

// Kinds of tasks. Their names and arguments are stored.
const (
	TaskCard    = "card"         // gives a status the card of its link
	TaskPicture = "card-picture" // deletes the picture of a card
	TaskLinks   = "verify-links" // checks whether the links of a profile link back to it
)

const (
	fetchers  = 4
	workTime  = time.Minute // for one task
	pageTime  = 10 * time.Second
	imageTime = 15 * time.Second
	pageBytes = 512 << 10 // maximum bytes read of a page, and imgBytes of a picture
	imgBytes  = 8 << 20
	redirects = 3
	mostTries = 5 // of a task
)

// Service fetches link previews and verifies links. It is safe for concurrent use.
type Service struct {
	st      *store.Store
	opt     core.Options
	core    *core.Service
	uploads *uploads.Service
	own     string // origin of this server, whose pages are not fetched

	pages, images *outbound.Client
	flights       singleflight.Group
	hosts         hosts
	outbox        *core.Outbox[Args]
}

// New returns a Service.
func New(b core.Base, c *core.Service, u *uploads.Service) *Service {
	client := func(time time.Duration, most int64) *outbound.Client {
		return outbound.New(outbound.Options{Allow: b.Options.Reach, Timeout: time, MaxBody: most, Redirects: redirects})
	}
	s := &Service{st: b.Store, opt: b.Options, core: c, uploads: u, own: originOf(b.Options.PublicURL),
		pages: client(pageTime, pageBytes), images: client(imageTime, imgBytes)}
	s.outbox = core.NewOutbox(b, core.OutboxOptions[Args]{Workers: fetchers, Time: workTime, Do: s.do, Failed: "cannot fetch link; will retry",
		Task: func(a Args) (uint16, string) {
			if a.User != 0 {
				return a.User.Shard(), TaskLinks
			}
			if a.Link != "" {
				return record.CardKey(a.Link).Shard, TaskCard
			}
			return a.Status.Shard(), TaskCard
		}})
	return s
}

// Handlers returns the handlers of these kinds.
func (s *Service) Handlers() map[string]task.Handler {
	return map[string]task.Handler{TaskCard: core.TaskHandler(s.resume), TaskLinks: core.TaskHandler(s.resume), TaskPicture: core.TaskHandler(s.dropPicture)}
}

// Args identify the status that needs a card, the link of a preview, or the user whose links are to
// be verified.
type Args struct {
	Status linnet.ID `json:"status,omitempty"`
	Link   string    `json:"link,omitempty"` // normalized
	User   linnet.ID `json:"user,omitempty"`
	Try    int       `json:"try,omitempty"` // number of earlier attempts
}

// Job is a card to fetch, or the links of a profile to verify.
type Job = core.Job[Args]

// Leave returns the job that fetches the card of a status. The caller writes its task with the
// status and then calls Begin.
func (s *Service) Leave(status linnet.ID) (Job, error) { return s.outbox.New(Args{Status: status}) }

// LeaveLinks returns the job that verifies the links of a user's profile. The caller writes its
// task with the profile and then calls Begin.
func (s *Service) LeaveLinks(user linnet.ID) (Job, error) { return s.outbox.New(Args{User: user}) }

// Begin starts a job whose task has been written. It does not wait for it.
func (s *Service) Begin(ctx context.Context, j Job) { s.outbox.Begin(ctx, j) }

// Run fetches until ctx ends. Fetches interrupted then are repeated by the server that finds their
// task.
func (s *Service) Run(ctx context.Context) {
	s.outbox.Run(ctx)
	s.pages.CloseIdle()
	s.images.CloseIdle()
}

// resume continues a job whose server has not done it, or that waits for another attempt.
func (s *Service) resume(ctx context.Context, a Args) (*Args, error) {
	if a.Try++; a.Try > mostTries {
		return nil, nil
	}
	return nil, s.outbox.Resume(ctx, a)
}

// pictureArgs identify the file of a card's picture.
type pictureArgs struct {
	Name string `json:"name"`
}

func (s *Service) dropPicture(ctx context.Context, a pictureArgs) (*pictureArgs, error) {
	s.uploads.Discard(ctx, a.Name)
	return nil, nil
}
