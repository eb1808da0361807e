package form

import (
	"math"
	"time"

	"linnet/internal/locale"
	"linnet/internal/web/page"
)

// chart is a chart of a number per day, with a table of the numbers below it.
type chart struct {
	ID, Label     string // Label is the accessible name
	About         string // how the numbers are counted
	Varied        bool   // two days have data, and not all values are 0
	Width, Height int
	Bars          []bar
	Table         *Table
}

// bar is the bar of a day. A gap is a day without data.
type bar struct {
	X, Y, W, H int
	Gap        bool
	Label      string
}

// Day is a number on a date. Known is false if there is no data.
type Day struct {
	At    time.Time
	Value float64
	Known bool
}

// Sizes of a chart in its own units. It scales to the available width.
const (
	chartHeight = 120
	barWidth    = 16
	barGap      = 4
)

// NewChart returns a chart of days, the earliest first. title is the name of the numbers with their
// unit, and show formats one.
func NewChart(c *page.Context, id, title string, days []Day, show func(float64) string) *chart {
	ch := &chart{ID: "chart-" + id, Width: len(days) * (barWidth + barGap), Height: chartHeight,
		Table: &Table{Caption: title, Head: []string{c.Tr("Day"), title}}}
	most, last, known := 0.0, math.NaN(), 0
	for _, d := range days {
		if d.Known {
			most, last = max(most, d.Value), d.Value
			known++
		}
	}
	for i, d := range days {
		on := c.Lang().Time(d.At, locale.Mark("2 January"))
		b := bar{X: i*(barWidth+barGap) + barGap/2, W: barWidth, Label: c.Tr("%s: unknown", on)}
		b.Y, b.H, b.Gap = chartHeight-2, 2, true
		shown := c.Tr("unknown")
		if d.Known {
			shown = show(d.Value)
			b.Label, b.Gap = c.Tr("%s: %s", on, shown), false
			if most > 0 && d.Value > 0 {
				b.H = max(2, int(math.Round(d.Value/most*(chartHeight-4))))
				b.Y = chartHeight - b.H
			}
		}
		ch.Bars = append(ch.Bars, b)
		ch.Table.Rows = append(ch.Table.Rows, []Cell{TextCell(c.Lang().Time(d.At, locale.Mark("2 January 2006"))), {Text: shown, Number: true}})
	}
	ch.Varied = known > 1 && most > 0
	if known == 0 {
		ch.Label = c.Tr("%s: no data yet", title)
		return ch
	}
	ch.Label = c.Trn(int64(len(days)), "%[2]s in the last day: latest %[3]s, highest %[4]s", "%[2]s in the last %[1]s days: latest %[3]s, highest %[4]s",
		title, show(last), show(most))
	return ch
}
