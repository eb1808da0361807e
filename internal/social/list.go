package social

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/store/relations"
	"linnet/internal/text"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

var errNoList = linnet.Errorf(linnet.NotFound, "Record not found")

// Lists returns the lists of me, oldest first, then the lists of the server that me has turned on,
// then one for each group that me has joined.
// https://docs.joinmastodon.org/methods/lists/
func (s *Lists) Lists(ctx context.Context, me linnet.ID) ([]linnet.List, error) {
	own, err := s.ownLists(ctx, me)
	if err != nil {
		return nil, err
	}
	made, err := s.builtInLists(ctx, me)
	if err != nil {
		return nil, err
	}
	groups, err := s.social.Groups.MyGroups(ctx, me)
	if err != nil {
		return nil, err
	}
	all := slices.Concat(own, made)
	for i := range groups {
		all = append(all, listOf(me, &groups[i]))
	}
	return all, nil
}

// ownLists returns the lists that me has created.
func (s *Lists) ownLists(ctx context.Context, me linnet.ID) ([]linnet.List, error) {
	lists, err := s.st.Relations.ListsOf(ctx, me)
	return lists, core.StoreError(err)
}

// List returns a list of me, of the server, or of a group that me has joined.
func (s *Lists) List(ctx context.Context, me, id linnet.ID) (linnet.List, error) {
	if group, ok := linnet.GroupOfList(id); ok {
		return s.groupList(ctx, me, group)
	}
	if id != linnet.TopList && id != linnet.CatchUpList {
		return s.OwnList(ctx, me, id)
	}
	made, err := s.builtInLists(ctx, me)
	if err != nil {
		return linnet.List{}, err
	}
	if id == linnet.TopList { // readable even if me has turned it off
		return topList(me), nil
	}
	for _, l := range made {
		if l.ID == id {
			return l, nil
		}
	}
	return linnet.List{}, errNoList
}

// OwnList returns a list that me has created.
func (s *Lists) OwnList(ctx context.Context, me, id linnet.ID) (linnet.List, error) {
	lists, err := s.st.Relations.Lists(ctx, []linnet.ID{id})
	if err != nil {
		return linnet.List{}, core.StoreError(err)
	}
	if len(lists) == 0 || lists[0].Owner != me {
		return linnet.List{}, errNoList
	}
	return lists[0], nil
}

// CreateList creates a list. The title is required.
func (s *Lists) CreateList(ctx context.Context, me linnet.ID, c linnet.ListChange) (linnet.List, error) {
	return s.CreateListAs(ctx, me, 0, c)
}

// CreateListAs creates a list with an unused id. 0 chooses one.
func (s *Lists) CreateListAs(ctx context.Context, me, id linnet.ID, c linnet.ListChange) (linnet.List, error) {
	l := linnet.List{ID: id, Owner: me}
	if c.Title == nil {
		c.Title = new(string)
	}
	if err := changeList(&l, c); err != nil {
		return l, err
	}
	have, err := s.ownLists(ctx, me)
	if err != nil {
		return l, err
	}
	if len(have) >= linnet.MaxLists {
		return l, linnet.Errorf(linnet.Invalid, "You can have at most %d lists. Delete one first.", linnet.MaxLists)
	}
	err = s.st.Relations.CreateList(ctx, &l)
	if errors.Is(err, db.ErrDeleted) {
		err = core.ErrNoUser
	}
	return l, core.StoreError(err)
}

func changeList(l *linnet.List, c linnet.ListChange) error {
	if c.Title != nil {
		t := text.Line(*c.Title)
		if t == "" {
			return linnet.FieldError("title", "ERR_BLANK", "can't be blank")
		}
		if text.Count(t) > linnet.MaxListTitle || len(t) > 4*linnet.MaxListTitle {
			return linnet.FieldError("title", "ERR_TOO_LONG", "is too long (maximum is %d characters)", linnet.MaxListTitle)
		}
		if err := core.CheckMarks("title", t); err != nil {
			return err
		}
		l.Title = t
	}
	core.Set(&l.Replies, c.Replies)
	core.Set(&l.Exclusive, c.Exclusive)
	return nil
}

// changesNothing reports whether a change leaves a list as it is.
func changesNothing(l linnet.List, c linnet.ListChange) bool {
	same := l
	core.Set(&same.Title, c.Title)
	core.Set(&same.Replies, c.Replies)
	core.Set(&same.Exclusive, c.Exclusive)
	return same == l
}

