package social

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/record"
)

// newWindow is what the limits of new accounts are counted in, and how long the
// same text is not taken twice.
const newWindow = time.Hour

// limited reports whether the tighter limits for new accounts hold for a user.
// For others than new accounts it takes no round trip.
func (s *Service) limited(ctx context.Context, u *linnet.User) (bool, error) {
	age := s.st.Now().Sub(u.ID.Time())
	if !s.opt.LimitNew || u.Role != linnet.Member || age >= linnet.MaxNewDays*24*time.Hour {
		return false, nil
	}
	now, err := s.knownSettings(ctx)
	if err != nil {
		return false, err
	}
	return age < time.Duration(now.newDays)*24*time.Hour, nil
}

// admitPost counts a post of a new account, and refuses one that goes beyond the
// limits or says what the account has said within the hour. What cannot be
// written after all is taken back by undo, which is never nil.
func (s *Service) admitPost(ctx context.Context, me linnet.ID, text string, p prepared) (undo func(), err error) {
	undo = func() {}
	new, err := s.limited(ctx, p.author)
	if err != nil || !new {
		return undo, err
	}
	strangers, err := s.strangers(ctx, me, p)
	if err != nil {
		return undo, err
	}
	if err := s.firstTime(ctx, me, text); err != nil {
		return undo, err
	}
	undo = func() { s.unsay(ctx, me, text) }
	if strangers > 0 {
		if _, _, err = s.allow(ctx, "newmention", me.String(), strangers, linnet.NewMentionsAnHour, newWindow); err != nil {
			undo()
			s.uncount(ctx, "newmention", me, strangers)
			return func() {}, err
		}
		undo = func() { s.unsay(ctx, me, text); s.uncount(ctx, "newmention", me, strangers) }
	}
	if _, _, err = s.Allow(ctx, "newpost", me.String(), linnet.NewPostsAnHour, newWindow); err != nil {
		undo()
		return func() {}, err
	}
	return undo, nil
}

// uncount takes back what was counted. If it fails, so much less is left.
func (s *Service) uncount(ctx context.Context, what string, me linnet.ID, n int64) {
	_, _, _ = s.allow(context.WithoutCancel(ctx), what, me.String(), -n, math.MaxInt64, newWindow)
}

// strangers counts those mentioned who do not follow me, without the author of a
// status that mentions me, whom a reply may well name.
func (s *Service) strangers(ctx context.Context, me linnet.ID, p prepared) (n int64, err error) {
	var ids []linnet.ID
	for _, m := range p.mentions {
		answers := p.parent != nil && p.parent.Author == m.ID &&
			slices.ContainsFunc(p.parent.Mentions, func(m linnet.Mention) bool { return m.ID == me })
		if m.ID != me && !answers {
			ids = append(ids, m.ID)
		}
	}
	if len(ids) == 0 {
		return 0, nil
	}
	b := s.st.Batch()
	follow := b.EdgeHasOwner(record.Follows(), me, ids)
	if err := b.Run(ctx); err != nil {
		return 0, kvError(err)
	}
	for _, id := range ids {
		if !follow.Has(id) {
			n++
		}
	}
	return n, nil
}

// said is the name of the count of a text that me has posted, "" if it says
// nothing: without regard to case, spaces and whom it mentions.
func said(me linnet.ID, text string) string {
	words := slices.DeleteFunc(strings.Fields(strings.ToLower(text)), func(w string) bool { return strings.HasPrefix(w, "@") })
	if len(words) == 0 {
		return ""
	}
	return "said:" + record.Hash(me.String() + " " + strings.Join(words, ""))[:32]
}

// firstTime counts a text and refuses one that was counted within the hour.
func (s *Service) firstTime(ctx context.Context, me linnet.ID, text string) error {
	key := said(me, text)
	if key == "" {
		return nil
	}
	n, err := s.st.Engine().Count(ctx, key, 1, newWindow)
	if err != nil {
		return kvError(err)
	}
	if n > 1 {
		s.unsay(ctx, me, text)
		return errSaid()
	}
	return nil
}

// unsay lets a text be posted again: it was not written after all, or is deleted.
func (s *Service) unsay(ctx context.Context, me linnet.ID, text string) {
	if key := said(me, text); key != "" {
		_, _ = s.st.Engine().Count(context.WithoutCancel(ctx), key, -1, newWindow) // if it fails, an hour must pass
	}
}

// errSaid refuses what a new account has said already.
func errSaid() error {
	return linnet.FieldError("text", "ERR_TAKEN", "was posted by you within the last hour; new accounts cannot post the same again so soon")
}

func isSaid(err error) bool {
	var e *linnet.Error
	return errors.As(err, &e) && len(e.Fields) == 1 && e.Fields[0].Code == "ERR_TAKEN"
}

// admitFollow counts a follow, or a request to, of a new account. What is so
// already counts nothing.
func (s *Service) admitFollow(ctx context.Context, me, other linnet.ID) error {
	u, err := s.user(ctx, me)
	if err != nil || u == nil {
		return err
	}
	if new, err := s.limited(ctx, u); err != nil || !new {
		return err
	}
	r, err := s.relationship(ctx, me, other)
	if err != nil || r.Following || r.Requested {
		return err
	}
	_, _, err = s.Allow(ctx, "newfollow", me.String(), linnet.NewFollowsAnHour, newWindow)
	return err
}
