package audit

import (
	"fmt"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/statuses"
	"linnet/internal/task"
)

func scheduledChecks() map[string]func(*auditing, kv.Key) {
	return map[string]func(*auditing, kv.Key){
		record.KindScheduled: checkScheduled,
		record.KindSchedule:  checkSchedule,
		record.KindOldPosts:  checkOldPosts,
	}
}

// scheduled: its author finds it at its time, a task publishes it unless that has failed or it
// is a draft, and its pictures are there.
func checkScheduled(x *auditing, key kv.Key) {
	id, ok := x.keyID(key)
	if !ok {
		return
	}
	get := &kv.Get{Key: key}
	x.ask(func() {
		if get.Version == 0 {
			return
		}
		sc, err := record.DecodeScheduled(id, get)
		if err != nil || sc.Owner.Shard() != key.Shard {
			x.found(RuleRecord, key, fmt.Sprintf("not a scheduled status of this shard: %v", err))
			return
		}
		x.belongs(key, sc.Owner)
		for i := range sc.Media {
			x.hasFiles(key, sc.Media[i].Files()...)
		}
		x.scheduled(key, sc)
	}, get)
}

// scheduled compares a scheduled status with the schedule and the task. They change in one
// transaction, so they are read together.
func (x *auditing) scheduled(key kv.Key, was *linnet.Scheduled) {
	all, again := &kv.Get{Key: record.ScheduleKey(was.Owner)}, &kv.Get{Key: key}
	due := &kv.Get{Key: task.Key(key.Shard, statuses.PublishingID(was))} // of a draft there is none
	x.ask(func() {
		if again.Version != was.Version { // it was published or changed in the meantime
			return
		}
		var r record.Schedule
		if !read(x, all, &r) || !slices.Contains(r.Entries, record.EntryOf(was)) {
			x.found(RuleIndex, key, fmt.Sprintf("it is not in %v at its time", all.Key))
		}
		if was.Failed == "" && due.Version == 0 && !was.IsDraft() {
			x.found(RuleTask, key, fmt.Sprintf("no task %s publishes it", due.Key.ID))
		}
	}, all, again, due)
}

// checkSchedule checks that each entry exists and belongs to the user, occurs once, and the limit.
func checkSchedule(x *auditing, key kv.Key) {
	user, ok := x.keyID(key)
	if !ok {
		return
	}
	x.belongs(key, user)
	get := &kv.Get{Key: key}
	x.ask(func() {
		var r record.Schedule
		if !read(x, get, &r) {
			return
		}
		seen, drafts := map[record.JID]bool{}, 0
		for _, e := range r.Entries {
			if e.IsDraft() {
				drafts++
			}

			if seen[e.ID] {
				x.found(RuleRecord, key, fmt.Sprintf("%v occurs twice", linnet.ID(e.ID)))
			}
			seen[e.ID] = true
			x.inSchedule(get, user, linnet.ID(e.ID))
		}
		if n := len(r.Entries) - drafts; n > linnet.MaxScheduled || drafts > linnet.MaxDrafts {
			x.found(RuleRecord, key, fmt.Sprintf("it has %d scheduled statuses and %d drafts, more than %d and %d", n, drafts, linnet.MaxScheduled, linnet.MaxDrafts))
		}
	}, get)
}

func (x *auditing) inSchedule(schedule *kv.Get, user, id linnet.ID) {
	get, again := &kv.Get{Key: record.ScheduledKey(id)}, &kv.Get{Key: schedule.Key}
	x.ask(func() {
		if again.Version != schedule.Version {
			return
		}
		if get.Version == 0 {
			x.found(RuleOrphan, schedule.Key, fmt.Sprintf("nothing is scheduled as %v", id))
			return
		}
		if sc, err := record.DecodeScheduled(id, get); err == nil && sc.Owner != user {
			x.found(RuleRecord, schedule.Key, fmt.Sprintf("%v is scheduled by %v", id, sc.Owner))
		}
	}, get, again)
}

// checkOldPosts checks that the user exists, and that a task exists exactly if posts are to be
// deleted.
func checkOldPosts(x *auditing, key kv.Key) {
	user, ok := x.keyID(key)
	if !ok {
		return
	}
	x.belongs(key, user)
	get := &kv.Get{Key: key}
	x.ask(func() {
		var r record.OldPosts
		if !read(x, get, &r) {
			return
		}
		if (r.Task != "") != (r.Choice.Days != 0) {
			x.found(RuleRecord, key, fmt.Sprintf("posts are deleted after %d days, by task %q", r.Choice.Days, r.Task))
		}
		if r.Task == "" {
			return
		}
		due, again := &kv.Get{Key: task.Key(key.Shard, r.Task)}, &kv.Get{Key: key}
		x.ask(func() {
			if again.Version == get.Version && due.Version == 0 {
				x.found(RuleTask, key, fmt.Sprintf("no task %s continues it", r.Task))
			}
		}, due, again)
	}, get)
}
