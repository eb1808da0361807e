package discovery

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/view"
)

// Suggestions are computed once and cached for suggestAge. Each request checks whether a user can
// be suggested. The work is bounded: of the latest friendsLatest followees, friendsMost are
// sampled, and the latest followsMost follows of each are read. Popular users are searched among
// the popularAmong users of the directory who posted last.
const (
	suggestAge    = 10 * time.Minute
	suggestCached = 200 // cached per user
	friendsLatest = 500
	friendsMost   = 60
	followsMost   = 100
	popularAmong  = 500
	popularMost   = 80
	suggestSpare  = 5 // additional candidates that are checked first
)

// suggested is a candidate for a user.
type suggested struct {
	id      linnet.ID
	common  int
	popular bool
}

// popular has the users with the most followers among recently active ones.
type popular struct {
	at  time.Time
	ids []linnet.ID
}

// Suggestions returns users that me may want to follow. First are those with the most followers
// among me's followees (followers in common, as in Retwis), those with fewer followers first on a
// tie. Then follow popular users. All are discoverable and not groups. Users that me follows, has
// requested to follow, blocks, mutes or has dismissed, and those who block me, are left out. limit
// is 1 to linnet.MaxUsersPage; 0 means 40.
// https://docs.joinmastodon.org/methods/suggestions/#v2
func (s *Service) Suggestions(ctx context.Context, me linnet.ID, limit int) ([]linnet.Suggestion, error) {
	if limit == 0 {
		limit = linnet.MaxPage
	}
	limit = min(max(limit, 1), linnet.MaxUsersPage)
	found, ok := s.suggestions.Get(me)
	if !ok {
		var err error
		if found, err = s.suggest(ctx, me); err != nil {
			return nil, core.StoreError(err)
		}
		s.suggestions.Set(me, found)
	}
	out := make([]linnet.Suggestion, 0, limit)
	for n := limit + suggestSpare; len(found) > 0 && len(out) < limit; n *= 4 {
		n = min(n, len(found))
		some, err := s.suggestible(ctx, me, found[:n])
		if err != nil {
			return nil, err
		}
		out, found = append(out, some...), found[n:]
	}
	return out[:min(limit, len(out))], nil
}

// DismissSuggestion stops suggesting a user to me. The last thousand dismissals are stored.
// https://docs.joinmastodon.org/methods/suggestions/#remove
func (s *Service) DismissSuggestion(ctx context.Context, me, other linnet.ID) error {
	if err := s.social.MustExist(ctx, me, other); err != nil {
		return err
	}
	return core.StoreError(s.st.Relations.Dismiss(ctx, me, other))
}

// suggestible returns the candidates that can be suggested to me now, in their order.
func (s *Service) suggestible(ctx context.Context, me linnet.ID, found []suggested) ([]linnet.Suggestion, error) {
	ids := make([]linnet.ID, len(found))
	b := s.st.Batch()
	reader := b.Reader(me)
	refs := make([]*db.UserRef, len(found))
	for i, f := range found {
		ids[i], refs[i] = f.id, b.User(f.id)
		reader.AskPerson(f.id)
		reader.AskRelationship(f.id)
	}
	requested, dismissed := b.Related(record.Requests(), me, ids), b.InPrivateSet(record.Dismissed, me, ids)
	if err := b.Run(ctx); err != nil {
		return nil, core.StoreError(err)
	}
	out := make([]linnet.Suggestion, 0, len(found))
	for i, f := range found {
		m := reader.Relationship(f.id)
		if refs[i].User != nil && !view.MaySeeNetwork(me, refs[i].User, m) {
			f.common = 0
		}
		switch {
		case refs[i].User == nil, !refs[i].User.Person(), !refs[i].User.Listed(), f.id == me, m.Blocked(), m.Mutes():
		case reader.Person(f.id).Follows(), requested.Has(f.id), dismissed.Has(f.id):
		case f.common == 0 && (refs[i].User.Locked || !f.popular):
		default:
			out = append(out, linnet.Suggestion{UserView: s.view.UserView(refs[i]), Common: f.common, Popular: f.popular})
		}
	}
	return out, nil
}

