package cli

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"linnet/internal/backend"
	"linnet/internal/config"
	"linnet/internal/kv"
	"linnet/internal/record"
)

// TestClockSetBack expects a warning if the clock is behind the newest entry of the embedded store.
func TestClockSetBack(t *testing.T) {
	cfg, err := config.Resolve(map[string]string{"data": t.TempDir()}, config.NewEnvironment(nil))
	if err != nil {
		t.Fatal(err)
	}
	b, err := backend.Open(t.Context(), cfg, backend.Options{PublicURL: "https://linnet.test", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	then := time.Now()
	last := record.Encode(record.LastBackup{Moment: then})
	if _, err := b.Engine.Txn(t.Context(), nil, kv.Put{Key: record.LastBackupKey(), Data: last, Version: 1}); err != nil {
		t.Fatal(err)
	}
	for ago, want := range map[time.Duration]bool{0: false, time.Second: false, time.Minute: true} {
		var out bytes.Buffer
		warnClock(t.Context(), b, then.Add(-ago), slog.New(slog.NewTextHandler(&out, nil)))
		if strings.Contains(out.String(), "level=WARN msg=\"the clock of this machine is behind") != want {
			t.Errorf("%v behind: %s", ago, &out)
		}
	}
}
