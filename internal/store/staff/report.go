package staff

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/task"
)

// Reports are stored in slices by the reported account, in their own shards. A report and its index
// entries are one transaction.
const (

	// MaxReports is the maximum number of reports per slice. Beyond it the oldest resolved one is
	// deleted, or else the oldest.
	MaxReports = 10_000
	// reportRepeat is the period in which the same report counts as a repetition.
	reportRepeat = time.Hour
)

// CreateReport writes a report with a task. If the same was reported within the
// hour, r becomes that report, and fresh is false.
func (s *Store) CreateReport(ctx context.Context, r *linnet.Report, hash string, t func(linnet.ID) (task.Task, error)) (made task.Task, fresh bool, err error) {
	shard := record.ReportShard(r.On)
	once := kv.Key{Kind: record.KindReported, Shard: shard, ID: hash}
	r.Version = 1
	for range db.MaxRaces {
		r.ID = s.db.NewID(shard, 0)
		if made, err = t(r.ID); err != nil {
			return made, false, err
		}
		conds := []kv.Cond{kv.Absent(once), kv.Absent(record.IDKey(record.KindReport, r.ID))}
		conds, ops, err := s.reportRoom(ctx, shard, conds, made.Ops())
		if err != nil {
			return made, false, err
		}
		ops = append(ops, kv.Put{Key: record.IDKey(record.KindReport, r.ID), Version: 1, Data: record.EncodeReport(r)},
			kv.Put{Key: once, Version: 1, Data: record.Encode(record.JID(r.ID)), TTL: reportRepeat})
		for _, key := range record.ReportSets(r) {
			ops = append(ops, kv.Add{Key: key, Member: r.ID.String(), Score: r.ID.Millis()})
		}
		ops = append(ops, s.reportDay(shard, "opened"))
		done, err := s.db.Txn(ctx, conds, ops...)
		if err != nil && !errors.Is(err, kv.ErrUnknown) {
			return made, false, fmt.Errorf("write a report: %w", err)
		}
		if done {
			return made, true, nil
		}
		get := &kv.Get{Key: once}
		if err := s.db.Read(kv.Durable(ctx), get); err != nil {
			return made, false, err
		}
		var first record.JID
		if get.Version == 0 {
			continue
		}
		if err := record.Decode(get, &first); err != nil {
			return made, false, err
		}
		found, err := s.Reports(ctx, []linnet.ID{linnet.ID(first)})
		if err != nil || len(found) == 0 {
			return made, false, errors.Join(err, db.TooManyRaces("report of", r.On))
		}
		ours := found[0].ID == r.ID // written, but the response was lost
		*r = found[0]
		return made, ours, nil
	}
	return made, false, db.TooManyRaces("report of", r.On)
}

// reportRoom counts a new report in a slice. If the slice is full, it adds operations that delete
// another.
func (s *Store) reportRoom(ctx context.Context, shard uint16, conds []kv.Cond, ops []kv.Op) ([]kv.Cond, []kv.Op, error) {
	n := &kv.Counters{Key: record.ShardKey(record.KindStats, shard), Names: []string{"reports"}}
	resolved := &kv.Range{Key: record.ReportsKey(shard, "resolved"), Limit: 1}
	open := &kv.Range{Key: record.ReportsKey(shard, "open"), Limit: 1}
	if err := s.db.Read(ctx, n, resolved, open); err != nil {
		return nil, nil, fmt.Errorf("read reports: %w", err)
	}
	oldest := append(resolved.Members, open.Members...)
	if n.Values[0] < MaxReports || len(oldest) == 0 {
		return conds, append(ops, kv.Incr{Key: n.Key, Name: "reports", By: 1}), nil
	}
	id, _ := linnet.ParseID(oldest[0].Member)
	old, err := s.Reports(ctx, []linnet.ID{id})
	if err != nil || len(old) == 0 {
		return nil, nil, errors.Join(err, db.TooManyRaces("oldest report", id))
	}
	conds = append(conds, kv.VersionIs{Key: record.IDKey(record.KindReport, id), Version: old[0].Version})
	ops = append(ops, kv.Delete{Key: record.IDKey(record.KindReport, id)})
	for _, key := range record.ReportSets(&old[0]) {
		ops = append(ops, kv.Remove{Key: key, Member: id.String()})
	}
	return conds, ops, nil
}

// reportDay returns the operation that counts an event of reports today.
func (s *Store) reportDay(shard uint16, what string) kv.Op {
	now := s.db.Now().UTC()
	return kv.Incr{Key: record.ReportsDaysKey(shard, now), Name: what + now.Format(".02"), By: 1}
}

// ReportDays returns the number of reports that were "opened" or "resolved" on each day.
func (s *Store) ReportDays(ctx context.Context, what string, days []time.Time) ([]int64, error) {
	qs := make([]kv.Query, 0, record.ReportSlices*len(days))
	for _, d := range days {
		for i := range record.ReportSlices {
			qs = append(qs, &kv.Counters{Key: record.ReportsDaysKey(record.ReportSliceShard(i), d), Names: []string{what + d.Format(".02")}})
		}
	}
	if len(qs) == 0 {
		return nil, nil
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("count reports: %w", err)
	}
	out := make([]int64, len(days))
	for i, q := range qs {
		out[i/record.ReportSlices] += q.(*kv.Counters).Values[0]
	}
	return out, nil
}

