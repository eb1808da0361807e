package bird

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"

	"golang.org/x/image/vector"
)

// pixel is a point of the picture.
type pixel struct{ x, y float32 }

// stroke is a piece of an outline. A curve has two control points before its end.
type stroke struct {
	kind strokeKind
	to   [3]pixel
}

type strokeKind uint8

const (
	moveStroke strokeKind = iota
	lineStroke
	curveStroke
	closeStroke
)

// points returns the points of a stroke.
func (s *stroke) points() []pixel {
	switch s.kind {
	case curveStroke:
		return s.to[:3]
	case closeStroke:
		return nil
	}
	return s.to[:1]
}

// edgeSteps is the number of shades at an edge between two colours. With more, a picture would have
// more colours than fit into a byte. With one byte per pixel it is drawn and compressed several
// times as fast.
const edgeSteps = 8

// canvas is a picture with a palette that grows as shapes are drawn.
type canvas struct {
	img    *image.Paletted
	mask   []uint8 // room for one as large as the picture
	raster vector.Rasterizer
	blends map[blend]uint8
}

// blend is a palette colour covered by another one. steps is how much.
type blend struct{ under, over, steps uint8 }

func newCanvas(pixels int, sky color.RGBA) *canvas {
	all := image.Rect(0, 0, pixels, pixels)
	return &canvas{img: image.NewPaletted(all, color.Palette{sky}), mask: make([]uint8, pixels*pixels), blends: map[blend]uint8{}}
}

// colour returns the index of a colour in the palette. It adds the colour if there is room.
func (c *canvas) colour(want color.RGBA) uint8 {
	if len(c.img.Palette) < 256 {
		c.img.Palette = append(c.img.Palette, want)
		return uint8(len(c.img.Palette) - 1)
	}
	return uint8(c.img.Palette.Index(want))
}

// fill fills an outline with a colour. It only reads the rectangle around it.
func (c *canvas) fill(outline []stroke, with color.RGBA) {
	box := c.around(outline)
	if box.Empty() {
		return
	}
	c.trace(outline, box)
	mask := &image.Alpha{Pix: c.mask[:box.Dx()*box.Dy()], Stride: box.Dx(), Rect: image.Rect(0, 0, box.Dx(), box.Dy())}
	c.raster.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	over := c.colour(with)
	for y := range box.Dy() {
		row := c.img.Pix[c.img.PixOffset(box.Min.X, box.Min.Y+y):][:box.Dx()]
		for x, alpha := range mask.Pix[y*mask.Stride:][:box.Dx()] {
			switch steps := (int(alpha)*edgeSteps + 127) / 255; steps {
			case 0:
			case edgeSteps:
				row[x] = over
			default:
				row[x] = c.blend(blend{row[x], over, uint8(steps)})
			}
		}
	}
}

// trace gives an outline to the rasterizer, moved so that the box begins at 0.
func (c *canvas) trace(outline []stroke, box image.Rectangle) {
	c.raster.Reset(box.Dx(), box.Dy())
	c.raster.DrawOp = draw.Src
	dx, dy := float32(box.Min.X), float32(box.Min.Y)
	for _, s := range outline {
		for i := range s.to {
			s.to[i].x -= dx
			s.to[i].y -= dy
		}
		switch s.kind {
		case moveStroke:
			c.raster.MoveTo(s.to[0].x, s.to[0].y)
		case lineStroke:
			c.raster.LineTo(s.to[0].x, s.to[0].y)
		case curveStroke:
			c.raster.CubeTo(s.to[0].x, s.to[0].y, s.to[1].x, s.to[1].y, s.to[2].x, s.to[2].y)
		case closeStroke:
			c.raster.ClosePath()
		}
	}
}

// blend returns the index of a mixed colour.
func (c *canvas) blend(b blend) uint8 {
	if i, ok := c.blends[b]; ok {
		return i
	}
	under, over := c.img.Palette[b.under].(color.RGBA), c.img.Palette[b.over].(color.RGBA)
	mix := func(u, o uint8) uint8 {
		return uint8((int(u)*int(edgeSteps-b.steps) + int(o)*int(b.steps)) / edgeSteps)
	}
	i := c.colour(color.RGBA{mix(under.R, over.R), mix(under.G, over.G), mix(under.B, over.B), 0xff})
	c.blends[b] = i
	return i
}

// around returns the smallest rectangle with an outline's points, within the picture. A curve does
// not leave its control points.
func (c *canvas) around(outline []stroke) image.Rectangle {
	var all image.Rectangle
	for i := range outline {
		for _, p := range outline[i].points() {
			x, y := int(math.Floor(float64(p.x))), int(math.Floor(float64(p.y)))
			all = all.Union(image.Rect(x, y, x+1, y+1))
		}
	}
	return all.Intersect(c.img.Rect)
}

func (c *canvas) encode() []byte {
	var out bytes.Buffer
	_ = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, c.img) // a buffer takes everything
	return out.Bytes()
}
