package core

// Derive makes a key of n bytes of a password, as argon2.IDKey does: memory is in
// KiB. It is called from several goroutines.
type Derive func(password, salt []byte, passes, memory uint32, threads uint8, n uint32) []byte
