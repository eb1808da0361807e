package linnet

// Translation is what a status says in another language, as a machine has it.
// https://docs.joinmastodon.org/entities/Translation/
type Translation struct {
	StatusVersion        // its text, warning, options and descriptions, in Language
	From          string // the language that it was written in: as its author said, else as the machine guessed
	By            string // who translated it: the host of a server
}

// Translatable reports whether a status may be given to a machine that translates, which
// is another program and perhaps not of this house: what everybody may read may.
func (st *Status) Translatable() bool {
	if st.Visibility > Unlisted || st.RepostOf != 0 {
		return false
	}
	for _, a := range st.Media {
		if a.Description != "" {
			return true
		}
	}
	return st.Text != "" || st.Warning != "" || st.Poll != nil
}