// UpdateList changes a list. For a list of the server it returns Forbidden, unless nothing changes.
func (s *Lists) UpdateList(ctx context.Context, me, id linnet.ID, c linnet.ListChange) (linnet.List, error) {
	for range core.PageRounds { // other requests can change it at the same time
		l, err := s.MutableList(ctx, me, id)
		if linnet.KindOf(err) == linnet.Forbidden && changesNothing(l, c) {
			return l, nil // an app sent the list back unchanged
		}
		if err != nil {
			return l, err
		}
		if err := changeList(&l, c); err != nil {
			return l, err
		}
		if ok, err := s.st.Relations.UpdateList(ctx, &l); ok || err != nil {
			s.core.Emit(ctx, id, core.Event{Type: core.EventReader, To: me})
			return l, core.StoreError(err)
		}
	}
	return linnet.List{}, linnet.Errorf(linnet.Conflict, "Someone else changed the list. Try again.")
}

// DeleteList deletes a list. A task deletes its members. Lists of the server are only hidden, until
// SetShownLists turns them on again. Deleting the list of a group leaves the group.
func (s *Lists) DeleteList(ctx context.Context, me, id linnet.ID) error {
	if group, ok := linnet.GroupOfList(id); ok {
		if _, err := s.groupList(ctx, me, group); err != nil {
			return err
		}
		_, err := s.social.Unfollow(ctx, me, group)
		return err
	}
	l, err := core.RetryDurable(ctx, func(ctx context.Context) (linnet.List, error) { return s.List(ctx, me, id) })
	if err != nil {
		return err
	}
	no := false
	switch l.Kind {
	case linnet.OwnList:
		return s.deleteList(ctx, &l)
	case linnet.ScoredList:
		_, err = s.SetShownLists(ctx, me, linnet.ShownListsChange{CatchUp: &no})
	default:
		_, err = s.SetShownLists(ctx, me, linnet.ShownListsChange{Top: &no})
	}
	return err
}

func (s *Lists) deleteList(ctx context.Context, l *linnet.List) error {
	t, err := s.tasks.New(l.ID.Shard(), TaskForgetList, listArgs{l.ID})
	if err != nil {
		return err
	}
	if err := s.st.Relations.DeleteList(ctx, l, t.Ops()...); err != nil {
		return core.StoreError(err)
	}
	s.tasks.Run(ctx, t)
	s.core.Emit(ctx, l.ID, core.Event{Type: core.EventReader, To: l.Owner})
	return nil
}

type listArgs struct {
	List linnet.ID `json:"list"`
}

func (s *Lists) forgetList(ctx context.Context, a listArgs) (*listArgs, error) {
	ids, err := s.st.All(ctx, record.Listings().OwnedKey(a.List), timeline.BatchSize)
	if err != nil {
		return nil, err
	}
	if err := s.st.Relations.ForgetMembers(ctx, a.List, ids); err != nil || len(ids) == 0 {
		return nil, err
	}
	return &a, nil
}

// ListMembers returns the members of a list, last added first. A p.Limit of 0 returns all.
func (s *Lists) ListMembers(ctx context.Context, me, id linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	if _, err := s.List(ctx, me, id); err != nil {
		return linnet.Slice[linnet.UserView]{}, err
	}
	if group, ok := linnet.GroupOfList(id); ok { // the account of the group
		users, err := s.view.Users(ctx, me, []linnet.ID{group})
		return linnet.Slice[linnet.UserView]{Items: users}, err
	}
	key := record.Listings().OwnedKey(id)
	if p.Limit != 0 {
		return s.view.People(ctx, me, key, p)
	}
	ids, err := s.st.All(ctx, key, linnet.MaxListMembers)
	if err != nil {
		return linnet.Slice[linnet.UserView]{}, core.StoreError(err)
	}
	slices.Reverse(ids)
	users, err := s.view.Users(ctx, me, ids)
	return linnet.Slice[linnet.UserView]{Items: users}, err
}

// AddToList adds users to a list, followed by me or not, and their posts to its timeline. Members
// are skipped.
func (s *Lists) AddToList(ctx context.Context, me, id linnet.ID, users []linnet.ID) error {
	if err := checkListed(users); err != nil {
		return err
	}
	if _, err := s.MutableList(ctx, me, id); err != nil {
		return err
	}
	members, new, err := s.notListed(ctx, id, users)
	if err == nil && len(new) < len(users) {
		members, new, err = s.notListed(store.Durable(ctx), id, users)
	}
	if err != nil {
		return err
	}
	if len(members)+len(new) > linnet.MaxListMembers {
		return linnet.FieldError("account_ids", "ERR_TOO_LONG", "would have %d members (maximum is %d)", len(members)+len(new), linnet.MaxListMembers)
	}
	if known, err := s.view.Users(ctx, me, new); err != nil || len(known) < len(new) {
		return cmp.Or(err, error(core.ErrNoUser))
	}
	for _, u := range new {
		if err := s.social.MayApproach(ctx, me, u); err != nil {
			return err
		}
	}
	return s.listChange(ctx, me, id, new, true)
}

