package social

import (
	"linnet/internal/core"
	"linnet/internal/task"
)

// The kinds of task that are done here. Their names and arguments lie in stores: a
// change needs a new name.
const (
	TaskEdge       = "edge"
	TaskForgetList = "forget-list"
	TaskIndex      = "index-user"
	TaskForgetUser = "forget-user"
	taskAccept     = "accept-requests"
	TaskFound      = "found-group"
	taskListGroups = "list-groups"
)

// Handlers do the tasks of these kinds.
func (s *Service) Handlers() map[string]task.Handler {
	return map[string]task.Handler{
		TaskEdge:       core.TaskHandler(s.copyEdge),
		TaskForgetList: core.TaskHandler(s.forgetList),
		TaskIndex:      core.TaskHandler(s.indexUser),
		TaskForgetUser: core.TaskHandler(s.forgetUser),
		taskAccept:     core.TaskHandler(s.acceptAll),
		TaskFound:      core.TaskHandler(s.found),
		taskListGroups: core.TaskHandler(s.listGroups),
	}
}
