package moderation

import (
	"context"
	"errors"
	"slices"
	"time"
	"unicode/utf8"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/store/instance"
	"linnet/internal/text"
	"linnet/internal/wording"
)

// SignUpBlocks manages the rules that block sign-ups. Package identity applies them. It is safe for
// concurrent use.
type SignUpBlocks struct {
	st   *store.Store
	core *core.Service
}

// List returns the sign-up rules that have not expired, by kind and value.
func (s *SignUpBlocks) List(ctx context.Context, by linnet.Actor) ([]linnet.SignUpBlock, error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageBlocks); err != nil {
		return nil, err
	}
	all, err := s.st.Instance.SignUpBlocks(ctx)
	all = s.inForce(all)
	linnet.SortSignUpBlocks(all)
	return all, core.StoreError(err)
}

// Get returns a sign-up rule. It returns NotFound if there is none.
func (s *SignUpBlocks) Get(ctx context.Context, by linnet.Actor, id linnet.ID) (linnet.SignUpBlock, error) {
	all, err := s.List(ctx, by)
	if err != nil {
		return linnet.SignUpBlock{}, err
	}
	at := slices.IndexFunc(all, func(b linnet.SignUpBlock) bool { return b.ID == id })
	if at < 0 {
		return linnet.SignUpBlock{}, linnet.Errorf(linnet.NotFound, "This sign-up rule doesn't exist.")
	}
	return all[at], nil
}

func (s *SignUpBlocks) inForce(all []linnet.SignUpBlock) []linnet.SignUpBlock {
	now := s.st.Now()
	return slices.DeleteFunc(slices.Clone(all), func(b linnet.SignUpBlock) bool { return b.Over(now) })
}

// Add creates a sign-up rule that lasts for holds; 0 for no limit. It replaces a rule with the same
// kind and value, and adds to the audit log.
func (s *SignUpBlocks) Add(ctx context.Context, by linnet.Actor, b linnet.SignUpBlock, holds time.Duration) (linnet.SignUpBlock, error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageBlocks); err != nil {
		return b, err
	}
	b.ID, b.Expires = s.st.Instance.NewSignUpBlock(), s.ends(holds)
	return s.put(ctx, by, b)
}

// Change changes a sign-up rule. A nil holds leaves its expiry. It returns NotFound if there is
// none. It adds to the audit log.
func (s *SignUpBlocks) Change(ctx context.Context, by linnet.Actor, id linnet.ID, holds *time.Duration, change func(*linnet.SignUpBlock)) (linnet.SignUpBlock, error) {
	b, err := s.Get(ctx, by, id)
	if err != nil {
		return b, err
	}
	if change(&b); holds != nil {
		b.Expires = s.ends(*holds)
	}
	return s.put(ctx, by, b)
}

// ends returns the expiry of a rule that starts now, or zero if holds is 0.
func (s *SignUpBlocks) ends(holds time.Duration) time.Time {
	if holds <= 0 {
		return time.Time{}
	}
	return s.st.Now().Add(holds).Truncate(time.Second)
}

// put stores a rule. It replaces rules with the same ID, or the same kind and value.
func (s *SignUpBlocks) put(ctx context.Context, by linnet.Actor, b linnet.SignUpBlock) (linnet.SignUpBlock, error) {
	var err error
	if b.Value, err = linnet.ParseSignUpBlock(b.Kind, b.Value); err != nil {
		return b, err
	}
	if b.Note = text.Line(b.Note); utf8.RuneCountInString(b.Note) > linnet.MaxSignUpBlockNote {
		return b, linnet.FieldError("note", "ERR_TOO_LONG", "has more than %d characters", linnet.MaxSignUpBlockNote)
	}
	b.By = by.ID()
	says := wording.Messagef("%s: sign-up is blocked", blockedBy(&b))
	if b.Ask {
		says = wording.Messagef("%s: needs approval", blockedBy(&b))
	}
	if !b.Expires.IsZero() {
		says = wording.Messagef("%s, until %s", says, b.Expires.UTC())
	}
	if err := s.core.LogAct(ctx, by, core.ActBlockSignUp, 0, string(says), b.Note); err != nil {
		return b, err
	}
	err = s.st.Instance.ChangeSignUpBlocks(ctx, func(all []linnet.SignUpBlock) ([]linnet.SignUpBlock, error) {
		all = slices.DeleteFunc(s.inForce(all), func(o linnet.SignUpBlock) bool { return o.ID == b.ID || o.Kind == b.Kind && o.Value == b.Value })
		if len(all) >= linnet.MaxSignUpBlocks {
			return nil, errBlocksFull
		}
		return append(all, b), nil
	})
	if errors.Is(err, instance.ErrBlocksFull) {
		err = errBlocksFull
	}
	return b, core.StoreError(err)
}

var errBlocksFull = linnet.Errorf(linnet.Invalid, "There can be at most %d sign-up blocks. Remove some first.", linnet.MaxSignUpBlocks)

// blockedBy describes the sign-ups that a rule applies to.
func blockedBy(b *linnet.SignUpBlock) wording.Message {
	switch b.Kind {
	case linnet.BlockAddress:
		return wording.Messagef("address %s", b.Value)
	case linnet.BlockEmail:
		return wording.Messagef("e-mail domain %s", b.Value)
	case linnet.BlockCanonical:
		return wording.Messagef("e-mail address with the hash %s", b.Value)
	}
	return wording.Messagef("name %s", b.Value)
}

// Remove deletes a sign-up rule. It returns NotFound if there is none. It adds to the audit log.
func (s *SignUpBlocks) Remove(ctx context.Context, by linnet.Actor, id linnet.ID) error {
	b, err := s.Get(ctx, by, id)
	if err != nil {
		return err
	}
	if err := s.core.LogAct(ctx, by, core.ActUnblockSignUp, 0, string(blockedBy(&b)), ""); err != nil {
		return err
	}
	return core.StoreError(s.st.Instance.ChangeSignUpBlocks(ctx, func(all []linnet.SignUpBlock) ([]linnet.SignUpBlock, error) {
		return slices.DeleteFunc(slices.Clone(all), func(b linnet.SignUpBlock) bool { return b.ID == id }), nil
	}))
}