// suggest computes the candidates for me.
func (s *Service) suggest(ctx context.Context, me linnet.ID) ([]suggested, error) {
	top, err := s.mostFollowed(ctx)
	if err != nil {
		return nil, err
	}
	common, err := s.friendsOfFriends(ctx, me)
	if err != nil {
		return nil, err
	}
	for _, id := range top {
		common[id] += 0 // adds users without followers in common too
	}
	all := make([]suggested, 0, len(common))
	b := s.st.Batch()
	refs := make(map[linnet.ID]*db.UserRef, len(common))
	for id, n := range common {
		if id != me {
			all = append(all, suggested{id, n, slices.Contains(top, id)})
		}
	}
	slices.SortFunc(all, func(a, b suggested) int { return cmp.Or(b.common-a.common, cmp.Compare(b.id, a.id)) })
	all = all[:min(len(all), suggestCached+popularMost)]
	for _, f := range all {
		refs[f.id] = b.User(f.id)
	}
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(f suggested) bool { u := refs[f.id].User; return u != nil && !u.Person() })
	for i := range all { // users who hide their followers have none in common
		if u := refs[all[i].id].User; u == nil || u.HideNetwork {
			all[i].common = 0
		}
	}
	slices.SortStableFunc(all, func(a, b suggested) int {
		fewer := cmp.Compare(refs[a.id].Followers, refs[b.id].Followers)
		if a.common == 0 {
			fewer = -fewer
		}
		return cmp.Or(b.common-a.common, fewer)
	})
	return all[:min(len(all), suggestCached)], nil
}

// friendsOfFriends counts, for each candidate, the followees of me who follow it: the intersection
// of me's follows with the candidate's followers, as far as it is read. Followees who hide their
// follows are left out.
func (s *Service) friendsOfFriends(ctx context.Context, me linnet.ID) (map[linnet.ID]int, error) {
	common := map[linnet.ID]int{}
	latest, err := s.st.Members(ctx, record.Follows().OwnedKey(me), linnet.Page{Limit: friendsLatest})
	if err != nil {
		return common, err
	}
	rand.Shuffle(len(latest), func(i, j int) { latest[i], latest[j] = latest[j], latest[i] })
	latest = latest[:min(len(latest), friendsMost)]
	ids := make([]linnet.ID, len(latest))
	for i, e := range latest {
		ids[i] = e.ID
	}
	open, err := s.view.OpenOf(ctx, me, ids)
	if err != nil {
		return common, err
	}
	friends := make([]linnet.ID, len(open))
	for i := range open {
		friends[i] = open[i].ID
	}
	follows, err := s.st.Relations.FollowedBy(ctx, friends, followsMost)
	for _, ids := range follows {
		for _, id := range ids {
			common[id]++
		}
	}
	for _, e := range latest {
		delete(common, e.ID)
	}
	return common, err
}

// mostFollowed returns the users with the most followers, from a cache.
func (s *Service) mostFollowed(ctx context.Context) ([]linnet.ID, error) {
	now := s.st.Now()
	if p := s.popular.Load(); p != nil && now.Sub(p.at).Abs() < suggestAge {
		return p.ids, nil
	}
	ids, err := s.st.Accounts.Directory(ctx, linnet.DirectoryActive, popularAmong)
	if err != nil {
		return nil, err
	}
	b := s.st.Batch()
	refs := make([]*db.UserRef, len(ids))
	for i, id := range ids {
		refs[i] = b.User(id)
	}
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	refs = slices.DeleteFunc(refs, func(r *db.UserRef) bool {
		return r.User == nil || !r.User.Person() || !r.User.Listed() || r.User.Locked || r.Followers == 0
	})
	slices.SortStableFunc(refs, func(a, b *db.UserRef) int { return cmp.Compare(b.Followers, a.Followers) })
	refs = refs[:min(len(refs), popularMost)]
	p := &popular{at: now, ids: make([]linnet.ID, len(refs))}
	for i, r := range refs {
		p.ids[i] = r.User.ID
	}
	s.popular.Store(p)
	return p.ids, nil
}
