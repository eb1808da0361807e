package identity

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// Parameters of argon2id from OWASP's password storage cheat sheet: 19 MiB, two passes, one lane.
// hashAtOnce limits the memory, and leaves processors to other requests.
const (
	argonMemory = 19 * 1024
	argonTime   = 2
	argonKey    = 32
	argonSalt   = 16
	hashAtOnce  = 2
)

// hashWait is the maximum time that a request waits to hash a password.
const hashWait = 2 * time.Second

// hasher hashes passwords, hashAtOnce at a time.
type hasher struct {
	derive core.Derive
	slots  chan struct{}
}

// acquire waits until the caller can hash a password. The caller must call release afterwards. It
// returns Unavailable after hashWait, because hashing is slow and a retry is better than a long
// queue.
func (h *hasher) acquire(ctx context.Context) (release func(), err error) {
	patience := time.NewTimer(hashWait)
	defer patience.Stop()
	select {
	case h.slots <- struct{}{}:
		return func() { <-h.slots }, nil
	case <-patience.C:
		e := linnet.Errorf(linnet.Unavailable, "Too many people are signing up or logging in. Try again in a few seconds.")
		e.RetryAfter, e.Public = 5*time.Second, true
		return nil, e
	case <-ctx.Done():
		return nil, core.StoreError(fmt.Errorf("wait to hash a password: %w", ctx.Err()))
	}
}

// hash returns the encoded argon2id hash of a password. The caller has acquired h.
func (h *hasher) hash(password string) string {
	salt := random(argonSalt)
	return encodeHash(salt, h.derive([]byte(password), salt, argonTime, argonMemory, 1, argonKey))
}

// Hash returns the encoded argon2id hash of a password. It returns Unavailable if too many requests
// wait to hash.
func (s *Service) Hash(ctx context.Context, password string) (string, error) {
	release, err := s.hasher.acquire(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	return s.hasher.hash(password), nil
}

// hashForSignUp is like Hash, for a new account. It checks the login again after waiting, and
// returns Conflict without hashing if it was taken in the meantime.
func (s *Service) hashForSignUp(ctx context.Context, in *linnet.SignUp) (string, error) {
	release, busy := s.hasher.acquire(ctx)
	if busy == nil {
		defer release()
	}
	owner, err := s.st.Accounts.UserByLogin(ctx, in.Login)
	switch {
	case err != nil:
		return "", core.StoreError(err)
	case owner != 0:
		return "", errTakenMeanwhile(in.Login)
	case busy != nil:
		return "", busy
	}
	return s.hasher.hash(in.Password), nil
}

func encodeHash(salt, key []byte) string {
	enc := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=1$%s$%s", argonMemory, argonTime, enc.EncodeToString(salt), enc.EncodeToString(key))
}

func random(n int) []byte {
	b := make([]byte, n)
	rand.Read(b)
	return b
}

// verify compares a password with an encoded hash, in the same time whether it matches or not.
func (h *hasher) verify(ctx context.Context, encoded, password string) (bool, error) {
	p := strings.Split(encoded, "$")
	if len(p) != 6 || p[1] != "argon2id" {
		return false, nil
	}
	var memory, passes uint32
	if _, err := fmt.Sscanf(p[3], "m=%d,t=%d,p=1", &memory, &passes); err != nil {
		return false, nil
	}
	salt, err1 := base64.RawStdEncoding.DecodeString(p[4])
	want, err2 := base64.RawStdEncoding.DecodeString(p[5])
	if err1 != nil || err2 != nil {
		return false, nil
	}
	release, err := h.acquire(ctx)
	if err != nil {
		return false, err
	}
	defer release()
	got := h.derive([]byte(password), salt, passes, memory, 1, uint32(len(want)))
	return subtle.ConstantTimeCompare(got, want) == 1, nil
}
