package notify

import (
	"linnet/internal/core"
	"linnet/internal/reading"
	"linnet/internal/view"
)

// New returns a Service.
func New(b core.Base, c *core.Service, v *view.Service, r *reading.Service) *Service {
	return &Service{st: b.Store, tasks: b.Tasks, core: c, view: v, reading: r, handOver: b.Options.HandOver}
}

// ShowStaff sets what makes the views of notifications for staff.
func (s *Service) ShowStaff(show StaffNotice) { s.noticeOfStaff = show }
