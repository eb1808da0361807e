package locale

import (
	_ "embed" // former.po
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/leonelquinteros/gotext"

	"linnet/internal/wording"
)

//go:embed former.po
var formerTexts []byte

// former returns the present English texts of messages by the texts that earlier releases used.
// Stores keep messages by their English text.
var former = sync.OnceValue(func() map[string]string {
	po := gotext.NewPo()
	po.Parse(formerTexts)
	texts := map[string]string{}
	for text, tr := range po.GetDomain().GetTranslations() {
		if text != "" {
			texts[text] = tr.Get()
		}
	}
	return texts
})

// present returns the text that replaced a former one, or text itself.
func present(text string) string {
	if now, ok := former()[text]; ok {
		return now
	}
	return text
}

// Stored translates a message stored by package wording. If its English text has changed since, it
// uses the present text. Other texts are returned unchanged.
func (l *Language) Stored(kept string) string {
	format, values, ok := wording.Message(kept).Parts()
	if !ok {
		kept = present(kept)
		return l.lookUp(kept, kept)
	}
	format = present(format)
	if list := wording.Listed(format, l.Text(Mark("; "))); list != format {
		return fmt.Sprintf(list, l.shown(values)...)
	}
	return l.Text(format, values...)
}

// At returns the language with a time zone, in which it formats the times of messages. Without a
// zone it uses UTC.
func (l *Language) At(zone *time.Location) *Language {
	there := *l
	there.zone = zone
	return &there
}

// written formats a time, a day or a duration.
func (l *Language) written(v any) string {
	switch v := v.(type) {
	case time.Time:
		zone := l.zone
		if zone == nil {
			zone = time.UTC
		}
		return l.Time(v.In(zone), Mark("2 January 2006, 15:04 MST"))
	case wording.Day:
		return l.Time(time.Time(v), Mark("2 January 2006"))
	case time.Duration:
		return l.duration(v)
	}
	return fmt.Sprint(v)
}

// duration formats a duration in one unit, or above a minute in two.
func (l *Language) duration(d time.Duration) string {
	said := func(unit time.Duration, text string) string {
		return fmt.Sprintf(l.Text(text), l.Decimal(float64(d)/float64(unit), 2))
	}
	switch long := d.Abs(); {
	case long < time.Millisecond:
		return said(time.Microsecond, Mark("%s µs"))
	case long < time.Second:
		return said(time.Millisecond, Mark("%s ms"))
	case long < time.Minute:
		return said(time.Second, Mark("%s s"))
	case long < time.Hour:
		return fmt.Sprintf(l.Text(Mark("%d min %d s")), int64(d/time.Minute), int64(long%time.Minute/time.Second))
	default:
		return fmt.Sprintf(l.Text(Mark("%d h %d min")), int64(d/time.Hour), int64(long%time.Hour/time.Minute))
	}
}

// hasMoments reports whether a value is a time, a day, a duration, or a message, which can contain
// them.
func hasMoments(v any) bool {
	switch v.(type) {
	case time.Time, time.Duration, wording.Day, wording.Message:
		return true
	}
	return false
}

// moment is a time, a day or a duration that is localized when it is formatted as a string.
type moment struct {
	l *Language
	v any
}

// Format implements fmt.Formatter.
func (m moment) Format(s fmt.State, verb rune) {
	if verb != 's' && verb != 'v' {
		_, _ = fmt.Fprintf(s, fmt.FormatString(s, verb), m.v)
		return
	}
	_, _ = io.WriteString(s, m.l.written(m.v)) // writing to a buffer does not fail
}
