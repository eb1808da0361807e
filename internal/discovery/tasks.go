package discovery

import (
	"linnet/internal/core"
	"linnet/internal/social"
	"linnet/internal/task"
)

// Kinds of tasks. Their names and arguments are stored, so a change of the arguments needs a new
// name.
const (
	TaskPromotion = "promotion"
)

// Handlers do the tasks of these kinds.
func (s *Service) Handlers() map[string]task.Handler {
	return map[string]task.Handler{
		TaskPromotion: core.TaskHandler(s.carryPromotion),

		social.TaskIndexStatuses: core.TaskHandler(s.search.indexStatuses),
	}
}
