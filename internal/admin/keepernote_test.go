package admin

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/record"
)

// TestNotesOfABackup checks that a backup continues if the response to its progress record is lost.
// It ends if another server has taken over, which is not recorded as a failure.
func TestNotesOfABackup(t *testing.T) {
	e := faultkv.New(memkv.New(memkv.Options{}))
	k := NewBackupScheduler(t.Context(), Source{Engine: e}, SchedulerOptions{Name: "here", Log: slog.New(slog.DiscardHandler)})
	own := record.BackupRunning{By: "here", Began: time.Now().UTC()}
	write := func(r record.BackupRunning, version uint64) {
		t.Helper()
		if _, err := e.Txn(t.Context(), nil, k.lease(r, version)); err != nil {
			t.Fatal(err)
		}
	}
	write(own, 1)
	e.FailAt(2, faultkv.After)
	if v := k.note(t.Context(), own, 1); v != 1 {
		t.Fatalf("a note whose answer was lost has version %d", v)
	}
	if v := k.note(t.Context(), own, 1); v != 2 {
		t.Errorf("the next note has version %d, want that which was written", v)
	}
	if v := k.note(t.Context(), own, 2); v != 3 {
		t.Errorf("the one after it has version %d", v)
	}
	write(record.BackupRunning{By: "there", Began: own.Began}, 4)
	if v := k.note(t.Context(), own, 3); v != 0 {
		t.Errorf("another server has taken over, and the note has version %d", v)
	}
	if err := k.end(0, nil, errors.New("ended")); err != nil {
		t.Error(err)
	}
	get, there := &kv.Get{Key: record.BackupResultsKey()}, &kv.Get{Key: record.BackupRunningKey()}
	if err := e.Read(t.Context(), get, there); err != nil || get.Version != 0 || there.Version != 4 {
		t.Errorf("after that: what became of it has version %d, the other's note %d, %v", get.Version, there.Version, err)
	}
}
