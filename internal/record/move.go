package record

import (
	"time"

	"linnet/internal/kv"
)

// KindMove is the kind of key about moves of this store to or from another one. Copies of the store
// do not contain it.
const KindMove = "move"

func moveKeys() []KeyDoc {
	return []KeyDoc{{KindMove, "value", "fence, filling, store or barrier-ID", "the write fence of a running move, 15 seconds, or of a finished one, permanently; the source of a store that is being filled; the name of the store; JSON (shard 0); the position of received changes, for a minute", "1 KiB", "", noSecret()}}
}

// FenceKey exists while a store is moved to another, and stays after the move.
func FenceKey() kv.Key { return kv.Key{Kind: KindMove, ID: "fence"} }

// FillingKey exists while a store is filled from another.
func FillingKey() kv.Key { return kv.Key{Kind: KindMove, ID: "filling"} }

// StoreNameKey holds the name by which other stores recognize this one.
func StoreNameKey() kv.Key { return kv.Key{Kind: KindMove, ID: "store"} }

// BarrierKey is a key in a shard. It is written to all shards to check which changes have been
// reported.
func BarrierKey(shard uint16, id string) kv.Key {
	return kv.Key{Kind: KindMove, Shard: shard, ID: "barrier-" + id}
}

// Fence describes the move of a store, in progress or complete.
type Fence struct {
	Target string    `json:"target"` // the name of the other store
	To     string    `json:"to"`     // its location, for operators
	Began  time.Time `json:"began"`  // by the clock of the migrating process
	By     string    `json:"by"`     // random id of the migrating process
	Closed bool      `json:"closed"` // writes are refused, unless Brief is set
	// Brief allows writes although Closed is set, by servers that read this record more often from
	// now on. Earlier programs ignore Brief and stop writing.
	Brief bool          `json:"brief,omitempty"`
	Gap   time.Duration `json:"gap,omitempty"`  // minimum time between two writes of a server
	Moved time.Time     `json:"moved,omitzero"` // when the other store was opened
}

// Filling describes a store that is being filled.
type Filling struct {
	Source string    `json:"source"` // the name of the other store
	From   string    `json:"from"`   // its location, for operators
	Began  time.Time `json:"began"`
}

// StoreName is the name of a store, generated when it is first moved or filled.
type StoreName struct {
	Name string `json:"name"`
	// Earlier are the names of the stores that the contents were moved from, oldest first.
	Earlier []string `json:"earlier,omitempty"`
}

// FeedsOf returns the feeds that depend on a record.
func FeedsOf(k kv.Key) []kv.Key {
	switch k.Kind {
	case KindUser:
		return []kv.Key{{Kind: KindHome, Shard: k.Shard, ID: k.ID}, {Kind: KindTopFeed, Shard: k.Shard, ID: k.ID}}
	case KindList:
		return []kv.Key{{Kind: KindListFeed, Shard: k.Shard, ID: k.ID}}
	}
	return nil
}

// Derived returns the kinds of key, other than feeds, that are recomputed or expire within minutes,
// and that copies do not contain.
func Derived() map[string]bool {
	kinds := map[string]bool{}
	for _, d := range Keys() {
		if k := d.BackupRule(); (k == Cached || k == Passing) && d.Shape != "feed" {
			kinds[d.Kind] = true
		}
	}
	return kinds
}

// KindBackup is the kind of key about the store's backups. Backups do not contain it, so that a
// backup does not change the digest.
const KindBackup = "backup"

func backupKeys() []KeyDoc {
	return []KeyDoc{{KindBackup, "value", "last, running, kept, restoring, restored or names", "the last successful backup; the server that makes one and its progress, for a minute; results of scheduled backups; a running restore and its progress; the last restore; the secret for names of encrypted chunks; JSON (shard 0)", "4 KiB", "", secretIn("secret")}}
}

// LastBackupKey is the last successful backup. RestoringKey exists while a store is being restored,
// and no server starts on it then.
func LastBackupKey() kv.Key { return kv.Key{Kind: KindBackup, ID: "last"} }
func RestoringKey() kv.Key  { return kv.Key{Kind: KindBackup, ID: "restoring"} }

// RestoredKey holds the last Restoring of a complete restore.
func RestoredKey() kv.Key { return kv.Key{Kind: KindBackup, ID: "restored"} }

// BackupRunningKey exists while a server makes a backup. BackupResultsKey holds the results of
// scheduled backups.
func BackupRunningKey() kv.Key { return kv.Key{Kind: KindBackup, ID: "running"} }
func BackupResultsKey() kv.Key { return kv.Key{Kind: KindBackup, ID: "kept"} }

// BackupRunning is a backup in progress on a server.
type BackupRunning struct {
	By       string    `json:"by"` // name of the server
	Began    time.Time `json:"began"`
	Progress string    `json:"progress,omitempty"` // for operators
}

// BackupResults are the results of scheduled backups.
type BackupResults struct {
	Made   time.Time `json:"made"` // time of the last successful backup
	Failed time.Time `json:"failed,omitzero"`
	Why    string    `json:"why,omitempty"` // the error of the last attempt, if it failed
}

// BackupNamesKey is the secret from which encrypted backups derive the names of their pieces.
func BackupNamesKey() kv.Key { return kv.Key{Kind: KindBackup, ID: "names"} }

// BackupNames contains this secret.
type BackupNames struct {
	Secret []byte `json:"secret"` // 32 bytes
}

// LastBackup is the last successful backup.
type LastBackup struct {
	Moment  time.Time `json:"moment"` // time of the backup
	Ended   time.Time `json:"ended"`
	Where   string    `json:"where"`
	Entries int64     `json:"entries"`
	Bytes   int64     `json:"bytes"` // size of the backup, including parts shared with others
	Digest  string    `json:"digest"`

	Lacks  string    `json:"lacks,omitempty"`  // a message about files that the store refers to but that are missing
	Unsure string    `json:"unsure,omitempty"` // a message with the reason why missing files are unknown
	Whole  time.Time `json:"whole,omitzero"`   // in both cases: time of the last complete backup
}

// Succeeded returns the time of the last complete backup, or zero.
func (b LastBackup) Succeeded() time.Time {
	if b.Lacks != "" || b.Unsure != "" {
		return b.Whole
	}
	return b.Moment
}

// Restoring is a restore into this store.
type Restoring struct {
	Backup string `json:"backup"` // its name and digest
	Shards int    `json:"shards"` // number of complete shards
}
