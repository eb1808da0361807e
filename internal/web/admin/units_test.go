package admin

import (
	"net/http/httptest"
	"testing"
	"time"

	"linnet/internal/web/page"
)

// englishContext returns a request of an English reader.
func englishContext() *page.Context {
	return &page.Context{Site: &page.Site{}, Request: httptest.NewRequest("GET", "/", nil)}
}

func TestUnits(t *testing.T) {
	c := englishContext()
	if got := c.ByteCount(3<<30/2) + c.ByteCount(5); got != "1.5\u00a0GiB5 bytes" || seconds(c, 0.25) != "250\u00a0ms" || seconds(c, 3) != "3.0\u00a0s" || seconds(c, 600) != "10\u00a0min" {
		t.Error(got, seconds(c, 0.25), seconds(c, 3), seconds(c, 600))
	}
}

func TestAge(t *testing.T) {
	for d, text := range map[time.Duration]string{-time.Second: "0 minutes", 90 * time.Second: "1 minute", 47 * time.Hour: "47 hours", 49 * time.Hour: "2 days"} {
		if got := age(englishContext(), d); got != text {
			t.Errorf("%v: %q, want %q", d, got, text)
		}
	}
}
