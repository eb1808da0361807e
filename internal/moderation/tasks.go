package moderation

import (
	"linnet/internal/core"
	"linnet/internal/task"
)

// The kinds of task that are done here. Their names and arguments lie in stores: a
// change needs a new name.
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
