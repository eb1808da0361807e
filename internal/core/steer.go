package core

import (
	"context"

	"linnet/internal/linnet"
)

// What administrators do to the installation, and moderators to people who cannot
// help themselves. Every act is entered into the log of acts before it is done, so
// that none is missing there.

// Words of the log of acts beside those of moderation. They stay readable for ever.
const (
	ActSettings  linnet.Moderation = "settings"
	ActCreate    linnet.Moderation = "create"
	ActInvite    linnet.Moderation = "invite"
	ActRevoke    linnet.Moderation = "revoke_invite"
	ActRetry     linnet.Moderation = "retry_task"
	ActDrop      linnet.Moderation = "drop_task"
	ActPassword  linnet.Moderation = "password"
	ActTwoFactor linnet.Moderation = "two_factor_off"

	ActResetLink     linnet.Moderation = "reset_link"
	ActTwoFactorLink linnet.Moderation = "two_factor_link"

	IssueTokens linnet.Moderation = "issue_tokens" // see LogCommand
	ImportWorld linnet.Moderation = "import"
)

// CheckAdmin is Forbidden for who is no administrator.
func (s *Service) CheckAdmin(ctx context.Context, me linnet.ID) error {
	return s.MayRead(ctx, me, linnet.Admin)
}

// LogAct enters an act into the log, before it is done; by is 0, or the Operator, for
// commands. It refuses a reason that the log does not take.
func (s *Service) LogAct(ctx context.Context, by linnet.ID, act linnet.Moderation, on linnet.ID, detail, reason string) error {
	reason, err := ReasonLine(reason)
	if err != nil {
		return err
	}
	if by == Operator {
		by = 0
	}
	return StoreError(s.st.Staff.LogAct(ctx, linnet.Act{ID: s.st.Staff.NewAct(), By: by, Act: act, On: on, Detail: detail, Reason: reason}))
}

// Above finds the account on, if by may act on it. Groups cannot log in, so there
// is nothing to help them with.
func (s *Service) Above(ctx context.Context, by, on linnet.ID) (*linnet.User, error) {
	who, err := s.Actor(ctx, by, on)
	if err != nil {
		return nil, err
	}
	u, err := s.LookupUser(ctx, on)
	switch {
	case err != nil:
		return nil, err
	case u == nil:
		return nil, ErrNoUser
	case who != nil && !who.Role.Over(u.Role), u.Group != linnet.NoGroup:
		return nil, ErrNotAllowed
	}
	return u, nil
}
