package store

import (
	"context"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// A note lies beside its writer's other records; about whom notes were made is a
// set, so that they are found when the writer goes.

// SetNote keeps what a user notes about somebody; no text ends it.
func (s *Store) SetNote(ctx context.Context, user, about linnet.ID, text string) error {
	noted := record.IDKey(record.KindNoted, user)
	ops := []kv.Op{kv.Delete{Key: record.NoteKey(user, about)}, kv.Remove{Key: noted, Member: about.String()}}
	if text != "" {
		ops = []kv.Op{kv.Put{Key: record.NoteKey(user, about), Data: []byte(text), Version: uint64(s.Now().UnixMilli())},
			kv.Add{Key: noted, Member: about.String(), Score: s.Now().UnixMilli()}}
	}
	if _, err := s.kv.Txn(ctx, []kv.Cond{UserPresent(user)}, ops...); err != nil {
		return fmt.Errorf("write note: %w", err)
	}
	return nil
}

// Note asks for what a user has noted about somebody. The answer stands in the
// string after Run.
func (b *Batch) Note(user, about linnet.ID) *string {
	var text string
	get := &kv.Get{Key: record.NoteKey(user, about)}
	b.ask(get, func() error {
		text = string(get.Data)
		return nil
	})
	return &text
}
