package audit

import (
	"strings"

	"linnet/internal/kv"
	"linnet/internal/record"
)

// checkBackup: what the store knows of its backups can be read, and no restore was left
// halfway.
func checkBackup(x *auditing, key kv.Key) {
	get := &kv.Get{Key: key}
	x.ask(func() {
		switch key {
		case record.LastBackupKey():
			read(x, get, &record.LastBackup{})
		case record.BackupRunningKey():
			read(x, get, &record.BackupRunning{})
		case record.BackupsKeptKey():
			read(x, get, &record.BackupsKept{})
		case record.BackupNamesKey():
			read(x, get, &record.BackupNames{})
		case record.RestoredKey():
			read(x, get, &record.Restoring{})
		case record.RestoringKey():
			if read(x, get, &record.Restoring{}) {
				x.found(RuleTask, key, "a restore is running or was interrupted: run linnet restore again")
			}
		default:
			x.found(RuleOrphan, key, "there is no such record of backups")
		}
	}, get)
}

// checkMove: what the store knows of its being moved can be read.
func checkMove(x *auditing, key kv.Key) {
	get := &kv.Get{Key: key}
	x.ask(func() {
		switch {
		case key == record.FenceKey():
			read(x, get, &record.Fence{})
		case key == record.StoreNameKey():
			read(x, get, &record.StoreName{})
		case key == record.FillingKey():
			if read(x, get, &record.Filling{}) {
				x.found(RuleTask, key, "a migration into this store is running or was interrupted: run linnet migrate again")
			}
		case !strings.HasPrefix(key.ID, record.BarrierKey(0, "").ID):
			x.found(RuleOrphan, key, "there is no such record of moves")
		}
	}, get)
}
