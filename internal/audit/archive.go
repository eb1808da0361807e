package audit

import (
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/record"
	"linnet/internal/task"
)

func archiveChecks() map[string]func(*auditing, kv.Key) {
	return map[string]func(*auditing, kv.Key){
		record.KindArchive: checkArchive,
	}
}

// archive: it is a user's; when it is made, its files are there and a task removes them.
func checkArchive(x *auditing, key kv.Key) {
	user, ok := x.keyID(key)
	if !ok {
		return
	}
	x.belongs(key, user)
	get := &kv.Get{Key: key}
	x.ask(func() {
		var a record.Archive
		if !read(x, get, &a) || a.Stage != "" {
			return
		}
		end, again := &kv.Get{Key: task.Key(key.Shard, record.ArchiveEnd(user, a.Asked))}, &kv.Get{Key: key}
		x.ask(func() {
			if again.Version != get.Version {
				return
			}
			if end.Version == 0 {
				x.found(RuleTask, key, fmt.Sprintf("no task %s removes it", end.Key.ID))
				return
			}
			if a.Failed == "" && x.now().UnixMilli() < a.Until {
				x.hasFiles(key, a.Tail.Name)
				for _, p := range a.Parts {
					x.hasFiles(key, p.Name)
				}
			}
		}, end, again)
	}, get)
}
