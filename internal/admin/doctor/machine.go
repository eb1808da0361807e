package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"

	"linnet/internal/core"
	"linnet/internal/wording"
)

// littleFree is how much of a disk ought to be free, and of a small one a tenth: tables
// are written anew as they are merged.
const littleFree = 5e9

// disk looks at the free space of the data directory, and times what a post waits for.
func disk(_ context.Context, p *Patient) []core.Finding {
	free, total, err := p.Disk(p.Data)
	if errors.Is(err, fs.ErrNotExist) && !p.Exclusive {
		return nil
	}
	if err != nil {
		return one(fault(said("The free space of %s cannot be found out: %v", p.Data, err), said("Does the directory exist, and may this user read it?")))
	}
	text := said("%s of %s are free for %s", gigabytes(free), gigabytes(total), p.Data)
	var out []core.Finding
	switch {
	case p.Exclusive && free <= uint64(p.Reserve):
		out = one(fault(said("%s: writes are refused", text), said("Free space, or set reserve lower.")))
	case free <= 2*uint64(p.Reserve) || free < min(total/10, littleFree):
		out = one(warning(text, said("Free space: below the reserve of %s the embedded store takes no writes.", gigabytes(uint64(p.Reserve)))))
	default:
		out = one(good(text))
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
	f, err := os.CreateTemp(dir, "doctor-*")
	if err != nil {
		return fault(said("No file can be made in %s: %v", dir, err), said("Give this user rights to it."))
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
			return fault(said("A file in %s cannot be written: %v", dir, err), "")
		}
		times[i] = time.Since(began)
	}
	slices.Sort(times)
	text := said("Writing 4 kB so that they outlive a loss of power takes %s", times[len(times)/2].Round(10*time.Microsecond))
	if times[len(times)/2] > slowSync {
		return warning(said("%s: each post waits for it", text), said("Use a disk with fast fsync (an SSD, not a network drive), or set sync=interval and lose up to a second when the machine crashes."))
	}
	return good(text)
}

// fewFiles is a limit of open files that a busy evening reaches: each connection and
// each stream takes one.
const fewFiles = 4096

// openFiles looks at how many the process may have.
func openFiles(_ context.Context, p *Patient) []core.Finding {
	switch {
	case p.OpenFiles == 0: // the system does not tell
		return nil
	case p.OpenFiles < fewFiles:
		return one(warning(said("The process may have %d: each connection and each open stream takes one", p.OpenFiles), said("Raise the limit: ulimit -n, or LimitNOFILE= of systemd.")))
	}
	return one(good(said("The process may have %d", p.OpenFiles)))
}

// memory looks whether the machine has what the server is to take.
func memory(_ context.Context, p *Patient) []core.Finding {
	text, has := said("The server is to take about %s", gigabytes(uint64(p.Memory))), gigabytes(uint64(p.HasMemory))
	lower := said("Set memory lower, or leave it to auto.")
	switch {
	case p.HasMemory > 0 && p.Memory > p.HasMemory:
		return one(fault(said("%s, the machine has %s", text, has), lower))
	case p.HasMemory > 0 && p.Memory > p.HasMemory/4*3:
		return one(warning(said("%s, the machine has %s: pictures and the system need some too", text, has), lower))
	}
	return one(good(text))
}

// gigabytes is a number of bytes for people.
func gigabytes(n uint64) wording.Message {
	if n < 1e9 {
		return said("%d MB", n/1e6)
	}
	return said("%.1f GB", float64(n)/1e9)
}
