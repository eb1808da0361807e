package takeout

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
)

// items reads the items of a JSON array, each of a limited size. The decoder limits the nesting.
type items struct {
	in  *bounded
	dec *json.Decoder
}

// bounded reads a limited number of bytes, which can be increased.
type bounded struct {
	r    io.Reader
	left int
}

var errItem = refuse("The archive contains an item that is larger than 1 MB")

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errItem
	}
	n, err := b.r.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

func newItems(r io.Reader) *items {
	in := &bounded{r: r, left: MaxItem}
	return &items{in, json.NewDecoder(in)}
}

// open moves to the beginning of the array under a key of an object, or of the array that is the
// document if key is "".
func (i *items) open(key string) error {
	if key == "" {
		return i.delim('[')
	}
	if err := i.delim('{'); err != nil {
		return err
	}
	for i.more() {
		t, err := i.dec.Token()
		if err != nil {
			return err
		}
		if t == key {
			return i.delim('[')
		}
		var other json.RawMessage
		if err := i.dec.Decode(&other); err != nil {
			return err
		}
	}
	return refuse("The archive contains no list of posts")
}

func (i *items) delim(want json.Delim) error {
	t, err := i.dec.Token()
	if err == nil && t != want {
		err = refuse("The posts are in an unknown format")
	}
	return err
}

func (i *items) more() bool {
	i.in.left = MaxItem
	return i.dec.More()
}

// next decodes the next item into v. ok is false at the end. bad is true for an item of another
// form.
func (i *items) next(v any) (ok, bad bool, err error) {
	if !i.more() {
		_, err := i.dec.Token() // the end of the array, or an error
		return false, false, err
	}
	err = i.dec.Decode(v)
	var form *json.UnmarshalTypeError
	if errors.As(err, &form) {
		return true, true, nil
	}
	return err == nil, false, err
}

// script skips the text before the JSON in a file of X, which is a script that assigns it to a
// variable.
func script(r io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(r, 64<<10)
	for range 256 {
		c, err := b.ReadByte()
		if err != nil {
			return nil, err
		}
		if c == '=' {
			return b, nil
		}
		if c == '[' {
			return b, b.UnreadByte()
		}
	}
	return nil, refuse("The posts are in an unknown format")
}
