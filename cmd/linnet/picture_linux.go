package main

import (
	"errors"

	"golang.org/x/sys/unix"

	"linnet/internal/media"
)

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
