package statuses

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// ErrFullPins means that the limit of pinned statuses is reached.
var ErrFullPins = errors.New("the limit of pinned statuses is reached")

func (s *Store) pins(ctx context.Context, user linnet.ID, more ...kv.Query) (r record.Pins, version uint64, err error) {
	get := &kv.Get{Key: record.PinsKey(user)}
	if err := s.db.Read(ctx, append(more, get)...); err != nil {
		return r, 0, fmt.Errorf("read the pinned statuses of a user: %w", err)
	}
	if get.Version != 0 {
		err = record.Decode(get, &r)
	}
	return r, get.Version, err
}

// Pins returns a user's pinned statuses, the latest pinned first. Some may have been deleted.
func (s *Store) Pins(ctx context.Context, user linnet.ID) ([]linnet.ID, error) {
	r, _, err := s.pins(ctx, user)
	ids := make([]linnet.ID, len(r.Statuses))
	for i, id := range r.Statuses {
		ids[i] = linnet.ID(id)
	}
	return ids, err
}

// Pin pins a status to its author's profile, or unpins it, in one transaction. It returns
// ErrDeleted if the user has no such status, and ErrFullPins beyond MaxPins.
func (s *Store) Pin(ctx context.Context, user, status linnet.ID, on bool) error {
	for range db.MaxRaces {
		get := &kv.Get{Key: record.StatusKey(status)}
		r, version, err := s.pins(ctx, user, get)
		if err != nil {
			return err
		}
		if get.Version == 0 {
			return db.ErrDeleted
		}
		st, err := record.DecodeStatus(status, get)
		switch {
		case err != nil:
			return err
		case st.Author != user:
			return db.ErrDeleted
		case st.Pinned == on && db.RetryDurable(&ctx):
			continue
		case st.Pinned == on:
			return nil
		}
		if r.Statuses, err = s.repin(ctx, r.Statuses, record.JID(status), on); err != nil {
			return err
		}
		st.Pinned = on
		made, err := s.db.Txn(ctx,
			[]kv.Cond{kv.VersionIs{Key: get.Key, Version: get.Version}, kv.VersionIs{Key: record.PinsKey(user), Version: version}},
			kv.Put{Key: get.Key, Data: record.EncodeStatus(st), Version: get.Version + 1},
			kv.Put{Key: record.PinsKey(user), Data: record.Encode(r), Version: version + 1})
		if errors.Is(err, kv.ErrUnknown) {
			continue // the next attempt reads the outcome
		}
		if err != nil {
			return fmt.Errorf("pin a status: %w", err)
		}
		if made {
			return nil
		}
	}
	return db.TooManyRaces("pins of", user)
}

// repin returns the list of pins with a status in front, or without it. At the limit it drops
// deleted ones.
func (s *Store) repin(ctx context.Context, pins []record.JID, status record.JID, on bool) ([]record.JID, error) {
	pins = slices.DeleteFunc(pins, func(p record.JID) bool { return p == status })
	if !on {
		return pins, nil
	}
	if len(pins) >= linnet.MaxPins {
		b := s.db.Batch()
		refs := make([]*db.StatusRef, len(pins))
		for i, p := range pins {
			refs[i] = b.Status(linnet.ID(p))
		}
		if err := b.Run(ctx); err != nil {
			return nil, err
		}
		var existing []record.JID
		for i, ref := range refs {
			if ref.Status != nil {
				existing = append(existing, pins[i])
			}
		}
		if pins = existing; len(pins) >= linnet.MaxPins {
			return nil, ErrFullPins
		}
	}
	return append([]record.JID{status}, pins...), nil
}

// Unpin removes a deleted status from its author's pins. It may be repeated.
func (s *Store) Unpin(ctx context.Context, user, status linnet.ID) error {
	for range db.MaxRaces {
		r, version, err := s.pins(ctx, user)
		if err != nil || !slices.Contains(r.Statuses, record.JID(status)) {
			return err
		}
		r.Statuses = slices.DeleteFunc(r.Statuses, func(p record.JID) bool { return p == record.JID(status) })
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: record.PinsKey(user), Version: version}},
			kv.Put{Key: record.PinsKey(user), Data: record.Encode(r), Version: version + 1})
		if err != nil {
			return fmt.Errorf("unpin a status: %w", err)
		}
		if made {
			return nil
		}
	}
	return db.TooManyRaces("pins of", user)
}
