package core

import (
	"context"

	"linnet/internal/linnet"
)

// Announcements returns the announcements known to this server, or nil. They are cached like custom
// emoji.
func (s *Service) Announcements() *linnet.AnnouncementSet { return s.announcements.Load() }

// RefreshAnnouncements reads the announcements unless they have a given version. An event can
// report a version before this server polls.
func (s *Service) RefreshAnnouncements(ctx context.Context, version uint64) error {
	if now := s.announcements.Load(); version == 0 || now != nil && now.Version >= version {
		return nil
	}
	return s.ReadAnnouncements(ctx)
}

// ReadAnnouncements reads the current announcements.
func (s *Service) ReadAnnouncements(ctx context.Context) error {
	set, err := s.st.Staff.Announcements(ctx)
	if err != nil {
		return StoreError(err)
	}
	for {
		now := s.announcements.Load()
		if now != nil && now.Version >= set.Version || s.announcements.CompareAndSwap(now, set) {
			return nil
		}
	}
}
