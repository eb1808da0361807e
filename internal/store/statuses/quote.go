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

// Quotes stores the quotes of statuses.
type Quotes struct{ db *db.DB }

// QuotesOf returns the set of the quoted status that contains a quote, and whether the quote is
// counted, because it is public.
func QuotesOf(st *linnet.Status) (set kv.Key, counted bool) {
	if !st.Visibility.Open() || st.ForMembers() {
		return record.ClosedQuotesKey(st.QuoteOf), false
	}
	return record.QuotesKey(st.QuoteOf), true
}

// Add adds a quote to the quoted status, with the count. Related changes, such as a
// notification, are in the same transaction. It returns false if the quote was already added, or
// the quoted status does not exist. It may be repeated.
func (s *Quotes) Add(ctx context.Context, st *linnet.Status, with ...kv.Op) (bool, error) {
	set, counted := QuotesOf(st)
	ops := append([]kv.Op{kv.Add{Key: set, Member: st.ID.String(), Score: st.ID.Millis()}}, with...)
	if counted {
		ops = append(ops, kv.Incr{Key: record.TallyKey(st.QuoteOf), Name: record.QuotesCounter, By: 1})
	}
	return s.db.Txn(ctx, []kv.Cond{kv.Present{Key: record.StatusKey(st.QuoteOf)}, kv.NoMember{Key: set, Member: st.ID.String()}}, ops...)
}

// Remove removes a quote from the quoted status. It may be repeated.
func (s *Quotes) Remove(ctx context.Context, st *linnet.Status) error {
	set, counted := QuotesOf(st)
	ops := []kv.Op{kv.Remove{Key: set, Member: st.ID.String()}}
	if counted {
		ops = append(ops, kv.Incr{Key: record.TallyKey(st.QuoteOf), Name: record.QuotesCounter, By: -1})
	}
	_, err := s.db.Txn(ctx, []kv.Cond{kv.Present{Key: record.StatusKey(st.QuoteOf)}, kv.HasMember{Key: set, Member: st.ID.String()}}, ops...)
	return err
}

// Of reads a span of the quotes of a status, newest first. With closed it includes quotes that are
// not public.
func (s *Quotes) Of(ctx context.Context, id linnet.ID, closed bool, sp db.Span) ([]linnet.ID, error) {
	keys := []kv.Key{record.QuotesKey(id)}
	if closed {
		keys = append(keys, record.ClosedQuotesKey(id))
	}
	return s.db.MergeSets(ctx, keys, sp)
}

// Rewrite changes metadata of a status past the caches, with optional tasks. change changes a copy
// of the record, and returns false if there is nothing to do. Rewrite returns the current record,
// or nil if there is none.
func (s *Quotes) Rewrite(ctx context.Context, id linnet.ID, change func(*linnet.Status) bool, tasks ...task.Task) (now *linnet.Status, changed bool, err error) {
	for range db.MaxRaces {
		get := &kv.Get{Key: record.StatusKey(id)}
		if err := s.db.Read(ctx, get); err != nil {
			return nil, false, fmt.Errorf("read a status: %w", err)
		}
		if get.Version == 0 {
			return nil, false, nil
		}
		st, err := record.DecodeStatus(id, get)
		if err != nil {
			return nil, false, err
		}
		if !change(st) {
			if !changed && db.RetryDurable(&ctx) {
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
		case errors.Is(err, kv.ErrUnknown): // the current record shows whether the change was made
			ctx, changed = kv.Durable(ctx), true
		case err != nil:
			return nil, false, fmt.Errorf("write a status: %w", err)
		case made:
			return st, true, nil
		}
	}
	return nil, false, db.TooManyRaces("status", id)
}
