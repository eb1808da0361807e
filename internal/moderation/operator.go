package moderation

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// What whoever runs commands on the server does to accounts. It stands in the log of
// acts like what moderators do, by nobody.

// CreateUser is SignUp by a command.
func (s *Service) CreateUser(ctx context.Context, in linnet.SignUp) (linnet.User, error) {
	u, err := s.identity.SignUp(ctx, in)
	if err != nil {
		return u, err
	}
	detail := [...]string{"", "moderator", "admin"}[min(u.Role, linnet.Admin)]
	return u, s.core.LogAct(ctx, 0, core.ActCreate, u.ID, detail, "")
}

// RemoveUser is DeleteUser by a command.
func (s *Service) RemoveUser(ctx context.Context, id linnet.ID) error {
	return s.social.RemoveUser(ctx, id, &core.ActArgs{ID: s.st.Staff.NewAct(), Act: linnet.Remove, On: id}, func(*linnet.User) error { return nil })
}

// LogCommand enters into the log what a command is about to do that is not one act of
// the service: IssueTokens and ImportWorld. Detail says to whom.
func (s *Service) LogCommand(ctx context.Context, act linnet.Moderation, detail string) error {
	return s.core.LogAct(ctx, 0, act, 0, detail, "")
}
