package admin_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"linnet/internal/admin"
	"linnet/internal/admin/backup"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/task"
)

// TestRestoreIntoWhatOpeningMakes checks that a store counts as empty if it was only opened,
// inspected, backed up and served without users. A restore removes these records, even after an
// interruption.
func TestRestoreIntoWhatOpeningMakes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "backup")
	v := newVillage(t, memkv.New(memkv.Options{}))
	v.drain()
	v.stop()
	made := backupOf(t, v.world, dir)
	opt := admin.RestoreOptions{From: backup.Target{Dir: dir}}
	for name, open := range enginesOfBackups(t) {
		for _, writes := range []int{-1, 1, 2} { // number of writes before the interruption; -1 for no first run
			t.Run(fmt.Sprint(name, " ", writes), func(t *testing.T) {
				to := open(t)
				looked(t, to)
				if writes >= 0 {
					if _, err := admin.Restore(t.Context(), &stopAfter{Engine: to, left: writes, stop: func() {}}, nil, opt); err == nil {
						t.Fatal("it was not broken off")
					}
				}
				_, err := admin.Restore(t.Context(), to, nil, opt)
				v.must(err)
				if is := digestIs(t, to); is != made.Digest {
					t.Errorf("it has the digest %s, want %s", is, made.Digest)
				}
				last, restoring, servers := &kv.Get{Key: record.LastBackupKey()}, &kv.Get{Key: record.RestoringKey()}, &kv.Range{Key: task.ServersKey(), Limit: 1}
				if v.must(to.Read(t.Context(), last, restoring, servers)); last.Version+restoring.Version > 0 || len(servers.Members) > 0 {
					t.Errorf("what was there before is there still: %+v, %+v, %+v", last, restoring, servers)
				}
				newWorld(t, to).mustBeClean()
			})
		}
	}
}

// looked leaves in a store what opening and inspecting it creates.
func looked(t *testing.T, e kv.Engine) {
	t.Helper()
	w := newWorld(t, e)
	_, err := w.Push.PublicKey(t.Context())
	w.must(err)
	if _, err := admin.Check(t.Context(), w.App, admin.CheckOptions{Pause: time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	w.drain()
	w.stop()
	backupOf(t, w, filepath.Join(t.TempDir(), "of nothing"))
	w.must(e.Apply(t.Context(), kv.Add{Key: task.ServersKey(), Member: "1/killed/drawn/0.1", Score: time.Now().Add(-time.Minute).UnixMilli()},
		kv.Put{Key: record.DayKey(time.Now()), Data: []byte(`{}`), Version: 1}, kv.Put{Key: record.SearchLeaseKey(), Data: []byte(`{}`), Version: 1}))
}

// TestRestoreLeavesWhatPeopleMade checks that a restore refuses stores with user data or running
// servers.
func TestRestoreLeavesWhatPeopleMade(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "backup")
	v := newWorld(t, memkv.New(memkv.Options{}))
	v.drain()
	v.stop()
	backupOf(t, v, dir)
	for name, c := range map[string]struct {
		does kv.Op
		want error
	}{
		"a name of the installation": {kv.Put{Key: record.MetaKey("instance"), Data: []byte(`{"title":"Home"}`), Version: 1}, admin.ErrNotEmpty},
		"a user":                     {kv.Add{Key: kv.Key{Kind: record.KindUsers, Shard: 7}, Member: "1", Score: 1}, admin.ErrNotEmpty},
		"a store that is moved":      {kv.Put{Key: record.FillingKey(), Data: []byte(`{}`), Version: 1}, admin.ErrNotEmpty},
		"a server":                   {kv.Add{Key: task.ServersKey(), Member: "1/here/drawn/0.1", Score: time.Now().Add(time.Hour).UnixMilli()}, admin.ErrServed},
	} {
		t.Run(name, func(t *testing.T) {
			to := memkv.New(memkv.Options{})
			v.must(store.New(to, store.Options{}).Instance.CheckFormat(t.Context()))
			v.must(to.Apply(t.Context(), c.does))
			_, err := admin.Restore(t.Context(), to, nil, admin.RestoreOptions{From: backup.Target{Dir: dir}})
			if !errors.Is(err, c.want) || errors.Is(err, admin.ErrServed) && !strings.Contains(err.Error(), ": here") {
				t.Errorf("got %v, want %v", err, c.want)
			}
			get := &kv.Get{Key: record.RestoringKey()}
			if v.must(to.Read(t.Context(), get)); get.Version > 0 {
				t.Error("a restore is noted as under way")
			}
		})
	}
}
