package form

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"linnet/internal/web/page"
)

// englishContext returns a request of an English reader.
func englishContext() *page.Context {
	return &page.Context{Site: &page.Site{}, Request: httptest.NewRequest("GET", "/", nil)}
}

func TestChart(t *testing.T) {
	at := time.Date(2026, 3, 30, 0, 0, 0, 0, time.UTC)
	c := englishContext()
	ch := NewChart(c, "x", "Things", []Day{{At: at}, {At: at.AddDate(0, 0, 1), Known: true}, {At: at.AddDate(0, 0, 2), Value: 1, Known: true},
		{At: at.AddDate(0, 0, 3), Value: 1e6, Known: true}, {At: at.AddDate(0, 0, 4), Value: 5e5, Known: true}}, func(v float64) string { return c.Num(int64(v)) })
	var heights []int
	for _, b := range ch.Bars {
		if b.Y+b.H != chartHeight || b.Y < 0 {
			t.Errorf("bar %+v does not stand on the ground", b)
		}
		heights = append(heights, b.H)
	}
	if h := heights; h[0] != 2 || h[1] != 2 || h[2] != 2 || h[3] != chartHeight-4 || h[4] != (chartHeight-4)/2 {
		t.Errorf("heights %v", h)
	}
	if !ch.Bars[0].Gap || ch.Bars[1].Gap || ch.Bars[1].Label != "31 March: 0" || ch.Bars[0].Label != "30 March: unknown" || !strings.HasSuffix(ch.Label, ": latest 500,000, highest 1,000,000") {
		t.Errorf("chart %+v", ch)
	}
}
