package main

import (
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A server with a place for backups makes one at once where there is none, and what it has
// made can be verified.
func TestServerBacksUpByItself(t *testing.T) {
	place := filepath.Join(t.TempDir(), "backups")
	_, stop := startHere(t, "--metrics-addr", "off", "--log-level", "warn", "--backup.to", place, "--backup.schedule", "6h")
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if made, err := filepath.Glob(filepath.Join(place, "manifest-*.json")); err != nil || len(made) > 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("no backup is made")
		}
	}
	if code := stop(); code != exitOK {
		t.Errorf("the server ended with %d", code)
	}
	var out strings.Builder
	args := []string{"backup", "verify", place, "--data", t.TempDir()}
	if code := run(t.Context(), process{args: args, stdin: strings.NewReader(""), stdout: &out, stderr: io.Discard}); code != exitOK {
		t.Errorf("verified with %d: %s", code, &out)
	}
}

func TestParseSchedule(t *testing.T) {
	for text, good := range map[string]bool{"03:00": true, "23:59": true, "5m": true, "720h": true, "off": true, "24:00": false, "": false, "1m": false, "1000h": false, "daily": false, "-6h": false} {
		if _, err := parseSchedule(text); (err == nil) != good {
			t.Errorf("%q: %v", text, err)
		}
	}
}
