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

// Bring writes statuses of former times by one author, whose ids are set, each reply behind
// its parent or with it: as many as fit in one transaction at a time. Nobody is told of them,
// and no public timeline has them. One that was deleted before may come back under its id. ErrRace if one of the ids, a parent or a picture is not as
// it was; ErrGone if there is no such author. Some of them may be written then.
func (s *Store) Bring(ctx context.Context, author linnet.ID, sts []*linnet.Status) error {
	for len(sts) > 0 {
		n, conds, ops := packBrought(author, sts)
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

// packBrought makes the transaction that writes the first n of some statuses.
func packBrought(author linnet.ID, sts []*linnet.Status) (n int, conds []kv.Cond, ops []kv.Op) {
	conds = []kv.Cond{db.Else(db.UserPresent(author), db.ErrGone)}
	counts := newCounting()
	written := map[linnet.ID]bool{}
	for _, st := range sts {
		moreConds, moreOps := CreateChanges(NewStatus{Status: st}, st, record.EncodeStatus(st))
		moreConds = append(moreConds[:1:1], moreConds[2:]...) // that the author is there was asked above
		moreOps = append(moreOps, kv.Remove{Key: record.ErasedKey(author), Member: st.ID.String()})
		if p := st.InReplyTo; p != 0 {
			if !written[p] {
				moreConds = append(moreConds, kv.Present{Key: record.StatusKey(p)})
			}
			key, counter := RepliesOf(st)
			moreOps = append(moreOps, kv.Add{Key: key, Member: record.PostEntry(st), Score: st.ID.Millis()},
				kv.Incr{Key: record.TallyKey(p), Name: counter, By: 1})
		}
		if n > 0 && (len(conds)+len(moreConds) > kv.MaxConds || len(ops)+counts.size()+len(moreOps) > kv.MaxChanges) {
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

// counting adds what is counted under the same names.
type counting struct {
	by    map[kv.Incr]int64
	order []kv.Incr
}

func newCounting() *counting { return &counting{by: map[kv.Incr]int64{}} }

func (c *counting) size() int { return len(c.order) }

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

// Brought does what the transaction of Bring could not, since it lies in other shards: who is
// mentioned has the status among what mentions them, without being told, and it is found by
// its words. It may be repeated.
func (s *Store) Brought(ctx context.Context, sts []*linnet.Status, at time.Time) error {
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
