package moderation

import (
	"context"
	"strings"

	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/posting"
	"linnet/internal/text"
)

// What commands need that write many records at once, beside the acts.

// Imported makes the status that a text from elsewhere becomes, checked as if it
// were posted. Whom it names is not looked up: nobody is told of old statuses.
func Imported(author linnet.ID, words string) (*linnet.Status, error) {
	doc := text.Parse(words)
	if err := posting.CheckDraft(linnet.Draft{Text: words}, doc, linnet.StatusChars); err != nil {
		return nil, err
	}
	return &linnet.Status{Author: author, Text: strings.TrimSpace(doc.Text()), Tags: doc.Tags(), Version: 1}, nil
}

// CheckLogin says what is wrong with a login, or nil.
func CheckLogin(login string) error {
	if !text.ValidLogin(login) || identity.Reserved(login) {
		return linnet.Errorf(linnet.Invalid, "%q can't be a username: use 1 to %d letters, digits and underscores, and no reserved name", login, linnet.MaxLogin)
	}
	return nil
}

// HashPassword checks a password and makes the hash that is kept of it.
func (s *Service) HashPassword(password string) (string, error) {
	if e := s.identity.CheckPassword(password, ""); e != nil {
		return "", e
	}
	return s.identity.Hash(context.Background(), password)
}
