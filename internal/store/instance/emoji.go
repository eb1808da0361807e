package instance

import (
	"context"
	"errors"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// ErrEmojisFull is returned if the record of all custom emoji would be too large.
var ErrEmojisFull = errors.New("the record of custom emoji is full")

// Emojis reads all custom emoji.
func (s *Store) Emojis(ctx context.Context) (*linnet.EmojiSet, error) {
	get := &kv.Get{Key: record.EmojisKey()}
	if err := s.db.Read(ctx, get); err != nil {
		return nil, fmt.Errorf("read custom emoji: %w", err)
	}
	return record.DecodeEmojis(get)
}

// ChangeEmojis replaces the custom emoji by the result of change, which it calls again after a
// concurrent change. It returns the new emoji.
func (s *Store) ChangeEmojis(ctx context.Context, change func(*linnet.EmojiSet) ([]linnet.Emoji, error)) (*linnet.EmojiSet, error) {
	for range db.MaxRaces {
		set, err := s.Emojis(kv.Durable(ctx))
		if err != nil {
			return nil, err
		}
		all, err := change(set)
		if err != nil {
			return nil, err
		}
		next := linnet.NewEmojiSet(set.Version+1, all)
		data := record.EncodeEmojis(next)
		if len(data) > kv.MaxValue {
			return nil, ErrEmojisFull
		}
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: record.EmojisKey(), Version: set.Version}},
			kv.Put{Key: record.EmojisKey(), Data: data, Version: next.Version},
			kv.Put{Key: record.EmojisMarkKey(), Data: []byte("{}"), Version: next.Version})
		if err != nil {
			return nil, fmt.Errorf("write custom emoji: %w", err)
		}
		if made {
			return next, nil
		}
	}
	return nil, db.TooManyRaces("custom emoji", 0)
}
