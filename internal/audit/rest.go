package audit

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/task"
)

// list: its owner has it, and knows whether it is exclusive.
func checkList(x *auditing, key kv.Key) {
	id, ok := x.keyID(key)
	if !ok {
		return
	}
	get := &kv.Get{Key: key}
	x.ask(func() {
		var r record.List
		if !read(x, get, &r) {
			return
		}
		owner := linnet.ID(r.Owner)
		x.belongs(key, owner)
		x.Feeds = append(x.Feeds, record.ListFeedKey(id))
		all := &kv.Scores{Key: record.ListsKey(owner), Members: []string{key.ID}}
		exclusive := &kv.Scores{Key: record.ExclusiveKey(owner), Members: []string{key.ID}}
		x.ask(func() {
			if !all.Found[0] {
				x.found(RuleOrphan, key, fmt.Sprintf("it is not in %v", all.Key))
			}
			if exclusive.Found[0] != r.Exclusive {
				x.found(RuleIndex, key, fmt.Sprintf("exclusive is %v, but whether %v has it is %v", r.Exclusive, exclusive.Key, exclusive.Found[0]))
			}
		}, all, exclusive)
	}, get)
}

// lists: each of them exists and is the user's.
func checkLists(x *auditing, key kv.Key) {
	user, ok := x.keyID(key)
	if !ok {
		return
	}
	x.belongs(key, user)
	x.each(key, func(m kv.Member) {
		id, _ := linnet.ParseID(m.Member)
		get := &kv.Get{Key: record.ListKey(id)}
		x.ask(func() {
			var r record.List
			if get.Version == 0 || read(x, get, &r) && linnet.ID(r.Owner) != user {
				x.found(RuleDeleted, key, fmt.Sprintf("%q is not a list of user %v", m.Member, user))
			}
		}, get)
	}, nil)
}

// checkKept checks a user's set of ids. Its objects can be deleted, since entries aren't removed.
func checkKept(x *auditing, key kv.Key) {
	checkOfUser(x, key)
	x.each(key, func(m kv.Member) {
		if _, ok := linnet.ParseID(m.Member); !ok {
			x.found(RuleRecord, key, fmt.Sprintf("%q is not an id", m.Member))
		}
	}, nil)
}

// checkFilters checks that filters are readable. Their statuses can be deleted.
func checkFilters(x *auditing, key kv.Key) {
	checkOfUser(x, key)
	get := &kv.Get{Key: key}
	x.ask(func() { read(x, get, &[]record.Filter{}) }, get)
}

// checkNotices checks that notifications are readable. Their objects can be deleted, and then they
// aren't shown.
func checkNotices(x *auditing, key kv.Key) {
	checkOfUser(x, key)
	x.each(key, func(m kv.Member) {
		if n, ok := record.ParseNotice(m.Member); !ok || n.ID.Millis() != m.Score {
			x.found(RuleRecord, key, fmt.Sprintf("%q at %d is not a notification", m.Member, m.Score))
		}
	}, nil)
}

// markers: positions that can be read.
func checkMarkers(x *auditing, key kv.Key) {
	checkOfUser(x, key)
	get := &kv.Get{Key: key}
	x.ask(func() { read(x, get, &record.Markers{}) }, get)
}

// policy: it can be read.
func checkPolicy(x *auditing, key kv.Key) {
	checkOfUser(x, key)
	get := &kv.Get{Key: key}
	x.ask(func() { read(x, get, &record.Policy{}) }, get)
}

// token: its user exists and can end it.
func checkToken(x *auditing, key kv.Key) {
	get := &kv.Get{Key: key}
	x.ask(func() {
		var r record.Token
		if !read(x, get, &r) || r.User == 0 {
			return
		}
		user := linnet.ID(r.User)
		x.belongs(key, user)
		q := &kv.Scores{Key: record.IDKey(record.KindSessions, user), Members: []string{key.ID}}
		x.ask(func() {
			if !q.Found[0] {
				x.found(RuleOrphan, key, fmt.Sprintf("it is not in %v, so the user cannot end it", q.Key))
			}
		}, q)
	}, get)
}

func checkCode(x *auditing, key kv.Key) {
	get := &kv.Get{Key: key}
	x.ask(func() {
		var r record.CodeRecord
		if read(x, get, &r) {
			x.belongs(key, linnet.ID(r.User))
		}
	}, get)
}

func checkApp(x *auditing, key kv.Key) {
	if _, ok := x.keyID(key); !ok {
		return
	}
	get := &kv.Get{Key: key}
	x.ask(func() { read(x, get, &record.App{}) }, get)
}

// checkIdem accepts records of deleted users. They expire within the hour, and no record refers to
// them, so the deletion of a user can't find them.
func checkIdem(x *auditing, key kv.Key) {
	by, _, _ := strings.Cut(key.ID, ".")
	if user, ok := linnet.ParseID(by); !ok || user.Shard() != key.Shard {
		x.found(RuleRecord, key, "the key is not a user of its shard and a hash")
	}
}

