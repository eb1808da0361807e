package moderation

import (
	"context"
	"strings"

	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/posting"
	"linnet/internal/text"
)

// Functions for commands that write many records at once.

// Imported returns a status with the text of an import, checked like a post. Mentions are not
// looked up, because old statuses notify nobody.
func Imported(author linnet.ID, words string) (*linnet.Status, error) {
	doc := text.Parse(words)
	if err := posting.CheckDraft(linnet.Draft{Text: words}, doc, linnet.StatusChars); err != nil {
		return nil, err
	}
	return &linnet.Status{Author: author, Text: strings.TrimSpace(doc.Text()), Tags: doc.Tags(), Version: 1}, nil
}

// CheckLogin returns an error for an invalid login.
func CheckLogin(login string) error {
	if !text.ValidLogin(login) || identity.Reserved(login) {
		return linnet.Errorf(linnet.Invalid, "%q can't be a username: use 1 to %d letters, digits and underscores, and no reserved name", login, linnet.MaxLogin)
	}
	return nil
}

// HashPassword checks a password and returns its hash.
func (s *Service) HashPassword(password string) (string, error) {
	if e := s.identity.CheckPassword(password, ""); e != nil {
		return "", e
	}
	return s.identity.Hash(context.Background(), password)
}
