// Package locale contains the languages of the interface: catalogues of translations, the choice of
// a reader's language, and formats of numbers and dates.
//
// A text is looked up by its English wording. The catalogues are PO files of gettext, which common
// translation tools can edit. A test finds texts without entries and unused entries. A missing
// translation falls back to English. The package does not know the meaning of texts.
package locale

import (
	"embed"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/leonelquinteros/gotext"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"

	"linnet/internal/wording"
)

//go:embed catalogues/*.po
var catalogues embed.FS

// Language is a language of the interface. It is safe for concurrent use.
type Language struct {
	Code string // BCP 47
	Name string // in the language itself
	RTL  bool   // written from right to left

	english bool
	load    func() *catalogue
	strict  bool           // see Pseudo
	zone    *time.Location // see At
}

// catalogue is the data of a language, which is loaded at its first use.
type catalogue struct {
	texts   map[string]string // translations by text, prefixed with the context and "\x04" if they have one
	plural  func(one, other string, n int, values ...any) string
	printer *message.Printer
	point   string            // decimal separator
	months  *strings.Replacer // translates the English names of months
}

// known returns the languages, English first. They are created once.
var known = sync.OnceValue(func() []*Language {
	return []*Language{
		{Code: "en", Name: "English", english: true, load: sync.OnceValue(func() *catalogue { return read("en") })},
		foreign("de", "Deutsch", false),
		foreign("fr", "Français", false),
		foreign("es", "Español", false),
		foreign("ja", "日本語", false),
		foreign("ar", "العربية", true),
	}
})

func foreign(code, name string, rtl bool) *Language {
	return &Language{Code: code, Name: name, RTL: rtl, load: sync.OnceValue(func() *catalogue { return read(code) })}
}

// read loads a catalogue. English has none.
func read(code string) *catalogue {
	po := gotext.NewPo()
	if data, err := catalogues.ReadFile("catalogues/" + code + ".po"); err == nil {
		po.Parse(data)
	}
	// Digits are Latin in all languages, like in ids and times.
	c := &catalogue{texts: map[string]string{}, plural: po.GetN, printer: message.NewPrinter(language.MustParse(code + "-u-nu-latn"))}
	take := func(before string, all map[string]*gotext.Translation) {
		for text, tr := range all {
			if tr.IsTranslated() {
				c.texts[before+text] = tr.Get()
			}
		}
	}
	take("", po.GetDomain().GetTranslations())
	for context, all := range po.GetDomain().GetCtxTranslations() {
		take(context+"\x04", all)
	}
	c.point = strings.Trim(c.printer.Sprint(number.Decimal(0.5)), "05")
	var pairs, short []string // the long names come first, so that January is not replaced as Jan
	for m := time.January; m <= time.December; m++ {
		if name, ok := c.texts["month\x04"+m.String()]; ok {
			pairs = append(pairs, m.String(), name)
		}
		if name, ok := c.texts["short month\x04"+m.String()[:3]]; ok {
			short = append(short, m.String()[:3], name)
		}
	}
	c.months = strings.NewReplacer(append(pairs, short...)...)
	return c
}

// Languages returns all languages, English first.
func Languages() []*Language { return known() }

// English returns the language of the source texts.
func English() *Language { return known()[0] }

// Named returns the language with a code, or nil.
func Named(code string) *Language {
	for _, l := range known() {
		if l.Code == code {
			return l
		}
	}
	return nil
}

// Chosen returns the first known language of the codes, or English. It is used where no browser
// sends its languages, as in mails.
func Chosen(codes ...string) *Language {
	for _, code := range codes {
		if l := Named(code); l != nil {
			return l
		}
	}
	return English()
}

var matcher = sync.OnceValue(func() language.Matcher {
	var tags []language.Tag
	for _, l := range known() {
		tags = append(tags, language.MustParse(l.Code))
	}
	return language.NewMatcher(tags)
})

// Preferred returns the language that matches an Accept-Language header best (RFC 9110 section
// 12.5.4), or English.
func Preferred(accept string) *Language {
	if accept == "" {
		return English()
	}
	tags, _, err := language.ParseAcceptLanguage(accept)
	if err != nil || len(tags) == 0 {
		return English()
	}
	_, i, confidence := matcher().Match(tags...)
	if confidence == language.No {
		return English()
	}
	return known()[i]
}

// Text translates a text and inserts the values like fmt.Sprintf. The text must be a constant in a
// place that the test of the catalogues finds, or have been passed to Mark.
func (l *Language) Text(text string, values ...any) string {
	text = l.lookUp(text, text)
	if len(values) == 0 {
		return text
	}
	return fmt.Sprintf(text, l.shown(values)...)
}

