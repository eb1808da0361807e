package statuses

import (
	"context"
	"errors"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/task"
)

// quoteStore is the part of the store that knows who quotes whom.
type quoteStore struct{ db *db.DB }

// QuotesOf names the set to which a quote belongs at what it quotes, and says whether it
// is counted there: everybody may see it.
func QuotesOf(st *linnet.Status) (set kv.Key, counted bool) {
	if st.Visibility > linnet.Unlisted || st.ForMembers() {
		return record.ClosedQuotesKey(st.QuoteOf), false
	}
	return record.QuotesKey(st.QuoteOf), true
}

// AddQuote enters a quote at what it quotes, with the count and, in the same transaction,
// what goes with it there (a notification of its author). It reports false if it was there
// already, or what it quotes is gone. RemoveQuote takes it out; both may be repeated.
func (s *quoteStore) AddQuote(ctx context.Context, st *linnet.Status, with ...kv.Op) (bool, error) {
	set, counted := QuotesOf(st)
	ops := append([]kv.Op{kv.Add{Key: set, Member: st.ID.String(), Score: st.ID.Millis()}}, with...)
	if counted {
		ops = append(ops, kv.Incr{Key: record.TallyKey(st.QuoteOf), Name: record.QuotesCounter, By: 1})
	}
	return s.db.Txn(ctx, []kv.Cond{kv.Present{Key: record.StatusKey(st.QuoteOf)}, kv.NoMember{Key: set, Member: st.ID.String()}}, ops...)
}

// RemoveQuote: see AddQuote.
func (s *quoteStore) RemoveQuote(ctx context.Context, st *linnet.Status) error {
	set, counted := QuotesOf(st)
	ops := []kv.Op{kv.Remove{Key: set, Member: st.ID.String()}}
	if counted {
		ops = append(ops, kv.Incr{Key: record.TallyKey(st.QuoteOf), Name: record.QuotesCounter, By: -1})
	}
	_, err := s.db.Txn(ctx, []kv.Cond{kv.Present{Key: record.StatusKey(st.QuoteOf)}, kv.HasMember{Key: set, Member: st.ID.String()}}, ops...)
	return err
}

// QuotesOfStatus reads a span of the statuses that quote one, newest first; with closed
// also those that not everybody may see.
func (s *quoteStore) QuotesOfStatus(ctx context.Context, id linnet.ID, closed bool, sp db.Span) ([]linnet.ID, error) {
	keys := []kv.Key{record.QuotesKey(id)}
	if closed {
		keys = append(keys, record.ClosedQuotesKey(id))
	}
	return s.db.MergeSets(ctx, keys, sp)
}

// Rewrite changes what is not said in a status but about it, as change does to a copy of
// the record as it is, past what is kept, with some tasks if there are any. change reports
// false if there is nothing to do. It returns the record as it is then; nil if there is
// none.
func (s *quoteStore) Rewrite(ctx context.Context, id linnet.ID, change func(*linnet.Status) bool, tasks ...task.Task) (now *linnet.Status, changed bool, err error) {
	for range db.MaxRaces {
		get := &kv.Get{Key: record.StatusKey(id)}
		if err := s.db.Read(ctx, get); err != nil {
			return nil, false, fmt.Errorf("read status: %w", err)
		}
		if get.Version == 0 {
			return nil, false, nil
		}
		st, err := record.DecodeStatus(id, get)
		if err != nil {
			return nil, false, err
		}
		if !change(st) {
			if !changed && db.Surely(&ctx) {
				continue
			}
			return st, changed, nil
		}
		st.Version++
		ops := []kv.Op{kv.Put{Key: get.Key, Data: record.EncodeStatus(st), Version: st.Version}}
		for _, t := range tasks {
			ops = append(ops, t.Ops()...)
		}
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: get.Key, Version: get.Version}}, ops...)
		switch {
		case errors.Is(err, kv.ErrUnknown): // what it is now says whether it was made
			ctx, changed = kv.Durable(ctx), true
		case err != nil:
			return nil, false, fmt.Errorf("write status: %w", err)
		case made:
			return st, true, nil
		}
	}
	return nil, false, db.TooManyRaces("status", id)
}
