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

// Round is the result of one fault with the acts before and after it.
type Round struct {
	Number int
	Fault  string

	Acked   int // acknowledged acts
	Unknown int // acts without a response or with a server error
	Denied  int // refused acts
	Made    int // unknown posts that were found

	Strays int // feed entries that do not belong there and are not shown

	Lost     []string // acknowledged acts that are missing
	Problems []string // other errors

	Serving    time.Duration // from the start of the server or its store until it is ready
	Drained    time.Duration // from then until no tasks were left
	Refused503 int           // 503 responses during the outage of the store
	Slowest503 time.Duration
	Homes      int   // timelines read to their end
	Checked    int64 // keys checked by linnet check

	run   *run
	c     *client
	seed  uint64
	rng   *rand.Rand
	cast  []*member
	board board
	over  atomic.Bool
	mu    sync.Mutex
}

// ring is the number of next members in the cast that each member follows throughout.
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

// lost records a missing acknowledged act.
func (r *Round) lost(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Lost = append(r.Lost, fmt.Sprintf(format, args...))
}

// count counts the result of an act and returns it.
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
		r.problem("an action was refused: %v", err)
	}
	return err
}

// prepare reads the ids of the cast, and makes each member follow the next ones.
func (r *Round) prepare(ctx context.Context) error {
	err := each(r.cast, 16, func(m *member) error {
		if err := m.meet(ctx, r.c); err != nil {
			return err
		}
		return m.makeList(ctx, r.c)
	})
	if err != nil {
		return fmt.Errorf("look up the accounts: %w", err)
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

// repeat repeats half of the unknown posts and deletions, like a client, and all unknown marks and
// follows.
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

// clientPatience is the time for which a client retries while the store is unavailable. Parts of a
// Cluster recover later than the whole.
const clientPatience = 15 * time.Second

// insist repeats an act while the response is 503.
func insist(act func() error) error {
	for end := time.Now().Add(clientPatience); ; time.Sleep(200 * time.Millisecond) {
		err := act()
		var a *answerError
		if !errors.As(err, &a) || a.code != http.StatusServiceUnavailable || time.Now().After(end) {
			return err
		}
	}
}

// String returns the round in one line, with another line per problem. Problems come first, because
// only 20 lines are printed and a lossy store may lose many acts.
func (r *Round) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "round %d, %s: %d actions acknowledged, %d unknown (%d of these posts were created), %d lost; serving again in %v, drained in %v",
		r.Number, r.Fault, r.Acked, r.Unknown, r.Made, len(r.Lost), r.Serving.Round(time.Millisecond), r.Drained.Round(time.Millisecond))
	if r.Refused503 > 0 {
		fmt.Fprintf(&b, "; %d times 503, the slowest after %v", r.Refused503, r.Slowest503.Round(time.Millisecond))
	}
	fmt.Fprintf(&b, "; %d homes and %d keys checked", r.Homes, r.Checked)
	if r.Strays > 0 {
		fmt.Fprintf(&b, "; %d stray entries of feeds, not shown", r.Strays)
	}
	for i, p := range slices.Concat(r.Problems, r.Lost) {
		if i == 20 {
			fmt.Fprintf(&b, "\n  and more")
			break
		}
		fmt.Fprintf(&b, "\n  %s", p)
	}
	return b.String()
}

// each calls f for all elements, width at a time, and returns the errors.
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
