package core

import (
	"context"
	"time"

	"linnet/internal/linnet"
)

// settingsEvery is how soon every server knows what another one was told about
// the installation.
const settingsEvery = 2 * time.Second

// settings are those properties of the installation that are asked for at every
// request of some kind, and so are kept. They are not changed once made.
type settings struct {
	version uint64
	private bool
	newDays int
	Trends  bool
	Cards   bool
	secured bool // staff need a second factor

	statusChars int
}

// Private reports whether nothing is shown to those who are not logged in. A
// change holds at once on the server that makes it and within seconds on others.
// It takes no round trip but on a server that has not read it yet, where the
// error says that it is not known.
func (s *Service) Private(ctx context.Context) (bool, error) {
	now, err := s.KnownSettings(ctx)
	if err != nil {
		return true, err
	}
	return now.private, nil
}

// Cards reports whether pages that posts link to are fetched and shown, as far as this
// server knows: not before it has read that.
func (s *Service) Cards() bool {
	now := s.settings.Load()
	return now != nil && now.Cards
}

// CardsNow is Cards for what is done once, such as a task that a server takes as soon as it
// has started: it asks if this server has not read it yet.
func (s *Service) CardsNow(ctx context.Context) (bool, error) {
	now, err := s.KnownSettings(ctx)
	if err != nil {
		return false, err
	}
	return now.Cards, nil
}

// StatusChars is how many characters a status may have, as far as this server knows.
func (s *Service) StatusChars() int {
	if now := s.settings.Load(); now != nil && now.statusChars > 0 {
		return now.statusChars
	}
	return linnet.StatusChars
}

// Style is the style sheet that the installation has of its own, "" if it has none.
func (s *Service) Style(ctx context.Context) (string, error) {
	style, err := s.st.Accounts.Style(ctx)
	return style, StoreError(err)
}

// KnownSettings returns what this server knows, and asks if that is nothing.
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
	in, marks, err := s.st.Accounts.Looked(ctx)
	if err == nil {
		err = s.loadEmojis(ctx, marks.Emojis)
	}
	if err == nil {
		err = s.HearAnnouncements(ctx, marks.Announcements)
	}
	if err == nil {
		err = s.HearRoles(ctx, marks.Roles)
	}
	if err != nil {
		return StoreError(err)
	}
	s.TakeSettings(in)
	return nil
}

// TakeSettings keeps what was read or written, unless something newer is known.
// When the installation becomes private, the streams of those who are not logged
// in end.
func (s *Service) TakeSettings(in linnet.Instance) {
	next := &settings{version: in.Version, private: in.Private, newDays: in.NewDays, Trends: in.Trends, Cards: in.Cards, secured: in.StaffSecured, statusChars: in.StatusChars}
	for {
		now := s.settings.Load()
		if now != nil && now.version >= next.version {
			return
		}
		if !s.settings.CompareAndSwap(now, next) {
			continue
		}
		if next.private && s.whenPrivate != nil {
			s.whenPrivate()
		}
		return
	}
}

// followSettings reads at intervals what other servers have written, until ctx
// ends. While the store does not answer, what was known last holds.
func (s *Service) followSettings(ctx context.Context) {
	load := func(ctx context.Context) {
		if err := s.loadSettings(ctx); err != nil && ctx.Err() == nil {
			s.opt.Log.Debug("cannot read settings", "err", err)
		}
	}
	load(ctx)
	Every(ctx, settingsEvery, load)
}
