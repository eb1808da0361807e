package identity

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"

	"linnet/internal/core"
)

// Parameters of argon2id as OWASP's password storage sheet gives them: 19 MiB,
// two passes, one lane. hashAtOnce bounds memory and leaves processors to others.
const (
	argonMemory = 19 * 1024
	argonTime   = 2
	argonKey    = 32
	argonSalt   = 16
	hashAtOnce  = 2
)

// slot waits for its turn to hash; the caller calls done afterwards.
func (s *Service) slot(ctx context.Context) (done func(), err error) {
	select {
	case s.hashing <- struct{}{}:
		return func() { <-s.hashing }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("wait to hash a password: %w", ctx.Err())
	}
}

// Hash makes the encoded argon2id hash of a password.
func (s *Service) Hash(ctx context.Context, password string) (string, error) {
	salt := random(argonSalt)
	done, err := s.slot(ctx)
	if err != nil {
		return "", core.StoreError(err)
	}
	defer done()
	return encodeHash(salt, s.opt.Derive([]byte(password), salt, argonTime, argonMemory, 1, argonKey)), nil
}

// decoy is a hash that no password fits and that takes as long to compare with as any
// other. To make it takes no time and none of the memory of a true one.
func decoy() string { return encodeHash(random(argonSalt), random(argonKey)) }

func encodeHash(salt, key []byte) string {
	enc := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=1$%s$%s", argonMemory, argonTime, enc.EncodeToString(salt), enc.EncodeToString(key))
}

func random(n int) []byte {
	b := make([]byte, n)
	rand.Read(b)
	return b
}

// verify compares a password with an encoded hash, in the same time whether it
// fits or not.
func (s *Service) verify(ctx context.Context, encoded, password string) (bool, error) {
	p := strings.Split(encoded, "$")
	if len(p) != 6 || p[1] != "argon2id" {
		return false, nil
	}
	var memory, time uint32
	if _, err := fmt.Sscanf(p[3], "m=%d,t=%d,p=1", &memory, &time); err != nil {
		return false, nil
	}
	salt, err1 := base64.RawStdEncoding.DecodeString(p[4])
	want, err2 := base64.RawStdEncoding.DecodeString(p[5])
	if err1 != nil || err2 != nil {
		return false, nil
	}
	done, err := s.slot(ctx)
	if err != nil {
		return false, core.StoreError(err)
	}
	defer done()
	got := s.opt.Derive([]byte(password), salt, time, memory, 1, uint32(len(want)))
	return subtle.ConstantTimeCompare(got, want) == 1, nil
}
