package core

import (
	"context"
	"time"

	"linnet/internal/event"
	"linnet/internal/linnet"
)

// settingsEvery is how often a server reads settings that other servers have changed.
const settingsEvery = 2 * time.Second

// settings has the settings that many requests need. It is immutable.
type settings struct {
	version uint64
	private bool
	newDays int
	Trends  bool
	Cards   bool
	secured bool // staff need a second factor

	statusChars int
}

// Private reports whether content is hidden from visitors without a login. A change applies at once
// on the server that makes it and within seconds on others. It makes a round trip only if this
// server hasn't read the settings yet, and returns an error if that fails.
func (s *Service) Private(ctx context.Context) (bool, error) {
	now, err := s.KnownSettings(ctx)
	if err != nil {
		return true, err
	}
	return now.private, nil
}

// Cards reports whether link previews are fetched and shown, as known to this server. It returns
// false until the settings are read.
func (s *Service) Cards() bool {
	now := s.settings.Load()
	return now != nil && now.Cards
}

// CardsNow is like Cards, but reads the settings if this server hasn't yet. It is for tasks that
// can run right after the start.
func (s *Service) CardsNow(ctx context.Context) (bool, error) {
	now, err := s.KnownSettings(ctx)
	if err != nil {
		return false, err
	}
	return now.Cards, nil
}

// StatusChars returns the maximum length of a status in characters, as known to this server.
func (s *Service) StatusChars() int {
	if now := s.settings.Load(); now != nil && now.statusChars > 0 {
		return now.statusChars
	}
	return linnet.StatusChars
}

// Style returns the custom style sheet of the server, or "".
func (s *Service) Style(ctx context.Context) (string, error) {
	style, err := s.st.Instance.Style(ctx)
	return style, StoreError(err)
}

// KnownSettings returns the cached settings, or reads them if there are none.
func (s *Service) KnownSettings(ctx context.Context) (*settings, error) {
	if now := s.settings.Load(); now != nil {
		return now, nil
	}
	if err := s.loadSettings(ctx); err != nil {
		return nil, err
	}
	return s.settings.Load(), nil
}

func (s *Service) loadSettings(ctx context.Context) error {
	in, marks, err := s.st.Instance.Looked(ctx)
	if err == nil {
		err = s.loadEmojis(ctx, marks.Emojis)
	}
	if err == nil {
		err = s.RefreshAnnouncements(ctx, marks.Announcements)
	}
	if err == nil {
		err = s.RefreshRoles(ctx, marks.Roles)
	}
	if err == nil {
		err = s.TagRules.refresh(ctx, marks.TagRules)
	}
	if err != nil {
		return StoreError(err)
	}
	return s.TakeSettings(ctx, in)
}

// TakeSettings caches settings that were read or written, unless newer ones are known. It emits
// BecamePrivate if they hide the server from visitors.
func (s *Service) TakeSettings(ctx context.Context, in linnet.Instance) error {
	next := &settings{version: in.Version, private: in.Private, newDays: in.NewDays, Trends: in.Trends, Cards: in.Cards, secured: in.StaffSecured, statusChars: in.StatusChars}
	for {
		now := s.settings.Load()
		if now != nil && now.version >= next.version {
			return nil
		}
		if !s.settings.CompareAndSwap(now, next) {
			continue
		}
		if !next.private {
			return nil
		}
		return s.facts.BecamePrivate.Emit(ctx, event.BecamePrivate{})
	}
}
