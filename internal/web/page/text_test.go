package page_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
)

// speaking returns a request of a browser that prefers a language.
func speaking(accept string) *page.Context {
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Accept-Language", accept)
	return &page.Context{Site: &page.Site{}, Request: r}
}

func TestWaiting(t *testing.T) {
	c := speaking("en")
	for d, want := range map[time.Duration]string{0: "1 second", time.Second: "1 second", 1500 * time.Millisecond: "2 seconds",
		90 * time.Second: "90 seconds", 91 * time.Second: "2 minutes", 30 * time.Minute: "30 minutes"} {
		if got := c.WaitText(d); got != "Please wait "+want+" and try again." {
			t.Errorf("WaitText(%v) = %q, want %q", d, got, want)
		}
	}
}

// Errors are in the reader's language, with the names of the inputs and the values.
func TestRefusalsAreTranslated(t *testing.T) {
	long := linnet.FieldError("display_name", "ERR_TOO_LONG", "is too long (maximum is %d characters)", 30).Fields[0]
	if got := speaking("en-GB,en;q=0.9").FieldErrorText("Your name", long); got != "Your name is too long (maximum is 30 characters)." {
		t.Errorf("English: %q", got)
	}
	c := speaking("de-AT,de;q=0.9,en;q=0.5")
	if got := c.FieldErrorText("Dein Name", long); !strings.HasPrefix(got, "Dein Name: ") || !strings.Contains(got, "30") || strings.Contains(got, "maximum") {
		t.Errorf("German: %q", got)
	}
	mute := linnet.Errorf(linnet.Forbidden, "You can't mute yourself.")
	if got := c.ErrorText(mute); got == mute.Msg || got == "" {
		t.Errorf("German: %q", got)
	}
	own := &linnet.Error{Kind: linnet.Invalid, Msg: "as it is"}
	if got := c.ErrorText(own); got != "As it is." {
		t.Errorf("without a wording: %q", got)
	}
}
