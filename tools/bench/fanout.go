package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Names of the series of the measures fanout and streams. All durations count from the sending of
// the post.
const (
	seriesFirst = "first follower"
	seriesAny   = "any follower"
	seriesLast  = "last follower"
)

// fanout posts as one author and waits until the status appears at the homes of some followers.
type fanout struct {
	*crowd
	c        *collector
	author   *member
	watched  []*member
	seed     uint64
	poll     time.Duration // pause between two reads of a home
	patience time.Duration // after which a status counts as missing
	rounds   uint64
}

// patience is the time limit for a status to reach a follower.
const patience = time.Minute

// prepareFanout returns the load of the measure fanout: one post at a time.
func (b *bench) prepareFanout(ctx context.Context) ([]load, error) {
	authors, err := b.pickAuthors(ctx)
	if err != nil {
		return nil, err
	}
	// Without an author in the options it is the most followed one, which comes first.
	f := &fanout{crowd: b.crowd, c: b.collector, author: authors[0], seed: b.opts.Seed, poll: b.opts.Poll, patience: patience}
	followers, err := f.followersOf(ctx, f.author)
	if err != nil {
		return nil, err
	}
	if len(followers) == 0 {
		return nil, noFollowers(f.author, len(f.members))
	}
	// All homes are read, not only the watched ones, because a server may skip users who never
	// read.
	if err := f.each(ctx, b.opts.Connections, followers, f.warm); err != nil {
		return nil, err
	}
	f.watched = spread(followers, b.opts.Followers)
	b.collector.note(fmt.Sprintf("%s has %d followers; %d home timelines were read before, %d are watched, including the first and the last of the list",
		f.author.Login, f.author.followers, len(followers), len(f.watched)))
	return []load{{rate: b.opts.Rate, connections: 1, do: f.round}}, nil
}

func noFollowers(author *member, accounts int) error {
	return fmt.Errorf("none of the %[2]d accounts follows %[1]s: add tokens of followers", author.Login, accounts)
}

// followersOf returns an author's followers with known tokens, in the server's order.
// https://docs.joinmastodon.org/methods/accounts/#followers
func (c *crowd) followersOf(ctx context.Context, author *member) ([]*member, error) {
	known := map[string]*member{}
	for _, m := range c.members {
		known[strings.ToLower(m.Login)] = m
	}
	var out []*member
	for query := "limit=80"; query != ""; {
		var people []struct {
			Login string `json:"acct"`
		}
		path := "/api/v1/accounts/" + url.PathEscape(author.id) + "/followers?" + query
		a, err := c.decode(ctx, get(author, path), &people)
		if err != nil {
			return nil, err
		}
		for _, p := range people {
			if m := known[strings.ToLower(p.Login)]; m != nil {
				out = append(out, m)
			}
		}
		if query = nextQuery(a.header); len(people) == 0 {
			break
		}
	}
	return out, nil
}

// round posts a status and waits until all watched followers have it.
func (f *fanout) round(ctx context.Context, due time.Time) {
	f.rounds++
	id, a, err := f.publish(ctx, f.author, rand.New(rand.NewPCG(f.seed, f.rounds)), "")
	if err != nil && ctx.Err() != nil {
		return
	}
	f.c.record(opPost, due, a, err)
	if err != nil {
		pause(ctx, f.poll)
		return
	}
	delays := make([]time.Duration, len(f.watched))
	var looks sync.WaitGroup
	for i, m := range f.watched {
		looks.Go(func() { delays[i] = f.await(ctx, m, id, a.sent) })
	}
	looks.Wait()
	first, last := time.Duration(0), time.Duration(0)
	for _, d := range delays {
		if d == 0 { // missing
			return
		}
		if first == 0 || d < first {
			first = d
		}
		last = max(last, d)
		f.c.observe(seriesAny, 0, due, d)
	}
	f.c.observe(seriesFirst, 0, due, first)
	f.c.observe(seriesLast, 0, due, last)
}

// await reads a home until it contains the status. It returns the time from sent to the end of that
// read, which can be too long by one read and one pause. It returns 0 if the status is missing.
func (f *fanout) await(ctx context.Context, m *member, id string, sent time.Time) time.Duration {
	var p page
	for ctx.Err() == nil {
		since, _ := m.seen()
		r := get(m, f.homePath(since))
		now := time.Now()
		a, err := f.client.do(ctx, r, &p.body)
		if err == nil {
			if p.items, err = scanPage(p.body.Bytes(), p.items[:0]); err != nil {
				err = complaint(kindNotJSON, r, "%v: %.200q", err, p.body.Bytes())
			}
		}
		if err != nil && ctx.Err() != nil {
			return 0
		}
		if err == nil && holds(p.items, id) {
			m.sees(ends(a.header))
			f.c.record("look", now, a, nil)
			return a.done.Sub(sent)
		}
		if err == nil && time.Since(sent) > f.patience {
			err = complaint(kindUnseen, r, "status %s of %s did not arrive within %v", id, f.author.Login, f.patience)
		}
		f.c.record("look", now, a, err)
		if err != nil && time.Since(sent) > f.patience {
			return 0
		}
		pause(ctx, f.poll)
	}
	return 0
}

// pause sleeps for d, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
