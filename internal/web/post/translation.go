package post

import (
	"github.com/a-h/templ"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// Translate returns the path of the page with a translation. It returns "" if translation is off or
// the reader reads the language.
func (r *Row) Translate() string {
	if r.Me() == nil || r.Translation != nil || !page.Translates(r.C) || !r.S.Translatable() || r.S.Language == "" && !r.Opened {
		return ""
	}
	if r.S.Language != "" {
		for _, reads := range r.C.Languages() {
			if core.BaseLanguage(reads) == core.BaseLanguage(r.S.Language) {
				return ""
			}
		}
	}
	return paths.Post(r.S) + "?translate=1"
}

// languagePart returns the name of a language as a part of a sentence.
func languagePart(code string) templ.Component {
	return ui.Within(`<bdi lang="`+templ.EscapeString(code)+`">`, ui.TextPart(languageName(code)), "</bdi>")
}

// languageName returns the name of a language in that language, or the code if it isn't known.
func languageName(code string) string {
	for _, l := range linnet.Languages() {
		if l.Code == core.BaseLanguage(code) {
			return l.Name
		}
	}
	return code
}
