package core

import (
	"context"

	"linnet/internal/linnet"
)

// Every server has all custom emoji in memory and checks for a newer set together with the
// settings. A change is visible at once on the server that makes it and within seconds on others.
// Rendered texts contain the version of their set.

// Emojis returns the custom emoji as known to this server; nil for none.
func (s *Service) Emojis() *linnet.EmojiSet { return s.emojis.Load() }

// loadEmojis reads the custom emoji unless they have a given version.
func (s *Service) loadEmojis(ctx context.Context, version uint64) error {
	if now := s.emojis.Load(); version == 0 || now != nil && now.Version >= version {
		return nil
	}
	set, err := s.st.Instance.Emojis(ctx)
	if err == nil {
		s.TakeEmojis(set)
	}
	return err
}

// TakeEmojis caches a set that was read or written, unless a newer one is known.
func (s *Service) TakeEmojis(set *linnet.EmojiSet) {
	for {
		now := s.emojis.Load()
		if now != nil && now.Version >= set.Version || s.emojis.CompareAndSwap(now, set) {
			return
		}
	}
}
