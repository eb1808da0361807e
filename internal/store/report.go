package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/task"
)

// Reports lie in slices by the account that is reported, in shards of their own:
// a report is one transaction with everything that it is found by.
const (
	reportSlices = 16
	// MaxReports is how many reports a slice keeps. Beyond it the oldest that is
	// resolved goes, or if there is none the oldest of all.
	MaxReports = 10_000
	// reportRepeat is how long the same report is taken for a repetition.
	reportRepeat = time.Hour
)

func reportKeys() []KeyDoc {
	return []KeyDoc{
		{kReport, "value", "report", "a report, JSON; in 16 slices by the account reported", "10 KiB", "", noSecret()},
		{kReports, "set", "open, resolved, of.user or by.user", "reports of the slice, by time", "10,000", "", noSecret()},
		{kReportDays, "counters", "month", "reports of the slice that were opened and resolved, by day", "62", "", noSecret()},
		{kReported, "value", "hash of a report", "the report of the same content, 1 hour", "1", "", noSecret()},
	}
}

type reportRecord struct {
	By         JID    `json:"by"`
	On         JID    `json:"on"`
	Statuses   []JID  `json:"statuses,omitempty"`
	Comment    string `json:"comment,omitempty"`
	Category   string `json:"category"`
	Rules      []int  `json:"rules,omitempty"`
	Assigned   JID    `json:"assigned,omitempty"`
	ResolvedBy JID    `json:"resolved_by,omitempty"`
	Resolved   int64  `json:"resolved,omitempty"`
	Updated    int64  `json:"updated"`
}

func encodeReport(r *linnet.Report) []byte {
	rec := reportRecord{By: JID(r.By), On: JID(r.On), Comment: r.Comment, Category: string(r.Category), Rules: r.Rules,
		Assigned: JID(r.Assigned), ResolvedBy: JID(r.ResolvedBy), Updated: r.Updated.UnixMilli()}
	for _, id := range r.Statuses {
		rec.Statuses = append(rec.Statuses, JID(id))
	}
	if !r.Open() {
		rec.Resolved = r.Resolved.UnixMilli()
	}
	return encode(rec)
}

func decodeReport(id linnet.ID, get *kv.Get) (r linnet.Report, err error) {
	var rec reportRecord
	if err := decode(get, &rec); err != nil {
		return r, err
	}
	r = linnet.Report{ID: id, By: linnet.ID(rec.By), On: linnet.ID(rec.On), Comment: rec.Comment, Category: linnet.ReportCategory(rec.Category),
		Rules: rec.Rules, Assigned: linnet.ID(rec.Assigned), ResolvedBy: linnet.ID(rec.ResolvedBy),
		Updated: time.UnixMilli(rec.Updated).UTC(), Version: get.Version}
	for _, s := range rec.Statuses {
		r.Statuses = append(r.Statuses, linnet.ID(s))
	}
	if rec.Resolved != 0 {
		r.Resolved = time.UnixMilli(rec.Resolved).UTC()
	}
	return r, nil
}

func reportShard(slice int) uint16 { return uint16(slice * (kv.Shards / reportSlices)) }

// ReportShard is where reports of an account lie.
func ReportShard(on linnet.ID) uint16 { return reportShard(int(on.Shard()) % reportSlices) }

func reportsKey(shard uint16, name string) kv.Key {
	return kv.Key{Kind: kReports, Shard: shard, ID: name}
}

func reportState(r *linnet.Report) string {
	if r.Open() {
		return "open"
	}
	return "resolved"
}

// places are the sets that a report stands in.
func places(r *linnet.Report) []kv.Key {
	at := r.ID.Shard()
	return []kv.Key{reportsKey(at, reportState(r)), reportsKey(at, "of."+r.On.String()), reportsKey(at, "by."+r.By.String())}
}

