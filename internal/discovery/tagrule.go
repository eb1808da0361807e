package discovery

import (
	"context"
	"errors"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/text"
	"linnet/internal/wording"
)

// AllTags returns the trending, hidden and restricted tags. by must be a moderator.
func (s *Trends) AllTags(ctx context.Context, by linnet.Actor) ([]TrendItem, error) {
	all, err := s.All(ctx, by, TrendTags)
	if err != nil {
		return nil, err
	}
	rules, err := s.core.TagRules.Now(ctx)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, x := range all {
		known[x.Name] = true
	}
	for _, rule := range rules.Rules {
		if !known[rule.Name] {
			all = append(all, TrendItem{Name: rule.Name, Rule: rule})
		}
	}
	return all, nil
}

// FindTag returns the tag with a name, or one of AllTags by the id that idOf returns for its name.
// Tags have no records, so other tags are not found by their id. A name can't be an id. by must be
// a moderator.
func (s *Trends) FindTag(ctx context.Context, by linnet.Actor, name string, idOf func(name string) string) (x TrendItem, err error) {
	all, err := s.AllTags(ctx, by)
	if err != nil {
		return x, err
	}
	folded := text.FoldTag(name)
	for _, x := range all {
		if x.Name == folded || idOf(x.Name) == name {
			return x, nil
		}
	}
	if !text.ValidTag(folded) {
		return x, errNoTag
	}
	return TrendItem{Name: folded}, nil
}

var (
	errNoTag        = linnet.Errorf(linnet.NotFound, "Record not found")
	errSameTag      = errors.New("the rule of the tag stays the same")
	errManyTagRules = linnet.Errorf(linnet.Invalid, "A server can restrict at most %d hashtags. Remove the restrictions from one first.", linnet.MaxTagRules)
)

// ChangeTag restricts a tag or lifts restrictions. by must be a moderator, and the audit log records
// it. Posts that contain the tag stay.
func (s *Trends) ChangeTag(ctx context.Context, by linnet.Actor, name string, c linnet.TagChange) error {
	if err := s.core.Authorize(ctx, by, linnet.ManageTaxonomies); err != nil {
		return err
	}
	if name = text.FoldTag(name); !text.ValidTag(name) {
		return errNoTag
	}
	logged := ""
	set, err := s.st.Instance.ChangeTagRules(ctx, func(now *linnet.TagRules) ([]linnet.TagRule, error) {
		was := now.Of(name)
		rule := was
		if c.Usable != nil {
			rule.Unusable = !*c.Usable
		}
		if c.Listable != nil {
			rule.Unlisted = !*c.Listable
		}
		if rule == was {
			return nil, errSameTag
		}
		rules := now.With(rule)
		if len(rules) > linnet.MaxTagRules {
			return nil, errManyTagRules
		}
		detail := wording.Store("hashtag %s: %s", name, core.Changes(ruleParts(was), ruleParts(rule)))
		if detail == logged {
			return rules, nil
		}
		logged = detail
		return rules, s.core.LogAct(ctx, by, core.ActChangeTag, 0, detail, "")
	})
	switch {
	case err == nil:
		s.core.TagRules.Take(set)
	case err != errSameTag:
		return core.StoreError(err)
	}
	if c.Trendable != nil {
		return s.Hide(ctx, by, TrendTags, name, !*c.Trendable)
	}
	return nil
}

// ruleParts returns the parts of a rule for the audit log.
func ruleParts(r linnet.TagRule) []core.Part {
	return []core.Part{{Name: wording.Messagef("Allowed in posts"), Is: !r.Unusable}, {Name: wording.Messagef("Shown in search"), Is: !r.Unlisted}}
}
