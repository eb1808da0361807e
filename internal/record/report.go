package record

import (
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

const (
	ReportSlices = 16
)

func reportKeys() []KeyDoc {
	return []KeyDoc{
		{KindReport, "value", "report", "a report, JSON; in 16 slices by the account reported", "10 KiB", "", noSecret()},
		{KindReports, "set", "open, resolved, of.user or by.user", "reports of the slice, by time", "10,000", "", noSecret()},
		{KindReportDays, "counters", "month", "reports of the slice that were opened and resolved, by day", "62", "", noSecret()},
		{KindReported, "value", "hash of a report", "the report of the same content, 1 hour", "1", "", noSecret()},
	}
}

type reportRecord struct {
	By          JID    `json:"by"`
	On          JID    `json:"on"`
	Statuses    []JID  `json:"statuses,omitempty"`
	Collections []JID  `json:"collections,omitempty"`
	Comment     string `json:"comment,omitempty"`
	Category    string `json:"category"`
	Rules       []int  `json:"rules,omitempty"`
	Assigned    JID    `json:"assigned,omitempty"`
	ResolvedBy  JID    `json:"resolved_by,omitempty"`
	Resolved    int64  `json:"resolved,omitempty"`
	Updated     int64  `json:"updated"`
}

func EncodeReport(r *linnet.Report) []byte {
	rec := reportRecord{By: JID(r.By), On: JID(r.On), Comment: r.Comment, Category: string(r.Category), Rules: r.Rules,
		Assigned: JID(r.Assigned), ResolvedBy: JID(r.ResolvedBy), Updated: r.Updated.UnixMilli()}
	for _, id := range r.Statuses {
		rec.Statuses = append(rec.Statuses, JID(id))
	}
	for _, id := range r.Collections {
		rec.Collections = append(rec.Collections, JID(id))
	}
	if !r.Open() {
		rec.Resolved = r.Resolved.UnixMilli()
	}
	return Encode(rec)
}

func DecodeReport(id linnet.ID, get *kv.Get) (r linnet.Report, err error) {
	var rec reportRecord
	if err := Decode(get, &rec); err != nil {
		return r, err
	}
	r = linnet.Report{ID: id, By: linnet.ID(rec.By), On: linnet.ID(rec.On), Comment: rec.Comment, Category: linnet.ReportCategory(rec.Category),
		Rules: rec.Rules, Assigned: linnet.ID(rec.Assigned), ResolvedBy: linnet.ID(rec.ResolvedBy),
		Updated: time.UnixMilli(rec.Updated).UTC(), Version: get.Version}
	for _, s := range rec.Statuses {
		r.Statuses = append(r.Statuses, linnet.ID(s))
	}
	for _, c := range rec.Collections {
		r.Collections = append(r.Collections, linnet.ID(c))
	}
	if rec.Resolved != 0 {
		r.Resolved = time.UnixMilli(rec.Resolved).UTC()
	}
	return r, nil
}

func ReportSliceShard(slice int) uint16 { return uint16(slice * (kv.Shards / ReportSlices)) }

// ReportShard returns the shard of reports about an account.
func ReportShard(on linnet.ID) uint16 { return ReportSliceShard(int(on.Shard()) % ReportSlices) }

func ReportsKey(shard uint16, name string) kv.Key {
	return kv.Key{Kind: KindReports, Shard: shard, ID: name}
}

func ReportState(r *linnet.Report) string {
	if r.Open() {
		return "open"
	}
	return "resolved"
}

// ReportSets returns the sets that contain a report.
func ReportSets(r *linnet.Report) []kv.Key {
	at := r.ID.Shard()
	return []kv.Key{ReportsKey(at, ReportState(r)), ReportsKey(at, "of."+r.On.String()), ReportsKey(at, "by."+r.By.String())}
}

func ReportsDaysKey(shard uint16, t time.Time) kv.Key {
	return kv.Key{Kind: KindReportDays, Shard: shard, ID: t.UTC().Format("2006-01")}
}
