package core

// Derive derives a key of n bytes from a password, like argon2.IDKey. memory is in KiB. It is
// called concurrently.
type Derive func(password, salt []byte, passes, memory uint32, threads uint8, n uint32) []byte
