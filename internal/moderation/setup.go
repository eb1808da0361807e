package moderation

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
)

// SetupTTL is the lifetime of a set-up link.
const SetupTTL = 30 * time.Minute

var (
	errSetupUsed = linnet.Errorf(linnet.Gone, "This server is already set up. Log in, or contact the administrator.")
	errSetupOld  = linnet.Errorf(linnet.Gone, "This setup link is no longer valid. Restart the server to get a new one, or run: linnet user create NAME --admin")
	errNoSetup   = linnet.Errorf(linnet.NotFound, "This setup link doesn't exist.")
)

// Setup creates the first administrator by a link. It is safe for concurrent use.
type Setup struct {
	st         *store.Store
	identity   *identity.Service
	moderation *Service
}

// NewToken returns a new set-up token and revokes earlier ones. It returns Conflict if there is an
// administrator.
func (s *Setup) NewToken(ctx context.Context) (token string, expires time.Time, err error) {
	st, err := s.st.Instance.Setup(ctx)
	if err != nil {
		return "", expires, core.StoreError(err)
	}
	if st.Admin != 0 {
		return "", expires, linnet.Errorf(linnet.Conflict, "There's already an administrator.")
	}
	t := rand.Text()[:16]
	token = strings.Join([]string{t[:4], t[4:8], t[8:12], t[12:]}, "-")
	expires = s.st.Now().Add(SetupTTL)
	return token, expires, core.StoreError(s.st.Instance.PutSetup(ctx, setupHash(token), expires))
}

func setupHash(token string) string { return record.Hash(strings.ToUpper(strings.TrimSpace(token))) }

// CheckToken returns an error if a set-up token is not valid: Gone if it has expired or an
// administrator exists, NotFound if it was never issued.
func (s *Setup) CheckToken(ctx context.Context, token string) error {
	st, err := s.st.Instance.Setup(ctx)
	if err != nil {
		return core.StoreError(err)
	}
	h := setupHash(token)
	switch {
	case st.Admin != 0: // created with this link, another link or a command
		return errSetupUsed
	case st.Hash != h:
		return errNoSetup
	case s.st.Now().After(st.Expires):
		return errSetupOld
	}
	return nil
}

// SetUp creates the first administrator. Of several attempts with a token one succeeds, and the
// others change nothing, because the token is held while the user is created.
func (s *Setup) SetUp(ctx context.Context, token string, in linnet.SignUp) (linnet.User, error) {
	if err := s.CheckToken(ctx, token); err != nil {
		return linnet.User{}, err
	}
	held, err := s.st.Instance.HoldSetup(ctx, setupHash(token))
	if err != nil {
		return linnet.User{}, core.StoreError(err)
	}
	if !held {
		return linnet.User{}, linnet.Errorf(linnet.Conflict, "Someone else is setting up this server right now.")
	}
	in.Role = linnet.Admin
	u, err := s.identity.SignUp(ctx, in)
	if err != nil {
		return u, errors.Join(err, s.st.Instance.ReleaseSetup(ctx, setupHash(token)))
	}
	won, err := s.st.Instance.ClaimAdmin(ctx, u.ID)
	if err != nil {
		return u, core.StoreError(err) // the administrator may not be recorded, so a new link can be offered
	}
	if !won {
		return u, errors.Join(errSetupUsed, s.moderation.Moderate(ctx, linnet.Operator(), linnet.Measure{On: u.ID, Act: linnet.GiveRole, Role: linnet.Member}))
	}
	return u, nil
}

// NoteAdmin records that the operator has created an administrator, so that no more set-up links
// are offered.
func (s *Setup) NoteAdmin(ctx context.Context, by linnet.Actor, id linnet.ID) error {
	if err := core.AuthorizeOperator(by); err != nil {
		return err
	}
	_, err := s.st.Instance.ClaimAdmin(ctx, id)
	return core.StoreError(err)
}
