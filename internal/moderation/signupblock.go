package moderation

import (
	"context"
	"errors"
	"slices"
	"time"
	"unicode/utf8"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/accounts"
	"linnet/internal/text"
	"linnet/internal/wording"
)

// Rules against sign-ups are held to in identity.Service.Register.

// SignUpBlocks returns the sign-up rules that have not expired, by kind and value.
func (s *Service) SignUpBlocks(ctx context.Context, by linnet.Actor) ([]linnet.SignUpBlock, error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageBlocks); err != nil {
		return nil, err
	}
	all, err := s.st.Accounts.SignUpBlocks(ctx)
	all = s.inForce(all)
	linnet.SortSignUpBlocks(all)
	return all, core.StoreError(err)
}

// SignUpBlock returns a sign-up rule. It returns NotFound if there is none.
func (s *Service) SignUpBlock(ctx context.Context, by linnet.Actor, id linnet.ID) (linnet.SignUpBlock, error) {
	all, err := s.SignUpBlocks(ctx, by)
	if err != nil {
		return linnet.SignUpBlock{}, err
	}
	at := slices.IndexFunc(all, func(b linnet.SignUpBlock) bool { return b.ID == id })
	if at < 0 {
		return linnet.SignUpBlock{}, linnet.Errorf(linnet.NotFound, "This rule doesn't exist.")
	}
	return all[at], nil
}

func (s *Service) inForce(all []linnet.SignUpBlock) []linnet.SignUpBlock {
	now := s.st.Now()
	return slices.DeleteFunc(slices.Clone(all), func(b linnet.SignUpBlock) bool { return b.Over(now) })
}

// AddSignUpBlock creates a sign-up rule that lasts for holds, 0 for ever. It replaces a rule with
// the same kind and value. The audit log has it.
func (s *Service) AddSignUpBlock(ctx context.Context, by linnet.Actor, b linnet.SignUpBlock, holds time.Duration) (linnet.SignUpBlock, error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageBlocks); err != nil {
		return b, err
	}
	b.ID, b.Expires = s.st.Accounts.NewSignUpBlock(), s.blockEnds(holds)
	return s.putSignUpBlock(ctx, by, b)
}

// ChangeSignUpBlock changes a sign-up rule. A nil holds leaves its end. It returns NotFound if
// there is none. The audit log has it.
func (s *Service) ChangeSignUpBlock(ctx context.Context, by linnet.Actor, id linnet.ID, holds *time.Duration, change func(*linnet.SignUpBlock)) (linnet.SignUpBlock, error) {
	b, err := s.SignUpBlock(ctx, by, id)
	if err != nil {
		return b, err
	}
	if change(&b); holds != nil {
		b.Expires = s.blockEnds(*holds)
	}
	return s.putSignUpBlock(ctx, by, b)
}

// blockEnds is when a rule ends that holds for some time from now on; zero: never.
func (s *Service) blockEnds(holds time.Duration) time.Time {
	if holds <= 0 {
		return time.Time{}
	}
	return s.st.Now().Add(holds).Truncate(time.Second)
}

// putSignUpBlock stores a rule in place of the one with its ID and of one about the same.
func (s *Service) putSignUpBlock(ctx context.Context, by linnet.Actor, b linnet.SignUpBlock) (linnet.SignUpBlock, error) {
	var err error
	if b.Value, err = linnet.ParseSignUpBlock(b.Kind, b.Value); err != nil {
		return b, err
	}
	if b.Note = text.Line(b.Note); utf8.RuneCountInString(b.Note) > linnet.MaxSignUpBlockNote {
		return b, linnet.FieldError("note", "ERR_TOO_LONG", "has more than %d characters", linnet.MaxSignUpBlockNote)
	}
	b.By = by.ID()
	if err := s.core.LogAct(ctx, by, core.ActBlockSignUp, 0, blockSays(&b), b.Note); err != nil {
		return b, err
	}
	err = s.st.Accounts.ChangeSignUpBlocks(ctx, func(all []linnet.SignUpBlock) ([]linnet.SignUpBlock, error) {
		all = slices.DeleteFunc(s.inForce(all), func(o linnet.SignUpBlock) bool { return o.ID == b.ID || o.Kind == b.Kind && o.Value == b.Value })
		if len(all) >= linnet.MaxSignUpBlocks {
			return nil, errBlocksFull
		}
		return append(all, b), nil
	})
	if errors.Is(err, accounts.ErrBlocksFull) {
		err = errBlocksFull
	}
	return b, core.StoreError(err)
}

var errBlocksFull = linnet.Errorf(linnet.Invalid, "There are already %d rules, the maximum. Remove some first.", linnet.MaxSignUpBlocks)

// blockSays is a rule as the log of acts has it.
func blockSays(b *linnet.SignUpBlock) string {
	says := wording.Messagef("%s: sign-up is blocked", blockedBy(b))
	if b.Ask {
		says = wording.Messagef("%s: needs approval", blockedBy(b))
	}
	if !b.Expires.IsZero() {
		says = wording.Messagef("%s, until %s", says, b.Expires.UTC())
	}
	return string(says)
}

// blockedBy is what a rule is held against.
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

// RemoveSignUpBlock deletes a sign-up rule. It returns NotFound if there is none. The audit log has
// it.
func (s *Service) RemoveSignUpBlock(ctx context.Context, by linnet.Actor, id linnet.ID) error {
	b, err := s.SignUpBlock(ctx, by, id)
	if err != nil {
		return err
	}
	if err := s.core.LogAct(ctx, by, core.ActUnblockSignUp, 0, string(blockedBy(&b)), ""); err != nil {
		return err
	}
	return core.StoreError(s.st.Accounts.ChangeSignUpBlocks(ctx, func(all []linnet.SignUpBlock) ([]linnet.SignUpBlock, error) {
		return slices.DeleteFunc(slices.Clone(all), func(b linnet.SignUpBlock) bool { return b.ID == id }), nil
	}))
}
