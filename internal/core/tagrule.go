package core

import (
	"context"
	"sync/atomic"

	"linnet/internal/linnet"
	"linnet/internal/store"
)

// TagRules has the rules of restricted tags in memory. It checks for newer ones together with the
// settings. A change applies at once on the server that makes it and within seconds on others. It
// is safe for concurrent use.
type TagRules struct {
	st  *store.Store
	now atomic.Pointer[linnet.TagRules]
}

// Now returns the rules as known to this server. It reads them if it hasn't yet.
func (t *TagRules) Now(ctx context.Context) (*linnet.TagRules, error) {
	if now := t.now.Load(); now != nil {
		return now, nil
	}
	return t.read(ctx)
}

func (t *TagRules) read(ctx context.Context) (*linnet.TagRules, error) {
	rules, err := t.st.Instance.TagRules(ctx)
	if err != nil {
		return nil, StoreError(err)
	}
	t.Take(rules)
	return rules, nil
}

// refresh reads the rules unless they have a given version.
func (t *TagRules) refresh(ctx context.Context, version uint64) error {
	switch now := t.now.Load(); {
	case now != nil && now.Version >= version:
		return nil
	case version == 0:
		t.Take(&linnet.TagRules{})
		return nil
	}
	_, err := t.read(ctx)
	return err
}

// Take caches rules that were read or written, unless newer ones are known.
func (t *TagRules) Take(rules *linnet.TagRules) {
	for {
		now := t.now.Load()
		if now != nil && now.Version >= rules.Version || t.now.CompareAndSwap(now, rules) {
			return
		}
	}
}

// Check returns an error for a text with a tag that new posts can't contain.
func (t *TagRules) Check(ctx context.Context, tags []string) error {
	rules, err := t.Now(ctx)
	if err != nil || len(rules.Rules) == 0 {
		return err
	}
	for _, tag := range FoldTags(tags) {
		if rules.Of(tag).Unusable {
			return linnet.FieldError("text", "ERR_INVALID", "contains the hashtag #%s, which this server doesn't allow. Remove it", tag)
		}
	}
	return nil
}
