package core

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"math/big"

	"linnet/internal/linnet"
	"linnet/internal/webpush"
)

// Sealed cursors. A page that stops among entries that the viewer cannot see needs a position
// from which the next page continues. Such a position names an entry, and its id contains a
// time, so it is encrypted. The result is a number, because clients turn cursors into integers.

// cursorPart is the length in bytes of each half of a sealed cursor: the tag that authenticates
// it and is the initial vector, and the encrypted position.
const cursorPart = aes.BlockSize

// sealedBase is added to sealed cursors, so that all of them have linnet.SealedDigits digits.
func sealedBase() *big.Int { return new(big.Int).Lsh(big.NewInt(1), 16*cursorPart) }

// ListName returns the name of a list, including its viewer and filters. Sealed cursors are bound
// to it. It is a function because few pages have such cursors.
type ListName = func() string

// SealCursor encrypts a position in a list. Only OpenPage of the same list can read it.
func (s *Service) SealCursor(ctx context.Context, list ListName, at linnet.Cursor) (linnet.Cursor, error) {
	n, ok := new(big.Int).SetString(string(at), 10)
	if !ok || n.Sign() < 0 || n.BitLen() > 8*cursorPart {
		return "", linnet.SealedError()
	}
	key, err := s.cursorKey(ctx)
	if err != nil {
		return "", err
	}
	plain := n.FillBytes(make([]byte, cursorPart))
	sealed := append(cursorTag(key, list, plain), plain...)
	if err := cryptCursor(key, sealed); err != nil {
		return "", err
	}
	n.SetBytes(sealed)
	return linnet.Cursor(n.Add(n, sealedBase()).String()), nil
}

// OpenPage decrypts the sealed cursors among the bounds of a page of a list. Plain cursors stay
// as they are. It returns an Invalid error for a cursor that was sealed for another list.
func (s *Service) OpenPage(ctx context.Context, list ListName, p linnet.Page) (linnet.Page, error) {
	for _, c := range []*linnet.Cursor{&p.Max, &p.Since, &p.Min} {
		if !c.Sealed() {
			continue
		}
		var err error
		if *c, err = s.openCursor(ctx, list, *c); err != nil {
			return p, err
		}
	}
	return p, nil
}

func (s *Service) openCursor(ctx context.Context, list ListName, c linnet.Cursor) (linnet.Cursor, error) {
	n, ok := new(big.Int).SetString(string(c), 10)
	if !ok {
		return "", linnet.SealedError()
	}
	if n.Sub(n, sealedBase()); n.Sign() < 0 || n.BitLen() > 16*cursorPart {
		return "", linnet.SealedError()
	}
	key, err := s.cursorKey(ctx)
	if err != nil {
		return "", err
	}
	sealed := n.FillBytes(make([]byte, 2*cursorPart))
	if err := cryptCursor(key, sealed); err != nil {
		return "", err
	}
	plain := sealed[cursorPart:]
	if !hmac.Equal(sealed[:cursorPart], cursorTag(key, list, plain)) {
		return "", linnet.SealedError()
	}
	return linnet.Cursor(n.SetBytes(plain).String()), nil
}

// cursorTag authenticates a position in a list.
func cursorTag(key []byte, list ListName, plain []byte) []byte {
	m := hmac.New(sha256.New, key)
	m.Write(plain)
	m.Write([]byte(list()))
	return m.Sum(nil)[:cursorPart]
}

// cryptCursor encrypts or decrypts the second half of a sealed cursor. The first half is the
// initial vector.
func cryptCursor(key, sealed []byte) error {
	block, err := aes.NewCipher(key)
	if err != nil {
		return err
	}
	cipher.NewCTR(block, sealed[:cursorPart]).XORKeyStream(sealed[cursorPart:], sealed[cursorPart:])
	return nil
}

// cursorKey derives the key of sealed cursors from the secret key of the instance, which all
// servers share.
func (s *Service) cursorKey(ctx context.Context) ([]byte, error) {
	if key := s.cursors.Load(); key != nil {
		return *key, nil
	}
	key, err := s.DeriveKey(ctx, "cursors")
	if err == nil {
		s.cursors.Store(&key)
	}
	return key, err
}

// DeriveKey derives a key of 32 bytes for a purpose from the secret key of the instance, which all
// servers share.
func (s *Service) DeriveKey(ctx context.Context, purpose string) ([]byte, error) {
	private, err := s.st.Instance.VAPID(ctx, webpush.NewVAPID)
	if err != nil {
		return nil, StoreError(err)
	}
	m := hmac.New(sha256.New, private)
	m.Write([]byte(purpose))
	return m.Sum(nil), nil
}

// Cipher returns AES-256-GCM with random nonces, under a key that is derived for a purpose.
func (s *Service) Cipher(ctx context.Context, purpose string) (cipher.AEAD, error) {
	key, err := s.DeriveKey(ctx, purpose)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}
