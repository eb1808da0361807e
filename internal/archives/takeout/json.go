package takeout

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
)

// items reads the items of a JSON array one at a time, each of a bounded size. The decoder
// itself bounds how deep values are nested.
type items struct {
	in  *bounded
	dec *json.Decoder
}

// bounded reads so many bytes until it is given more.
type bounded struct {
	r    io.Reader
	left int
}

var errItem = refuse("One of its items is larger than 1 MB")

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

// open goes to the beginning of the array that stands under a key of an object; "": which
// is the document itself.
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
	return refuse("It contains no list of posts")
}

func (i *items) delim(want json.Delim) error {
	t, err := i.dec.Token()
	if err == nil && t != want {
		err = refuse("The posts have an unknown format")
	}
	return err
}

func (i *items) more() bool {
	i.in.left = MaxItem
	return i.dec.More()
}

// next reads the next item into v; ok is false at the end. bad: it is an item of another
// form.
func (i *items) next(v any) (ok, bad bool, err error) {
	if !i.more() {
		_, err := i.dec.Token() // the end of the array, or what is wrong
		return false, false, err
	}
	err = i.dec.Decode(v)
	var form *json.UnmarshalTypeError
	if errors.As(err, &form) {
		return true, true, nil
	}
	return err == nil, false, err
}

// script skips what stands before the JSON of a file of X's, which is a program that
// assigns it to a variable.
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
	return nil, refuse("The posts have an unknown format")
}
