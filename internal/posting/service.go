package posting

import (
	"linnet/internal/cards"
	"linnet/internal/core"
	"linnet/internal/notify"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/store"
	"linnet/internal/store/statuses"
	"linnet/internal/task"
	"linnet/internal/timeline"
	"linnet/internal/uploads"
	"linnet/internal/view"
)

// Service writes, edits and deletes statuses. Its fields manage drafts, threads, scheduled
// statuses, favourites, bookmarks and pins, polls, conversations, posts in groups, commands to
// groups, and the deletion of old posts. All are safe for concurrent use.
type Service struct {
	Drafts        *Drafts
	Threads       *Threads
	Scheduled     *Scheduled
	Marks         *Marks
	Polls         *Polls
	Conversations *Conversations
	GroupPosts    *GroupPosts
	GroupCommands *GroupCommands
	Old           *OldPosts

	st    *store.Store
	tasks *task.Queue

	core    *core.Service
	uploads *uploads.Service
	cards   *cards.Service
	view    *view.Service
	social  *social.Service
	eraser  *Eraser

	newcomers *newcomers
	delivery  *delivery
}

// New returns a Service.
func New(b core.Base, c *core.Service, u *uploads.Service, k *cards.Service, t *timeline.Service, v *view.Service, r *reading.Service, n *notify.Service, p *social.Service, e *Eraser) *Service {
	s := &Service{st: b.Store, tasks: b.Tasks, core: c, uploads: u, cards: k, view: v, social: p, eraser: e}
	s.Drafts = &Drafts{st: b.Store, view: v, uploads: u}
	s.Threads = &Threads{st: b.Store, posts: s}
	s.Scheduled = &Scheduled{st: b.Store, tasks: b.Tasks, core: c, posts: s}
	s.Marks = &Marks{st: b.Store, log: b.Options.Log, facts: b.Facts, view: v, social: p}
	s.Polls = &Polls{st: b.Store, view: v, notify: n}
	s.Conversations = newConversations(b, c, v, r)
	s.GroupPosts = &GroupPosts{st: b.Store, tasks: b.Tasks, core: c, view: v, notify: n, groups: p.Groups, eraser: e, conversations: s.Conversations}
	s.GroupCommands = &GroupCommands{st: b.Store, tasks: b.Tasks, core: c, view: v, social: p, posts: s.GroupPosts}
	s.Old = &OldPosts{st: b.Store, tasks: b.Tasks, posts: s}
	s.newcomers = &newcomers{st: b.Store, meter: b.Meter, core: c}
	s.delivery = &delivery{st: b.Store, observe: b.Options.Observe, facts: b.Facts, core: c, timeline: t, notify: n, social: p, conversations: s.Conversations, groupPosts: s.GroupPosts, commands: s.GroupCommands}
	s.delivery.table = s.delivery.fanoutTable()
	return s
}

// Close stops the cleanup of caches. They stay usable.
func (s *Service) Close() { s.Conversations.unread.Close() }

// Kinds of tasks. Their names and arguments are stored, so a change of the arguments needs a new
// name.
const (
	TaskPublish = "publish"
	TaskErase   = "erase"
	TaskEdit    = "edit"

	TaskClosePoll = "close-poll"
	TaskUnquote   = "unquote"
	TaskOldPosts  = "old-posts"
)

// Handlers returns the handlers of the tasks of this package.
func (s *Service) Handlers() map[string]task.Handler {
	return map[string]task.Handler{
		TaskPublish: core.TaskHandler(s.delivery.publish),
		TaskErase:   core.TaskHandler(s.delivery.cleanUp),
		TaskEdit:    core.TaskHandler(s.delivery.followEdit),

		TaskClosePoll: core.TaskHandler(s.Polls.close),
		TaskUnquote:   core.TaskHandler(s.delivery.forgetQuote),
		TaskOldPosts:  core.TaskHandler(s.Old.batch),

		statuses.TaskPublishScheduled: core.TaskHandler(s.Scheduled.publish),
	}
}
