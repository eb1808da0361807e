package audit

import (
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
		case record.RestoringKey():
			if read(x, get, &record.Restoring{}) {
				x.found(RuleTask, key, "a backup is being restored, or that was broken off: run linnet restore again")
			}
		default:
			x.found(RuleOrphan, key, "there is no such record of backups")
		}
	}, get)
}
