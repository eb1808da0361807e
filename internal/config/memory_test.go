package config

import (
	"testing"
	"testing/fstest"
)

// TestMemory expects a share of the machine's or the container's memory, unless the operator sets a
// size.
func TestMemory(t *testing.T) {
	const kB, MB = 1 << 10, 1 << 20
	meminfo := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	for name, c := range map[string]struct {
		files fstest.MapFS
		want  int64
	}{
		"a large machine":   {fstest.MapFS{"proc/meminfo": meminfo("MemTotal:       16316412 kB\nMemFree: 12 kB\n")}, 4079103 * kB},
		"a larger one":      {fstest.MapFS{"proc/meminfo": meminfo("MemTotal: 65265648 kB\n")}, 4096 * MB},
		"3 gigabytes":       {fstest.MapFS{"proc/meminfo": meminfo("MemTotal: 3000000 kB\n")}, 1024 * MB},
		"half a gigabyte":   {fstest.MapFS{"proc/meminfo": meminfo("MemTotal: 500000 kB\n")}, 250000 * kB},
		"very little":       {fstest.MapFS{"proc/meminfo": meminfo("MemTotal: 100000 kB\n")}, 128 * MB},
		"a container":       {fstest.MapFS{"proc/meminfo": meminfo("MemTotal: 16316412 kB\n"), "sys/fs/cgroup/memory.max": meminfo("536870912\n")}, 256 * MB},
		"an old container":  {fstest.MapFS{"sys/fs/cgroup/memory/memory.limit_in_bytes": meminfo("1073741824")}, 512 * MB},
		"a container of no": {fstest.MapFS{"proc/meminfo": meminfo("MemTotal: 1000000 kB\n"), "sys/fs/cgroup/memory.max": meminfo("max\n")}, 500000 * kB},
		"nobody tells":      {nil, 1024 * MB},
		"nonsense":          {fstest.MapFS{"proc/meminfo": meminfo("MemTotal: lots kB\nMemTotal: -5 kB\nMemTotal: 9223372036854775807 kB")}, 1024 * MB},
	} {
		if got := autoMemory(MachineMemory(c.files)); got != c.want {
			t.Errorf("%s: %d MB, want %d", name, got/MB, c.want/MB)
		}
	}
	for text, want := range map[string]int64{"64MB": 64 * MB, "2GB": 2048 * MB, "63MB": 0, "much": 0, "-1": 0, "0": 0, "": 0} {
		if got, limit, err := parseMemory(text); got != want || limit != max(want-32*MB, 0) || (err == nil) != (want > 0) {
			t.Errorf("%q: %d up to %d, %v", text, got, limit, err)
		}
	}
	if got, limit, err := parseMemory("auto"); err != nil || got < minAutoMemory || got > maxAutoMemory || limit < got/2 {
		t.Errorf("auto: %d up to %d, %v", got, limit, err)
	}
}
