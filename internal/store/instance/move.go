package instance

import (
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/record"
)

// ErrMoved is returned if the store was moved to another one and accepts no writes.
type ErrMoved struct{ To string }

func (e ErrMoved) Error() string {
	return fmt.Sprintf("the store was moved to %s: set it in the configuration, or move the store back with linnet migrate", e.To)
}

// Unwrap returns the errors of the port for a refused write.
func (e ErrMoved) Unwrap() []error { return []error{kv.ErrUnavailable, kv.ErrMoving} }

// ErrFilling is returned if a move into the store is incomplete.
type ErrFilling struct{ From string }

func (e ErrFilling) Error() string {
	return fmt.Sprintf("the migration of %s into this store is incomplete: wait if it is still running; if it was interrupted, run the same linnet migrate command again", e.From)
}

// errMoving is the error of a write while the store is being moved.
var errMoving = fmt.Errorf("%w: %w", kv.ErrUnavailable, kv.ErrMoving)

// Writable returns the writes that the record of a store's fence allows: all, writes at
// limited intervals, or none with ErrMoved or another kv.ErrMoving.
func Writable(fence *kv.Get) kv.WriteRule {
	if fence.Version == 0 {
		return kv.WriteRule{}
	}
	var r record.Fence
	switch err := record.Decode(fence, &r); {
	case err != nil:
		return kv.WriteRule{Err: err}
	case !r.Moved.IsZero():
		return kv.WriteRule{Err: ErrMoved{r.To}}
	case r.Closed && !r.Brief:
		return kv.WriteRule{Err: errMoving}
	}
	return kv.WriteRule{Gap: r.Gap, Brief: r.Brief}
}

// Unfenced returns a function that reports which kinds of keys can still be written during a move:
// local keys of the store, and keys for reads, which are rebuilt or expire within minutes.
func Unfenced() func(kind string) bool {
	copied := record.BackupKinds()
	return func(kind string) bool {
		_, ok := copied[kind]
		return !ok
	}
}
