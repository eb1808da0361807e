package config_test

import (
	"testing"

	"linnet/internal/config"
)

func TestParseSchedule(t *testing.T) {
	for text, good := range map[string]bool{"03:00": true, "23:59": true, "5m": true, "720h": true, "off": true, "24:00": false, "": false, "1m": false, "1000h": false, "daily": false, "-6h": false} {
		if _, err := config.Resolve(map[string]string{"data": t.TempDir(), "backup.schedule": text}, config.Environment{}); (err == nil) != good {
			t.Errorf("%q: %v", text, err)
		}
	}
}
