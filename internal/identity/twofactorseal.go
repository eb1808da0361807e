package identity

import (
	"context"
	"encoding/base64"
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// sealedSecret precedes an encrypted secret of a second factor. It is not base32, so earlier
// releases accept no code for such a secret.
const sealedSecret = "aes-gcm:"

// readTwoFactor loads a user's second factor and decrypts its secret. Records of earlier releases
// have a plain secret, which the next write encrypts. If a secret cannot be decrypted, no code
// matches, but the recovery codes do.
func readTwoFactor(ctx context.Context, s *Service, user linnet.ID) (record.TwoFactor, error) {
	t, err := s.st.Sessions.TwoFactor(ctx, user)
	text, sealed := strings.CutPrefix(t.Secret, sealedSecret)
	if err != nil || !sealed {
		return t, core.StoreError(err)
	}
	aead, err := s.core.Cipher(ctx, record.KindTOTP)
	if err != nil {
		return t, err
	}
	data, err := base64.RawStdEncoding.DecodeString(text)
	if err == nil {
		data, err = aead.Open(nil, nil, data, []byte(user.String()))
	}
	if err != nil {
		s.opt.Log.Error("cannot decrypt TOTP secret", "user", user, "err", err)
		return t, nil
	}
	t.Secret = string(data)
	return t, nil
}

// sealTwoFactor returns the stored form of a second factor, with its secret encrypted for its user.
func sealTwoFactor(ctx context.Context, s *Service, user linnet.ID, t record.TwoFactor) (record.TwoFactor, error) {
	if t.Secret == "" || strings.HasPrefix(t.Secret, sealedSecret) {
		return t, nil
	}
	aead, err := s.core.Cipher(ctx, record.KindTOTP)
	if err != nil {
		return t, err
	}
	t.Secret = sealedSecret + base64.RawStdEncoding.EncodeToString(aead.Seal(nil, nil, []byte(t.Secret), []byte(user.String())))
	return t, nil
}

// storeTwoFactor stores a second factor with its secret encrypted. It returns false if the record
// has changed since t was read.
func storeTwoFactor(ctx context.Context, s *Service, user linnet.ID, t record.TwoFactor) (bool, error) {
	t, err := sealTwoFactor(ctx, s, user, t)
	if err != nil {
		return false, err
	}
	return s.st.Sessions.SetTwoFactor(ctx, user, t)
}
