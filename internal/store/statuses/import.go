package statuses

import (
	"context"
	"errors"
	"fmt"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// Import stores imported statuses of one author, as many as fit in one transaction at a time. Their
// ids are set, and each reply comes after its parent or with it. They cause no notifications and
// are in no public timeline. A status that was deleted before may return with its id. It returns
// ErrRace if an id, a parent or an upload has changed, and ErrDeleted if the author does not exist.
// Some statuses may be stored then.
func (s *Store) Import(ctx context.Context, author linnet.ID, sts []*linnet.Status) error {
	for len(sts) > 0 {
		n, conds, ops := packImported(author, sts)
		made, err := s.db.Txn(ctx, conds, ops...)
		if err == nil && !made || errors.Is(err, ErrAttachment) {
			err = db.ErrRace
		}
		if err != nil {
			return fmt.Errorf("write imported statuses: %w", err)
		}
		sts = sts[n:]
	}
	return nil
}

// packImported returns the transaction that stores the first n of some statuses.
func packImported(author linnet.ID, sts []*linnet.Status) (n int, conds []kv.Cond, ops []kv.Op) {
	conds = []kv.Cond{db.Else(db.UserPresent(author), db.ErrDeleted)}
	counts := &counting{by: map[kv.Incr]int64{}}
	written := map[linnet.ID]bool{}
	for _, st := range sts {
		moreConds, moreOps := CreateChanges(NewStatus{Status: st}, st, record.EncodeStatus(st))
		moreConds = append(moreConds[:1:1], moreConds[2:]...) // the author was already checked
		moreOps = append(moreOps, kv.Remove{Key: record.ErasedKey(author), Member: st.ID.String()})
		if p := st.InReplyTo; p != 0 {
			if !written[p] {
				moreConds = append(moreConds, kv.Present{Key: record.StatusKey(p)})
			}
			key, counter := RepliesOf(st)
			moreOps = append(moreOps, kv.Add{Key: key, Member: record.PostEntry(st), Score: st.ID.Millis()},
				kv.Incr{Key: record.TallyKey(p), Name: counter, By: 1})
		}
		if n > 0 && (len(conds)+len(moreConds) > kv.MaxConds || len(ops)+len(counts.order)+len(moreOps) > kv.MaxChanges) {
			break
		}
		written[st.ID] = true
		conds, n = append(conds, moreConds...), n+1
		for _, op := range moreOps {
			if !counts.take(op) {
				ops = append(ops, op)
			}
		}
	}
	return n, conds, append(ops, counts.ops()...)
}

// counting adds increments with the same names.
type counting struct {
	by    map[kv.Incr]int64
	order []kv.Incr
}

func (c *counting) take(op kv.Op) bool {
	inc, ok := op.(kv.Incr)
	if !ok {
		return false
	}
	by := inc.By
	if inc.By = 0; c.by[inc] == 0 {
		c.order = append(c.order, inc)
	}
	c.by[inc] += by
	return true
}

func (c *counting) ops() (out []kv.Op) {
	for _, inc := range c.order {
		by := c.by[inc]
		inc.By = by
		out = append(out, inc)
	}
	return out
}

// FinishImport completes Import in other shards: mentioned users get the statuses among their
// mentions, without notifications, and the statuses are queued for the search index. It can run
// more than once.
func (s *Store) FinishImport(ctx context.Context, sts []*linnet.Status, at time.Time) error {
	var ops []kv.Op
	for _, st := range sts {
		ops = append(ops, IndexOps(st.ID, at)...)
		for _, m := range st.Mentions {
			key := record.IDKey(record.KindMentioned, m.ID)
			if _, err := s.db.Txn(ctx, []kv.Cond{db.UserPresent(m.ID)}, kv.Add{Key: key, Member: st.ID.String(), Score: st.ID.Millis()}); err != nil {
				return fmt.Errorf("record mentions: %w", err)
			}
		}
	}
	if err := s.db.Apply(ctx, ops...); err != nil {
		return fmt.Errorf("queue statuses to be indexed: %w", err)
	}
	return nil
}
