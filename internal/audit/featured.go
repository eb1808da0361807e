package audit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// underOwnTags: a status is counted at its author under its public tags.
func (x *auditing) underOwnTags(st *linnet.Status, tags []string) {
	for _, t := range tags {
		q := &kv.Scores{Key: record.UserTagKey(st.Author, t), Members: []string{st.ID.String()}}
		x.ask(func() {
			if !q.Found[0] {
				x.found(RuleIndex, record.StatusKey(st.ID), fmt.Sprintf("it is not in %v", q.Key))
			}
		}, q)
	}
}

// checkFeatured checks that the user exists, the limit, and that no tag occurs twice.
func checkFeatured(x *auditing, key kv.Key) {
	get := &kv.Get{Key: key}
	checkOfUser(x, key)
	x.ask(func() {
		var r record.Featured
		if !read(x, get, &r) {
			return
		}
		seen := map[string]bool{}
		for _, t := range r.Tags {
			if seen[t.Tag] || len(r.Tags) > linnet.MaxFeaturedTags {
				x.found(RuleRecord, key, "tag "+strconv.Quote(t.Tag)+" is there twice, or one too many")
			}
			seen[t.Tag] = true
		}
	}, get)
}

// userTag: each entry is a public status of the user with the tag, and they are
// counted.
func checkUserTag(x *auditing, key kv.Key) {
	by, tag, _ := strings.Cut(key.ID, ".")
	user, ok := linnet.ParseID(by)
	if !ok || record.UserTagKey(user, tag) != key {
		x.found(RuleRecord, key, "the key is not a user of its shard and a tag")
		return
	}
	x.each(key, func(m kv.Member) {
		id, _ := linnet.ParseID(m.Member)
		x.publicly(key, m, id, func(st *linnet.Status) bool {
			_, tags := x.places(st)
			return st.Author == user && slices.Contains(tags, tag)
		})
	}, func(w whole) { x.sized(w, record.UserTagsKey(user), record.TagName(tag)) })
}
