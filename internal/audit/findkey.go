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

// ErrNoLogin is returned if there is no user with the login in a key.
var ErrNoLogin = errors.New("no user has this login")

// FindKey parses a key as operators type it: complete, as "kind:{shard}:id", or without the shard
// if the rest begins with an id, a login or a tag: "user:ann", "status:117653527734839552",
// "followers:ann", "tag:birds". It returns ErrNoKind for an unknown kind and ErrNoLogin for an
// unknown login.
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
			return key, fmt.Errorf("key %q lacks its shard: write it as kind:{shard}:id", text)
		}
		key.Shard, key.ID = n.Shard(), n.String()
		if more {
			key.ID += "." + rest
		}
	}
	return key, nil
}