// CreateReport writes a report with a task. If the same was reported within the
// hour, r becomes that report, and fresh is false.
func (s *Store) CreateReport(ctx context.Context, r *linnet.Report, hash string, t func(linnet.ID) (task.Task, error)) (made task.Task, fresh bool, err error) {
	shard := ReportShard(r.On)
	once := kv.Key{Kind: kReported, Shard: shard, ID: hash}
	r.Version = 1
	for range maxRaces {
		r.ID = s.NewID(shard, 0)
		if made, err = t(r.ID); err != nil {
			return made, false, err
		}
		conds := []kv.Cond{kv.Absent(once), kv.Absent(idKey(kReport, r.ID))}
		conds, ops, err := s.reportRoom(ctx, shard, conds, made.Ops())
		if err != nil {
			return made, false, err
		}
		ops = append(ops, kv.Put{Key: idKey(kReport, r.ID), Version: 1, Data: encodeReport(r)},
			kv.Put{Key: once, Version: 1, Data: encode(JID(r.ID)), TTL: reportRepeat})
		for _, key := range places(r) {
			ops = append(ops, kv.Add{Key: key, Member: r.ID.String(), Score: r.ID.Millis()})
		}
		ops = append(ops, s.reportDay(shard, "opened"))
		failed, err := s.kv.Txn(ctx, conds, ops...)
		if err != nil && !errors.Is(err, kv.ErrUnknown) {
			return made, false, fmt.Errorf("write report: %w", err)
		}
		if err == nil && failed < 0 {
			return made, true, nil
		}
		get := &kv.Get{Key: once}
		if err := s.kv.Read(kv.Durable(ctx), get); err != nil {
			return made, false, err
		}
		var first JID
		if get.Version == 0 {
			continue
		}
		if err := decode(get, &first); err != nil {
			return made, false, err
		}
		found, err := s.Reports(ctx, []linnet.ID{linnet.ID(first)})
		if err != nil || len(found) == 0 {
			return made, false, errors.Join(err, errRaces("report of", r.On))
		}
		ours := found[0].ID == r.ID // written, and only the answer was lost
		*r = found[0]
		return made, ours, nil
	}
	return made, false, errRaces("report of", r.On)
}

// reportRoom counts a report of a slice, and adds what makes room for it.
func (s *Store) reportRoom(ctx context.Context, shard uint16, conds []kv.Cond, ops []kv.Op) ([]kv.Cond, []kv.Op, error) {
	n := &kv.Counters{Key: shardKey(kStats, shard), Names: []string{"reports"}}
	resolved := &kv.Range{Key: reportsKey(shard, "resolved"), Limit: 1}
	open := &kv.Range{Key: reportsKey(shard, "open"), Limit: 1}
	if err := s.kv.Read(ctx, n, resolved, open); err != nil {
		return nil, nil, fmt.Errorf("read reports: %w", err)
	}
	oldest := append(resolved.Members, open.Members...)
	if n.Values[0] < MaxReports || len(oldest) == 0 {
		return conds, append(ops, kv.Incr{Key: n.Key, Name: "reports", By: 1}), nil
	}
	id, _ := linnet.ParseID(oldest[0].Member)
	old, err := s.Reports(ctx, []linnet.ID{id})
	if err != nil || len(old) == 0 {
		return nil, nil, errors.Join(err, errRaces("oldest report", id))
	}
	conds = append(conds, kv.VersionIs{Key: idKey(kReport, id), Version: old[0].Version})
	ops = append(ops, kv.Delete{Key: idKey(kReport, id)})
	for _, key := range places(&old[0]) {
		ops = append(ops, kv.Remove{Key: key, Member: id.String()})
	}
	return conds, ops, nil
}

// reportDay counts what was done with reports on this day.
func (s *Store) reportDay(shard uint16, what string) kv.Op {
	now := s.Now().UTC()
	return kv.Incr{Key: reportsDaysKey(shard, now), Name: what + now.Format(".02"), By: 1}
}

func reportsDaysKey(shard uint16, t time.Time) kv.Key {
	return kv.Key{Kind: kReportDays, Shard: shard, ID: t.UTC().Format("2006-01")}
}

// ReportDays tells how many reports were opened or resolved ("opened",
// "resolved") on each of some days.
func (s *Store) ReportDays(ctx context.Context, what string, days []time.Time) ([]int64, error) {
	qs := make([]kv.Query, 0, reportSlices*len(days))
	for _, d := range days {
		for i := range reportSlices {
			qs = append(qs, &kv.Counters{Key: reportsDaysKey(reportShard(i), d), Names: []string{what + d.Format(".02")}})
		}
	}
	if len(qs) == 0 {
		return nil, nil
	}
	if err := s.kv.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("count reports: %w", err)
	}
	out := make([]int64, len(days))
	for i, q := range qs {
		out[i/reportSlices] += q.(*kv.Counters).Values[0]
	}
	return out, nil
}

