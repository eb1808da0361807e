package audit

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/statuses"
	"linnet/internal/task"
)

// fileRows are the rows of attachments, scheduled posts, exports and imports: records with files,
// and with tasks that delete or continue them.
func fileRows() map[string]row {
	return map[string]row{
		record.KindAttachment:  {key: idKey, value: decoded(withoutID(record.DecodeAttachment), attachmentRefs)},
		record.KindAttachments: {owner: ofUser, set: eachHas(record.AttachmentKey)},
		record.KindCard:        {value: decoded(withoutID(record.DecodeFetched), cardRefs)},

		record.KindScheduled: {key: idKey, value: decoded(record.DecodeScheduled, scheduledRefs), reread: true},
		record.KindSchedule:  {owner: ofUser, value: stored(scheduleRefs), reread: true},
		record.KindOldPosts:  {owner: ofUser, value: stored(oldPostsRefs), reread: true},

		record.KindArchive:    {owner: ofUser, value: stored(archiveRefs), reread: true},
		record.KindImports:    {owner: ofUser, value: stored(importsRefs), reread: true},
		record.KindImportRows: {key: dotted, value: stored(importRowsRefs)},

		task.DueKey(0).Kind:    {set: members(waitingTask)},
		task.LaterKey(0).Kind:  {set: members(waitingTask)},
		task.DeadKey(0).Kind:   {set: members(deadTask)},
		task.Key(0, "").Kind:   {value: taskRefs, reread: true},
		task.ServersKey().Kind: {},
	}
}

func attachmentRefs(x *auditing, a *linnet.Attachment) []ref {
	if a.ID != x.id || a.Owner.Shard() != x.key.Shard {
		return wrong("the record is attachment %v of user %v", a.ID, a.Owner)
	}
	return []ref{user(a.Owner), in(record.AttachmentsKey(a.Owner), a.ID.String())}
}

// cardRefs expects a card under its link. Its picture must exist until it is fetched again.
func cardRefs(x *auditing, f *linnet.Fetched) []ref {
	switch {
	case f.Card == nil:
	case record.CardKey(f.Card.Link) != x.key:
		return wrong("the record is the card of %s, which belongs in another shard", f.Card.Link)
	case x.now().Sub(f.Card.Fetched) < linnet.CardLife:
		x.hasFiles(f.Card.Image.Name)
	}
	return nil
}

// scheduledRefs expects a scheduled status in its author's schedule, and a task that publishes it,
// unless that has failed or it is a draft.
func scheduledRefs(x *auditing, sc *linnet.Scheduled) []ref {
	if sc.Owner.Shard() != x.key.Shard {
		return wrong("the author, user %v, belongs to another shard", sc.Owner)
	}
	refs := []ref{user(sc.Owner), refersBack(record.ScheduleKey(sc.Owner), func(r *record.Schedule) bool {
		return slices.Contains(r.Entries, record.EntryOf(sc))
	}).as(RuleIndex)}
	if sc.Failed == "" && !sc.IsDraft() {
		refs = append(refs, queued(task.Key(x.key.Shard, statuses.PublishingID(sc))))
	}
	return refs
}

func scheduleRefs(x *auditing, r *record.Schedule) []ref {
	ids := make([]linnet.ID, len(r.Entries))
	var refs []ref
	drafts := 0
	for i, e := range r.Entries {
		if ids[i] = linnet.ID(e.ID); e.IsDraft() {
			drafts++
		}
		id := ids[i]
		get := &kv.Get{Key: record.ScheduledKey(id)}
		refs = append(refs, reading(get, func() *Finding {
			if get.Version == 0 {
				return broken(RuleOrphan, "%v does not exist", get.Key)
			}
			if sc, err := record.DecodeScheduled(id, get); err == nil && sc.Owner != x.id {
				return broken(RuleRecord, "%v belongs to user %v", get.Key, sc.Owner)
			}
			return nil
		}))
	}
	return slices.Concat(distinct(ids, linnet.MaxScheduled+linnet.MaxDrafts), atMost(drafts, linnet.MaxDrafts),
		atMost(len(ids)-drafts, linnet.MaxScheduled), refs)
}

// oldPostsRefs expects a task if and only if the rule is on.
func oldPostsRefs(x *auditing, r *record.OldPosts) []ref {
	refs := must((r.Task != "") == (r.Choice.Days != 0), "posts should be deleted after %d days, but the task is %q", r.Choice.Days, r.Task)
	if r.Task != "" {
		refs = append(refs, queued(task.Key(x.key.Shard, r.Task)))
	}
	return refs
}

// archiveRefs expects a task that deletes a complete export.
func archiveRefs(x *auditing, a *record.Archive) []ref {
	if a.Stage != "" {
		return nil
	}
	return []ref{queued(task.Key(x.key.Shard, record.ArchiveEnd(x.id, a.Asked)))}
}

// importsRefs expects the rows of each import, unless they are being written.
func importsRefs(x *auditing, r *record.CSVImports) []ref {
	refs := atMost(len(r.All), linnet.MaxImports)
	for _, i := range r.All {
		if i.State != "" && i.Chunks != 0 {
			refs = append(refs, exists(record.ImportRowsKey(x.id, linnet.ID(i.ID), i.Chunks+i.Gone-1)).as(RuleIndex))
		}
	}
	return refs
}

// importRowsRefs expects an import with this number of chunks.
func importRowsRefs(x *auditing, _ *[]record.ImportRow) []ref {
	number, chunk, _ := strings.Cut(x.rest, ".")
	id, _ := linnet.ParseID(number)
	n, err := strconv.Atoi(chunk)
	if err != nil || record.ImportRowsKey(x.id, id, n) != x.key {
		return wrong("the key does not consist of a user of its shard, an import and a number")
	}
	return []ref{refersBack(record.ImportsKey(x.id), func(all *record.CSVImports) bool {
		return slices.ContainsFunc(all.All, func(i record.CSVImport) bool { return linnet.ID(i.ID) == id && n < i.Chunks+i.Gone })
	})}
}

func waitingTask(x *auditing, m kv.Member) []ref {
	return []ref{exists(task.Key(x.key.Shard, m.Member)).as(RuleTask).harmless()}
}

// deadTask reports a failed task to the operator.
func deadTask(_ *auditing, m kv.Member) []ref {
	return []ref{fails(broken(RuleTask, "task %s failed", m.Member)).harmless()}
}

func taskRefs(x *auditing, get *kv.Get) []ref {
	due, later, dead := task.DueKey(x.key.Shard), task.LaterKey(x.key.Shard), task.DeadKey(x.key.Shard)
	listed := either(in(due, x.key.ID), either(in(later, x.key.ID), in(dead, x.key.ID))).as(RuleTask)
	if !json.Valid(get.Data) {
		return []ref{listed, fails(broken(RuleTask, "the value is not JSON"))}
	}
	return []ref{listed}
}
