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
	// copyQuiet is for how long an instant without writes is waited for where writes cannot
	// be held back.
	copyQuiet = 20 * time.Second
	// copyBreath lies between two looks for one.
	copyBreath = time.Millisecond
)

// quiet ends a copy where the servers let nobody hold writes back: it looks for an instant at
// which nobody writes. The last changes are read; if then, after all masters were asked twice,
// no other has been heard, what was read was the state of all of them between the two.
// Such an instant has to last about as long as three answers take, so with very many writes
// there is none: kv.ErrUnavailable, which says what right is missing.
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

// noInstant ends a copy for which nobody stopped writing.
func noInstant(refused error) error {
	return fmt.Errorf("%w: there was no instant without writes within %v, and none may be made: %w", kv.ErrUnavailable, copyQuiet, mayPause(refused))
}

// look reads what has changed, and says whether nothing else has until then.
func (c *copying) look(ctx context.Context) (bool, error) {
	masters, nodes, err := c.nodes(ctx)
	if err != nil {
		return false, classify(ctx, err, reading)
	}
	if err := c.readKeys(ctx, c.take(), false); err != nil {
		return false, err
	}
	for round := range 2 {
		now, err := c.tracker.ping(ctx) // what was changed before has been heard then
		if err != nil {
			return false, classify(ctx, err, reading)
		}
		if !slices.Equal(now, masters) {
			return false, errUnheard
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

// forbidden says whether a server refuses a command to this user, or to everybody.
func forbidden(err error) bool {
	var answer *rueidis.RedisError
	if !errors.As(err, &answer) {
		return false
	}
	text := strings.ToLower(answer.Error())
	return strings.HasPrefix(text, "noperm") || strings.Contains(text, "unknown command") || strings.Contains(text, "unknown subcommand")
}
