// Package apptest contains helpers for tests of every package that starts an instance.
package apptest

import "crypto/sha256"

// Derive stands for argon2id in social.Options where a test is not about what a
// guess costs: people sign up and log in thousands of times in the tests, and the
// true function takes 20 ms each time. It returns n bytes, at most 32.
func Derive(password, salt []byte, _, _ uint32, _ uint8, n uint32) []byte {
	sum := sha256.Sum256(append(append([]byte{}, salt...), password...))
	return sum[:n]
}
