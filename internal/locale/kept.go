package locale

import "linnet/internal/wording"

// Kept is a message as package wording keeps it, in the language. What was kept by earlier releases
// is shown as it is.
func (l *Language) Kept(kept string) string {
	format, values, ok := wording.Message(kept).Parts()
	if !ok {
		return l.lookUp(kept, kept)
	}
	return l.Text(format, values...)
}
