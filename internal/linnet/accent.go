package linnet

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Accent is a custom colour of links and buttons, for light and dark pages. Both are "#rrggbb" in
// lower case, or "" for the default.
type Accent struct{ Light, Dark string }

// MinContrast is the minimum contrast of an accent colour with its background, as required for
// text. https://www.w3.org/TR/WCAG22/#contrast-minimum
const MinContrast = 4.5

// Grounds are the background colours of pages in the style sheet: the page, a card on it, and an
// inset in a card.
type Grounds [3]string

// LightGrounds returns the grounds of light pages.
func LightGrounds() Grounds { return Grounds{"#f6f1e9", "#fffdf9", "#f2eade"} }

// DarkGrounds returns the grounds of dark pages.
func DarkGrounds() Grounds { return Grounds{"#14110f", "#1e1a17", "#2b2521"} }

// Colour is red, green and blue, each from 0 to 255.
type Colour [3]float64

// ParseColour reads "#rgb" or "#rrggbb".
func ParseColour(s string) (c Colour, ok bool) {
	hex, found := strings.CutPrefix(strings.ToLower(strings.TrimSpace(s)), "#")
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	n, err := strconv.ParseUint(hex, 16, 32)
	if !found || len(hex) != 6 || err != nil {
		return c, false
	}
	return Colour{float64(n >> 16), float64(n >> 8 & 0xff), float64(n & 0xff)}, true
}

// String returns the colour as "#rrggbb".
func (c Colour) String() string {
	return fmt.Sprintf("#%02x%02x%02x", int(math.Round(c[0])), int(math.Round(c[1])), int(math.Round(c[2])))
}

// Mix returns a mixture of two colours. share is the part of the second one.
func (c Colour) Mix(with Colour, share float64) Colour {
	for i := range c {
		c[i] = math.Round(c[i] + (with[i]-c[i])*share)
	}
	return c
}

// luminance returns the relative luminance of WCAG 2.2.
func (c Colour) luminance() float64 {
	var l [3]float64
	for i, v := range c {
		if v /= 255; v <= 0.04045 {
			l[i] = v / 12.92
		} else {
			l[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2]
}

// Contrast returns the contrast of two colours, from 1 to 21.
func (c Colour) Contrast(with Colour) float64 {
	a, b := c.luminance(), with.luminance()
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

// lowest returns the lowest contrast of a colour with the grounds.
func (g Grounds) lowest(c Colour) float64 {
	least := 21.0
	for _, s := range g {
		on, _ := ParseColour(s)
		least = min(least, c.Contrast(on))
	}
	return least
}

// Readable returns the colour, darkened or lightened just enough to be readable on the grounds.
func (g Grounds) Readable(c Colour) Colour {
	page, _ := ParseColour(g[0])
	towards := Colour{}
	if page.luminance() < 0.5 {
		towards = Colour{255, 255, 255}
	}
	for share := 0.0; share < 1; share += 0.02 {
		if mixed := c.Mix(towards, share); g.lowest(mixed) >= MinContrast {
			return mixed
		}
	}
	return towards
}

// CheckAccent parses the two colours of an accent, and derives a missing one from the other. It
// returns Invalid for a colour with too little contrast. The error has the contrast and a colour
// with enough.
func CheckAccent(light, dark string) (a Accent, err error) {
	if light, dark = strings.TrimSpace(light), strings.TrimSpace(dark); light == "" && dark == "" {
		return a, nil
	}
	var all Faults
	for _, x := range []struct {
		name, typed, other string
		on                 Grounds
		to                 *string
	}{
		{"accent_light", light, dark, LightGrounds(), &a.Light}, {"accent_dark", dark, light, DarkGrounds(), &a.Dark},
	} {
		typed := x.typed
		if typed == "" {
			typed = x.other
		}
		c, ok := ParseColour(typed)
		if !ok {
			if x.typed != "" { // otherwise, the error is about the other colour
				all.Add(FieldError(x.name, "ERR_INVALID", "is %q, but must be a colour such as #1b6e4f", typed))
			}
			continue
		}
		if x.typed == "" {
			c = x.on.Readable(c)
		}
		if r := x.on.lowest(c); r < MinContrast {
			r = math.Floor(r*10) / 10
			if x.to == &a.Dark {
				all.Add(FieldError(x.name, "ERR_INVALID", "has a contrast of %.1f to 1 with the background, but needs %.1f to 1 to be readable. Choose a lighter colour, such as %v", r, MinContrast, x.on.Readable(c)))
				continue
			}
			all.Add(FieldError(x.name, "ERR_INVALID", "has a contrast of %.1f to 1 with the background, but needs %.1f to 1 to be readable. Choose a darker colour, such as %v", r, MinContrast, x.on.Readable(c)))
			continue
		}
		*x.to = c.String()
	}
	if err := all.Err(); err != nil {
		return Accent{}, err
	}
	return a, nil
}
