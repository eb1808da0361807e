package linnet

type Language struct{ Code, Name string } // ISO 639-1 code and native name

// Languages returns the languages that composers offer, by code. Users can set others as their
// default.
func Languages() []Language {
	return []Language{{"ar", "العربية"}, {"bg", "Български"}, {"bn", "বাংলা"}, {"ca", "Català"}, {"cs", "Čeština"},
		{"da", "Dansk"}, {"de", "Deutsch"}, {"el", "Ελληνικά"}, {"en", "English"}, {"es", "Español"}, {"et", "Eesti"},
		{"eu", "Euskara"}, {"fa", "فارسی"}, {"fi", "Suomi"}, {"fr", "Français"}, {"gl", "Galego"}, {"he", "עברית"},
		{"hi", "हिन्दी"}, {"hu", "Magyar"}, {"id", "Bahasa Indonesia"}, {"it", "Italiano"}, {"ja", "日本語"}, {"ko", "한국어"},
		{"nl", "Nederlands"}, {"no", "Norsk"}, {"pl", "Polski"}, {"pt", "Português"}, {"ro", "Română"}, {"ru", "Русский"},
		{"sk", "Slovenčina"}, {"sv", "Svenska"}, {"th", "ไทย"}, {"tr", "Türkçe"}, {"uk", "Українська"}, {"vi", "Tiếng Việt"}, {"zh", "中文"}}
}

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
	if !st.Visibility.Open() || st.RepostOf != 0 {
		return false
	}
	for _, a := range st.Media {
		if a.Description != "" {
			return true
		}
	}
	return st.Text != "" || st.Warning != "" || st.Poll != nil
}