// notListed returns the members of a list, and the users who are not, without duplicates.
func (s *Lists) notListed(ctx context.Context, list linnet.ID, users []linnet.ID) (members, new []linnet.ID, err error) {
	if members, err = s.st.All(ctx, record.Listings().OwnedKey(list), linnet.MaxListMembers); err != nil {
		return nil, nil, core.StoreError(err)
	}
	slices.Sort(members)
	for _, u := range users {
		if _, in := slices.BinarySearch(members, u); !in && !slices.Contains(new, u) {
			new = append(new, u)
		}
	}
	return members, new, nil
}

// mostListed is the maximum number of users that one request can add or remove. Each is a
// transaction.
const mostListed = 200

func checkListed(users []linnet.ID) error {
	if len(users) > mostListed {
		return linnet.FieldError("account_ids", "ERR_TOO_LONG", "can have at most %[2]d entries (%[1]d given)", len(users), mostListed)
	}
	return nil
}

// RemoveFromList removes users from a list and their posts from its timeline.
func (s *Lists) RemoveFromList(ctx context.Context, me, id linnet.ID, users []linnet.ID) error {
	if err := checkListed(users); err != nil {
		return err
	}
	if _, err := s.MutableList(ctx, me, id); err != nil {
		return err
	}
	return s.listChange(ctx, me, id, users, false)
}

func (s *Lists) listChange(ctx context.Context, me, list linnet.ID, users []linnet.ID, in bool) error {
	for _, u := range users {
		c := relations.RelationChange{Kind: record.Listings(), Owner: list, Other: u, Live: in}
		c.Conds = append(c.Conds, db.ListPresent(list))
		if in {
			c.Conds = append(c.Conds, db.NoBlocks(me, u)...)
		}
		_, err := s.social.Change(ctx, c)
		if errors.Is(err, db.ErrCondition) {
			return errNoList
		}
		if err != nil {
			return core.StoreError(err)
		}
	}
	return nil
}

// ListsWith returns the lists of me that contain a user.
func (s *Lists) ListsWith(ctx context.Context, me, user linnet.ID) ([]linnet.List, error) {
	if err := s.social.MustExist(ctx, me, user); err != nil {
		return nil, err
	}
	return s.listsWith(ctx, me, user)
}

func (s *Lists) listsWith(ctx context.Context, me, user linnet.ID) ([]linnet.List, error) {
	lists, err := s.ownLists(ctx, me)
	if err != nil {
		return nil, err
	}
	b := s.st.Batch()
	in := make([]*db.Membership, len(lists))
	for i, l := range lists {
		in[i] = b.Related(record.Listings(), l.ID, []linnet.ID{user})
	}
	if err := b.Run(ctx); err != nil {
		return nil, core.StoreError(err)
	}
	var out []linnet.List
	for i, l := range lists {
		if in[i].Has(user) {
			out = append(out, l)
		}
	}
	return out, nil
}

// part removes other from me's lists, as long as barred holds.
func (s *Lists) part(ctx context.Context, me, other linnet.ID, barred kv.Cond) error {
	lists, err := s.listsWith(ctx, me, other)
	if err != nil {
		return err
	}
	for _, l := range lists {
		if _, err := s.social.Change(ctx, relations.RelationChange{Kind: record.Listings(), Owner: l.ID, Other: other, Conds: []kv.Cond{barred}}); err != nil {
			return err
		}
	}
	return nil
}

// forgetListsOf deletes the lists of a deleted user and returns their number.
func (s *Lists) forgetListsOf(ctx context.Context, user linnet.ID, _ int) (int, error) {
	lists, err := s.st.Relations.ListsOf(ctx, user)
	if err != nil {
		return 0, err
	}
	for _, l := range lists {
		if err := s.deleteList(ctx, &l); err != nil {
			return 0, err
		}
	}
	return len(lists), nil
}

// MemberRule returns a function that reports whether a status belongs in a list, by its current
// members.
func (s *Lists) MemberRule(ctx context.Context, l linnet.List) (func(*view.Loader, *linnet.StatusView) bool, error) {
	members, err := s.st.All(ctx, record.Listings().OwnedKey(l.ID), linnet.MaxListMembers)
	if err != nil {
		return nil, core.StoreError(err)
	}
	in := make(map[linnet.ID]bool, len(members))
	for _, m := range members {
		in[m] = true
	}
	return func(ld *view.Loader, v *linnet.StatusView) bool {
		return in[v.Author] && !ld.Unwanted(v) && listRule(l.Replies, in, ld, v)
	}, nil
}

// listRule reports whether a list shows a status that can be a reply.
func listRule(p linnet.RepliesPolicy, members map[linnet.ID]bool, l *view.Loader, v *linnet.StatusView) bool {
	if v.InReplyTo == 0 || v.InReplyAuthor == v.Author || v.InReplyAuthor == l.Viewer {
		return true
	}
	switch p {
	case linnet.RepliesToList:
		return members[v.InReplyAuthor]
	case linnet.RepliesToFollowed:
		return l.Followed(v.InReplyAuthor)
	}
	return false
}
