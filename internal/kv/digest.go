package kv

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/bits"
)

// Digest shows whether two stores of any engine have the same contents. It is the sum, modulo
// 2^256, of the SHA-256 of every entry. So the order of entries does not matter, and changes can be
// subtracted and added. Values that expire are not included, because they would change the digest
// without a write. The zero Digest is the digest of an empty store.
type Digest struct {
	sum [4]uint64 // least significant first
	buf []byte
}

// Add adds an entry.
func (d *Digest) Add(e *Entry) {
	if e.Until.IsZero() {
		d.buf = e.appendTo(d.buf[:0])
		d.add(words(sha256.Sum256(d.buf)))
	}
}

// AddAll adds the entries of another digest.
func (d *Digest) AddAll(o *Digest) { d.add(o.sum) }

// SubtractAll subtracts the entries of another digest.
func (d *Digest) SubtractAll(o *Digest) {
	var borrow uint64
	for i := range d.sum {
		d.sum[i], borrow = bits.Sub64(d.sum[i], o.sum[i], borrow)
	}
}

func (d *Digest) add(n [4]uint64) {
	var carry uint64
	for i := range d.sum {
		d.sum[i], carry = bits.Add64(d.sum[i], n[i], carry)
	}
}

// words returns the four words of a big-endian number.
func words(b [sha256.Size]byte) (out [4]uint64) {
	for i := range out {
		out[3-i] = binary.BigEndian.Uint64(b[8*i:])
	}
	return out
}

// Equal reports whether two digests are the same.
func (d *Digest) Equal(o *Digest) bool { return d.sum == o.sum }

// String writes the digest as 64 hexadecimal digits.
func (d *Digest) String() string {
	var b [sha256.Size]byte
	for i, w := range d.sum {
		binary.BigEndian.PutUint64(b[8*(3-i):], w)
	}
	return hex.EncodeToString(b[:])
}

// ParseDigest reads what String wrote.
func ParseDigest(text string) (*Digest, error) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != sha256.Size {
		return nil, fmt.Errorf("%q is not a digest of %d hexadecimal digits", text, 2*sha256.Size)
	}
	return &Digest{sum: words([sha256.Size]byte(b))}, nil
}

// appendTo appends the encoding of an entry that its digest is computed from. It must never change,
// and must differ for different entries.
func (e *Entry) appendTo(b []byte) []byte {
	b = append(b, byte(e.Shape), byte(len(e.Key.Kind)))
	b = append(b, e.Key.Kind...)
	b = binary.BigEndian.AppendUint16(b, e.Key.Shard)
	b = binary.AppendUvarint(b, uint64(len(e.Key.ID)))
	b = append(b, e.Key.ID...)
	if e.Shape == ValueShape {
		b = binary.AppendUvarint(b, e.Version)
		return append(b, e.Data...)
	}
	b = binary.AppendVarint(b, e.Number)
	return append(b, e.Name...)
}
