package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
)

// crowd contains the accounts of a run and their client.
type crowd struct {
	client   *client
	members  []*member
	limit    int    // statuses per page
	password string // of all members, "" unless they log in
	run      string // makes keys and logins of the run unique

	prepared atomic.Int64 // number of prepared members

	mu     sync.Mutex
	posted []string // ring of the ids of the newest statuses of the run
	oldest int      // index in posted that is overwritten next
	serial uint64
	app    string // token of an app for sign-ups
}

// keptStatuses limits the statuses that a run remembers.
const keptStatuses = 1024

func (c *crowd) homePath(since string) string {
	path := "/api/v1/timelines/home?limit=" + strconv.Itoa(c.limit)
	if since != "" {
		path += "&since_id=" + url.QueryEscape(since)
	}
	return path
}

// number returns a new number for the run.
func (c *crowd) number() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.serial++
	return c.serial
}

// remember stores the id of a new status.
func (c *crowd) remember(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.posted) < keptStatuses {
		c.posted = append(c.posted, id)
		return
	}
	c.posted[c.oldest] = id
	c.oldest = (c.oldest + 1) % keptStatuses
}

// anyPosted returns the id of a random status of the run, or "".
func (c *crowd) anyPosted(rng *rand.Rand) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.posted) == 0 {
		return ""
	}
	return c.posted[rng.IntN(len(c.posted))]
}

// each calls f for each member, width at a time, until the first error.
func (c *crowd) each(ctx context.Context, width int, members []*member, f func(context.Context, *member) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(width, len(members)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(members) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if err := f(ctx, members[i]); err != nil {
					cancel(err)
				}
			}
		})
	}
	workers.Wait()
	return context.Cause(ctx)
}

// decode makes a request and decodes the JSON response into v.
func (c *crowd) decode(ctx context.Context, r *request, v any) (answer, error) {
	var body bytes.Buffer
	a, err := c.client.do(ctx, r, &body)
	if err != nil {
		return a, err
	}
	if err := json.Unmarshal(body.Bytes(), v); err != nil {
		return a, complaint(kindNotJSON, r, "%v", err)
	}
	return a, nil
}

// meet reads the account of a member.
// https://docs.joinmastodon.org/methods/accounts/#verify_credentials
func (c *crowd) meet(ctx context.Context, m *member) error {
	var who struct {
		ID        string `json:"id"`
		Followers int    `json:"followers_count"`
	}
	if _, err := c.decode(ctx, get(m, "/api/v1/accounts/verify_credentials"), &who); err != nil {
		return err
	}
	if who.ID == "" {
		return fmt.Errorf("the account of %s has no id: is this a Mastodon API?", m.Login)
	}
	m.id, m.followers = who.ID, who.Followers
	c.prepared.Add(1)
	return nil
}

// warm reads a member's home once, so that the server has it in its caches, as for frequent
// readers.
func (c *crowd) warm(ctx context.Context, m *member) error {
	a, err := c.client.do(ctx, get(m, c.homePath("")), nil)
	if err != nil {
		return err
	}
	m.sees(ends(a.header))
	return nil
}

// publish posts a status, as a reply if replyTo is set, and returns its id.
func (c *crowd) publish(ctx context.Context, m *member, rng *rand.Rand, replyTo string) (id string, a answer, err error) {
	return c.publishText(ctx, m, statusText(rng), replyTo)
}

// publishText posts a status with the given text.
// https://docs.joinmastodon.org/methods/statuses/#create
func (c *crowd) publishText(ctx context.Context, m *member, text, replyTo string) (id string, a answer, err error) {
	form := url.Values{"status": {text}, "visibility": {"public"}}
	if replyTo != "" {
		form.Set("in_reply_to_id", replyTo)
	}
	r := post(m, "/api/v1/statuses", form.Encode())
	r.key = fmt.Sprintf("bench-%s-%d", c.run, c.number())
	var s struct {
		ID string `json:"id"`
	}
	if a, err = c.decode(ctx, r, &s); err != nil {
		return "", a, err
	}
	if s.ID == "" {
		return "", a, complaint(kindNotJSON, r, "the new status has no id")
	}
	return s.ID, a, nil
}
