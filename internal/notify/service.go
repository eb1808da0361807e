package notify

import (
	"linnet/internal/core"
	"linnet/internal/reading"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/view"
)

// Service is the storey of notifications. It is safe for concurrent use.
type Service struct {
	st    *store.Store
	tasks *task.Queue

	core    *core.Service
	view    *view.Service
	reading *reading.Service

	noticeOfStaff StaffNotice // see ShowStaff
	begin         func(Push)  // see OnPush; nil: nobody pushes here
	handOver      bool        // tasks are left to other servers
}
