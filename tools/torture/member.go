package torture

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"time"
)

// member is a user whose client performs one act after the other.
type member struct {
	login string
	token string
	id    string
	n     int    // index in the cast
	list  string // id of the member's list
	rng   *rand.Rand
	ledger
}

// meet reads the id of a member.
func (m *member) meet(ctx context.Context, c *client) error {
	var who struct {
		ID string `json:"id"`
	}
	_, err := c.do(ctx, m.token, http.MethodGet, "/api/v1/accounts/verify_credentials", nil, "", &who)
	m.id = who.ID
	return err
}

// makeList creates the list of a member.
func (m *member) makeList(ctx context.Context, c *client) error {
	var l struct {
		ID string `json:"id"`
	}
	_, err := c.do(ctx, m.token, http.MethodPost, "/api/v1/lists", url.Values{"title": {"torture"}}, "", &l)
	m.list = l.ID
	return err
}

// judge returns the state of an act after a response.
func judge(err error, before, after state) state {
	switch {
	case err == nil:
		return after
	case refused(err):
		return before
	}
	return unsure
}

// publish posts a new status.
func (m *member) publish(ctx context.Context, r *Round) error {
	p := &post{text: fmt.Sprintf("torture %d %d %s %d", r.seed, r.Number, m.login, len(m.posts))}
	m.posts = append(m.posts, p)
	return m.send(ctx, r, p)
}

// send posts p, possibly again.
func (m *member) send(ctx context.Context, r *Round, p *post) error {
	var s status
	form := url.Values{"status": {p.text}, "visibility": {"public"}}
	if p.visibility != "" {
		form.Set("visibility", p.visibility)
	}
	_, err := r.c.do(ctx, m.token, http.MethodPost, "/api/v1/statuses", form, p.text, &s)
	p.is = judge(err, p.is, made)
	if err == nil {
		p.id = s.ID
		if !r.board.pin(p, s.ID) {
			r.problem("the id %s was issued twice", s.ID)
		}
	}
	return r.count(err)
}

func (m *member) remove(ctx context.Context, r *Round, p *post) error {
	_, err := r.c.do(ctx, m.token, http.MethodDelete, "/api/v1/statuses/"+p.id, nil, "", nil)
	if gone(err) && p.deleted == unsure {
		err = nil // deleted by the attempt without a response
	}
	p.deleted = judge(err, p.deleted, made)
	return r.count(err)
}

// favour adds or removes a favourite.
func (m *member) favour(ctx context.Context, r *Round, p *post, on bool) error {
	act, after := "favourite", made
	if !on {
		act, after = "unfavourite", absent
	}
	_, err := r.c.do(ctx, m.token, http.MethodPost, "/api/v1/statuses/"+p.id+"/"+act, nil, "", nil)
	m.favours[p] = judge(err, m.favours[p], after)
	if gone(err) {
		return nil // its author has deleted it
	}
	return r.count(err)
}

func (m *member) follow(ctx context.Context, r *Round, other *member, on bool) error {
	act, after := "follow", made
	if !on {
		act, after = "unfollow", absent
	}
	_, err := r.c.do(ctx, m.token, http.MethodPost, "/api/v1/accounts/"+other.id+"/"+act, nil, "", nil)
	m.follows[other] = judge(err, m.follows[other], after)
	return r.count(err)
}

// look reads the first page of home, which must be in order.
func (m *member) look(ctx context.Context, r *Round) error {
	var page []status
	_, err := r.c.do(ctx, m.token, http.MethodGet, "/api/v1/timelines/home?limit=20", nil, "", &page)
	for i := 1; i < len(page); i++ {
		if !older(page[i].ID, page[i-1].ID) {
			r.problem("home of %s: %s appears below %s", m.login, page[i].ID, page[i-1].ID)
		}
	}
	return err
}

// act performs a random act.
func (m *member) act(ctx context.Context, r *Round) error {
	p := r.board.any(m.rng.Int())
	other := r.cast[m.rng.IntN(len(r.cast))]
	switch n := m.rng.IntN(100); {
	case n < 30 || p == nil:
		return m.publish(ctx, r)
	case n < 37:
		return m.say(ctx, r)
	case n < 47:
		return m.anyMark(ctx, r, p)
	case n < 65:
		return m.favour(ctx, r, p, n < 60)
	case n < 75 && !r.neighbours(m, other) && m != other:
		return m.follow(ctx, r, other, n < 71)
	case n < 80:
		for _, own := range m.posts {
			if own.there() && m.rng.IntN(3) == 0 {
				return m.remove(ctx, r, own)
			}
		}
	}
	return m.look(ctx, r)
}

// live acts until the load ends, more slowly after errors. It opens a new connection when the
// server closes one, until connections are refused.
func (m *member) live(ctx context.Context, r *Round, acts int) {
	for i := 0; i < acts && !r.over.Load(); i++ {
		if err := m.act(ctx, r); err != nil {
			time.Sleep(20 * time.Millisecond)
		} else {
			time.Sleep(time.Duration(m.rng.IntN(20)) * time.Millisecond)
		}
	}
}
