package inbox

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// ErrStale is returned if the record has changed since it was read.
var ErrStale = errors.New("the record has changed since it was read")

// Unread returns the number of a user's visible unread notifications. It calls count unless it has
// a valid cached number.
func (s *Store) Unread(user linnet.ID, count func() (int, error)) (int, error) {
	return s.db.Unread(user, count)
}

// Markers reads the positions that a user has saved.
func (s *Store) Markers(ctx context.Context, user linnet.ID) (linnet.Markers, error) {
	m, _, err := s.readMarkers(ctx, user)
	return m, err
}

func (s *Store) readMarkers(ctx context.Context, user linnet.ID) (linnet.Markers, uint64, error) {
	get := &kv.Get{Key: record.MarkersKey(user)}
	if err := s.db.Read(ctx, get); err != nil {
		return nil, 0, fmt.Errorf("read markers: %w", err)
	}
	out := linnet.Markers{}
	if get.Version == 0 {
		return out, 0, nil
	}
	var r record.Markers
	if err := record.Decode(get, &r); err != nil {
		return nil, 0, err
	}
	for name, m := range r {
		out[name] = linnet.Marker{LastRead: linnet.ID(m.LastRead), Version: m.Version, At: time.UnixMilli(m.At)}
	}
	return out, get.Version, nil
}

// SaveMarkers sets read positions of a user and returns the new markers. It can run more than once.
// It returns ErrStale after a concurrent save.
func (s *Store) SaveMarkers(ctx context.Context, user linnet.ID, read map[linnet.MarkerTimeline]linnet.ID) (linnet.Markers, error) {
	all, version, err := s.readMarkers(ctx, user)
	if err != nil {
		return nil, err
	}
	saved := linnet.Markers{}
	for name, id := range read {
		saved[name] = linnet.Marker{LastRead: id, Version: all[name].Version + 1, At: s.db.Now()}
	}
	maps.Copy(all, saved)
	r := record.Markers{}
	for name, m := range all {
		r[name] = record.Marker{LastRead: record.JID(m.LastRead), Version: m.Version, At: m.At.UnixMilli()}
	}
	key := record.MarkersKey(user)
	_, err = s.db.Txn(ctx, []kv.Cond{db.Else(kv.VersionIs{Key: key, Version: version}, ErrStale), db.Else(db.UserPresent(user), db.ErrDeleted)},
		kv.Put{Key: key, Data: record.Encode(r), Version: version + 1})
	switch {
	case errors.Is(err, ErrStale), errors.Is(err, db.ErrDeleted):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("save markers: %w", err)
	}
	return saved, nil
}
