package accounts

import (
	"context"
	"errors"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// ErrEmojisFull: the record of all custom emoji would be larger than a record may be.
var ErrEmojisFull = errors.New("the record of custom emoji is full")

// Emojis reads all custom emoji.
func (s *Store) Emojis(ctx context.Context) (*linnet.EmojiSet, error) {
	get := &kv.Get{Key: record.EmojisKey()}
	if err := s.db.Read(ctx, get); err != nil {
		return nil, fmt.Errorf("read custom emoji: %w", err)
	}
	return record.DecodeEmojis(get)
}

// ChangeEmojis replaces the custom emoji by what change makes of those that there are, and
// again while others do so at the same time. It returns them as they are then.
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
