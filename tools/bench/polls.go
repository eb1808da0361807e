package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"sync/atomic"
	"time"
)

// The measure "polls" is a community of normal users. They read home from time to time, with at
// least the rest between two reads, while a few of them post, favourite and follow. Caches for
// immediate repetitions have no effect.
const (
	pollPosts      = 5.0  // per second
	pollFavourites = 20.0 // per second
	pollFollows    = 2.0  // per second, alternating with unfollows
)

const (
	opFavourite = "favourite"
	opUnfollow  = "unfollow"
	opStatic    = "static bytes"
)

// polls reads homes in random order.
type polls struct {
	*crowd
	c     *collector
	order []*member
	turn  atomic.Uint64
	write atomic.Uint64
	seed  uint64
	still *still // nil for none
	last  atomic.Pointer[[2]*member]
}

// preparePolls returns the loads of the measure polls. All homes are read once before, so that the
// steady state is measured.
func (b *bench) preparePolls(ctx context.Context) ([]load, error) {
	m := &polls{crowd: b.crowd, c: b.collector, seed: b.opts.Seed}
	err := m.each(ctx, b.opts.Connections, m.members, func(ctx context.Context, who *member) error {
		if err := m.meet(ctx, who); err != nil {
			return err
		}
		return m.warm(ctx, who)
	})
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(b.opts.Seed, 4))
	for _, i := range rng.Perm(len(m.members)) {
		m.order = append(m.order, m.members[i])
	}
	id, _, err := m.publish(ctx, m.order[0], rng, "")
	if err != nil {
		return nil, err
	}
	m.remember(id)
	if b.opts.Static {
		a, err := m.client.do(ctx, get(m.order[0], m.homePath("")), nil)
		if err != nil {
			return nil, err
		}
		if m.still, err = startStill(ctx, a.bytes); err != nil {
			return nil, err
		}
		b.still = m.still
	}
	b.collector.note(fmt.Sprintf("no account polled its home timeline twice within %v", b.opts.Rest))
	return []load{
		{rate: b.opts.Rate, connections: b.opts.Connections, do: m.look},
		{rate: pollPosts, connections: writers, do: m.post},
		{rate: pollFavourites, connections: writers, do: m.favourite},
		{rate: pollFollows, connections: writers, do: m.follow},
	}, nil
}

// look reads the next home, and the same number of static bytes.
func (m *polls) look(ctx context.Context, due time.Time) {
	who := m.order[(m.turn.Add(1)-1)%uint64(len(m.order))]
	a, err := m.client.do(ctx, get(who, m.homePath("")), nil)
	if ctx.Err() != nil {
		return
	}
	m.c.record(opHome, due, a, err)
	if m.still != nil {
		m.still.read(ctx)
	}
}

// next returns a random source for the next write, and a random member.
func (m *polls) next() (*rand.Rand, *member) {
	rng := rand.New(rand.NewPCG(m.seed, m.write.Add(1)))
	return rng, m.members[rng.IntN(len(m.members))]
}

func (m *polls) post(ctx context.Context, due time.Time) {
	rng, who := m.next()
	id, a, err := m.publish(ctx, who, rng, "")
	if ctx.Err() != nil {
		return
	}
	if err == nil {
		m.remember(id)
	}
	m.c.record(opPost, due, a, err)
}

func (m *polls) favourite(ctx context.Context, due time.Time) {
	rng, who := m.next()
	a, err := m.client.do(ctx, post(who, "/api/v1/statuses/"+url.PathEscape(m.anyPosted(rng))+"/favourite", ""), nil)
	if ctx.Err() == nil {
		m.c.record(opFavourite, due, a, err)
	}
}

// follow makes a member follow another one, and the next time unfollow it, so that the follows stay
// the same.
func (m *polls) follow(ctx context.Context, due time.Time) {
	op, pair := opUnfollow, m.last.Swap(nil)
	if pair == nil {
		rng, who := m.next()
		op, pair = opFollow, &[2]*member{who, m.members[rng.IntN(len(m.members))]}
		if pair[1] == who {
			return
		}
		m.last.Store(pair)
	}
	a, err := m.client.do(ctx, post(pair[0], "/api/v1/accounts/"+url.PathEscape(pair[1].id)+"/"+op, ""), nil)
	if ctx.Err() == nil {
		m.c.record(op, due, a, err)
	}
}
