package linnet

import (
	"strings"
	"testing"
)

func TestCheckAccent(t *testing.T) {
	for _, tc := range []struct{ light, dark, wantLight, wantDark, refused string }{
		{"", "", "", "", ""},
		{" #A5253F ", "#f28c9e", "#a5253f", "#f28c9e", ""},
		{"#123", "#abc", "#112233", "#aabbcc", ""},
		{"#000000", "", "#000000", "", ""},
		{"", "#ffffff", "", "#ffffff", ""},
		{"#ffcc00", "", "", "", "accent_light: has a contrast of 1.2 to 1 with the background, but needs 4.5 to 1 to be readable. Choose a darker colour, such as #"},
		{"#a5253f", "#a5253f", "", "", "accent_dark: has a contrast of 2.1 to 1 with the background"},
		{"red", "", "", "", `accent_light: is "red", but must be a colour such as #1b6e4f`},
		{"#12345", "", "", "", "accent_light: is"}, {"#gggggg", "", "", "", "accent_light: is"}, {"123456", "", "", "", "accent_light: is"},
	} {
		a, err := CheckAccent(tc.light, tc.dark)
		if tc.refused != "" {
			e, _ := err.(*Error)
			if e == nil || len(e.Fields) != 1 || !strings.HasPrefix(e.Fields[0].Name+": "+e.Fields[0].Msg, tc.refused) {
				t.Errorf("%q, %q: %v", tc.light, tc.dark, err)
			}
			continue
		}
		if err != nil || tc.wantLight != "" && a.Light != tc.wantLight || tc.wantDark != "" && a.Dark != tc.wantDark || (a.Light == "") != (tc.light+tc.dark == "") || (a.Dark == "") != (a.Light == "") {
			t.Errorf("%q, %q: %+v, %v", tc.light, tc.dark, a, err)
		}
	}
}

// TestReadable checks that the suggested colours are accepted.
func TestReadable(t *testing.T) {
	for _, s := range []string{"#ffcc00", "#fff", "#000", "#00ff00", "#777777", "#0000ff"} {
		c, _ := ParseColour(s)
		if _, err := CheckAccent(LightGrounds().Readable(c).String(), DarkGrounds().Readable(c).String()); err != nil {
			t.Errorf("%s: %v", s, err)
		}
	}
}
