package admin

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
)

// scene is a picture that the demo paints itself: a sky, a disc, and hills or waves in front, the
// nearest last. Lengths are fractions of the height, from the top. Horizontal positions are
// fractions of the width.
type scene struct {
	above, below color.RGBA // sky colours
	disc         color.RGBA
	x, y, r      float64 // centre and radius of the disc
	ridges       []ridge
}

// ridge is the upper edge of a hill or of the sea.
type ridge struct {
	level, rise float64 // height, and amplitude
	waves       float64 // number of waves across the picture
	begins      float64 // phase at the left edge
	is          color.RGBA
}

func rgb(hex uint32) color.RGBA {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255}
}

// demoScenes returns the pictures of the demo by name.
func demoScenes() map[string]scene {
	return map[string]scene{
		"sea": {rgb(0x3b4a6b), rgb(0xf3cf9b), rgb(0xfbe6b8), .7, .52, .13, []ridge{
			{.62, .006, 9, 0, rgb(0x2d5667)}, {.74, .014, 5, .3, rgb(0x21424f)}, {.88, .02, 3, .6, rgb(0x183541)}}},
		"hills": {rgb(0xbcd3d6), rgb(0xf7e7cd), rgb(0xfdf6e0), .22, .3, .1, []ridge{
			{.58, .07, 1.4, .1, rgb(0xa9b98f)}, {.72, .06, 1.9, .55, rgb(0x7f9a6a)}, {.88, .05, 1.2, .8, rgb(0x56754b)}}},
		"night": {rgb(0x161a33), rgb(0x4b4a78), rgb(0xf6e7bd), .76, .26, .09, []ridge{
			{.7, .08, 1.6, .4, rgb(0x24264a)}, {.86, .05, 2.2, .1, rgb(0x101228)}}},
		"morning": {rgb(0xe9c9bd), rgb(0xf4d9a6), rgb(0xfff3c4), .5, .58, .16, []ridge{
			{.6, .05, 1.1, .7, rgb(0xb98a6a)}, {.76, .06, 1.7, .2, rgb(0x8c5a46)}, {.9, .03, 2.6, .5, rgb(0x5b3a2a)}}},
	}
}

// paint returns a scene as PNG.
func (s *scene) paint(width, height int) ([]byte, error) {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	w, h := float64(width), float64(height)
	for px := range width {
		x := float64(px) / w
		edges := make([]float64, len(s.ridges))
		for i, r := range s.ridges {
			edges[i] = (r.level - r.rise*math.Sin(2*math.Pi*(r.waves*x+r.begins))) * h
		}
		for py := range height {
			y := float64(py)
			c := mix(s.above, s.below, y/h)
			c = mix(c, s.disc, s.r*h-math.Hypot(float64(px)-s.x*w, y-s.y*h))
			for i, r := range s.ridges {
				c = mix(c, r.is, y-edges[i])
			}
			m.SetRGBA(px, py, c)
		}
	}
	var b bytes.Buffer
	err := png.Encode(&b, m)
	return b.Bytes(), err
}

// mix returns a mixture of two colours. share is the part of b, limited to 0 to 1.
func mix(a, b color.RGBA, share float64) color.RGBA {
	share = min(max(share, 0), 1)
	of := func(a, b uint8) uint8 { return uint8(float64(a) + share*(float64(b)-float64(a))) }
	return color.RGBA{of(a.R, b.R), of(a.G, b.G), of(a.B, b.B), 255}
}
