package relations

import (
	"context"
	"errors"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// SetLanguages sets the languages of a follow; none for all. Codes are in the form of ISO 639, some
// with a region, sorted and distinct. It returns ErrLimit if MaxNarrowed other follows have
// languages.
func (s *Store) SetLanguages(ctx context.Context, user, other linnet.ID, codes []string) error {
	want := record.Narrowed.Member(other) + "|" + record.JoinLanguages(codes)
	for range db.MaxRaces {
		q := db.LanguagesQuery(user)
		if err := s.db.Read(ctx, q); err != nil {
			return fmt.Errorf("read languages of a follow: %w", err)
		}
		var conds []kv.Cond
		var ops []kv.Op
		there, others := false, 0
		for _, m := range q.Members {
			switch id, _ := record.SplitEntry(m.Member); {
			case id != other:
				others++
			case len(codes) > 0 && m.Member == want:
				there = true
			default:
				conds = append(conds, kv.HasMember{Key: q.Key, Member: m.Member})
				ops = append(ops, kv.Remove{Key: q.Key, Member: m.Member})
			}
		}
		if len(codes) > 0 && !there {
			if others >= linnet.MaxNarrowed {
				return ErrLimit
			}
			ops = append(ops, kv.Add{Key: q.Key, Member: want, Score: record.LanguagesScore})
		}
		if len(ops) == 0 {
			if db.RetryDurable(&ctx) {
				continue
			}
			return nil
		}
		made, err := s.db.Txn(ctx, conds, ops...)
		if errors.Is(err, kv.ErrUnknown) {
			ctx = kv.Durable(ctx)
			continue // the loop reads the result
		}
		if err != nil {
			return fmt.Errorf("write languages of a follow: %w", err)
		}
		if made {
			return nil
		}
	}
	return db.TooManyRaces("languages of a follow of", user)
}
