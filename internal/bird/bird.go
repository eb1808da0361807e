// Package bird draws the bird that replaces a missing avatar: as SVG for pages and as PNG for apps,
// which often cannot show SVG. Both come from one list of shapes that depends only on the username.
package bird

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"image/color"
	"math"
	"strings"
)

// side is the width and height of a drawing in its own units.
const side = 64

// Bird is a drawing. It is not changed after New.
type Bird struct {
	sky    paint
	left   bool // it looks to the left
	shapes []shape
}

// shape is a path, or an ellipse if d is empty.
type shape struct {
	d              string // SVG path data of the commands M, m, H, C, c, s and z
	cx, cy, rx, ry float64
	fill           paint
}

// New returns the bird of a name. It is case-sensitive, and logins are passed in lower case.
func New(name string) *Bird {
	sum := sha256.Sum256([]byte(name))
	bits := binary.BigEndian.Uint64(sum[:])
	pick := func(n uint64) int { // takes a number below n off the bits
		v := bits % n
		bits /= n
		return int(v)
	}
	sky, coat, breast, cap := pick(360), pick(360), pick(360), pick(3)
	b := &Bird{sky: hsl(sky, 42, 84), left: pick(2) == 1}
	hood := hsl(coat, 38, [...]int{30, 46, 62}[cap])
	if crest := [...]string{"", "m24 16 1-9 6 6 3-8 3 9z", "M22 18c-5-3-8-7-8-12 5 1 10 4 13 8z"}[pick(3)]; crest != "" {
		b.shapes = append(b.shapes, shape{d: crest, fill: hood})
	}
	b.shapes = append(b.shapes,
		shape{cx: 26, cy: 62, rx: 25, ry: 29, fill: hsl(coat, 30, 42)},
		shape{d: "M34 34c12 2 19 13 17 30H30c-5-12-3-24 4-30z", fill: hsl(breast, 62, 62)},
		shape{cx: 32, cy: 26, rx: 15, ry: 15, fill: hsl(coat, 30, 56)},
		shape{d: "M17.500 23C19 14 25 11 32 11s13 4 14.500 11c-9 1-20 2-29 1z", fill: hood},
		shape{d: "m46 23 13 5-13 5z", fill: rgb(0x5d, 0x4a, 0x3a)},
		shape{cx: 38.5, cy: 25, rx: 3, ry: 3, fill: rgb(0x1d, 0x17, 0x14)},
		shape{cx: 39.5, cy: 24, rx: 1, ry: 1, fill: rgb(0xff, 0xff, 0xff)},
		shape{d: "M6 52c6-10 14-14 22-13 0 12-7 21-20 25z", fill: hood})
	return b
}

// SVG returns the drawing as an SVG document.
func (b *Bird) SVG() []byte {
	var w strings.Builder
	fmt.Fprintf(&w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d"><rect width="%d" height="%d" fill="%s"/><g`,
		side, side, side, side, b.sky.css)
	if b.left {
		fmt.Fprintf(&w, ` transform="matrix(-1 0 0 1 %d 0)"`, side)
	}
	w.WriteByte('>')
	for _, s := range b.shapes {
		if s.d != "" {
			fmt.Fprintf(&w, `<path d="%s" fill="%s"/>`, s.d, s.fill.css)
		} else {
			fmt.Fprintf(&w, `<ellipse cx="%g" cy="%g" rx="%g" ry="%g" fill="%s"/>`, s.cx, s.cy, s.rx, s.ry, s.fill.css)
		}
	}
	w.WriteString(`</g></svg>`)
	return []byte(w.String())
}

// paint is a colour as SVG and as PNG know it.
type paint struct {
	css string
	rgb color.RGBA
}

func rgb(r, g, b uint8) paint {
	return paint{fmt.Sprintf("#%02x%02x%02x", r, g, b), color.RGBA{r, g, b, 0xff}}
}

// hsl returns a colour by hue in degrees, and saturation and lightness in per cent.
// https://www.w3.org/TR/css-color-4/#hsl-to-rgb
func hsl(h, s, l int) paint {
	sat, light := float64(s)/100, float64(l)/100
	channel := func(n float64) uint8 {
		k := math.Mod(n+float64(h)/30, 12)
		v := light - sat*min(light, 1-light)*max(-1, min(k-3, 9-k, 1))
		return uint8(math.Round(v * 255))
	}
	return paint{fmt.Sprintf("hsl(%d %d%% %d%%)", h, s, l), color.RGBA{channel(0), channel(8), channel(4), 0xff}}
}
