package audit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/task"
)

func archiveChecks() map[string]func(*auditing, kv.Key) {
	return map[string]func(*auditing, kv.Key){
		record.KindArchive:    checkArchive,
		record.KindImports:    checkImports,
		record.KindImportRows: checkImportRows,
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

// imports: they are a user's, each with its rows.
func checkImports(x *auditing, key kv.Key) {
	user, ok := x.keyID(key)
	if !ok {
		return
	}
	x.belongs(key, user)
	get := &kv.Get{Key: key}
	x.ask(func() {
		var all record.CSVImports
		if !read(x, get, &all) {
			return
		}
		if len(all.All) > linnet.MaxImports {
			x.found(RuleRecord, key, fmt.Sprintf("it has %d imports, more than %d", len(all.All), linnet.MaxImports))
		}
		for _, i := range all.All {
			if i.State == linnet.ImportUnconfirmed || i.State == linnet.ImportInProgress {
				x.hasFiles(key, i.Files()...)
			}
			if i.State == "" || i.Chunks == 0 { // its rows are being written
				continue
			}
			last, again := &kv.Get{Key: record.ImportRowsKey(user, linnet.ID(i.ID), i.Chunks+i.Gone-1)}, &kv.Get{Key: key}
			x.ask(func() {
				if again.Version == get.Version && last.Version == 0 {
					x.found(RuleIndex, key, fmt.Sprintf("the rows of import %v are missing", linnet.ID(i.ID)))
				}
			}, last, again)
		}
	}, get)
}

// importRows: they are of an import of the user's.
func checkImportRows(x *auditing, key kv.Key) {
	parts := strings.Split(key.ID, ".")
	if len(parts) != 3 {
		x.found(RuleRecord, key, "the key is not a user, an import and a number")
		return
	}
	user, ok1 := linnet.ParseID(parts[0])
	id, ok2 := linnet.ParseID(parts[1])
	n, err := strconv.Atoi(parts[2])
	if !ok1 || !ok2 || err != nil || record.ImportRowsKey(user, id, n) != key {
		x.found(RuleRecord, key, "the key is not a user of its shard, an import and a number")
		return
	}
	get, all := &kv.Get{Key: key}, &kv.Get{Key: record.ImportsKey(user)}
	x.ask(func() {
		var rows []record.ImportRow
		var of record.CSVImports
		if !read(x, get, &rows) {
			return
		}
		if all.Version == 0 || !read(x, all, &of) || !slices.ContainsFunc(of.All, func(i record.CSVImport) bool { return linnet.ID(i.ID) == id && n < i.Chunks+i.Gone }) {
			x.found(RuleOrphan, key, fmt.Sprintf("no import in %v has it", all.Key))
		}
	}, get, all)
}
