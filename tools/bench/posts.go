package bench

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// usualAuthors is the default number of authors in the measure post.
const usualAuthors = 10

// posts posts as a few authors in turn.
type posts struct {
	*crowd
	c       *collector
	authors []*member
	seed    uint64
	turn    atomic.Uint64
}

// preparePost returns the load of the measure post.
func (b *bench) preparePost(ctx context.Context) ([]load, error) {
	authors, err := b.pickAuthors(ctx)
	if err != nil {
		return nil, err
	}
	p := &posts{crowd: b.crowd, c: b.collector, authors: authors, seed: b.opts.Seed}
	return []load{{rate: b.opts.Rate, connections: b.opts.Connections, do: p.do}}, nil
}

func (p *posts) do(ctx context.Context, due time.Time) {
	n := p.turn.Add(1) - 1
	author := p.authors[n%uint64(len(p.authors))]
	_, a, err := p.publish(ctx, author, rand.New(rand.NewPCG(p.seed, n)), "")
	if err != nil && ctx.Err() != nil {
		return
	}
	p.c.record(opPost, due, a, err)
	if err == nil {
		p.c.observe(author.Login, author.followers, due, a.done.Sub(due))
	}
}

// pickAuthors returns the authors in the options, or else a few accounts from the most to the least
// followed one.
func (b *bench) pickAuthors(ctx context.Context) ([]*member, error) {
	members := b.crowd.members
	if len(b.opts.Authors) > 0 {
		members = nil
		for _, login := range b.opts.Authors {
			m := b.crowd.find(login)
			if m == nil {
				return nil, fmt.Errorf("the author %s is not among the %d accounts", login, len(b.crowd.members))
			}
			members = append(members, m)
		}
	}
	if err := b.crowd.each(ctx, b.opts.Connections, members, b.crowd.meet); err != nil {
		return nil, err
	}
	if len(b.opts.Authors) > 0 {
		return members, nil
	}
	sorted := slices.Clone(members)
	slices.SortFunc(sorted, func(a, b *member) int {
		return cmp.Or(cmp.Compare(b.followers, a.followers), cmp.Compare(a.Login, b.Login))
	})
	return spread(sorted, usualAuthors), nil
}

// find returns the member with a login, or nil.
func (c *crowd) find(login string) *member {
	for _, m := range c.members {
		if strings.EqualFold(m.Login, strings.TrimPrefix(login, "@")) {
			return m
		}
	}
	return nil
}

// spread returns n evenly spaced elements, including the first and the last.
func spread[T any](all []T, n int) []T {
	if len(all) <= n {
		return all
	}
	if n == 1 {
		return all[len(all)-1:]
	}
	out := make([]T, n)
	for i := range out {
		out[i] = all[i*(len(all)-1)/(n-1)]
	}
	return out
}
