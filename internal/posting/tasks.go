package posting

import (
	"linnet/internal/core"
	"linnet/internal/store/statuses"
	"linnet/internal/task"
)

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

// Handlers do the tasks of these kinds.
func (s *Service) Handlers() map[string]task.Handler {
	return map[string]task.Handler{
		TaskPublish: core.TaskHandler(s.publish),
		TaskErase:   core.TaskHandler(s.cleanUp),
		TaskEdit:    core.TaskHandler(edits{s}.followEdit),

		TaskClosePoll: core.TaskHandler(s.closePoll),
		TaskUnquote:   core.TaskHandler(quotes{s}.forgetQuote),
		TaskOldPosts:  core.TaskHandler(s.Old.pass),

		statuses.TaskPublishScheduled: core.TaskHandler(s.schedule.publish),
	}
}
