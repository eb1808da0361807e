package core

import (
	"context"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/text"
)

// ErrNoUser is returned if a user doesn't exist or isn't visible to the viewer.
var ErrNoUser = linnet.Errorf(linnet.NotFound, "Record not found")

// LookupUser reads a user's record; nil if there is none.
func (s *Service) LookupUser(ctx context.Context, id linnet.ID) (*linnet.User, error) {
	if u := s.st.CachedUser(id); u != nil {
		return u, nil
	}
	b := s.st.Batch()
	ref := b.User(id)
	if err := b.Run(ctx); err != nil {
		return nil, StoreError(err)
	}
	return ref.User, nil
}

// LanguageOf returns the language of messages to a user: the language of the user's pages, or else
// the posting language.
func LanguageOf(u *linnet.User) *locale.Language {
	return locale.Chosen(u.Appearance.Language, u.Posting.Language)
}

// LocalLogin removes "@" and this server's host from a login of a user or an external feed. ok is
// false for other hosts.
func (s *Service) LocalLogin(login string) (string, bool) {
	login = strings.TrimPrefix(strings.TrimSpace(login), "@")
	name, host, remote := strings.Cut(login, "@")
	if remote && !strings.EqualFold(host, s.Hostname) {
		return "", false
	}
	return name, text.ValidLogin(name) || text.ValidFeedLogin(name)
}

// AccountNamed returns an account by login, in any state. It returns NotFound if there is none.
func (s *Service) AccountNamed(ctx context.Context, login string) (*linnet.User, error) {
	name, ok := s.LocalLogin(login)
	if !ok {
		return nil, ErrNoUser
	}
	id, err := s.st.Accounts.UserByLogin(ctx, name)
	if err != nil {
		return nil, StoreError(err)
	}
	if id == 0 {
		return nil, ErrNoUser
	}
	u, err := s.LookupUser(ctx, id)
	if err == nil && u == nil {
		err = ErrNoUser
	}
	return u, err
}
