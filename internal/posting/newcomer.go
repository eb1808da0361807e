package posting

import (
	"context"
	"math"
	"slices"
	"strings"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/statuses"
)

// newcomers limits what new accounts post.
type newcomers struct {
	st    *store.Store
	meter kv.Meter
	core  *core.Service
}

// admit counts a post of a new account. It returns an error for a post above the limits, or with a
// text that the account has posted within the hour. undo reverts the count if the post is not
// written. It is never nil.
func (s *newcomers) admit(ctx context.Context, me linnet.ID, text string, p prepared) (undo func(), err error) {
	undo = func() {}
	until, err := s.core.LimitedUntil(ctx, p.author)
	if err != nil || until.IsZero() {
		return undo, err
	}
	if p.idem != "" { // a repeated request isn't counted again
		b := s.st.Batch()
		was := b.Idempotent(me, p.idem)
		if err := b.Run(ctx); err != nil {
			return undo, core.StoreError(err)
		}
		if *was != 0 {
			return undo, statuses.ErrRepeated
		}
	}
	strangers, err := s.strangers(ctx, me, p)
	if err != nil {
		return undo, err
	}
	if key := said(me, text); key != "" {
		n, err := s.meter.Count(ctx, key, 1, core.NewWindow)
		if err != nil {
			return undo, core.StoreError(err)
		}
		if n > 1 {
			s.forget(ctx, me, text)
			return undo, linnet.FieldError("text", "ERR_TAKEN", "is the same as one of your posts from the last hour. A new account can't repeat a post so soon")
		}
	}
	undo = func() { s.forget(ctx, me, text) }
	if strangers > 0 {
		if _, _, err = s.core.CountNow(ctx, "newmention", me.String(), strangers, linnet.NewMentionsAnHour, core.NewWindow); err != nil {
			undo()
			s.uncount(ctx, "newmention", me, strangers)
			return func() {}, err
		}
		undo = func() { s.forget(ctx, me, text); s.uncount(ctx, "newmention", me, strangers) }
	}
	if _, _, err = s.core.Allow(ctx, "newpost", me.String(), linnet.NewPostsAnHour, core.NewWindow); err != nil {
		undo()
		return func() {}, err
	}
	return undo, nil
}

// uncount reverts a count. If it fails, the limit is reached earlier.
func (s *newcomers) uncount(ctx context.Context, what string, me linnet.ID, n int64) {
	_, _, _ = s.core.CountNow(context.WithoutCancel(ctx), what, me.String(), -n, math.MaxInt64, core.NewWindow)
}

// strangers returns the number of mentioned or quoted users who don't follow me. The author of a
// parent that mentions me doesn't count.
func (s *newcomers) strangers(ctx context.Context, me linnet.ID, p prepared) (n int64, err error) {
	var ids []linnet.ID
	for _, m := range p.mentions {
		answers := p.parent != nil && p.parent.Author == m.ID &&
			slices.ContainsFunc(p.parent.Mentions, func(m linnet.Mention) bool { return m.ID == me })
		if m.ID != me && !answers {
			ids = append(ids, m.ID)
		}
	}
	if q := p.quoted; q != nil && q.Author != me && !slices.Contains(ids, q.Author) {
		ids = append(ids, q.Author)
	}
	if len(ids) == 0 {
		return 0, nil
	}
	b := s.st.Batch()
	follow := b.RelatedOwners(record.Follows(), me, ids)
	if err := b.Run(ctx); err != nil {
		return 0, core.StoreError(err)
	}
	for _, id := range ids {
		if !follow.Has(id) {
			n++
		}
	}
	return n, nil
}

// said returns the key for counting a text of me, ignoring case, spaces and mentions. It returns ""
// if nothing else is left.
func said(me linnet.ID, text string) string {
	words := slices.DeleteFunc(strings.Fields(strings.ToLower(text)), func(w string) bool { return strings.HasPrefix(w, "@") })
	if len(words) == 0 {
		return ""
	}
	return "said:" + record.Hash(me.String() + " " + strings.Join(words, ""))[:32]
}

// forget allows a text to be posted again, because it was not written or is deleted.
func (s *newcomers) forget(ctx context.Context, me linnet.ID, text string) {
	if key := said(me, text); key != "" {
		_, _ = s.meter.Count(context.WithoutCancel(ctx), key, -1, core.NewWindow) // if it fails, the count expires in an hour
	}
}
