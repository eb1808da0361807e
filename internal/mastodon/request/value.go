package request

import (
	"linnet/internal/uploads"
)

// Kind is the type of a parameter.
type Kind uint8

// The kinds of parameters.
const (
	KindNull Kind = iota
	KindText
	KindNumber
	KindBoolean
	KindFile
	KindList
	KindObject
)

// Value is a parameter, independent of the encoding of the body.
type Value struct {
	Kind   Kind
	Text   string // of a text as sent, of a number or boolean its literal
	list   []*Value
	fields map[string]*Value
	File   *uploads.File // of a file, on a route that accepts files
}
