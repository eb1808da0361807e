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

// littleFree is the free disk space below which there is a warning, or a tenth of a small disk,
// because compactions rewrite tables.
const littleFree = 5e9

// disk checks the free space of the data directory and times fsync.
func disk(_ context.Context, p *Patient) []core.Finding {
	free, total, err := p.Disk(p.Data)
	if errors.Is(err, fs.ErrNotExist) && !p.Exclusive {
		return nil
	}
	if err != nil {
		return one(fault(said("Can't check the free space in %s: %v", p.Data, err), said("Check that the directory exists and that the user that runs Linnet can read it.")))
	}
	text := said("%s of %s is free in %s", gigabytes(free), gigabytes(total), p.Data)
	var out []core.Finding
	switch {
	case p.Exclusive && free <= uint64(p.Reserve):
		out = one(fault(said("%s: the store refuses writes", text), said("Free up space, or lower the value of the option reserve.")))
	case free <= 2*uint64(p.Reserve) || free < min(total/10, littleFree):
		out = one(warning(text, said("Free up space: the embedded store refuses writes when less than the reserve of %s is free.", gigabytes(uint64(p.Reserve)))))
	default:
		out = one(good(text))
	}
	if !p.Exclusive {
		return out
	}
	return append(out, syncing(p.Data))
}

// slowSync is the duration of an fsync that users notice, because each post waits for one.
const slowSync = 30 * time.Millisecond

// syncing times writing a small file to disk.
func syncing(dir string) core.Finding {
	f, err := os.CreateTemp(dir, "doctor-*")
	if err != nil {
		return fault(said("Can't create a file in %s: %v", dir, err), said("Give the user that runs Linnet write access to this directory."))
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
			return fault(said("Can't write to a file in %s: %v", dir, err), "")
		}
		times[i] = time.Since(began)
	}
	slices.Sort(times)
	text := said("A 4 kB write with fsync takes %s", times[len(times)/2].Round(10*time.Microsecond))
	if times[len(times)/2] > slowSync {
		return warning(said("%s. Each new post has to wait this long", text), said("Use a disk with fast fsync, such as an SSD, but not a network drive. Alternatively set sync=interval, but then a crash can lose the last second of writes."))
	}
	return good(text)
}

// fewFiles is a limit of open files that a busy server can reach. Each connection takes one.
const fewFiles = 4096

// openFiles checks the limit of open files.
func openFiles(_ context.Context, p *Patient) []core.Finding {
	switch {
	case p.OpenFiles == 0: // the system doesn't report it
		return nil
	case p.OpenFiles < fewFiles:
		return one(warning(said("The process can open only %d files, and each connection needs one", p.OpenFiles), said("Raise the limit with ulimit -n, or with LimitNOFILE= in the systemd unit.")))
	}
	return one(good(said("The process can open %d files", p.OpenFiles)))
}

// memory checks that the machine has enough memory for the server.
func memory(_ context.Context, p *Patient) []core.Finding {
	text, has := said("The server may use about %s of memory", gigabytes(uint64(p.Memory))), gigabytes(uint64(p.HasMemory))
	lower := said("Lower the value of the option memory, or set it to auto.")
	switch {
	case p.HasMemory > 0 && p.Memory > p.HasMemory:
		return one(fault(said("%s; the machine has %s", text, has), lower))
	case p.HasMemory > 0 && p.Memory > p.HasMemory/4*3:
		return one(warning(said("%s; the machine has %s, but image processing and the system need memory too", text, has), lower))
	}
	return one(good(text))
}

// gigabytes formats a number of bytes for people.
func gigabytes(n uint64) wording.Message {
	if n < 1e9 {
		return said("%d MB", n/1e6)
	}
	return said("%.1f GB", float64(n)/1e9)
}
