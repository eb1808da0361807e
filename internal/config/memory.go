package config

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"strconv"
	"strings"
)

// What a server may take in memory, in bytes.
const (
	leastMemory     = 64 << 20 // below this nothing is kept long enough to be of use
	leastAutoMemory = 128 << 20
	programMemory   = 32 << 20 // pages of the binary, which the garbage collector does not count
	usualMemory     = 1 << 30  // where the machine has twice as much, or does not tell
	mostAutoMemory  = 4 << 30  // where it has four times as much
)

// parseMemory takes a size, or "auto" for what the machine allows. limit is where the
// garbage collector begins to work harder: at that size, or where the machine itself
// would have no more, for a server with very many open streams needs more than what its
// caches are sized by.
func parseMemory(s string) (memory, limit int64, err error) {
	if s == "auto" {
		has := MachineMemory(os.DirFS("/"))
		return autoMemory(has), has - has/10, nil
	}
	n, err := parseSize(s)
	if err != nil || n < leastMemory {
		return 0, 0, fmt.Errorf("not auto or a size of at least 64MB")
	}
	return n, max(n-programMemory, n/2), nil
}

// autoMemory is half of what the machine has up to 1 GiB, and a quarter where that is more,
// but neither less than 128 MiB nor more than 4 GiB. It is what may be taken: a place with few
// readers never needs it.
func autoMemory(has int64) int64 {
	if has == math.MaxInt64 {
		return usualMemory
	}
	return max(min(has/2, usualMemory), min(has/4, mostAutoMemory), leastAutoMemory)
}

// MachineMemory is what the machine has, or the container that the process lies in.
// Machines other than Linux do not tell; theirs is taken to be without end.
func MachineMemory(machine fs.FS) int64 {
	has := int64(math.MaxInt64)
	meminfo, _ := fs.ReadFile(machine, "proc/meminfo")
	for line := range strings.Lines(string(meminfo)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "MemTotal:" {
			has = min(has, sizeIn(f[1], 1<<10))
		}
	}
	for _, limit := range []string{"sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if text, err := fs.ReadFile(machine, limit); err == nil {
			has = min(has, sizeIn(strings.TrimSpace(string(text)), 1))
		}
	}
	return has
}

// sizeIn reads a number of units; what is none, such as "max", is no limit.
func sizeIn(text string, unit int64) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 || n > math.MaxInt64/unit {
		return math.MaxInt64
	}
	return n * unit
}
