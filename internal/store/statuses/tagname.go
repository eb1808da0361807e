package statuses

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// Tags are searched by prefix. Each tag of a public status is in the set of its first two letters,
// with score 0, so that the set is ordered by tag. It is also in the sets of its prefixes of up to
// record.TagRecentMost letters, ordered by last use. The latter are limited: frequent tags are
// among the recently used ones, and rare tags are found in the former with more letters.
const (
	tagRecentMax  = 500
	tagRecentTrim = 64 // one addition in this many trims
)

// tagNameOps returns the changes that add a tag, used at a time, to the search.
func tagNameOps(tag string, at int64, trim bool) []kv.Op {
	ops := []kv.Op{kv.Add{Key: record.TagNamesKey(tag), Member: tag}}
	for _, p := range record.TagPrefixes(tag) {
		ops = append(ops, kv.Add{Key: record.TagRecentKey(p), Member: tag, Score: at})
		if trim {
			ops = append(ops, kv.Trim{Key: record.TagRecentKey(p), Keep: tagRecentMax})
		}
	}
	return ops
}

// TagNamesOf returns the changes for the tags of statuses, with the last use of each.
func TagNamesOf(sts ...*linnet.Status) []kv.Op {
	last := map[string]linnet.ID{}
	var order []string
	for _, st := range sts {
		for _, t := range st.Tags {
			if last[t] == 0 {
				order = append(order, t)
			}
			last[t] = max(last[t], st.ID)
		}
	}
	var ops []kv.Op
	for _, t := range order {
		ops = append(ops, tagNameOps(t, last[t].Millis(), mixed(last[t])%tagRecentTrim == 0)...)
	}
	return ops
}

// forget removes tags without statuses from the search. It checks again before it ends: a status
// that was added in the meantime has either added its tag before, or is found here, because the
// status is written first.
func (s *Tags) forget(ctx context.Context, tags []string) error {
	newest, err := s.newest(ctx, tags)
	if err != nil {
		return err
	}
	tags = slices.DeleteFunc(slices.Clone(tags), func(t string) bool { return newest[t] != nil })
	if len(tags) == 0 {
		return nil
	}
	var ops []kv.Op
	for _, t := range tags {
		ops = append(ops, kv.Remove{Key: record.TagNamesKey(t), Member: t})
		for _, p := range record.TagPrefixes(t) {
			ops = append(ops, kv.Remove{Key: record.TagRecentKey(p), Member: t})
		}
	}
	if err := s.db.Apply(ctx, ops...); err != nil {
		return fmt.Errorf("delete tags: %w", err)
	}
	if newest, err = s.newest(ctx, tags); err != nil {
		return err
	}
	var back []kv.Op
	for t, m := range newest {
		back = append(back, tagNameOps(t, m.Score, false)...)
	}
	if len(back) == 0 {
		return nil
	}
	return s.db.Apply(ctx, back...)
}

// newest reads the newest entry of each tag that has one.
func (s *Tags) newest(ctx context.Context, tags []string) (map[string]*kv.Member, error) {
	qs := make([]kv.Query, len(tags))
	for i, t := range tags {
		qs[i] = &kv.Range{Key: record.TagKey(t), Desc: true, Limit: 1}
	}
	if len(qs) == 0 {
		return nil, nil
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read tags: %w", err)
	}
	newest := map[string]*kv.Member{}
	for i, t := range tags {
		if ms := qs[i].(*kv.Range).Members; len(ms) > 0 {
			newest[t] = &ms[0]
		}
	}
	return newest, nil
}

// The number of tags with a prefix that are read: the recently used ones, and the first ones.
const (
	tagLookRecent = 100
	tagLookFirst  = 50
)

// ByPrefix returns up to 151 folded tags with a folded prefix: the tag equal to it, the
// recently used ones, and the first in alphabetical order. A prefix of one letter finds only
// recently used tags. The tags may no longer have statuses.
func (s *Tags) ByPrefix(ctx context.Context, prefix string) ([]string, error) {
	if prefix == "" || len(prefix) > kv.MaxMember-1 {
		return nil, nil
	}
	short := record.CutRunes(prefix, record.TagRecentMost)
	recent := &kv.Range{Key: record.TagRecentKey(short), Desc: true, Limit: tagLookRecent}
	if short != prefix {
		recent.Limit = tagRecentMax // not all of which have the prefix
	}
	first := &kv.Range{Key: record.TagNamesKey(prefix), Limit: tagLookFirst,
		Above: &kv.Member{Member: prefix}, Below: &kv.Member{Member: prefix + "\xff"}}
	if err := s.db.Read(ctx, recent, first); err != nil {
		return nil, fmt.Errorf("search tags: %w", err)
	}
	tags, seen := []string{prefix}, map[string]bool{prefix: true}
	for _, m := range slices.Concat(recent.Members, first.Members) {
		if strings.HasPrefix(m.Member, prefix) && !seen[m.Member] && len(tags) <= tagLookRecent+tagLookFirst {
			tags, seen[m.Member] = append(tags, m.Member), true
		}
	}
	return tags, nil
}

// TagUse is one use of a tag.
type TagUse struct {
	Author string // an id
	At     time.Time
}

// Uses reads the newest n uses of each of some folded tags.
func (s *Tags) Uses(ctx context.Context, tags []string, n int) ([][]TagUse, error) {
	return s.uses(ctx, tags, n, nil)
}

func (s *Tags) uses(ctx context.Context, tags []string, n int, above *kv.Member) ([][]TagUse, error) {
	qs := make([]kv.Query, len(tags))
	for i, t := range tags {
		qs[i] = &kv.Range{Key: record.TagKey(t), Desc: true, Limit: n, Above: above}
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read tags: %w", err)
	}
	uses := make([][]TagUse, len(tags))
	for i := range qs {
		for _, m := range qs[i].(*kv.Range).Members {
			_, author, _ := strings.Cut(m.Member, ".")
			uses[i] = append(uses[i], TagUse{author, time.UnixMilli(m.Score)})
		}
	}
	return uses, nil
}

// Days counts the statuses and authors of some folded tags by day, today first. It reads the
// newest most (at most 1,000) statuses of each in the last days days.
func (s *Tags) Days(ctx context.Context, tags []string, days, most int) (uses, users [][]int64, err error) {
	midnight := s.db.Now().UTC().Truncate(24 * time.Hour)
	first := midnight.AddDate(0, 0, 1-days)
	all, err := s.uses(ctx, tags, min(most, kv.MaxRange), &kv.Member{Score: first.UnixMilli()})
	if err != nil {
		return nil, nil, err
	}
	uses, users = make([][]int64, len(tags)), make([][]int64, len(tags))
	type once struct {
		day    int
		author string
	}
	for i, of := range all {
		uses[i], users[i] = make([]int64, days), make([]int64, days)
		seen := map[once]bool{}
		for _, u := range of {
			day := int(midnight.Sub(u.At.UTC().Truncate(24*time.Hour)) / (24 * time.Hour))
			if day < 0 || day >= days {
				continue
			}
			uses[i][day]++
			if k := (once{day, u.Author}); !seen[k] {
				seen[k] = true
				users[i][day]++
			}
		}
	}
	return uses, users, nil
}
