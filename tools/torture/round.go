package torture

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Round is one blow with what came before and after it.
type Round struct {
	Number int
	Fault  string

	Acked   int // acts that were acknowledged
	Unknown int // acts whose answer was lost or an error of the server
	Denied  int // acts that were refused
	Made    int // of the unknown posts: found to have been made

	Strays int // entries of feeds that are not shown and should not be there

	Lost     []string // acknowledged, and not there
	Problems []string // whatever else is wrong

	Serving    time.Duration // from the start of the server, or of its store, until it serves again
	Drained    time.Duration // from then until no task was left
	Refused503 int           // answers while the store was away
	Slowest503 time.Duration
	Homes      int   // timelines that were read to their end
	Checked    int64 // keys that linnet check looked at

	run   *run
	c     *client
	seed  uint64
	rng   *rand.Rand
	cast  []*member
	board board
	over  atomic.Bool
	mu    sync.Mutex
}

// ring is how many of the next in the cast each of them follows throughout.
const ring = 4

// neighbours reports whether a follows b throughout the round.
func (r *Round) neighbours(a, b *member) bool {
	d := (b.n - a.n + len(r.cast)) % len(r.cast)
	return d >= 1 && d <= ring
}

func (r *Round) problem(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
}

// lost notes an acknowledged act that is not there.
func (r *Round) lost(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Lost = append(r.Lost, fmt.Sprintf(format, args...))
}

// count counts the outcome of an act and passes it on.
func (r *Round) count(err error) error {
	r.mu.Lock()
	switch {
	case err == nil:
		r.Acked++
	case unsent(err):
	case refused(err):
		r.Denied++
	default:
		r.Unknown++
	}
	r.mu.Unlock()
	var a *answerError
	if errors.As(err, &a) && a.code < 500 && !(r.run.opt.Lossy && gone(err)) {
		r.problem("an act was refused: %v", err)
	}
	return err
}

// prepare gives each of the cast an identity and the follows of the ring.
func (r *Round) prepare(ctx context.Context) error {
	err := each(r.cast, 16, func(m *member) error {
		if err := m.meet(ctx, r.c); err != nil {
			return err
		}
		return m.makeList(ctx, r.c)
	})
	if err != nil {
		return fmt.Errorf("learn who is who: %w", err)
	}
	return each(r.cast, 16, func(m *member) error {
		for i := 1; i <= ring; i++ {
			if err := m.follow(ctx, r, r.cast[(m.n+i)%len(r.cast)], true); err != nil {
				return err
			}
		}
		_, err := r.c.pages(ctx, m.token, "/api/v1/timelines/home", true)
		return err
	})
}

// repeat sends half of the posts and deletions that are unknown once more, as a
// client would, and all marks and follows.
func (r *Round) repeat(ctx context.Context) error {
	all := slices.Concat(r.cast, []*member{r.run.star})
	err := each(all, 8, func(m *member) error {
		for _, p := range slices.Concat(m.posts, m.said) {
			if p.is == unsure && m.rng.IntN(2) == 0 {
				if err := insist(func() error { return m.send(ctx, r, p) }); err != nil {
					return err
				}
			}
			if p.deleted == unsure && m.rng.IntN(2) == 0 {
				if err := insist(func() error { return m.remove(ctx, r, p) }); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return errors.Join(err, each(all, 8, func(m *member) error {
		for p, is := range m.favours {
			if is == unsure {
				if err := insist(func() error { return m.favour(ctx, r, p, true) }); err != nil {
					return err
				}
			}
		}
		for other, is := range m.follows {
			if is == unsure {
				if err := insist(func() error { return m.follow(ctx, r, other, true) }); err != nil {
					return err
				}
			}
		}
		for k, is := range m.marks {
			if is == unsure {
				if err := insist(func() error { return m.put(ctx, r, k, true) }); err != nil {
					return err
				}
			}
		}
		return nil
	}))
}

// clientPatience is how long a client tries again while it is told that the store does
// not answer: parts of a Cluster come back later than the whole.
const clientPatience = 15 * time.Second

// insist repeats an act while the server says that it could not do it now.
func insist(act func() error) error {
	for end := time.Now().Add(clientPatience); ; time.Sleep(200 * time.Millisecond) {
		err := act()
		var a *answerError
		if !errors.As(err, &a) || a.code != http.StatusServiceUnavailable || time.Now().After(end) {
			return err
		}
	}
}

// String is the round in one line, and more lines if something was wrong.
func (r *Round) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "round %d, %s: %d acts acknowledged, %d unknown (%d of these posts made), %d lost; serving again in %v, drained in %v",
		r.Number, r.Fault, r.Acked, r.Unknown, r.Made, len(r.Lost), r.Serving.Round(time.Millisecond), r.Drained.Round(time.Millisecond))
	if r.Refused503 > 0 {
		fmt.Fprintf(&b, "; %d times 503, the slowest after %v", r.Refused503, r.Slowest503.Round(time.Millisecond))
	}
	fmt.Fprintf(&b, "; %d homes and %d keys checked", r.Homes, r.Checked)
	if r.Strays > 0 {
		fmt.Fprintf(&b, "; %d stray entries of feeds, not shown", r.Strays)
	}
	for i, p := range slices.Concat(r.Lost, r.Problems) {
		if i == 20 {
			fmt.Fprintf(&b, "\n  and more")
			break
		}
		fmt.Fprintf(&b, "\n  %s", p)
	}
	return b.String()
}

// each calls f for all, some at a time, and returns the errors.
func each[T any](all []T, width int, f func(T) error) error {
	var next atomic.Int64
	errs := make([]error, width)
	var workers sync.WaitGroup
	for w := range width {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(all) && errs[w] == nil; i = int(next.Add(1)) - 1 {
				errs[w] = f(all[i])
			}
		})
	}
	workers.Wait()
	return errors.Join(errs...)
}
