package web_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// TestBackUpNow checks that administrators can start a backup. They see the age of the last one,
// the progress of the current one and the reason of a failure.
func TestBackUpNow(t *testing.T) {
	w := newWorld(t, loopbackURL)
	begun, under := 0, false
	w.halt()
	w.backups = &core.Backups{To: "s3://backups/linnet", Next: func(time.Time, time.Time) time.Time { return time.Date(2031, 5, 6, 3, 0, 0, 0, time.UTC) },
		Start: func(context.Context) error {
			if under {
				return linnet.Errorf(linnet.Conflict, "A backup is already running.")
			}
			begun++
			return nil
		}}
	w.start()
	w.user("ann")
	w.user("bob")
	w.role("ann", linnet.Admin)
	b := w.browser().logIn("ann")
	want(t, b.get("/admin/store"), http.StatusOK, "none recorded", "s3://backups/linnet", "2031", ">Back up now</button>")
	wantTo(t, b.post("/admin/store"), "/admin/store?done=backup")
	want(t, b.get("/admin/audit"), http.StatusOK, "back up", "s3://backups/linnet")
	under = true
	b.get("/admin/store")
	want(t, b.post("/admin/store"), http.StatusUnprocessableEntity, "A backup is already running.")
	put := func(key kv.Key, v any) {
		t.Helper()
		if _, err := w.engine.Txn(t.Context(), nil, kv.Put{Key: key, Data: record.Encode(v), Version: 1}); err != nil {
			t.Fatal(err)
		}
	}
	put(record.LastBackupKey(), record.LastBackup{Moment: time.Now().Add(-50 * time.Hour), Where: "/srv/backup"})
	put(record.BackupResultsKey(), record.BackupResults{Failed: time.Now(), Why: "the disk of <backups> is full"})
	want(t, b.get("/admin/store"), http.StatusOK, "2 days", "/srv/backup", "the disk of &lt;backups&gt; is full", ">Back up now</button>")
	put(record.BackupRunningKey(), record.BackupRunning{By: "bird.example :8420", Began: time.Now(), Progress: "shards 300/1,024 29% 12/s ETA 60s"})
	a := b.get("/admin/store")
	if want(t, a, http.StatusOK, "bird.example :8420", "shards 300/1,024 29% 12/s ETA 60s", "Refresh"); strings.Contains(a.body, ">Back up now</button>") {
		t.Error("a second one can be begun")
	}
	member := w.browser().logIn("bob")
	member.get("/")
	want(t, member.post("/admin/store"), http.StatusNotFound)
	if begun != 1 {
		t.Errorf("%d backups were begun", begun)
	}
}

// TestNoBackupDestination checks that the page explains how to configure a backup destination.
// Submitting the form without one returns the same explanation.
func TestNoBackupDestination(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	w.role("ann", linnet.Admin)
	b := w.browser().logIn("ann")
	a := b.get("/admin/store")
	if want(t, a, http.StatusOK, "set backup.to in the configuration"); strings.Contains(a.body, ">Back up now</button>") {
		t.Error("there is a button for what cannot be done")
	}
	b.get("/settings/profile") // its forms contain the token
	want(t, b.post("/admin/store"), http.StatusUnprocessableEntity, "et backup.to in ")
}
