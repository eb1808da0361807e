package main

import (
	"context"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// userBatch is how many users are read at a time.
const userBatch = 200

// userList prints all users, the oldest first. It walks every shard, which is
// meant for people and not for requests.
func userList(ctx context.Context, c *call, b *backend) error {
	ids, err := b.allUsers(ctx)
	if err != nil {
		return fmt.Errorf("cannot list the users: %w", err)
	}
	infos := []userInfo{}
	for part := range slices.Chunk(ids, userBatch) {
		views, err := b.svc.Users(ctx, 0, part)
		if err != nil {
			return fmt.Errorf("cannot list the users: %w", err)
		}
		for _, v := range views {
			infos = append(infos, infoOf(v))
		}
	}
	if c.flag("json") {
		return printJSON(c.stdout, infos)
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "LOGIN\tROLE\tCREATED\tSTATUSES\tFOLLOWERS\tFOLLOWING")
	for _, u := range infos {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%d\n", u.Login, u.Role, u.Created.Format(time.DateOnly), u.Statuses, u.Followers, u.Following)
	}
	return w.Flush()
}

// allUsers reads the ids of all users, the oldest first.
func (b *backend) allUsers(ctx context.Context) ([]linnet.ID, error) {
	var ids []linnet.ID
	for s := range uint16(kv.Shards) {
		part, err := b.store.All(ctx, kv.Key{Kind: "users", Shard: s}, maxUsersListed)
		if err != nil {
			return nil, err
		}
		ids = append(ids, part...)
	}
	slices.Sort(ids)
	return ids, nil
}

// maxUsersListed bounds what is read of one shard.
const maxUsersListed = 1_000_000
