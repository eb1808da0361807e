package moderation

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/wording"
)

// Actions that only the operator can take.

// CreateUser is identity.SignUp by the operator. It adds to the audit log.
func (s *Service) CreateUser(ctx context.Context, by linnet.Actor, in linnet.SignUp) (linnet.User, error) {
	if err := core.AuthorizeOperator(by); err != nil {
		return linnet.User{}, err
	}
	u, err := s.identity.SignUp(ctx, in)
	if err != nil {
		return u, err
	}
	detail := ""
	if u.Role.Staff() {
		detail = wording.Store("%s", builtInWord(u.Role))
	}
	return u, s.core.LogAct(ctx, by, core.ActCreate, u.ID, detail, "")
}

// LogCommand adds an operator command to the audit log before it runs: IssueTokens and ImportWorld.
// detail names the users.
func (s *Service) LogCommand(ctx context.Context, by linnet.Actor, act linnet.Moderation, detail string) error {
	if err := core.AuthorizeOperator(by); err != nil {
		return err
	}
	return s.core.LogAct(ctx, by, act, 0, detail, "")
}
