package statuses

import (
	"context"
	"fmt"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/task"
)

// cardTTL is how long the contents of a link are stored. It is longer than the life of its picture,
// so that every file has a record.
const cardTTL = linnet.CardLife + 24*time.Hour

// Cards stores link previews.
type Cards struct{ db *db.DB }

// Get reads the preview of a normalized link.
func (s *Cards) Get(ctx context.Context, link string) (*linnet.Fetched, error) {
	get := &kv.Get{Key: record.CardKey(link)}
	if err := s.db.Read(ctx, get); err != nil {
		return nil, fmt.Errorf("read a card: %w", err)
	}
	return record.DecodeFetched(get)
}

// List reads the previews of normalized links, in their order, in one round trip.
func (s *Cards) List(ctx context.Context, links []string) ([]*linnet.Fetched, error) {
	out, qs := make([]*linnet.Fetched, len(links)), make([]kv.Query, len(links))
	for i, link := range links {
		qs[i] = &kv.Get{Key: record.CardKey(link)}
	}
	if len(qs) == 0 {
		return out, nil
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read cards: %w", err)
	}
	var err error
	for i, q := range qs {
		if out[i], err = record.DecodeFetched(q.(*kv.Get)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// SetCard stores the preview of a link if the record still has the version of f, which then rises.
// It returns false otherwise. end is the task that removes the picture, or nil.
func (s *Cards) SetCard(ctx context.Context, link string, f *linnet.Fetched, end *task.Task) (bool, error) {
	key := record.CardKey(link)
	cond := kv.Cond(kv.VersionIs{Key: key, Version: f.Version})
	if f.Version == 0 {
		cond = kv.Absent(key)
	}
	ops := []kv.Op{kv.Put{Key: key, Version: f.Version + 1, Data: record.EncodeFetched(f), TTL: cardTTL}}
	if end != nil {
		ops = append(ops, end.Ops()...)
	}
	made, err := s.db.Txn(ctx, []kv.Cond{cond}, ops...)
	if err != nil {
		return false, fmt.Errorf("write a card: %w", err)
	}
	if made {
		f.Version++
	}
	return made, nil
}

// Set adds a card to a status, if it exists and the card fits its current version.
func (s *Cards) Set(ctx context.Context, id linnet.ID, c *linnet.Card, fits func(*linnet.Status) bool) error {
	for range db.MaxRaces {
		get := &kv.Get{Key: record.StatusKey(id)}
		if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
			return err
		}
		st, err := record.DecodeStatus(id, get)
		if err != nil || !fits(st) {
			return err
		}
		was := st.Version
		st.Card, st.Version = c, was+1
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: get.Key, Version: was}},
			kv.Put{Key: get.Key, Data: record.EncodeStatus(st), Version: st.Version})
		if err != nil {
			return fmt.Errorf("write the card of a status: %w", err)
		}
		if made {
			return nil
		}
	}
	return db.TooManyRaces("card of", id)
}
