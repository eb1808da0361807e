package instance

import (
	"context"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// TagRules reads the rules of restricted tags.
func (s *Store) TagRules(ctx context.Context) (*linnet.TagRules, error) {
	get := &kv.Get{Key: record.TagRulesKey()}
	if err := s.db.Read(ctx, get); err != nil {
		return nil, fmt.Errorf("read tag rules: %w", err)
	}
	return record.DecodeTagRules(get)
}

// ChangeTagRules replaces the rules by the result of change, which must not modify its argument. It
// calls change again after a concurrent change.
func (s *Store) ChangeTagRules(ctx context.Context, change func(*linnet.TagRules) ([]linnet.TagRule, error)) (*linnet.TagRules, error) {
	var set linnet.TagRules
	version, err := s.replace(ctx, record.TagRulesKey(), "tag rules", func(get *kv.Get) ([]byte, error) {
		now, err := record.DecodeTagRules(get)
		if err == nil {
			set.Rules, err = change(now)
		}
		return record.EncodeTagRules(set.Rules), err
	})
	set.Version = version
	return &set, err
}
