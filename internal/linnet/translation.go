package linnet

// Translation is what a status says in another language, as a machine has it.
// https://docs.joinmastodon.org/entities/Translation/
type Translation struct {
	StatusVersion        // its text, warning, options and descriptions, in Language
	From          string // the language that it was written in: as its author said, else as the machine guessed
	By            string // host of the translating server
}

// Translatable reports whether a status can be sent to a translation service, which may be an
// external one: public and unlisted statuses can.
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
