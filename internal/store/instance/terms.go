package instance

import (
	"context"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// Terms reads the terms of service of a day. ok is false if there are none.
func (s *Store) Terms(ctx context.Context, day string) (text string, ok bool, err error) {
	get := &kv.Get{Key: record.TermsKey(day)}
	if err := s.db.Read(ctx, get); err != nil {
		return "", false, fmt.Errorf("read terms: %w", err)
	}
	if get.Version == 0 {
		return "", false, nil
	}
	var r record.Terms
	err = record.Decode(get, &r)
	return r.Text, err == nil, err
}

// TermsOps returns the operations that write or delete ("") the terms of service of a day, together
// with the description that lists their days. in is the description before the change.
func (s *Store) TermsOps(in linnet.Instance, day, text string) []kv.Op {
	if text == "" {
		return []kv.Op{kv.Delete{Key: record.TermsKey(day)}}
	}
	return []kv.Op{kv.Put{Key: record.TermsKey(day), Data: record.Encode(record.Terms{Text: text}), Version: in.Version + 1}}
}
