package bench

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// writers is the number of connections that write while homes are read.
	writers = 8
	// mostAuthors limits the number of authors who post while homes are read.
	mostAuthors = 64
	// freshest is the number of the newest statuses that can be favourited.
	freshest = 20
)

// homes reads home timelines and checks them.
type homes struct {
	*crowd
	c       *collector
	buffers sync.Pool // of *page
	turn    atomic.Uint64

	// Only with writes:
	ledger  *ledger
	grace   time.Duration
	authors []*member
	seed    uint64
	writes  atomic.Uint64
}

// page contains the buffers of a connection for a body.
type page struct {
	body  bytes.Buffer
	items []item
}

// prepareHome returns the loads of the measure home: readers, and with a write rate also authors
// that they follow.
func (b *bench) prepareHome(ctx context.Context) ([]load, error) {
	h := &homes{crowd: b.crowd, c: b.collector, seed: b.opts.Seed, grace: b.opts.StaleAfter,
		buffers: sync.Pool{New: func() any { return new(page) }}}
	if err := h.each(ctx, b.opts.Connections, h.members, h.warm); err != nil {
		return nil, err
	}
	loads := []load{{rate: b.opts.Rate, connections: b.opts.Connections, do: h.read}}
	if b.opts.WriteRate == 0 {
		return loads, nil
	}
	h.ledger = newLedger()
	if err := h.chooseAuthors(ctx, b.opts.Connections); err != nil {
		return nil, err
	}
	b.collector.note(fmt.Sprintf("%d followed authors posted; a page is stale if it lacks a post acknowledged more than %v before the request",
		len(h.authors), h.grace))
	return append(loads,
		load{rate: b.opts.WriteRate, connections: writers, do: h.write},
		load{rate: b.opts.WriteRate, connections: writers, do: h.favourite}), nil
}

// read reads a home. Accounts take turns.
func (h *homes) read(ctx context.Context, due time.Time) {
	who := h.members[(h.turn.Add(1)-1)%uint64(len(h.members))]
	p := h.buffers.Get().(*page)
	defer h.buffers.Put(p)
	r := get(who, h.homePath(""))
	a, err := h.client.do(ctx, r, &p.body)
	if err == nil {
		err = h.look(r, p, a.sent)
	}
	if err != nil && ctx.Err() != nil {
		return
	}
	h.c.record(opHome, due, a, err)
}

// look checks a page that was requested at sent.
func (h *homes) look(r *request, p *page, sent time.Time) (err error) {
	if p.items, err = scanPage(p.body.Bytes(), p.items[:0]); err != nil {
		return complaint(kindNotJSON, r, "%v: %.200q", err, p.body.Bytes())
	}
	if err := checkOrder(r, p.items); err != nil || h.ledger == nil {
		return err
	}
	return h.ledger.check(r, p.items, r.who.follows, sent.Add(-h.grace))
}

// write posts as the next author.
func (h *homes) write(ctx context.Context, due time.Time) {
	n := h.writes.Add(1)
	author := int(n % uint64(len(h.authors)))
	rng := rand.New(rand.NewPCG(h.seed, n))
	id, a, err := h.publish(ctx, h.authors[author], rng, "")
	if err == nil {
		h.ledger.posted(id, author, rng.IntN(len(h.members)), a.done)
	} else if ctx.Err() != nil {
		return
	}
	h.c.record(opPost, due, a, err)
}

// favourite favourites one of the newest statuses of the run. It does nothing if all members have
// favourited all of them.
func (h *homes) favourite(ctx context.Context, due time.Time) {
	start := int(h.turn.Load() % freshest)
	for i := range freshest {
		id, member, ok := h.ledger.toMark((start+i)%freshest, len(h.members))
		if !ok {
			continue
		}
		a, err := h.client.do(ctx, post(h.members[member], "/api/v1/statuses/"+url.PathEscape(id)+"/favourite", ""), nil)
		if err == nil {
			h.ledger.marked(id, a.done)
		} else if ctx.Err() != nil {
			return
		}
		h.c.record("favourite", due, a, err)
		return
	}
}

// chooseAuthors reads the followees of the readers and selects the most followed ones as authors.
func (h *homes) chooseAuthors(ctx context.Context, width int) error {
	if err := h.each(ctx, width, h.members, h.meet); err != nil {
		return err
	}
	byID := map[string]int{}
	for i, m := range h.members {
		byID[m.id] = i
	}
	var mu sync.Mutex
	followed := map[int][]*member{}
	err := h.each(ctx, width, h.members, func(ctx context.Context, m *member) error {
		var people []struct {
			ID string `json:"id"`
		}
		if _, err := h.decode(ctx, get(m, "/api/v1/accounts/"+url.PathEscape(m.id)+"/following?limit=80"), &people); err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		for _, p := range people {
			if i, ok := byID[p.ID]; ok {
				followed[i] = append(followed[i], m)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return h.appoint(followed)
}

// appoint selects the most followed members as authors.
func (h *homes) appoint(followed map[int][]*member) error {
	if len(followed) == 0 {
		return fmt.Errorf("none of the %d accounts follows another one, so no home timeline shows new posts", len(h.members))
	}
	var candidates []int
	for i := range followed {
		candidates = append(candidates, i)
	}
	slices.SortFunc(candidates, func(a, b int) int {
		return cmp.Or(cmp.Compare(len(followed[b]), len(followed[a])), cmp.Compare(a, b))
	})
	for n, i := range candidates[:min(len(candidates), mostAuthors)] {
		h.authors = append(h.authors, h.members[i])
		for _, reader := range followed[i] {
			if reader.follows == nil {
				reader.follows = map[int]bool{}
			}
			reader.follows[n] = true
		}
	}
	return nil
}