func checkMeta(x *auditing, key kv.Key) {
	switch {
	case key == record.MetaKey("instance"):
		x.instance(key)
	case key.Shard == 0 && (key.ID == "format" || key.ID == record.AdminKey().ID || key.ID == record.GroupsMarkKey().ID || key.ID == record.RecheckedMarkKey().ID):
	case key == record.MailStateKey():
		get := &kv.Get{Key: key}
		x.ask(func() { read(x, get, &record.MailState{}) }, get)
	case key == record.SignUpBlocksKey():
		get := &kv.Get{Key: key}
		x.ask(func() { read(x, get, &[]record.SignUpBlock{}) }, get)
	case key == record.RolesKey():
		get := &kv.Get{Key: key}
		x.ask(func() { read(x, get, &[]record.CustomRole{}) }, get)
	case key == record.EmojisKey():
		x.emojis(key)
	case key == record.EmojisMarkKey(), key == record.AnnouncementsMarkKey():
	case key.Shard == 0 && strings.HasPrefix(key.ID, record.ImportPrefix):
		x.imports(key)
	default:
		x.found(RuleOrphan, key, "there is no such setting")
	}
}

// instance: its pictures are there.
func (x *auditing) instance(key kv.Key) {
	get := &kv.Get{Key: key}
	x.ask(func() {
		var r record.Instance
		if read(x, get, &r) {
			x.hasFiles(key, r.Icon.Name, r.Icon.Small, r.Thumbnail.Name, r.Thumbnail.Small)
			x.terms(key, r.Terms)
			x.style(key, r.Style)
		}
	}, get)
}

// imports: an import that was broken off leaves users without followers and
// more of the kind.
func (x *auditing) imports(key kv.Key) {
	get := &kv.Get{Key: key}
	x.ask(func() {
		var r record.Import
		if read(x, get, &r) && !r.Done {
			x.minor(RuleTask, key, "the import is not complete: run it again")
		}
	}, get)
}

// pulled: authors who exist.
func checkPulled(x *auditing, key kv.Key) {
	x.each(key, func(m kv.Member) {
		id, ok := linnet.ParseID(m.Member)
		if !ok || key != record.ShardKey(key.Kind, 0) {
			x.found(RuleRecord, key, fmt.Sprintf("%q is not an author", m.Member))
			return
		}
		x.belongs(key, id)
	}, nil)
}

// tasks: each task that waits has a record.
func checkTasks(x *auditing, key kv.Key) {
	x.each(key, func(m kv.Member) {
		get := &kv.Get{Key: task.Key(key.Shard, m.Member)}
		x.ask(func() {
			if get.Version == 0 {
				x.minor(RuleTask, key, fmt.Sprintf("task %s has no record", m.Member))
			}
		}, get)
	}, nil)
}

// task: it waits or was given up, and can be read.
func checkTask(x *auditing, key kv.Key) {
	get := &kv.Get{Key: key}
	due := &kv.Scores{Key: task.DueKey(key.Shard), Members: []string{key.ID}}
	dead := &kv.Scores{Key: task.DeadKey(key.Shard), Members: []string{key.ID}}
	later := &kv.Scores{Key: task.LaterKey(key.Shard), Members: []string{key.ID}}
	x.ask(func() {
		if get.Version == 0 {
			return
		}
		if !due.Found[0] && !dead.Found[0] && !later.Found[0] {
			x.found(RuleTask, key, "it is neither waiting nor failed")
		}
		if !json.Valid(get.Data) {
			x.found(RuleTask, key, "it cannot be read")
		}
	}, get, due, dead, later)
}

// deadTasks: an operator should know.
func checkDeadTasks(x *auditing, key kv.Key) {
	x.each(key, func(m kv.Member) {
		x.minor(RuleTask, key, fmt.Sprintf("task %s was given up", m.Member))
	}, nil)
}

// checkTerms checks that terms are readable and that their day is listed with the instance's texts.
func checkTerms(x *auditing, key kv.Key) {
	get, about := &kv.Get{Key: key}, &kv.Get{Key: record.MetaKey("instance")}
	x.ask(func() {
		var r record.Terms
		if !read(x, get, &r) {
			return
		}
		var in record.Instance
		if read(x, about, &in); key.Shard != 0 || !slices.Contains(in.Terms, key.ID) {
			x.found(RuleOrphan, key, "the description of the installation does not name these terms")
		}
	}, get, about)
}

// style: the style sheet that the instance's texts name is there.
func (x *auditing) style(key kv.Key, hash string) {
	get := &kv.Get{Key: record.StyleKey()}
	x.ask(func() {
		if hash != "" && get.Version == 0 {
			x.found(RuleOrphan, key, "there is no style sheet")
		}
	}, get)
}

// style: it can be read, and the instance's texts name it.
func checkStyle(x *auditing, key kv.Key) {
	get, about := &kv.Get{Key: key}, &kv.Get{Key: record.MetaKey("instance")}
	x.ask(func() {
		var r record.Style
		var in record.Instance
		if read(x, get, &r) && (!read(x, about, &in) || in.Style == "" || key != record.StyleKey()) {
			x.found(RuleOrphan, key, "the description of the installation does not name this style sheet")
		}
	}, get, about)
}

// terms of the days that the instance's texts name: they are there.
func (x *auditing) terms(key kv.Key, days []string) {
	if len(days) > linnet.MaxTermsKept || !slices.IsSorted(days) {
		x.found(RuleRecord, key, fmt.Sprintf("the days of the terms of service are %v", days))
	}
	for _, day := range days {
		get := &kv.Get{Key: record.TermsKey(day)}
		x.ask(func() {
			if get.Version == 0 {
				x.found(RuleOrphan, key, fmt.Sprintf("there are no terms of service of %s", day))
			}
		}, get)
	}
}
