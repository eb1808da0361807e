// Package search finds documents by words, the newest first.
//
// It knows words and numbers: a document is a number, texts, and labels that whoever
// hands it in has chosen. What a document is, who wrote it and who may see it is decided
// above.
//
// An Index is made of segments, which are files that are written once (Block.Encode,
// Merge) and checked when they are opened, and of a part in memory that takes what is
// new. It is a cache: all of it can be made again from the documents. So a hit is a
// candidate, that has to be looked at as it is now (Query.Match).
//
// Sizes and speeds, and why it is made this way: docs/decisions/0018-search.md.
package search

// Document is what is found.
type Document struct {
	ID     uint64 // a later document has a higher one
	Texts  []string
	Labels []string // made by Label
}

// Label is a term that stands in no text: a kind of label and a value.
func Label(kind byte, value string) string { return string([]byte{labelMark, kind}) + value }

// labelMark begins labels; Analyse gives no term that begins so.
const labelMark = 1

// tokens are those of all texts. A phrase does not reach from one text into the next.
func (d *Document) tokens() []Token {
	var all []Token
	next := 0
	for _, t := range d.Texts {
		for _, tok := range Analyse(t) {
			tok.At += next
			all = append(all, tok)
		}
		if len(all) > 0 {
			next = all[len(all)-1].At + 2
		}
	}
	return all
}