// Reports reads reports that exist, in the order of ids.
func (s *Store) Reports(ctx context.Context, ids []linnet.ID) ([]linnet.Report, error) {
	qs := make([]kv.Query, len(ids))
	for i, id := range ids {
		qs[i] = &kv.Get{Key: idKey(kReport, id)}
	}
	if len(qs) == 0 {
		return nil, nil
	}
	if err := s.kv.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read reports: %w", err)
	}
	var out []linnet.Report
	for i, q := range qs {
		get := q.(*kv.Get)
		if get.Version == 0 {
			continue
		}
		r, err := decodeReport(ids[i], get)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// ReportIDs reads a span of reports, the newest first: those of a state, or those
// by or of somebody whatever their state.
func (s *Store) ReportIDs(ctx context.Context, f linnet.ReportFilter, sp Span) ([]linnet.ID, error) {
	name := "open"
	switch {
	case f.On != 0:
		return s.mergeSets(ctx, []kv.Key{reportsKey(ReportShard(f.On), "of."+f.On.String())}, sp)
	case f.By != 0:
		name = "by." + f.By.String()
	case f.Resolved:
		name = "resolved"
	}
	keys := make([]kv.Key, reportSlices)
	for i := range keys {
		keys[i] = reportsKey(reportShard(i), name)
	}
	return s.mergeSets(ctx, keys, sp)
}

// UpdateReport changes a report by f, which may be called more than once, with a
// task in the same transaction. ok is false if there is no such report.
func (s *Store) UpdateReport(ctx context.Context, id linnet.ID, t task.Task, f func(*linnet.Report) error) (r linnet.Report, ok bool, err error) {
	for range maxRaces {
		found, err := s.Reports(ctx, []linnet.ID{id})
		if err != nil || len(found) == 0 {
			return r, false, err
		}
		old := found[0]
		r = old
		if err := f(&r); err != nil {
			return old, true, err
		}
		r.Updated, r.Version = s.Now(), old.Version+1
		ops := append(t.Ops(), kv.Put{Key: idKey(kReport, id), Version: r.Version, Data: encodeReport(&r)})
		if was, is := reportState(&old), reportState(&r); was != is {
			ops = append(ops, kv.Remove{Key: reportsKey(id.Shard(), was), Member: id.String()},
				kv.Add{Key: reportsKey(id.Shard(), is), Member: id.String(), Score: id.Millis()})
			if is == "resolved" {
				ops = append(ops, s.reportDay(id.Shard(), is))
			}
		}
		failed, err := s.kv.Txn(ctx, []kv.Cond{kv.VersionIs{Key: idKey(kReport, id), Version: old.Version}}, ops...)
		if err != nil {
			return r, true, fmt.Errorf("write report: %w", err)
		}
		if failed < 0 {
			return r, true, nil
		}
	}
	return r, true, errRaces("report", id)
}

// StaffNotice is what a moderator is told of a report or a sign-up. It follows
// from the two alone, so that a pass may be repeated.
func StaffNotice(user linnet.ID, t linnet.NotificationType, from, about linnet.ID) linnet.Notification {
	n := linnet.Notification{ID: linnet.MakeID(about.Time(), user.Shard(), uint8(about&63)), Type: t, From: from}
	if t == linnet.NotifyReport {
		n.Report = about
	}
	return n
}

// Notify adds one notification to a user's. It may be repeated.
func (s *Store) Notify(ctx context.Context, user linnet.ID, n linnet.Notification) error {
	return s.kv.Apply(ctx, s.NoticeOps(user, n)...)
}

// NewPeople counts who signed up on each of some days, one after the other. It
// looks at newUsersMost users of each shard at most; groups are not counted.
func (s *Store) NewPeople(ctx context.Context, days []time.Time) ([]int64, error) {
	out := make([]int64, len(days))
	if len(days) == 0 {
		return out, nil
	}
	born := func(key kv.Key) *kv.Range {
		return &kv.Range{Key: key, Limit: newUsersMost, Desc: true, Above: &kv.Member{Score: days[0].UnixMilli()},
			Below: &kv.Member{Score: days[len(days)-1].AddDate(0, 0, 1).UnixMilli()}}
	}
	qs := make([]kv.Query, 0, 2*kv.Shards)
	for i := range uint16(kv.Shards) {
		qs = append(qs, born(shardKey(kUsers, i)), born(groupsKey(i)))
	}
	if err := s.kv.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("count new people: %w", err)
	}
	for i := 0; i < len(qs); i += 2 {
		groups := qs[i+1].(*kv.Range).Members
		for _, m := range qs[i].(*kv.Range).Members {
			if slices.Contains(groups, m) {
				continue
			}
			if day := int(time.UnixMilli(m.Score).Sub(days[0]) / (24 * time.Hour)); day >= 0 && day < len(out) {
				out[day]++
			}
		}
	}
	return out, nil
}

// newUsersMost is how many sign-ups of a period are counted in a shard.
const newUsersMost = 100
