package moderation

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// Dimension is a list of most frequent values, or of facts about the server.
type Dimension struct {
	Key   string
	Parts []DimensionPart
}

// DimensionPart is an entry of a Dimension. Unit is "bytes" or "".
type DimensionPart struct{ Key, Name, Value, Unit string }

// dimensionStatuses is the maximum number of recent statuses of a period that are read.
const dimensionStatuses = 1000

// Dimensions returns dimensions for a period of days, inclusive. Known keys are languages and sources
// (apps) of its newest 1,000 public statuses, and space_usage. Keys about federation are empty, and
// unknown keys are left out.
// https://docs.joinmastodon.org/methods/admin/dimensions/
func (s *Statistics) Dimensions(ctx context.Context, by linnet.Actor, keys []string, from, to time.Time, limit int) ([]Dimension, error) {
	if err := s.core.Authorize(ctx, by, linnet.ViewDashboard); err != nil {
		return nil, err
	}
	var statuses []*linnet.Status
	if slices.Contains(keys, "languages") || slices.Contains(keys, "sources") {
		var err error
		if statuses, err = s.publicBetween(ctx, from, to.AddDate(0, 0, 1)); err != nil {
			return nil, err
		}
	}
	var out []Dimension
	for _, key := range keys {
		d := Dimension{Key: key}
		switch key {
		case "languages":
			d.Parts = counted(statuses, limit, func(st *linnet.Status) (string, string) {
				code := cmp.Or(st.Language, "und")
				return code, languageName(code)
			})
		case "sources":
			d.Parts = counted(statuses, limit, func(st *linnet.Status) (string, string) {
				return cmp.Or(st.App.Name, "web"), cmp.Or(st.App.Name, "Website")
			})
		case "space_usage":
			i := s.state.Info()
			d.Parts = []DimensionPart{{"store", i.Engine, strconv.FormatInt(i.Bytes, 10), "bytes"}}
		case "software_versions", "servers", "tag_servers", "tag_languages", "instance_accounts", "instance_languages":
		default:
			continue
		}
		out = append(out, d)
	}
	return out, nil
}

// publicBetween returns the newest public statuses of a period.
func (s *Statistics) publicBetween(ctx context.Context, from, to time.Time) (out []*linnet.Status, err error) {
	ids, err := s.st.Statuses.Global(ctx, db.Span{Above: linnet.MakeID(from, 0, 0), Below: linnet.MakeID(to, 0, 0), Limit: dimensionStatuses})
	if err != nil {
		return nil, core.StoreError(err)
	}
	b := s.st.Batch()
	refs := make([]*db.StatusRef, len(ids))
	for i, id := range ids {
		refs[i] = b.Status(id)
	}
	if err := b.Run(ctx); err != nil {
		return nil, core.StoreError(err)
	}
	for _, ref := range refs {
		if ref.Status != nil {
			out = append(out, ref.Status)
		}
	}
	return out, nil
}

// counted counts statuses by a key, the most frequent first.
func counted(statuses []*linnet.Status, limit int, of func(*linnet.Status) (key, name string)) []DimensionPart {
	counts, names := map[string]int{}, map[string]string{}
	for _, st := range statuses {
		key, name := of(st)
		counts[key]++
		names[key] = name
	}
	parts := make([]DimensionPart, 0, len(counts))
	for key, n := range counts {
		parts = append(parts, DimensionPart{Key: key, Name: names[key], Value: strconv.Itoa(n)})
	}
	slices.SortFunc(parts, func(a, b DimensionPart) int {
		return cmp.Or(cmp.Compare(counts[b.Key], counts[a.Key]), cmp.Compare(a.Key, b.Key))
	})
	return parts[:min(len(parts), limit)]
}

// languageName returns the name of a language in that language.
func languageName(code string) string {
	for _, l := range linnet.Languages() {
		if l.Code == core.BaseLanguage(code) {
			return l.Name
		}
	}
	return code
}
