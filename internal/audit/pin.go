package audit

import (
	"fmt"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// pins: each is a status of the user's that says so itself.
func checkPins(x *auditing, key kv.Key) {
	user, ok := x.keyID(key)
	if !ok {
		return
	}
	x.belongs(key, user)
	get := &kv.Get{Key: key}
	x.ask(func() {
		var r record.Pins
		if !read(x, get, &r) {
			return
		}
		for _, p := range r.Statuses {
			id := linnet.ID(p)
			get := &kv.Get{Key: record.StatusKey(id)}
			x.ask(func() {
				var st record.Status
				switch {
				case get.Version == 0:
					x.found(RuleDeleted, key, fmt.Sprintf("pinned status %v does not exist", id), record.StatusAffair(id))
				case read(x, get, &st) && (linnet.ID(st.Author) != user || !st.Pinned):
					x.found(RuleRecord, key, fmt.Sprintf("status %v does not say that it is pinned", id))
				}
			}, get)
		}
	}, get)
}

// note: its writer finds it again.
func checkNote(x *auditing, key kv.Key) {
	by, about, _ := strings.Cut(key.ID, ".")
	user, ok := linnet.ParseID(by)
	if !ok || user.Shard() != key.Shard {
		x.found(RuleRecord, key, "the key is not a user of its shard and another")
		return
	}
	q := &kv.Scores{Key: record.IDKey(record.KindNoted, user), Members: []string{about}}
	x.ask(func() {
		if !q.Found[0] {
			x.found(RuleOrphan, key, fmt.Sprintf("it is not in %v", q.Key))
		}
	}, q)
}

// noted: there is a note about each.
func checkNoted(x *auditing, key kv.Key) {
	user, ok := x.keyID(key)
	if !ok {
		return
	}
	x.belongs(key, user)
	x.each(key, func(m kv.Member) {
		about, _ := linnet.ParseID(m.Member)
		get := &kv.Get{Key: record.NoteKey(user, about)}
		x.ask(func() {
			if get.Version == 0 {
				x.found(RuleIndex, key, fmt.Sprintf("there is no note about %q", m.Member))
			}
		}, get)
	}, nil)
}
