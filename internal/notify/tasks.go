package notify

import (
	"linnet/internal/core"
	"linnet/internal/task"
)

// Kinds of tasks. Their names and arguments are stored, so a change of the arguments needs a new
// name.
const (
	TaskMerge = "merge-notices"
)

// Handlers returns the handlers of these kinds.
func (s *Service) Handlers() map[string]task.Handler {
	return map[string]task.Handler{
		TaskMerge: core.TaskHandler(s.mergeNotices),
		TaskPush:  core.TaskHandler(s.pusher.resume),
	}
}
