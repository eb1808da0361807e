package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"linnet/internal/core"
)

// littleFree is how much of a disk ought to be free, and of a small one a tenth: tables
// are written anew as they are merged.
const littleFree = 5e9

// disk looks at the free space of the data directory, and times what a post waits for.
func disk(_ context.Context, p *Patient) []core.Finding {
	const area = "disk"
	free, total, err := p.Disk(p.Data)
	if errors.Is(err, fs.ErrNotExist) && !p.Exclusive {
		return nil
	}
	if err != nil {
		return one(fault(area, "The free space of "+p.Data+" cannot be found out: "+err.Error(), "Does the directory exist, and may this user read it?"))
	}
	text := fmt.Sprintf("%s of %s are free for %s", gigabytes(free), gigabytes(total), p.Data)
	var out []core.Finding
	switch {
	case p.Exclusive && free <= uint64(p.Reserve):
		out = one(fault(area, text+": writes are refused", "Free space, or set reserve lower."))
	case free <= 2*uint64(p.Reserve) || free < min(total/10, littleFree):
		out = one(warning(area, text, fmt.Sprintf("Free space: below the reserve of %s the embedded store takes no writes.", gigabytes(uint64(p.Reserve)))))
	default:
		out = one(good(area, text))
	}
	if !p.Exclusive {
		return out
	}
	return append(out, syncing(p.Data))
}

// slowSync is a time for an fsync that people notice: each post waits for one.
const slowSync = 30 * time.Millisecond

// syncing times the writing of a small file to the disk.
func syncing(dir string) core.Finding {
	const area = "disk"
	f, err := os.CreateTemp(dir, "doctor-*")
	if err != nil {
		return fault(area, "No file can be made in "+dir+": "+err.Error(), "Give this user rights to it.")
	}
	defer os.Remove(f.Name())
	defer f.Close()
	times := make([]time.Duration, 9)
	for i := range times {
		began := time.Now()
		if _, err = f.Write(make([]byte, 4096)); err == nil {
			err = f.Sync()
		}
		if err != nil {
			return fault(area, "A file in "+dir+" cannot be written: "+err.Error(), "")
		}
		times[i] = time.Since(began)
	}
	slices.Sort(times)
	text := fmt.Sprintf("Writing 4 kB so that they outlive a loss of power takes %s", times[len(times)/2].Round(10*time.Microsecond))
	if times[len(times)/2] > slowSync {
		return warning(area, text+": each post waits for it", "Use a disk with fast fsync (an SSD, not a network drive), or set sync=interval and lose up to a second when the machine crashes.")
	}
	return good(area, text)
}

// fewFiles is a limit of open files that a busy evening reaches: each connection and
// each stream takes one.
const fewFiles = 4096

// machine looks at what the process may use.
func machine(_ context.Context, p *Patient) []core.Finding {
	var out []core.Finding
	switch {
	case p.OpenFiles == 0: // the system does not tell
	case p.OpenFiles < fewFiles:
		out = one(warning("open files", fmt.Sprintf("The process may have %d: each connection and each open stream takes one", p.OpenFiles), "Raise the limit: ulimit -n, or LimitNOFILE= of systemd."))
	default:
		out = one(good("open files", fmt.Sprintf("The process may have %d", p.OpenFiles)))
	}
	text := fmt.Sprintf("The server is to take about %s", gigabytes(uint64(p.Memory)))
	switch {
	case p.HasMemory > 0 && p.Memory > p.HasMemory:
		return append(out, fault("memory", text+fmt.Sprintf(", the machine has %s", gigabytes(uint64(p.HasMemory))), "Set memory lower, or leave it to auto."))
	case p.HasMemory > 0 && p.Memory > p.HasMemory/4*3:
		return append(out, warning("memory", text+fmt.Sprintf(", the machine has %s: pictures and the system need some too", gigabytes(uint64(p.HasMemory))), "Set memory lower, or leave it to auto."))
	}
	return append(out, good("memory", text))
}

// gigabytes is a number of bytes for people.
func gigabytes(n uint64) string {
	if n < 1e9 {
		return fmt.Sprintf("%d MB", n/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}
