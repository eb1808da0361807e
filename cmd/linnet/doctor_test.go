package main

import (
	"bytes"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/record"
)

// TestClockSetBack: a server with the store to itself warns when its clock is behind what that
// holds.
func TestClockSetBack(t *testing.T) {
	cfg, err := resolve(map[string]string{"data": t.TempDir()}, newEnvironment(nil))
	if err != nil {
		t.Fatal(err)
	}
	b, err := openBackend(t.Context(), cfg, "https://linnet.test", slog.New(slog.NewTextHandler(io.Discard, nil)), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	then := time.Now()
	last := record.Encode(record.LastBackup{Moment: then})
	if _, err := b.engine.Txn(t.Context(), nil, kv.Put{Key: record.LastBackupKey(), Data: last, Version: 1}); err != nil {
		t.Fatal(err)
	}
	for ago, want := range map[time.Duration]bool{0: false, time.Second: false, time.Minute: true} {
		var out bytes.Buffer
		b.lookAtClock(t.Context(), then.Add(-ago), slog.New(slog.NewTextHandler(&out, nil)))
		if strings.Contains(out.String(), "level=WARN msg=\"the clock of this machine is behind") != want {
			t.Errorf("%v behind: %s", ago, &out)
		}
	}
}
