package moderation

import (
	"linnet/internal/core"
	"linnet/internal/task"
)

// Kinds of tasks. Their names and arguments are stored, so a change of the arguments needs a new
// name.
const (
	taskModerated = "moderated"
	taskReported  = "reported"
	taskRecheck   = "recheck-moderated"
)

// Handlers do the tasks of these kinds.
func (s *Service) Handlers() map[string]task.Handler {
	return map[string]task.Handler{
		taskModerated:   core.TaskHandler(s.moderated),
		taskReported:    core.TaskHandler(s.reported),
		taskRecheck:     core.TaskHandler(s.recheck),
		core.TaskLogged: core.TaskHandler(s.logged),
	}
}
