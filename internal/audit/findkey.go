package audit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
)

// ErrNoLogin: nobody has the login that a key was asked for by.
var ErrNoLogin = errors.New("no user has this login")

// FindKey reads a key as people write it: whole, as "kind:{shard}:id", or without
// the shard, which the rest tells where it begins with an id, a login or a tag:
// "user:ann", "status:117653527734839552", "followers:ann", "tag:birds". ErrNoKind
// if there is no such kind, ErrNoLogin if nobody has the login.
func FindKey(ctx context.Context, s *store.Store, text string) (kv.Key, error) {
	if strings.Contains(text, ":{") {
		return kv.ParseKey(text)
	}
	kind, id, _ := strings.Cut(text, ":")
	docs := record.Keys()
	at := slices.IndexFunc(docs, func(d record.KeyDoc) bool { return d.Kind == kind })
	if at < 0 {
		return kv.Key{Kind: kind}, fmt.Errorf("%q: %w", kind, ErrNoKind)
	}
	first, rest, more := strings.Cut(id, ".")
	of, _, _ := strings.Cut(docs[at].ID, ".")
	key := kv.Key{Kind: kind, ID: id}
	switch of {
	case "login in lower case":
		key = record.LoginKey(strings.TrimPrefix(id, "@"))
	case "folded tag":
		key.Shard = record.HashShard(id)
	case "code":
		key.Shard = record.InviteShard
	default:
		n, ok := linnet.ParseID(first)
		if !ok && (of == "user" || of == "group") && first != "" {
			var err error
			if n, err = s.Accounts.UserByLogin(ctx, strings.TrimPrefix(first, "@")); err != nil {
				return key, fmt.Errorf("find the login %q: %w", first, err)
			}
			if n == 0 {
				return key, fmt.Errorf("%q: %w", first, ErrNoLogin)
			}
			ok = true
		}
		if !ok {
			return key, fmt.Errorf("key %q needs its shard, as kind:{shard}:id", text)
		}
		key.Shard, key.ID = n.Shard(), n.String()
		if more {
			key.ID += "." + rest
		}
	}
	return key, nil
}
