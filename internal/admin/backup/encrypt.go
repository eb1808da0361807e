package backup

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"strings"

	"filippo.io/age"
)

var (
	// ErrIdentity is returned if a backup is encrypted and no given identity can decrypt it.
	ErrIdentity = errors.New("the backup is encrypted: pass the age identity file of a recipient with --identity FILE")
	// ErrRecipient is returned for a text that is not a recipient.
	ErrRecipient = errors.New("not an age recipient, such as age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p (age-keygen creates one)")
	// ErrNoIdentity is returned for a file without an identity.
	ErrNoIdentity = errors.New("no age identity found: expected a line AGE-SECRET-KEY-1…, as written by age-keygen")
)

// Recipients are the public keys (age1…) for which backups are encrypted.
type Recipients []string

// ParseRecipients parses recipients, one per line. Lines with # are comments. It returns
// ErrRecipient for an invalid one.
func ParseRecipients(text string) (Recipients, error) {
	var out Recipients
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if _, err := age.ParseRecipients(strings.NewReader(line)); err != nil {
			return nil, ErrRecipient
		}
		out = append(out, line)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// sealing returns a sealing for the recipients. Names depend on the recipients. With other
// recipients everything is written again, so that each of them can read the whole backup.
func (r Recipients) sealing(secret []byte) sealing {
	if len(r) == 0 {
		return sealing{}
	}
	m := hmac.New(sha256.New, secret)
	s := sealing{}
	for _, text := range r {
		to, err := age.ParseRecipients(strings.NewReader(text))
		if err != nil {
			return sealing{broken: fmt.Errorf("%q is %w", text, ErrRecipient)}
		}
		s.recipients = append(s.recipients, to...)
		_, _ = io.WriteString(m, text+"\n") // a hash never fails
	}
	s.names = m.Sum(nil)
	return s
}

// Identities are secret keys. Each can decrypt data encrypted for it.
type Identities struct{ list []age.Identity }

// ParseIdentities parses a file of age-keygen. It returns ErrNoIdentity for an invalid file.
func ParseIdentities(text []byte) (Identities, error) {
	list, err := age.ParseIdentities(bytes.NewReader(text))
	if err != nil || len(list) == 0 {
		return Identities{}, ErrNoIdentity // the cause may contain the secret
	}
	return Identities{list}, nil
}

// sealing encrypts, decrypts and names data. The zero value leaves data unencrypted.
type sealing struct {
	names      []byte // key for the hashes in names; nil for unencrypted backups
	recipients []age.Recipient
	identities []age.Identity
	broken     error
}

// hash returns the hash that names data: SHA-256, or with a key HMAC-SHA256, so that names don't
// reveal whether a location has known data.
func (s *sealing) hash() hash.Hash {
	if s.names == nil {
		return sha256.New()
	}
	return hmac.New(sha256.New, s.names)
}

func (s *sealing) hashOf(data []byte) string {
	h := s.hash()
	_, _ = h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// copy writes data, encrypted if necessary, and returns the written size.
func (s *sealing) copy(to io.Writer, from io.Reader) (int64, error) {
	if s.broken != nil {
		return 0, s.broken
	}
	if len(s.recipients) == 0 {
		return io.Copy(to, from)
	}
	n := &counting{w: to}
	w, err := age.Encrypt(n, s.recipients...)
	if err != nil {
		return 0, fmt.Errorf("encrypt the backup: %w", err)
	}
	if _, err = io.Copy(w, from); err == nil {
		err = w.Close()
	}
	return n.n, err
}

const (
	sealedPart = 64 << 10 // size of the parts that age encrypts
	sealedTag  = 16       // additional size of each part
)

// sealedBeyond returns the number of bytes by which encrypted data is larger than encrypted empty
// data, which already has one part. A test compares it with copy.
func sealedBeyond(bytes int64) int64 {
	parts := max(1, (bytes+sealedPart-1)/sealedPart)
	return bytes + (parts-1)*sealedTag
}

// counting counts written bytes and records errors.
type counting struct {
	w   io.Writer
	n   int64
	err error
}

func (c *counting) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	c.err = err
	return n, err
}

// open decrypts data. It returns ErrIdentity or ErrDamaged.
func (s *sealing) open(from io.Reader) (io.Reader, error) {
	if len(s.identities) == 0 {
		return nil, ErrIdentity
	}
	r, err := age.Decrypt(from, s.identities...)
	var none *age.NoIdentityMatchError
	switch {
	case errors.As(err, &none):
		return nil, fmt.Errorf("the identity does not match any recipient of the backup: %w", ErrIdentity)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return r, nil
}

// isHash reports whether s is a hash in the form of this package.
func isHash(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == sha256.Size && strings.ToLower(s) == s
}
