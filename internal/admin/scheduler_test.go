package admin_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"linnet/internal/admin"
	"linnet/internal/admin/backup"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
)

func TestSchedule(t *testing.T) {
	at := func(text string) time.Time {
		if text == "" {
			return time.Time{}
		}
		when, err := time.Parse("2006-01-02 15:04", text)
		if err != nil {
			t.Fatal(err)
		}
		return when
	}
	now := "2027-01-10 12:00"
	nightly, often := backup.Schedule{At: 3 * time.Hour}, backup.Schedule{Every: 6 * time.Hour}
	for _, tc := range []struct {
		s          backup.Schedule
		last, next string
	}{
		{backup.Schedule{Never: true}, "2027-01-01 00:00", ""},
		{nightly, "", now}, {often, "", now},
		{nightly, "2027-01-09 03:00", "2027-01-10 03:00"}, {nightly, "2027-01-09 02:59", "2027-01-09 03:00"},
		{nightly, "2027-01-10 11:00", "2027-01-11 03:00"}, {often, "2027-01-10 11:00", "2027-01-10 17:00"},
	} {
		if next := tc.s.Next(at(tc.last), at(now)); !next.Equal(at(tc.next)) {
			t.Errorf("%+v after %q: %v, want %q", tc.s, tc.last, next, tc.next)
		}
	}
}

// keptBy returns a keeper as a server has it, but with a clock that tests set.
func keptBy(t *testing.T, e kv.Engine, to string, clock *time.Time) *admin.BackupScheduler {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	k := admin.NewBackupScheduler(ctx, admin.Source{Engine: e}, keeperInto(backup.Target{Dir: to}, clock))
	t.Cleanup(func() { cancel(); k.Wait() })
	return k
}

func keeperInto(to backup.Target, clock *time.Time) admin.SchedulerOptions {
	return admin.SchedulerOptions{Backup: admin.BackupOptions{To: to, Keep: 3}, Schedule: backup.Schedule{Every: time.Hour}, Name: "here",
		Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return *clock }}
}

func manifests(t *testing.T, dir string) int {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "manifest-*"))
	if err != nil {
		t.Fatal(err)
	}
	return len(paths)
}

// TestBackupsAreMadeWhenTheyAreDue checks that a keeper makes the first backup immediately, later
// ones on schedule, and retries after failures. The store records the results.
func TestBackupsAreMadeWhenTheyAreDue(t *testing.T) {
	e, dir := memkv.New(memkv.Options{}), filepath.Join(t.TempDir(), "backup")
	v := newWorld(t, e)
	clock := time.Now()
	k := keptBy(t, e, dir, &clock)
	look := func(after time.Duration, want int) record.BackupResults {
		t.Helper()
		clock = clock.Add(after)
		v.must(k.Look(t.Context()))
		k.Wait()
		if n := manifests(t, dir); n != want {
			t.Fatalf("%d backups, want %d", n, want)
		}
		_, running, kept, err := store.New(e, store.Options{}).Instance.Backups(t.Context())
		v.must(err)
		if running {
			t.Error("it counts as under way when it has ended")
		}
		return kept
	}
	if kept := look(0, 1); kept.Made.IsZero() || !kept.Failed.IsZero() {
		t.Errorf("the first: %+v", kept)
	}
	look(50*time.Minute, 1)
	look(15*time.Minute, 2)
	title := filepath.Join(dir, "LINNET-BACKUP")
	good, err := os.ReadFile(title)
	v.must(err)
	v.must(os.WriteFile(title, []byte("linnet backup, format 99\n"), 0o600))
	clock = time.Now() // the engine sets the times of backups
	if kept := look(time.Hour, 2); kept.Failed.IsZero() || !strings.Contains(kept.Why, "newer version") {
		t.Errorf("what failed: %+v", kept)
	}
	v.must(os.WriteFile(title, good, 0o600))
	look(10*time.Minute, 2)
	if kept := look(6*time.Minute, 3); !kept.Failed.IsZero() {
		t.Errorf("after the fault: %+v", kept)
	}
}

// TestOneServerMakesABackup checks that only one of several servers makes a backup if all start one
// simultaneously. The store shows which one.
func TestOneServerMakesABackup(t *testing.T) {
	e, dir := memkv.New(memkv.Options{}), filepath.Join(t.TempDir(), "backup")
	v := newWorld(t, e)
	hold, held := make(chan struct{}), make(chan struct{}, 9)
	slow := &removeMeanwhile{Engine: e, do: func() { held <- struct{}{}; <-hold }}
	clock := time.Now()
	var keepers []*admin.BackupScheduler
	for range 5 {
		keepers = append(keepers, keptBy(t, slow, dir, &clock))
	}
	var mu sync.Mutex
	var begun, refused int
	var all sync.WaitGroup
	for _, k := range keepers {
		all.Go(func() {
			err := k.Start(t.Context())
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				begun++
			} else if linnet.KindOf(err) == linnet.Conflict {
				refused++
			} else {
				t.Error(err)
			}
		})
	}
	all.Wait()
	<-held
	if begun != 1 || refused != 4 {
		t.Errorf("%d servers have begun one, %d were refused", begun, refused)
	}
	now, running, _, err := store.New(e, store.Options{}).Instance.Backups(t.Context())
	if v.must(err); !running || now.By != "here" {
		t.Errorf("the store says %+v, %v", now, running)
	}
	v.mustBeClean()
	close(hold)
	for _, k := range keepers {
		k.Wait()
	}
	if n := manifests(t, dir); n != 1 {
		t.Errorf("%d backups", n)
	}
}

// TestBackupOfAServerThatStops checks that a server that stops abandons its backup, so that another
// one can start immediately.
func TestBackupOfAServerThatStops(t *testing.T) {
	e, dir := memkv.New(memkv.Options{}), filepath.Join(t.TempDir(), "backup")
	v := newWorld(t, e)
	ctx, stop := context.WithCancel(t.Context())
	stopping := &removeMeanwhile{Engine: e, do: stop}
	k := admin.NewBackupScheduler(ctx, admin.Source{Engine: &stopCopy{Engine: stopping, after: 1, stop: stop}}, admin.SchedulerOptions{
		Backup: admin.BackupOptions{To: backup.Target{Dir: dir}}, Log: slog.New(slog.DiscardHandler)})
	v.must(k.Start(t.Context()))
	k.Wait()
	clock := time.Now()
	again := keptBy(t, e, dir, &clock)
	v.must(again.Start(t.Context()))
	again.Wait()
	if _, _, kept, err := store.New(e, store.Options{}).Instance.Backups(t.Context()); err != nil || !kept.Failed.IsZero() || manifests(t, dir) != 1 {
		t.Errorf("%d backups, %+v, %v", manifests(t, dir), kept, err)
	}
}
