package backend

import (
	"errors"
	"fmt"
	"io"

	"golang.org/x/sys/unix"

	"linnet/internal/media"
)

// runLimited replaces this process with another program, with at most one minute of processor time,
// 64 MB per file, 2 GB of address space and a low priority.
func runLimited(command []string, _ io.Reader, _, _ io.Writer) error {
	if err := errors.Join(
		limit(unix.RLIMIT_AS, 2<<30),
		limit(unix.RLIMIT_CPU, 60), // seconds
		limit(unix.RLIMIT_FSIZE, 64<<20),
		limit(unix.RLIMIT_CORE, 0),
		unix.Setpriority(unix.PRIO_PROCESS, 0, 10)); err != nil {
		return fmt.Errorf("limit the memory of a process: %w", err)
	}
	return fmt.Errorf("run %s: %w", command[0], unix.Exec(command[0], command, []string{}))
}

// limitProcess limits the memory and processor time of this process, forbids writing files, and
// lowers its priority.
func limitProcess() error {
	return errors.Join(
		limit(unix.RLIMIT_DATA, media.MaxMemory+(200<<20)),
		limit(unix.RLIMIT_CPU, 30), // seconds
		limit(unix.RLIMIT_FSIZE, 0),
		limit(unix.RLIMIT_CORE, 0),
		unix.Setpriority(unix.PRIO_PROCESS, 0, 10))
}

func limit(what int, n uint64) error { return unix.Setrlimit(what, &unix.Rlimit{Cur: n, Max: n}) }

// OpenFilesLimit returns how many files the process can open at the same time. It returns 0 if the
// limit is unknown.
func OpenFilesLimit() uint64 {
	var has unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &has); err != nil {
		return 0
	}
	return has.Cur
}
