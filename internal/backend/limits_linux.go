package backend

import (
	"errors"
	"fmt"
	"io"

	"golang.org/x/sys/unix"

	"linnet/internal/media"
)

// runLimited becomes another program, which has a minute of processor time, writes at
// most 64 MB into a file, and takes at most 2 GB of addresses. It yields to the server.
func runLimited(command []string, _ io.Reader, _, _ io.Writer) error {
	limit := func(what int, n uint64) error { return unix.Setrlimit(what, &unix.Rlimit{Cur: n, Max: n}) }
	if err := errors.Join(
		limit(unix.RLIMIT_AS, 2<<30),
		limit(unix.RLIMIT_CPU, 60), // seconds
		limit(unix.RLIMIT_FSIZE, 64<<20),
		limit(unix.RLIMIT_CORE, 0),
		unix.Setpriority(unix.PRIO_PROCESS, 0, 10)); err != nil {
		return fmt.Errorf("limit a program: %w", err)
	}
	return fmt.Errorf("run %s: %w", command[0], unix.Exec(command[0], command, []string{}))
}

// limitProcess bounds what this process may take: memory above what a picture may cost
// and the program itself has, processor time, and no files. It yields to the server.
func limitProcess() error {
	limit := func(what int, n uint64) error { return unix.Setrlimit(what, &unix.Rlimit{Cur: n, Max: n}) }
	return errors.Join(
		limit(unix.RLIMIT_DATA, media.MaxMemory+(200<<20)),
		limit(unix.RLIMIT_CPU, 30), // seconds
		limit(unix.RLIMIT_FSIZE, 0),
		limit(unix.RLIMIT_CORE, 0),
		unix.Setpriority(unix.PRIO_PROCESS, 0, 10))
}

// OpenFilesLimit is how many files the process may have open at a time.
func OpenFilesLimit() uint64 {
	var has unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &has); err != nil {
		return 0
	}
	return has.Cur
}