// shown localizes values: times, numbers with the decimal point, and nested messages. In
// right-to-left languages it isolates texts such as handles, so that they do not swap places with
// the text around them (UAX 9 section 2.4).
func (l *Language) shown(values []any) []any {
	if l.english && !slices.ContainsFunc(values, hasMoments) {
		return values
	}
	out := slices.Clone(values)
	for i, v := range out {
		switch v := v.(type) {
		case time.Time, time.Duration, wording.Day:
			out[i] = moment{l, v}
		case float64:
			if !l.strict && !l.english {
				out[i] = decimal{v, l.load().point}
			}
		case wording.Message, error:
			if m, ok := wording.Of(v); ok {
				out[i] = m.In(l)
			}
		case string:
			if l.RTL && v != "" {
				out[i] = "\u2068" + v + "\u2069"
			}
		}
	}
	return out
}

// decimal is a number that is formatted with a language's decimal point.
type decimal struct {
	x     float64
	point string
}

// Format implements fmt.Formatter.
func (d decimal) Format(s fmt.State, verb rune) {
	_, _ = io.WriteString(s, strings.Replace(fmt.Sprintf(fmt.FormatString(s, verb), d.x), ".", d.point, 1)) // writing to a buffer does not fail
}

// Say returns Text for messages made of parts, or nil for English, which needs no translation.
func (l *Language) Say() func(string, ...any) string {
	if l.english {
		return nil
	}
	return l.Text
}

// Sentence turns a message into a sentence, with a capital letter and a full stop.
func (l *Language) Sentence(msg string) string {
	first, size := utf8.DecodeRuneInString(msg)
	if size == 0 {
		return ""
	}
	msg = string(unicode.ToUpper(first)) + msg[size:]
	if last, _ := utf8.DecodeLastRuneInString(msg); strings.ContainsRune(".!?…。！？؟", last) {
		return msg
	}
	if l.Code == "ja" {
		return msg + "。"
	}
	return msg + "."
}

// InContext is Text for a word with several meanings in English, such as Post. The context is a
// constant too and explains the meaning to translators.
func (l *Language) InContext(context, text string) string {
	return l.lookUp(context+"\x04"+text, text)
}

// Count translates a text with a number. one and other are the English singular and plural. The
// catalogue has the plural forms of its language. The formatted number is the first value, which a
// form can omit.
func (l *Language) Count(n int64, one, other string, values ...any) string {
	text := other
	if n == 1 {
		text = one
	}
	switch {
	case l.strict:
		text = l.marked(one, text)
	case !l.english:
		text = l.load().plural(one, other, int(n))
	}
	if !strings.Contains(text, "%") {
		return text
	}
	return fmt.Sprintf(text, append([]any{l.Number(n)}, l.shown(values)...)...)
}

// lookUp returns the translation of a text by its key.
func (l *Language) lookUp(key, text string) string {
	switch {
	case l.english || text == "":
		return text
	case l.strict:
		return l.marked(key, text)
	}
	if translated, ok := l.load().texts[key]; ok {
		return translated
	}
	return text
}

// marked returns the text with the marks of Pseudo.
func (l *Language) marked(key, text string) string {
	if _, ok := l.load().texts[key]; ok {
		return "⟦" + text + "⟧"
	}
	return "‼" + text
}

// Mark returns text, so that the test of the catalogues finds a text that is translated later.
func Mark(text string) string { return text }

// Number formats an integer with thousands separators.
func (l *Language) Number(n int64) string {
	if -1000 < n && n < 1000 {
		return strconv.FormatInt(n, 10)
	}
	return l.load().printer.Sprint(number.Decimal(n))
}

// Decimal formats a number with the given number of decimals, or -1 for all, without trailing
// zeros.
func (l *Language) Decimal(x float64, digits int) string {
	s := strconv.FormatFloat(x, 'f', digits, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	return strings.Replace(s, ".", l.load().point, 1)
}

// Time formats a time with a layout of package time. The layout is translated too, because
// languages order days, months and years differently.
func (l *Language) Time(t time.Time, layout string) string {
	if l.english {
		return t.Format(layout)
	}
	return l.load().months.Replace(t.Format(l.lookUp(layout, layout)))
}

// Pseudo returns a language for tests that marks translated texts as ⟦text⟧ and texts without
// translation as ‼text. Other texts do not come from a catalogue.
func Pseudo() *Language {
	return &Language{Code: "en", Name: "Pseudo", strict: true, load: func() *catalogue { return known()[1].load() }}
}
