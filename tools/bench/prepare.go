package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
)

// outOfBand is the redirect address of programs without one.
const outOfBand = "urn:ietf:wg:oauth:2.0:oob"

// prepareMix prepares the crowd for a mix: the members' ids and homes, a status for acts, and an
// app for sign-ups.
func (b *bench) prepareMix(ctx context.Context, mix []share) ([]load, error) {
	uses := func(op string) bool { return slices.ContainsFunc(mix, func(s share) bool { return s.op == op }) }
	if uses(opSignUp) {
		if err := b.crowd.register(ctx); err != nil {
			return nil, err
		}
	}
	err := b.crowd.each(ctx, b.opts.Connections, b.crowd.members, func(ctx context.Context, m *member) error {
		if err := b.crowd.meet(ctx, m); err != nil {
			return err
		}
		return b.crowd.warm(ctx, m)
	})
	if err != nil {
		return nil, err
	}
	if uses(opContext) || uses(opMark) {
		id, _, err := b.crowd.publish(ctx, b.crowd.members[0], rand.New(rand.NewPCG(b.opts.Seed, 3)), "")
		if err != nil {
			return nil, err
		}
		b.crowd.remember(id)
	}
	m := &mixer{crowd: b.crowd, deck: newDeck(mix, b.opts.Seed), c: b.collector}
	return []load{{rate: b.opts.Rate, connections: b.opts.Connections, do: m.do}}, nil
}

// register creates an app and gets its token, which allows sign-ups.
// https://docs.joinmastodon.org/methods/apps/#create, RFC 6749 section 4.4
func (c *crowd) register(ctx context.Context) error {
	var app struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
	}
	form := url.Values{"client_name": {"linnet bench"}, "redirect_uris": {outOfBand}, "scopes": {"read write follow"}}
	if _, err := c.decode(ctx, post(nil, "/api/v1/apps", form.Encode()), &app); err != nil {
		return fmt.Errorf("register an app for sign-ups: %w", err)
	}
	var token struct {
		Token string `json:"access_token"`
	}
	form = url.Values{"grant_type": {"client_credentials"}, "client_id": {app.ID}, "client_secret": {app.Secret},
		"scope": {"read write follow"}, "redirect_uri": {outOfBand}}
	if _, err := c.decode(ctx, post(nil, "/oauth/token", form.Encode()), &token); err != nil {
		return fmt.Errorf("get a token for sign-ups: %w", err)
	}
	c.app = token.Token
	return nil
}
