package rediskv

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
)

const (
	// copyQuiet limits the wait for an instant without writes if writes cannot be paused.
	copyQuiet = 20 * time.Second
	// copyBreath is the time between two checks for such an instant.
	copyBreath = time.Millisecond
)

// quiet ends a copy if no user may pause writes. It waits for an instant without writes: after the
// last changes are read, it asks all masters twice. If no further change is reported, the copy is
// the state of all masters between the two. The instant must last for about three round trips. With
// very many writes there is none, and quiet returns kv.ErrUnavailable with the missing permission.
func (c *copying) quiet(ctx context.Context, refused error) error {
	if err := c.e.admit(ctx); err != nil {
		return err
	}
	defer c.e.leave()
	for end := time.Now().Add(copyQuiet); time.Now().Before(end); {
		done, err := c.look(ctx)
		if done || err != nil {
			return err
		}
		if !sleep(ctx, copyBreath) {
			return ctx.Err()
		}
	}
	return noInstant(refused)
}

// noInstant returns the error of a copy during which writes never stopped.
func noInstant(refused error) error {
	return fmt.Errorf("%w: writes did not stop within %v and cannot be paused: %w", kv.ErrUnavailable, copyQuiet, mayPause(refused))
}

// look reads the changed records, and reports whether nothing else has changed until then.
func (c *copying) look(ctx context.Context) (bool, error) {
	masters, nodes, err := c.nodes(ctx)
	if err != nil {
		return false, classify(ctx, err, reading)
	}
	if err := c.readKeys(ctx, c.take(), false); err != nil {
		return false, err
	}
	for round := range 2 {
		now, err := c.tracker.ping(ctx) // all earlier changes have been reported by then
		if err != nil {
			return false, classify(ctx, err, reading)
		}
		if !slices.Equal(now, masters) {
			return false, errMissedChanges
		}
		if c.waiting() > 0 {
			return false, c.whole()
		}
		if round > 0 {
			break
		}
		if c.moment, err = timeOf(ctx, nodes[0]); err != nil {
			return false, classify(ctx, err, reading)
		}
	}
	return true, c.whole()
}

func timeOf(ctx context.Context, node rueidis.Client) (time.Time, error) {
	parts, err := node.Do(ctx, node.B().Time().Build()).AsStrSlice()
	if err != nil {
		return time.Time{}, err
	}
	return parseTime(parts)
}

// forbidden reports whether a server refuses a command to this user or to all users.
func forbidden(err error) bool {
	var answer *rueidis.RedisError
	if !errors.As(err, &answer) {
		return false
	}
	text := strings.ToLower(answer.Error())
	return strings.HasPrefix(text, "noperm") || strings.Contains(text, "unknown command") || strings.Contains(text, "unknown subcommand")
}