// Reports reads the reports with the given ids, in order. It skips missing ones.
func (s *Store) Reports(ctx context.Context, ids []linnet.ID) ([]linnet.Report, error) {
	qs := make([]kv.Query, len(ids))
	for i, id := range ids {
		qs[i] = &kv.Get{Key: record.IDKey(record.KindReport, id)}
	}
	if len(qs) == 0 {
		return nil, nil
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read reports: %w", err)
	}
	var out []linnet.Report
	for i, q := range qs {
		get := q.(*kv.Get)
		if get.Version == 0 {
			continue
		}
		r, err := record.DecodeReport(ids[i], get)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// ReportIDs reads a span of reports, newest first: those with a state, or those by or about a user
// in any state.
func (s *Store) ReportIDs(ctx context.Context, f linnet.ReportFilter, sp db.Span) ([]linnet.ID, error) {
	name := "open"
	switch {
	case f.On != 0:
		return s.db.MergeSets(ctx, []kv.Key{record.ReportsKey(record.ReportShard(f.On), "of."+f.On.String())}, sp)
	case f.By != 0:
		name = "by." + f.By.String()
	case f.Resolved:
		name = "resolved"
	}
	keys := make([]kv.Key, record.ReportSlices)
	for i := range keys {
		keys[i] = record.ReportsKey(record.ReportSliceShard(i), name)
	}
	return s.db.MergeSets(ctx, keys, sp)
}

// UpdateReport changes a report with f, which can be called more than once, and writes a task in
// the same transaction. ok is false if the report doesn't exist.
func (s *Store) UpdateReport(ctx context.Context, id linnet.ID, t task.Task, f func(*linnet.Report) error) (r linnet.Report, ok bool, err error) {
	for range db.MaxRaces {
		found, err := s.Reports(ctx, []linnet.ID{id})
		if err != nil || len(found) == 0 {
			return r, false, err
		}
		old := found[0]
		r = old
		if err := f(&r); err != nil {
			return old, true, err
		}
		r.Updated, r.Version = s.db.Now(), old.Version+1
		ops := append(t.Ops(), kv.Put{Key: record.IDKey(record.KindReport, id), Version: r.Version, Data: record.EncodeReport(&r)})
		if was, is := record.ReportState(&old), record.ReportState(&r); was != is {
			ops = append(ops, kv.Remove{Key: record.ReportsKey(id.Shard(), was), Member: id.String()},
				kv.Add{Key: record.ReportsKey(id.Shard(), is), Member: id.String(), Score: id.Millis()})
			if is == "resolved" {
				ops = append(ops, s.reportDay(id.Shard(), is))
			}
		}
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: record.IDKey(record.KindReport, id), Version: old.Version}}, ops...)
		if err != nil {
			return r, true, fmt.Errorf("write a report: %w", err)
		}
		if made {
			return r, true, nil
		}
	}
	return r, true, db.TooManyRaces("report", id)
}

// NewPeople counts the sign-ups on consecutive days. It reads at most newUsersMost users per shard
// and doesn't count groups.
func (s *Store) NewPeople(ctx context.Context, days []time.Time) ([]int64, error) {
	out := make([]int64, len(days))
	if len(days) == 0 {
		return out, nil
	}
	people, err := s.newcomers(ctx, days[0], days[len(days)-1].AddDate(0, 0, 1))
	for _, m := range people {
		if day := int(time.UnixMilli(m.Score).Sub(days[0]) / (24 * time.Hour)); day >= 0 && day < len(out) {
			out[day]++
		}
	}
	return out, err
}

// newcomers returns the users who signed up in a period, with the times as scores.
func (s *Store) newcomers(ctx context.Context, from, to time.Time) (people []kv.Member, err error) {
	born := func(key kv.Key) *kv.Range {
		return &kv.Range{Key: key, Limit: newUsersMost, Desc: true, Above: &kv.Member{Score: from.UnixMilli()}, Below: &kv.Member{Score: to.UnixMilli()}}
	}
	qs := make([]kv.Query, 0, 2*kv.Shards)
	for i := range uint16(kv.Shards) {
		qs = append(qs, born(record.ShardKey(record.KindUsers, i)), born(record.GroupsKey(i)))
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("count new users: %w", err)
	}
	for i := 0; i < len(qs); i += 2 {
		groups := qs[i+1].(*kv.Range).Members
		for _, m := range qs[i].(*kv.Range).Members {
			if !slices.Contains(groups, m) {
				people = append(people, m)
			}
		}
	}
	return people, nil
}

// Newcomer has the time of a user's sign-up and the last active month: 202603, 0 if never.
type Newcomer struct {
	Born time.Time
	Last int64
}

// Newcomers returns the users who signed up in a period, counted as in NewPeople.
func (s *Store) Newcomers(ctx context.Context, from, to time.Time) ([]Newcomer, error) {
	people, err := s.newcomers(ctx, from, to)
	if err != nil || len(people) == 0 {
		return nil, err
	}
	qs := make([]kv.Query, len(people))
	for i, m := range people {
		id, _ := linnet.ParseID(m.Member)
		qs[i] = &kv.Scores{Key: record.ActiveKey(id), Members: []string{m.Member}}
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read activity of new users: %w", err)
	}
	out := make([]Newcomer, len(people))
	for i, m := range people {
		out[i] = Newcomer{time.UnixMilli(m.Score), qs[i].(*kv.Scores).Values[0]}
	}
	return out, nil
}

// newUsersMost is the maximum number of sign-ups of a period that are counted per shard.
const newUsersMost = 100
