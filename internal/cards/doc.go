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
//   - Only short plain texts of a page are passed on, and a picture that was decoded and
//     encoded again. A reader's browser never contacts the site.
package cards

import (
	"context"
	"crypto/rand"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/outbound"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/uploads"
)

// Kinds of tasks. Their names and arguments are stored.
const (
	TaskCard    = "card"         // gives a status the card of its link
	TaskPicture = "card-picture" // removes the picture of a card
	TaskLinks   = "verify-links" // checks whether the links of a profile link back to it
)

const (
	fetchers  = 4
	waiting   = 1024            // that wait for a fetcher; more are left in the store
	hold      = 2 * time.Minute // how long a task is reserved for its server
	workTime  = time.Minute     // for one task; below hold
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
	tasks   *task.Queue
	own     string // where the installation is, whose pages are not fetched

	pages, images *outbound.Client
	flights       singleflight.Group
	hosts         hosts
	queue         chan Job
}

// New returns a Service.
func New(b core.Base, c *core.Service, u *uploads.Service) *Service {
	client := func(time time.Duration, most int64) *outbound.Client {
		return outbound.New(outbound.Options{Allow: b.Options.Reach, Timeout: time, MaxBody: most, Redirects: redirects})
	}
	return &Service{st: b.Store, opt: b.Options, core: c, uploads: u, tasks: b.Tasks, own: originOf(b.Options.PublicURL),
		pages: client(pageTime, pageBytes), images: client(imageTime, imgBytes), queue: make(chan Job, waiting)}
}

// Handlers do the tasks of these kinds.
func (s *Service) Handlers() map[string]task.Handler {
	return map[string]task.Handler{TaskCard: core.TaskHandler(s.resume), TaskLinks: core.TaskHandler(s.resume), TaskPicture: core.TaskHandler(s.dropPicture)}
}

// Args name the status that is to have a card, or the user whose links are to be verified.
type Args struct {
	Status linnet.ID `json:"status,omitempty"`
	User   linnet.ID `json:"user,omitempty"`
	Try    int       `json:"try,omitempty"` // number of earlier attempts
}

// Job is a card to fetch or links to verify. It has a scheduled task (task.NewLater), and the
// server that wrote it usually does it before. The zero Job is none.
type Job struct {
	Args Args
	Task task.Task
	Due  time.Time
}

// Leave returns the job that fetches the card of a status. The caller writes its task with the
// status and then calls Begin.
func (s *Service) Leave(status linnet.ID) (Job, error) { return s.leaveFirst(Args{Status: status}) }

// LeaveLinks returns the job that verifies the links of a user's profile. The caller writes its
// task with the profile and then calls Begin.
func (s *Service) LeaveLinks(user linnet.ID) (Job, error) { return s.leaveFirst(Args{User: user}) }

func (s *Service) leaveFirst(a Args) (Job, error) {
	after := hold
	if s.opt.HandOver { // it is another server's to do
		after = 0
	}
	return s.leave(a, after)
}

func (s *Service) leave(a Args, after time.Duration) (Job, error) {
	due := s.st.Now().Add(after).Truncate(time.Millisecond)
	of, kind := a.Status, TaskCard
	if a.User != 0 {
		of, kind = a.User, TaskLinks
	}
	t, err := task.NewLater(of.Shard(), rand.Text(), kind, a, due)
	return Job{a, t, due}, err
}

// Begin lets a job begin whose task was written. It does not wait for it.
func (s *Service) Begin(ctx context.Context, j Job) {
	switch {
	case j.Task.ID == "":
	case s.opt.HandOver:
		s.tasks.Left(ctx, j.Task.Shard)
	default:
		select {
		case s.queue <- j:
		default: // its task comes due
		}
	}
}

// Run fetches until ctx ends. Fetches interrupted then are repeated by the server that finds their
// task.
func (s *Service) Run(ctx context.Context) {
	var all sync.WaitGroup
	for range fetchers {
		all.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case j := <-s.queue:
					s.do(ctx, j)
				}
			}
		})
	}
	all.Wait()
	s.pages.CloseIdle()
	s.images.CloseIdle()
}

// resume does the task of a job whose server has not done it, or that waits for another
// try: it leaves a new one and lets the job begin.
func (s *Service) resume(ctx context.Context, a Args) (*Args, error) {
	if a.Try++; a.Try > mostTries {
		return nil, nil
	}
	j, err := s.leave(a, hold)
	if err != nil {
		return nil, err
	}
	if err := s.st.Sessions.Leave(ctx, j.Task); err != nil {
		return nil, err
	}
	select {
	case s.queue <- j:
	default:
	}
	return nil, nil
}

// pictureArgs name the file of a card's picture.
type pictureArgs struct {
	Name string `json:"name"`
}

func (s *Service) dropPicture(ctx context.Context, a pictureArgs) (*pictureArgs, error) {
	s.uploads.Discard(ctx, a.Name)
	return nil, nil
}
