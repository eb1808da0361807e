package torture

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
)

// verify compares the responses to all clients with their ledgers. It reads profiles first, which
// determine the state of unknown posts for the other checks.
func (r *Round) verify(ctx context.Context) error {
	all := slices.Concat(r.cast, []*member{r.run.star})
	for _, look := range []func(context.Context, *member) error{r.profile, r.favourites, r.following, r.home, r.marked, r.heard} {
		if err := each(all, 8, func(m *member) error { return look(ctx, m) }); err != nil {
			return err
		}
	}
	return each(r.run.sample(r.rng), 8, func(m *member) error { return r.followerHome(ctx, m) })
}

// profile checks that the profile contains each acknowledged post exactly once, no deleted one, and
// no unknown one.
func (r *Round) profile(ctx context.Context, m *member) error {
	list, err := r.c.pages(ctx, m.token, "/api/v1/accounts/"+m.id+"/statuses", true)
	if err != nil {
		return r.verdict(ctx, err)
	}
	shown := map[string][]string{}
	for _, s := range plain(list) {
		shown[s.text()] = append(shown[s.text()], s.ID)
	}
	for _, p := range m.posts {
		ids := shown[p.text]
		delete(shown, p.text)
		if len(ids) > 1 {
			r.problem("profile of %s: %q appears %d times", m.login, p.text, len(ids))
		}
		r.settle(m, p, ids)
	}
	for text := range shown {
		r.problem("profile of %s: %q was neither acknowledged nor sent with an unknown outcome", m.login, text)
	}
	return nil
}

// settle compares a post with the entries in its author's profile.
func (r *Round) settle(m *member, p *post, ids []string) {
	is := len(ids) > 0
	switch {
	case p.is == made && is && p.id != ids[0]:
		r.problem("profile of %s: %q was acknowledged as %s but is %s", m.login, p.text, p.id, ids[0])
	case p.there() && !is:
		r.lost("post %s %q of %s", p.id, p.text, m.login)
	case p.deleted == made && is:
		r.lost("the deletion of %s %q of %s", p.id, p.text, m.login)
	case p.is == absent && is:
		r.problem("profile of %s: %q was refused but exists", m.login, p.text)
	case p.is == unsure && is:
		r.mu.Lock()
		r.Made++
		r.mu.Unlock()
	}
	p.is, p.deleted = absent, absent
	if is {
		p.is, p.id = made, ids[0]
	}
}

func (r *Round) favourites(ctx context.Context, m *member) error {
	if len(m.favours) == 0 {
		return nil
	}
	list, err := r.c.pages(ctx, m.token, "/api/v1/favourites", false)
	if err != nil {
		return r.verdict(ctx, err)
	}
	shown := map[string]bool{}
	for _, s := range list {
		shown[s.text()] = true
	}
	for p, is := range m.favours {
		switch {
		case is == made && p.there() && !shown[p.text]:
			r.lost("the favourite of %s for %q", m.login, p.text)
		case is == absent && shown[p.text]:
			r.lost("the withdrawn favourite of %s for %q", m.login, p.text)
		case !p.there() && shown[p.text]:
			r.problem("favourites of %s: %q is missing", m.login, p.text)
		}
	}
	return nil
}

func (r *Round) following(ctx context.Context, m *member) error {
	if m == r.run.star {
		return nil
	}
	query := url.Values{}
	for _, other := range r.cast {
		query.Add("id[]", other.id)
	}
	var list []struct {
		ID        string `json:"id"`
		Following bool   `json:"following"`
	}
	if _, err := r.c.do(ctx, m.token, http.MethodGet, "/api/v1/accounts/relationships?"+query.Encode(), nil, "", &list); err != nil {
		return err
	}
	follows := map[string]bool{}
	for _, rel := range list {
		follows[rel.ID] = rel.Following
	}
	for _, other := range r.cast {
		is, want := follows[other.id], m.follows[other]
		if want == made && !is || want == absent && is {
			r.lost("%s follows %s: %v", m.login, other.login, is)
		}
		m.follows[other] = absent
		if is {
			m.follows[other] = made
		}
	}
	return nil
}

// home checks that home contains exactly the posts of the followees, the member and the star, once
// and in order.
func (r *Round) home(ctx context.Context, m *member) error {
	if m == r.run.star {
		return nil
	}
	want := map[string]bool{}
	add := func(who *member) {
		for _, p := range who.posts {
			if p.there() {
				want[p.text] = true
			}
		}
	}
	add(m)
	add(r.run.star)
	for other, is := range m.follows {
		if is == made {
			add(other)
		}
	}
	return r.compareHome(ctx, m, want)
}

// followerHome checks the home of a user who follows the star only.
func (r *Round) followerHome(ctx context.Context, m *member) error {
	want := map[string]bool{}
	for _, p := range r.run.star.posts {
		if p.there() {
			want[p.text] = true
		}
	}
	return r.compareHome(ctx, m, want)
}

func (r *Round) compareHome(ctx context.Context, m *member, want map[string]bool) error {
	list, err := r.c.pages(ctx, m.token, "/api/v1/timelines/home", true)
	if err != nil {
		return r.verdict(ctx, err)
	}
	missing := len(want)
	for _, s := range plain(list) {
		if !want[s.text()] {
			r.problem("home of %s: %s %q does not belong there", m.login, s.ID, s.text())
		} else {
			missing--
		}
	}
	if missing > 0 {
		shown := map[string]bool{}
		for _, s := range list {
			shown[s.text()] = true
		}
		for text := range want {
			if !shown[text] {
				r.problem("home of %s: %q is missing", m.login, text)
			}
		}
	}
	r.mu.Lock()
	r.Homes++
	r.mu.Unlock()
	return nil
}

// verdict records err, an incorrect list, as a problem. It returns err if the server cannot be
// read, which ends the run.
func (r *Round) verdict(ctx context.Context, err error) error {
	if ctx.Err() != nil || unsent(err) {
		return fmt.Errorf("read the current state: %w", err)
	}
	r.problem("%v", err)
	return nil
}
