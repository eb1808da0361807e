package config

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"strconv"
	"strings"
)

// Limits of the memory of a server, in bytes.
const (
	minMemory     = 64 << 20 // caches are too small to help below this
	minAutoMemory = 128 << 20
	programMemory = 32 << 20 // pages of the binary, which the garbage collector does not count
	defaultMemory = 1 << 30  // for machines with twice as much, or an unknown size
	maxAutoMemory = 4 << 30  // for machines with four times as much
)

// parseMemory parses a size, or "auto" for a share of the machine's memory. limit is the soft limit
// of the garbage collector. With auto it is nearly all memory, because open streams need more than
// the caches.
func parseMemory(s string) (memory, limit int64, err error) {
	if s == "auto" {
		has := MachineMemory(os.DirFS("/"))
		return autoMemory(has), has - has/10, nil
	}
	n, err := parseSize(s)
	if err != nil || n < minMemory {
		return 0, 0, errors.New("must be auto or a size of at least 64MB")
	}
	return n, max(n-programMemory, n/2), nil
}

// autoMemory returns half of has up to 1 GiB, then a quarter, but at least 128 MiB and at most 4
// GiB. Servers with few users never need that much.
func autoMemory(has int64) int64 {
	if has == math.MaxInt64 {
		return defaultMemory
	}
	return max(min(has/2, defaultMemory), min(has/4, maxAutoMemory), minAutoMemory)
}

// MachineMemory returns the memory of the machine, or of the container if it has less. On systems
// other than Linux it returns math.MaxInt64.
func MachineMemory(machine fs.FS) int64 {
	has := int64(math.MaxInt64)
	meminfo, _ := fs.ReadFile(machine, "proc/meminfo")
	for line := range strings.Lines(string(meminfo)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "MemTotal:" {
			has = min(has, parseUnits(f[1], 1<<10))
		}
	}
	for _, limit := range []string{"sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if text, err := fs.ReadFile(machine, limit); err == nil {
			has = min(has, parseUnits(strings.TrimSpace(string(text)), 1))
		}
	}
	return has
}

// parseUnits parses a number of units. Other text, such as "max", is no limit.
func parseUnits(text string, unit int64) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 || n > math.MaxInt64/unit {
		return math.MaxInt64
	}
	return n * unit
}
