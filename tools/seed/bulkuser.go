package seed

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/accounts"
)

// mostDraws is the maximum number of ids that are tried for a record.
const mostDraws = 16

// users creates active users without a password. draw returns the id of the i-th user, and further
// candidates if it is taken, always the same ones. It sets the IDs. It returns ErrTaken with the
// login if that belongs to another user.
func (b *bulk) users(ctx context.Context, users []linnet.User, draw func(i, attempt int) linnet.ID) error {
	for range bulkRaces {
		claims, err := b.claims(ctx, users, draw)
		if err != nil {
			return err
		}
		if len(claims) == 0 {
			return b.births(ctx, users)
		}
		if err := b.write(ctx, claims); err != nil {
			return err
		}
	}
	return fmt.Errorf("claim logins: %w", kv.ErrUnavailable)
}

// claims looks up the owners of the logins, and returns pieces that claim the free ones.
func (b *bulk) claims(ctx context.Context, users []linnet.User, draw func(i, attempt int) linnet.ID) ([]piece, error) {
	qs := make([]kv.Query, len(users))
	for i, u := range users {
		qs[i] = &kv.Get{Key: record.LoginKey(u.Login)}
	}
	if err := b.read(ctx, qs); err != nil {
		return nil, fmt.Errorf("look up logins: %w", err)
	}
	var free []int
	versions := make([]uint64, len(users))
	for i := range users {
		get := qs[i].(*kv.Get)
		if versions[i] = get.Version; get.Version == 0 {
			free = append(free, i)
			continue
		}
		var r record.Login
		if err := record.Decode(get, &r); err != nil {
			return nil, err
		}
		if r.Free {
			free = append(free, i)
			continue
		}
		if !drawn(linnet.ID(r.User), i, draw) {
			return nil, fmt.Errorf("%s: %w", users[i].Login, accounts.ErrTaken)
		}
		users[i].ID = linnet.ID(r.User)
	}
	ids, err := b.free(ctx, record.UserKey, free, draw)
	if err != nil {
		return nil, err
	}
	pieces := make([]piece, len(free))
	for n, i := range free {
		users[i].ID = ids[n]
		key := record.LoginKey(users[i].Login)
		pieces[n] = piece{guard: kv.VersionIs{Key: key, Version: versions[i]},
			ops: []kv.Op{kv.Put{Key: key, Data: record.Encode(record.Login{User: record.JID(ids[n])}), Version: versions[i] + 1}}}
	}
	return pieces, nil
}

func drawn(id linnet.ID, i int, draw func(i, attempt int) linnet.ID) bool {
	for attempt := range mostDraws {
		if draw(i, attempt) == id {
			return true
		}
	}
	return false
}

// free returns, for each i, the first candidate id that has no record and that no other i has.
func (b *bulk) free(ctx context.Context, key func(linnet.ID) kv.Key, is []int, draw func(i, attempt int) linnet.ID) ([]linnet.ID, error) {
	ids := make([]linnet.ID, len(is))
	taken := map[linnet.ID]bool{}
	left := make([]int, len(is)) // positions in is
	for n := range is {
		left[n] = n
	}
	for attempt := 0; len(left) > 0; attempt++ {
		if attempt == mostDraws {
			return nil, fmt.Errorf("find free IDs: none found after %d attempts", attempt)
		}
		qs := make([]kv.Query, len(left))
		for j, n := range left {
			qs[j] = &kv.Get{Key: key(draw(is[n], attempt))}
		}
		if err := b.read(ctx, qs); err != nil {
			return nil, fmt.Errorf("find free ids: %w", err)
		}
		var again []int
		for j, n := range left {
			id := draw(is[n], attempt)
			if qs[j].(*kv.Get).Version != 0 || taken[id] {
				again = append(again, n)
				continue
			}
			ids[n], taken[id] = id, true
		}
		left = again
	}
	return ids, nil
}

