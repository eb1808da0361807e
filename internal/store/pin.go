package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// ErrFullPins: as many statuses are pinned as may be.
var ErrFullPins = errors.New("limit of pinned statuses is reached")

func pinsKey(user linnet.ID) kv.Key { return idKey(kPins, user) }

// pinsRecord lists pinned statuses, the latest first. The mark in each status's
// record is written with it; a deleted status may stand here until its clean-up.
type pinsRecord struct {
	Statuses []JID `json:"statuses"`
}

func (s *Store) pins(ctx context.Context, user linnet.ID, more ...kv.Query) (r pinsRecord, version uint64, err error) {
	get := &kv.Get{Key: pinsKey(user)}
	if err := s.kv.Read(ctx, append(more, get)...); err != nil {
		return r, 0, fmt.Errorf("read pins: %w", err)
	}
	if get.Version != 0 {
		err = decode(get, &r)
	}
	return r, get.Version, err
}

// Pins are the statuses on top of a user's profile, the latest pinned first.
// Some may be gone.
func (s *Store) Pins(ctx context.Context, user linnet.ID) ([]linnet.ID, error) {
	r, _, err := s.pins(ctx, user)
	ids := make([]linnet.ID, len(r.Statuses))
	for i, id := range r.Statuses {
		ids[i] = linnet.ID(id)
	}
	return ids, err
}

// Pin puts a status on top of its author's profile, or takes it away, in one
// transaction. ErrGone if there is no such status of the user, ErrFullPins beyond
// MaxPins.
func (s *Store) Pin(ctx context.Context, user, status linnet.ID, on bool) error {
	for range maxRaces {
		get := &kv.Get{Key: statusKey(status)}
		r, version, err := s.pins(ctx, user, get)
		if err != nil {
			return err
		}
		if get.Version == 0 {
			return ErrGone
		}
		st, err := decodeStatus(status, get)
		switch {
		case err != nil:
			return err
		case st.Author != user:
			return ErrGone
		case st.Pinned == on && surely(&ctx):
			continue
		case st.Pinned == on:
			return nil
		}
		if r.Statuses, err = s.repin(ctx, r.Statuses, JID(status), on); err != nil {
			return err
		}
		st.Pinned = on
		failed, err := s.kv.Txn(ctx,
			[]kv.Cond{kv.VersionIs{Key: get.Key, Version: get.Version}, kv.VersionIs{Key: pinsKey(user), Version: version}},
			kv.Put{Key: get.Key, Data: encodeStatus(st), Version: get.Version + 1},
			kv.Put{Key: pinsKey(user), Data: encode(r), Version: version + 1})
		if errors.Is(err, kv.ErrUnknown) {
			continue // the loop reads what became of it
		}
		if err != nil {
			return fmt.Errorf("pin status: %w", err)
		}
		if failed < 0 {
			return nil
		}
	}
	return errRaces("pins of", user)
}

// repin is the list of pins with a status in front, or without it. Those that
// were deleted make room.
func (s *Store) repin(ctx context.Context, pins []JID, status JID, on bool) ([]JID, error) {
	pins = slices.DeleteFunc(pins, func(p JID) bool { return p == status })
	if !on {
		return pins, nil
	}
	if len(pins) >= linnet.MaxPins {
		b := s.Batch()
		refs := make([]*StatusRef, len(pins))
		for i, p := range pins {
			refs[i] = b.Status(linnet.ID(p))
		}
		if err := b.Run(ctx); err != nil {
			return nil, err
		}
		var kept []JID
		for i, ref := range refs {
			if ref.Status != nil {
				kept = append(kept, pins[i])
			}
		}
		if pins = kept; len(pins) >= linnet.MaxPins {
			return nil, ErrFullPins
		}
	}
	return append([]JID{status}, pins...), nil
}

// Unpin takes a deleted status out of its author's pins. It may be repeated.
func (s *Store) Unpin(ctx context.Context, user, status linnet.ID) error {
	for range maxRaces {
		r, version, err := s.pins(ctx, user)
		if err != nil || !slices.Contains(r.Statuses, JID(status)) {
			return err
		}
		r.Statuses = slices.DeleteFunc(r.Statuses, func(p JID) bool { return p == JID(status) })
		failed, err := s.kv.Txn(ctx, []kv.Cond{kv.VersionIs{Key: pinsKey(user), Version: version}},
			kv.Put{Key: pinsKey(user), Data: encode(r), Version: version + 1})
		if err != nil {
			return fmt.Errorf("unpin status: %w", err)
		}
		if failed < 0 {
			return nil
		}
	}
	return errRaces("pins of", user)
}
