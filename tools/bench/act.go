package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strconv"
	"time"
)

// mixer makes the requests of a mix.
type mixer struct {
	*crowd
	deck *deck
	c    *collector
}

// do makes a request of the mix as a random member.
func (m *mixer) do(ctx context.Context, due time.Time) {
	op, rng := m.deck.deal()
	who := m.members[rng.IntN(len(m.members))]
	a, err := m.act(ctx, op, who, rng)
	if err != nil && ctx.Err() != nil {
		return // interrupted
	}
	m.c.record(op, due, a, err)
}

// act makes a request of one operation.
func (m *mixer) act(ctx context.Context, op string, who *member, rng *rand.Rand) (answer, error) {
	switch op {
	case opPost:
		replyTo := "" // every third post is a reply, so that threads exist
		if rng.IntN(3) == 0 {
			replyTo = m.target(who, rng)
		}
		id, a, err := m.publish(ctx, who, rng, replyTo)
		if err == nil {
			m.remember(id)
		}
		return a, err
	case opHome:
		return m.readHome(ctx, who, "")
	case opHomeSince:
		newest, _ := who.seen()
		return m.readHome(ctx, who, newest)
	}
	return m.client.do(ctx, m.request(op, who, rng), nil)
}

func (m *mixer) readHome(ctx context.Context, who *member, since string) (answer, error) {
	a, err := m.client.do(ctx, get(who, m.homePath(since)), nil)
	if err == nil {
		who.sees(ends(a.header))
	}
	return a, err
}

// request returns requests whose responses are not evaluated.
func (m *mixer) request(op string, who *member, rng *rand.Rand) *request {
	other := m.members[rng.IntN(len(m.members))]
	for op == opFollow && other == who { // there are at least two members
		other = m.members[rng.IntN(len(m.members))]
	}
	limit := "limit=" + strconv.Itoa(m.limit)
	switch op {
	case opProfile:
		return get(who, "/api/v1/accounts/"+url.PathEscape(other.id)+"/statuses?"+limit)
	case opContext:
		return get(who, "/api/v1/statuses/"+url.PathEscape(m.target(who, rng))+"/context")
	case opNotifications:
		return get(who, "/api/v1/notifications?"+limit)
	case opFollow:
		return post(who, "/api/v1/accounts/"+url.PathEscape(other.id)+"/follow", "reblogs=true")
	case opSearch:
		return get(who, "/api/v2/search?type=accounts&"+limit+"&q="+url.QueryEscape(other.Login[:min(3, len(other.Login))]))
	case opMark:
		return m.mark(who, rng)
	case opSignUp:
		return m.signUp()
	}
	panic("unknown operation " + op)
}

// mark favourites or boosts. It only boosts statuses of the run, because others can be private, and
// boosting them is refused.
func (m *mixer) mark(who *member, rng *rand.Rand) *request {
	if id := m.anyPosted(rng); id != "" && rng.IntN(2) == 0 {
		return post(who, "/api/v1/statuses/"+url.PathEscape(id)+"/reblog", "visibility=public")
	}
	return post(who, "/api/v1/statuses/"+url.PathEscape(m.target(who, rng))+"/favourite", "")
}

// target returns the id of a status that is visible to who: an end of the last page of home, or a
// status of the run.
func (m *mixer) target(who *member, rng *rand.Rand) string {
	newest, oldest := who.seen()
	switch {
	case newest == "" && oldest == "":
		return m.anyPosted(rng)
	case newest == "" || oldest != "" && rng.IntN(2) == 0:
		return oldest
	}
	return newest
}

// signUp returns the request for a new account.
// https://docs.joinmastodon.org/methods/accounts/#create
func (m *mixer) signUp() *request {
	login := fmt.Sprintf("b%s_%s", m.run, strconv.FormatUint(m.number(), 36))
	r := post(nil, "/api/v1/accounts", url.Values{"username": {login}, "email": {login + "@example.com"},
		"password": {"a load of words"}, "agreement": {"true"}, "locale": {"en"}}.Encode())
	r.token = m.app
	return r
}
