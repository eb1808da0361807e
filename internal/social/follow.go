package social

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/store/relations"
)

// Follow makes me follow other, or request it if other is locked. For an existing follow or request
// it changes the options.
// https://docs.joinmastodon.org/methods/accounts/#follow
func (s *Service) Follow(ctx context.Context, me, other linnet.ID, o linnet.FollowOptions) (linnet.Relationship, error) {
	if me == other {
		return linnet.Relationship{}, linnet.Errorf(linnet.Forbidden, "You can't follow yourself.")
	}
	rel := s.addQueries(me, other)
	rel.askChosen()
	u := rel.b.UserNow(other)
	if err := rel.b.Run(ctx); err != nil {
		return linnet.Relationship{}, core.StoreError(err)
	}
	c, err := s.relationToFollow(ctx, me, u())
	if err != nil {
		return linnet.Relationship{}, err
	}
	if err := s.MayApproach(ctx, me, other); err != nil {
		return linnet.Relationship{}, err
	}
	if err := s.admitFollow(ctx, me, other, o.Imported); err != nil {
		return linnet.Relationship{}, err
	}
	if o.Notify != nil && u() != nil && u().Feed != "" { // feeds notify no follower
		o.Notify = nil
	}
	o, err = cleanFollow(o)
	if err != nil {
		return linnet.Relationship{}, err
	}
	async, wait := core.AsyncEvents(ctx)
	defer wait()
	fresh, err := s.Change(async, c)
	if errors.Is(err, db.ErrCondition) { // a block was created since the check
		return linnet.Relationship{}, errBarred
	} else if errors.Is(err, relations.ErrLimit) {
		return linnet.Relationship{}, errTooMany(c.Kind)
	} else if err != nil {
		return linnet.Relationship{}, core.StoreError(err)
	}
	if fresh && o.Languages == nil { // an earlier follow can have left its languages if the other side ended it
		m, err := s.view.Relationship(ctx, me, other)
		if err == nil && m.Narrowed() {
			err = s.st.Relations.SetLanguages(ctx, me, other, nil)
		}
		if err != nil {
			return linnet.Relationship{}, core.StoreError(err)
		}
		if c.Kind == record.Follows() && o == (linnet.FollowOptions{}) && !m.Narrowed() && !isGroup(u()) {
			return rel.following(), nil
		}
	}
	if err := s.setFollowOptions(ctx, me, other, o); errors.Is(err, relations.ErrLimit) {
		return linnet.Relationship{}, linnet.FieldError("languages", "ERR_LIMIT",
			"can be chosen for at most %d accounts you follow. Follow another account in all languages first", linnet.MaxNarrowed)
	} else if err != nil {
		return linnet.Relationship{}, core.StoreError(err)
	}
	return s.Relationship(ctx, me, other)
}

// cleanFollow normalizes the languages of a follow: valid codes, sorted, without duplicates.
func cleanFollow(o linnet.FollowOptions) (linnet.FollowOptions, error) {
	if o.Languages == nil {
		return o, nil
	}
	codes := make([]string, len(*o.Languages))
	for i, code := range *o.Languages {
		base := core.BaseLanguage(code)
		codes[i] = cmp.Or(core.Language(code), base)
		if n := len(base); n < 2 || n > 3 || strings.Trim(base, "abcdefghijklmnopqrstuvwxyz") != "" || !core.ValidLanguage(code) {
			return o, linnet.FieldError("languages", "ERR_INVALID", "%q is not a language code", code)
		}
	}
	slices.Sort(codes)
	codes = slices.Compact(codes)
	if len(codes) > linnet.MaxFollowLanguages {
		return o, linnet.FieldError("languages", "ERR_TOO_LONG", "can have at most %[2]d entries (%[1]d given). Choose none to follow all languages", len(codes), linnet.MaxFollowLanguages)
	}
	o.Languages = &codes
	return o, nil
}

// setFollowOptions stores the options of a follow or a request. The options of a request apply to
// its follow.
func (s *Service) setFollowOptions(ctx context.Context, me, other linnet.ID, o linnet.FollowOptions) error {
	if o.Reposts != nil {
		if err := s.st.Relations.SetRelationshipFlag(ctx, me, other, record.HidesReposts, !*o.Reposts); err != nil {
			return err
		}
		s.core.Emit(ctx, me, core.Event{Type: core.EventReader, To: me})
	}
	if o.Languages != nil {
		if err := s.st.Relations.SetLanguages(ctx, me, other, *o.Languages); err != nil {
			return err
		}
		s.core.Emit(ctx, me, core.Event{Type: core.EventReader, To: me})
	}
	if o.Notify == nil {
		return nil
	}
	_, err := s.Change(ctx, relations.RelationChange{Kind: record.Watches(), Owner: me, Other: other, Live: *o.Notify})
	return err
}

// Unfollow ends a follow or cancels a request, and deletes its options.
// https://docs.joinmastodon.org/methods/accounts/#unfollow
func (s *Service) Unfollow(ctx context.Context, me, other linnet.ID) (linnet.Relationship, error) {
	if err := s.mayLeave(ctx, me, other); err != nil {
		return linnet.Relationship{}, err
	}
	async, wait := core.AsyncEvents(ctx)
	defer wait()
	if err := s.removeFollow(async, me, other); err != nil {
		return linnet.Relationship{}, core.StoreError(err)
	}
	if err := s.forgetFollow(ctx, me, other); err != nil {
		return linnet.Relationship{}, core.StoreError(err)
	}
	if u, err := s.core.LookupUser(ctx, other); err != nil || u == nil || isGroup(u) { // the viewer may not be allowed to know of a chat group
		return s.Relationship(ctx, me, other)
	}
	rel := s.addQueries(me, other)
	if err := rel.b.Run(ctx); err != nil {
		return linnet.Relationship{}, core.StoreError(err)
	}
	return rel.left(), nil
}

