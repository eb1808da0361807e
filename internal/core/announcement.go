package core

import (
	"context"

	"linnet/internal/linnet"
)

// Announcements are those that this server knows of, held as the custom emoji are; nil for
// none.
func (s *Service) Announcements() *linnet.AnnouncementSet { return s.announcements.Load() }

// HearAnnouncements reads the announcements if they are not those of a version, of which
// an event may tell sooner than this server looks.
func (s *Service) HearAnnouncements(ctx context.Context, version uint64) error {
	if now := s.announcements.Load(); version == 0 || now != nil && now.Version >= version {
		return nil
	}
	return s.ReadAnnouncements(ctx)
}

// ReadAnnouncements reads the announcements as they are now.
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
