package request

import (
	"linnet/internal/uploads"
)

// kind is the type of a parameter's value.
type Kind uint8

const (
	KindNull Kind = iota
	KindText
	KindNumber
	KindBoolean
	KindFile
	KindList
	KindObject
)

// value is a parameter as sent, whatever the encoding of the body.
type Value struct {
	Kind   Kind
	Text   string // of text, as sent; of numbers and booleans, their literal
	list   []*Value
	fields map[string]*Value
	File   *uploads.File // of a file, on a route that takes them
}