// forgetFollow deletes the options of a follow that has ended.
func (s *Service) forgetFollow(ctx context.Context, me, other linnet.ID) error {
	m, err := s.view.Relationship(ctx, me, other)
	if err == nil && m.HidesReposts() {
		err = s.st.Relations.SetRelationshipFlag(ctx, me, other, record.HidesReposts, false)
	}
	if err == nil && m.Narrowed() {
		err = s.st.Relations.SetLanguages(ctx, me, other, nil)
	}
	return err
}

// mayLeave checks that other exists. If other is a group, it ends me's role there.
func (s *Service) mayLeave(ctx context.Context, me, other linnet.ID) error {
	if err := s.MustExist(ctx, me, other); err != nil {
		return err
	}
	u, err := s.core.LookupUser(ctx, other)
	if err != nil || !isGroup(u) || u.Suspended {
		return err
	}
	return s.Groups.stepDown(ctx, me, other)
}

// MustExist returns an error unless a user exists and the viewer can know of it.
func (s *Service) MustExist(ctx context.Context, viewer, id linnet.ID) error {
	u, err := s.core.LookupUser(ctx, id)
	if err != nil {
		return err
	}
	if u == nil || u.Unapproved {
		return core.ErrNoUser
	}
	seen, err := s.view.Known(ctx, viewer, []linnet.UserView{{User: *u}}, false)
	if err == nil && len(seen) == 0 {
		err = core.ErrNoUser
	}
	return err
}

// Relationship returns the relationship of me to other. It is zero if other doesn't exist.
func (s *Service) Relationship(ctx context.Context, me, other linnet.ID) (linnet.Relationship, error) {
	r, err := s.Relationships(ctx, me, []linnet.ID{other})
	if err != nil || len(r) == 0 {
		return linnet.Relationship{}, err
	}
	return r[0], nil
}

// Relationships returns the relationships of me to others, in their order, without users who don't
// exist.
// https://docs.joinmastodon.org/methods/accounts/#relationships
func (s *Service) Relationships(ctx context.Context, me linnet.ID, others []linnet.ID) ([]linnet.Relationship, error) {
	if len(others) == 0 {
		return nil, nil
	}
	b := s.st.Batch()
	reader := b.Reader(me)
	back := b.RelatedOwners(record.Follows(), me, others)
	requested := b.Related(record.Requests(), me, others)
	requests := b.RelatedOwners(record.Requests(), me, others)
	watching := b.Related(record.Watches(), me, others)
	endorsed := b.InPrivateSet(record.Endorsed, me, others)
	notes := make([]*string, len(others))
	users, asked := make([]*linnet.User, len(others)), make([]*db.UserRef, len(others))
	for i, id := range others {
		if users[i], notes[i] = s.st.CachedUser(id), b.Note(me, id); users[i] == nil {
			asked[i] = b.User(id)
		}
		reader.AskPerson(id)
	}
	if err := b.Run(ctx); err != nil {
		return nil, core.StoreError(err)
	}
	for i, ref := range asked {
		if ref != nil {
			users[i] = ref.User
		}
	}
	var out []linnet.Relationship
	secret, err := s.secretChats(ctx, me, users)
	if err != nil {
		return nil, err
	}
	for i, id := range others {
		if users[i] == nil || secret[id] {
			continue
		}
		m := reader.Person(id)
		follows, asks := m.Follows(), requested.Has(id)
		var languages []string
		if follows || asks {
			languages = reader.Languages(id)
		}
		out = append(out, linnet.Relationship{ID: id, Languages: languages, Following: follows, Requested: asks && !follows,
			Reposts: (follows || asks) && !m.HidesReposts(), Notify: (follows || asks) && watching.Has(id),
			FollowedBy: back.Has(id), RequestedBy: requests.Has(id),
			Endorsed: follows && endorsed.Has(id), Note: *notes[i], Suspended: users[i].Suspended,
			Blocking: m.Blocks(), BlockedBy: m.BlockedBy(), Muting: m.Mutes(), MutingNotices: m.MutesNotices(), MutedUntil: m.MuteEnds()})
	}
	return out, nil
}

// secretChats returns the chat groups among users that the viewer can't know of.
func (s *Service) secretChats(ctx context.Context, viewer linnet.ID, users []*linnet.User) (map[linnet.ID]bool, error) {
	var chats []linnet.UserView
	for _, u := range users {
		if u != nil && u.Group == linnet.Chat {
			chats = append(chats, linnet.UserView{User: *u})
		}
	}
	if len(chats) == 0 {
		return nil, nil
	}
	secret := map[linnet.ID]bool{}
	for _, c := range chats {
		secret[c.ID] = true
	}
	known, err := s.view.Known(ctx, viewer, chats, false)
	for _, c := range known {
		delete(secret, c.ID)
	}
	return secret, err
}
