// Package search finds documents by words, newest first.
//
// It knows words and numbers. A document is a number, texts, and labels that the caller chooses.
// Higher layers know the meaning, the author and the visibility of documents.
//
// An Index consists of segments, which are immutable files (Block.Encode, Merge) that are checked
// when opened, and of a part in memory for new documents. It is a cache that can be rebuilt from
// the documents. So a hit is a candidate and must be checked against its current document
// (Query.Match).
//
// docs/decisions/0018-search.md has sizes, speeds and reasons.
package search

// Document is a searchable document.
type Document struct {
	ID     uint64 // a later document has a higher one
	Texts  []string
	Labels []string // made by Label
}

// Label returns a term that no text contains: a kind of label and a value.
func Label(kind byte, value string) string { return string([]byte{labelMark, kind}) + value }

// labelMark begins labels; Analyse gives no term that begins so.
const labelMark = 1

// tokens returns the tokens of all texts. Phrases don't span texts.
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
