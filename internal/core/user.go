package core

import (
	"context"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/text"
)

// ErrNoUser: there is no such person, or not for who asks.
var ErrNoUser = linnet.Errorf(linnet.NotFound, "Record not found")

// LookupUser reads one user's record; nil if there is none.
func (s *Service) LookupUser(ctx context.Context, id linnet.ID) (*linnet.User, error) {
	if u := s.st.KeptUser(id); u != nil {
		return u, nil
	}
	b := s.st.Batch()
	ref := b.User(id)
	if err := b.Run(ctx); err != nil {
		return nil, StoreError(err)
	}
	return ref.User, nil
}

// LocalLogin strips what may stand around a login; ok is false for other hosts.
func (s *Service) LocalLogin(login string) (string, bool) {
	login = strings.TrimPrefix(strings.TrimSpace(login), "@")
	name, host, remote := strings.Cut(login, "@")
	if remote && !strings.EqualFold(host, s.Hostname) {
		return "", false
	}
	return name, text.ValidLogin(name)
}
