package core

import (
	"context"

	"linnet/internal/linnet"
)

// Every server holds all custom emoji in memory and looks for a newer set with the
// settings: a change is seen at once on the server that makes it, and within seconds on
// others. What is rendered of texts names the set that it was made with.

// Emojis are the custom emoji that this server knows of; nil for none.
func (s *Service) Emojis() *linnet.EmojiSet { return s.emojis.Load() }

// loadEmojis reads the custom emoji if they are not those of a version any more.
func (s *Service) loadEmojis(ctx context.Context, version uint64) error {
	if now := s.emojis.Load(); version == 0 || now != nil && now.Version >= version {
		return nil
	}
	set, err := s.st.Accounts.Emojis(ctx)
	if err == nil {
		s.TakeEmojis(set)
	}
	return err
}

// TakeEmojis keeps what was read or written, unless something newer is known.
func (s *Service) TakeEmojis(set *linnet.EmojiSet) {
	for {
		now := s.emojis.Load()
		if now != nil && now.Version >= set.Version || s.emojis.CompareAndSwap(now, set) {
			return
		}
	}
}
