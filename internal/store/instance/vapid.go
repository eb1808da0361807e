package instance

import (
	"context"
	"errors"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// VAPID reads the private key that identifies the server to push services. The first call creates
// it with draw. Of concurrent calls, one does. It never changes, because subscriptions are bound to
// it.
func (s *Store) VAPID(ctx context.Context, draw func() ([]byte, error)) ([]byte, error) {
	for range db.MaxRaces {
		get := &kv.Get{Key: record.VAPIDKey()}
		if err := s.db.Read(kv.Durable(ctx), get); err != nil {
			return nil, fmt.Errorf("read the key for push services: %w", err)
		}
		if get.Version != 0 {
			var r record.VAPID
			err := record.Decode(get, &r)
			return r.Private, err
		}
		private, err := draw()
		if err != nil {
			return nil, err
		}
		_, err = s.db.Txn(ctx, []kv.Cond{kv.Absent(get.Key)}, kv.Put{Key: get.Key, Version: 1, Data: record.Encode(record.VAPID{Private: private})})
		if err != nil && !errors.Is(err, kv.ErrUnknown) {
			return nil, fmt.Errorf("write the key for push services: %w", err)
		}
	}
	return nil, fmt.Errorf("the key for push services was not stored: %w", kv.ErrUnavailable)
}
