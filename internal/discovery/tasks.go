package discovery

import (
	"linnet/internal/core"
	"linnet/internal/social"
	"linnet/internal/task"
)

// The kinds of task that are done here. Their names and arguments lie in stores: a
// change needs a new name.
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