// births makes users with claimed logins visible, like Accounts.Birth.
func (b *bulk) births(ctx context.Context, users []linnet.User) error {
	qs := make([]kv.Query, len(users))
	for i, u := range users {
		qs[i] = &kv.Scores{Key: record.ShardKey(record.KindUsers, u.ID.Shard()), Members: []string{u.ID.String()}}
	}
	if err := b.read(ctx, qs); err != nil {
		return fmt.Errorf("read existing users: %w", err)
	}
	var pieces []piece
	var names []kv.Op
	for i, u := range users {
		names = append(names, accounts.NameOps(nil, &u)...)
		if qs[i].(*kv.Scores).Found[0] {
			continue
		}
		pieces = append(pieces, piece{
			guard: kv.NoMember{Key: record.ShardKey(record.KindUsers, u.ID.Shard()), Member: u.ID.String()},
			ops:   accounts.BirthOps(&u)})
	}
	if err := b.write(ctx, pieces); err != nil {
		return err
	}
	if err := b.apply(ctx, names); err != nil {
		return fmt.Errorf("index names: %w", err)
	}
	return nil
}

// listedAtOnce is the number of users added to the directory at a time.
const listedAtOnce = 512

// directory adds users to the directory, like IndexDirectory. It leaves out users who rank too low
// to stay there.
func (b *bulk) directory(ctx context.Context, users []linnet.ID) error {
	var mu sync.Mutex
	var people [record.DirectorySlices][]accounts.DirectoryPosition
	err := b.chunks(ctx, users, func(ctx context.Context, ids []linnet.ID) error {
		all, err := b.s.Accounts.DirectoryPositions(ctx, ids)
		mu.Lock()
		defer mu.Unlock()
		for _, st := range all {
			if slice := record.DirectorySlice(st.User); st.Listed {
				people[slice] = append(people[slice], st)
			}
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("read active users: %w", err)
	}
	var high []linnet.ID
	for _, in := range people {
		for _, by := range []func(a, b accounts.DirectoryPosition) int{
			func(a, b accounts.DirectoryPosition) int {
				return cmp.Or(cmp.Compare(b.Active, a.Active), cmp.Compare(b.User, a.User))
			},
			func(a, b accounts.DirectoryPosition) int { return cmp.Compare(b.User, a.User) },
		} {
			slices.SortFunc(in, by)
			for _, st := range in[:min(len(in), accounts.DirectorySliceSize)] {
				high = append(high, st.User)
			}
		}
	}
	slices.Sort(high)
	return b.chunks(ctx, slices.Compact(high), func(ctx context.Context, ids []linnet.ID) error {
		return b.s.Accounts.IndexDirectory(ctx, ids...)
	})
}

// chunks calls f with parts of users, several at a time.
func (b *bulk) chunks(ctx context.Context, users []linnet.ID, f func(context.Context, []linnet.ID) error) error {
	parts := slices.Collect(slices.Chunk(users, listedAtOnce))
	return b.parallel(ctx, len(parts), func(ctx context.Context, i int) error {
		return b.patient(ctx, func() error { return f(ctx, parts[i]) })
	})
}

// secrets sets the first password of users without one.
func (b *bulk) secrets(ctx context.Context, users []linnet.ID, hash string) error {
	qs := make([]kv.Query, len(users))
	for i, id := range users {
		qs[i] = &kv.Get{Key: record.SecretKey(id)}
	}
	if err := b.read(ctx, qs); err != nil {
		return fmt.Errorf("read existing passwords: %w", err)
	}
	data := record.Encode(record.Secret{Hash: hash})
	var pieces []piece
	for i := range users {
		if get := qs[i].(*kv.Get); get.Version == 0 {
			pieces = append(pieces, piece{guard: kv.Absent(get.Key), ops: []kv.Op{kv.Put{Key: get.Key, Data: data, Version: 1}}})
		}
	}
	return b.write(ctx, pieces)
}

// forgetHomes drops the existing home feeds of users, so that they are rebuilt.
func (b *bulk) forgetHomes(ctx context.Context, users []linnet.ID) error {
	qs := make([]kv.Query, 0, 2*len(users))
	for _, id := range users {
		qs = append(qs, &kv.Feed{Key: record.HomeKey(id), Limit: 1}, &kv.Feed{Key: record.TopKey(id), Limit: 1})
	}
	if err := b.read(ctx, qs); err != nil {
		return fmt.Errorf("read existing feeds: %w", err)
	}
	var ops []kv.Op
	for _, q := range qs {
		if f := q.(*kv.Feed); f.State != kv.Cold {
			ops = append(ops, kv.Delete{Key: f.Key})
		}
	}
	return b.apply(ctx, ops)
}
