package archives

import (
	"linnet/internal/core"
	"linnet/internal/outsidefeed"
	"linnet/internal/posting"
	"linnet/internal/social"
	"linnet/internal/store"
	"linnet/internal/store/archives"
	"linnet/internal/task"
	"linnet/internal/uploads"
	"linnet/internal/view"
)

// Service manages exports and imports. It is safe for concurrent use.
type Service struct {
	st    *store.Store
	opt   core.Options
	tasks *task.Queue

	core    *core.Service
	uploads *uploads.Service
	view    *view.Service
	social  *social.Service
	lists   *social.Lists
	posting *posting.Service
	outside *outsidefeed.Service
	eraser  *posting.Eraser

	looking chan struct{} // held while an archive of posts is read
}

// New returns a Service.
func New(b core.Base, c *core.Service, u *uploads.Service, v *view.Service, p *social.Service, l *social.Lists, w *posting.Service, o *outsidefeed.Service, e *posting.Eraser) *Service {
	return &Service{st: b.Store, opt: b.Options, tasks: b.Tasks, core: c, uploads: u, view: v, social: p, lists: l, posting: w, outside: o, eraser: e, looking: make(chan struct{}, 1)}
}

// Kinds of tasks. Their names and arguments are stored, so a change of the arguments needs a new
// name.
const (
	TaskArchive = "make-archive"
	TaskImport  = "import-csv"
)

// Handlers returns the handlers of the tasks of this package.
func (s *Service) Handlers() map[string]task.Handler {
	return map[string]task.Handler{
		TaskArchive:                core.TaskHandler(s.makeArchive),
		TaskImport:                 core.TaskHandler(s.importPass),
		archives.TaskExpireArchive: core.TaskHandler(s.expireArchive),
		archives.TaskEndImport:     core.TaskHandler(s.endImport),
	}
}
