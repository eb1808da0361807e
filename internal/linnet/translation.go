package linnet

// Translation is a machine translation of a status.
// https://docs.joinmastodon.org/entities/Translation/
type Translation struct {
	StatusVersion        // translated text, warning, options and descriptions, in Language
	From          string // original language, according to the author or else detected
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
