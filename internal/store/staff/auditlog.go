package staff

import (
	"context"
	"errors"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// The audit log is in one shard. It is small, because people cause its entries, and it is read as a
// whole.
const (

	// MaxActs is the maximum number of entries. The oldest ones are deleted.
	MaxActs = 20_000
)

// NewAct generates the id of an audit log entry.
func (s *Store) NewAct() linnet.ID { return s.db.NewID(record.ActShard, 0) }

// LogAct adds an entry to the audit log, once. It can run more than once.
func (s *Store) LogAct(ctx context.Context, a linnet.Act) error {
	n := &kv.Counters{Key: record.ShardKey(record.KindStats, record.ActShard), Names: []string{"acts"}}
	old := &kv.Range{Key: record.ActsKey(), Limit: 2}
	if err := s.db.Read(ctx, n, old); err != nil {
		return fmt.Errorf("read the audit log: %w", err)
	}
	member := a.ID.String()
	conds := []kv.Cond{kv.NoMember{Key: record.ActsKey(), Member: member}}
	more := int64(1)
	ops := []kv.Op{kv.Add{Key: record.ActsKey(), Member: member, Score: a.ID.Millis()},
		kv.Put{Key: record.ActKey(a.ID), Version: 1, Data: record.Encode(record.Act{By: record.JID(a.By), Act: string(a.Act), On: record.JID(a.On), Report: record.JID(a.Report), Detail: a.Detail, Reason: a.Reason})}}
	if n.Values[0] >= MaxActs {
		for _, m := range old.Members {
			id, _ := linnet.ParseID(m.Member)
			conds = append(conds, db.Else(kv.HasMember{Key: record.ActsKey(), Member: m.Member}, db.ErrRace))
			ops = append(ops, kv.Remove{Key: record.ActsKey(), Member: m.Member}, kv.Delete{Key: record.ActKey(id)})
			more--
		}
	}
	ops = append(ops, kv.Incr{Key: n.Key, Name: "acts", By: more})
	_, err := s.db.Txn(ctx, conds, ops...)
	if errors.Is(err, db.ErrRace) { // a concurrent call has deleted the oldest: the task is retried
		return fmt.Errorf("the audit log changed while it was being written: %w", kv.ErrUnavailable)
	}
	if err != nil {
		return fmt.Errorf("write the audit log: %w", err)
	}
	return nil
}

// Acts reads a span of the audit log, newest first.
func (s *Store) Acts(ctx context.Context, sp db.Span) ([]linnet.Act, error) {
	ids, err := s.db.MergeSets(ctx, []kv.Key{record.ActsKey()}, sp)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	qs := make([]kv.Query, len(ids))
	for i, id := range ids {
		qs[i] = &kv.Get{Key: record.ActKey(id)}
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read entries of the audit log: %w", err)
	}
	out := make([]linnet.Act, 0, len(ids))
	for i, q := range qs {
		get := q.(*kv.Get)
		if get.Version == 0 {
			continue
		}
		var r record.Act
		if err := record.Decode(get, &r); err != nil {
			return nil, err
		}
		out = append(out, linnet.Act{ID: ids[i], At: ids[i].Time(), By: linnet.ID(r.By), Act: linnet.Moderation(r.Act),
			On: linnet.ID(r.On), Report: linnet.ID(r.Report), Detail: r.Detail, Reason: r.Reason})
	}
	return out, nil
}
