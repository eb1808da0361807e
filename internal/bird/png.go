package bird

import (
	"bytes"
	"image"
	"image/draw"
	"image/png"
	"strconv"

	"golang.org/x/image/vector"
)

// PNG is the drawing as a square picture, some pixels wide and high.
func (b *Bird) PNG(pixels int) []byte {
	img := image.NewRGBA(image.Rect(0, 0, pixels, pixels))
	draw.Draw(img, img.Bounds(), image.NewUniform(b.sky.rgb), image.Point{}, draw.Src)
	p := pen{Rasterizer: vector.NewRasterizer(pixels, pixels), scale: float32(pixels) / side, mirrored: b.left}
	for _, s := range b.shapes {
		p.Reset(pixels, pixels)
		if s.d != "" {
			p.path(s.d)
		} else {
			p.ellipse(s.cx, s.cy, s.rx, s.ry)
		}
		p.Draw(img, img.Bounds(), image.NewUniform(s.fill.rgb), image.Point{})
	}
	var out bytes.Buffer
	_ = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, img) // a buffer takes everything
	return out.Bytes()
}

// pen draws the outlines of shapes in the units of the drawing.
type pen struct {
	*vector.Rasterizer
	scale    float32
	mirrored bool
	at, bend point // where it is; the last control point
}

type point struct{ x, y float64 }

// to is a point in pixels.
func (p *pen) to(q point) (x, y float32) {
	if p.mirrored {
		q.x = side - q.x
	}
	return float32(q.x) * p.scale, float32(q.y) * p.scale
}

func (p *pen) move(q point) {
	p.MoveTo(p.to(q))
	p.at, p.bend = q, q
}

func (p *pen) line(q point) {
	p.LineTo(p.to(q))
	p.at, p.bend = q, q
}

func (p *pen) curve(b, c, q point) {
	bx, by := p.to(b)
	cx, cy := p.to(c)
	x, y := p.to(q)
	p.CubeTo(bx, by, cx, cy, x, y)
	p.at, p.bend = q, c
}

// ellipse draws four curves that are off by less than a thousandth.
func (p *pen) ellipse(cx, cy, rx, ry float64) {
	const k = 0.5522847498
	p.move(point{cx + rx, cy})
	p.curve(point{cx + rx, cy + k*ry}, point{cx + k*rx, cy + ry}, point{cx, cy + ry})
	p.curve(point{cx - k*rx, cy + ry}, point{cx - rx, cy + k*ry}, point{cx - rx, cy})
	p.curve(point{cx - rx, cy - k*ry}, point{cx - k*rx, cy - ry}, point{cx, cy - ry})
	p.curve(point{cx + k*rx, cy - ry}, point{cx + rx, cy - k*ry}, point{cx + rx, cy})
	p.ClosePath()
}

// path draws an outline of ours; it knows the commands that those have.
// https://www.w3.org/TR/SVG2/paths.html#PathData
func (p *pen) path(d string) {
	var start point
	p.at = start
	for d != "" {
		cmd := d[0]
		var args []float64
		args, d = numbers(d[1:])
		from := func(i int) point { // the i-th pair of numbers
			if cmd >= 'a' {
				return point{p.at.x + args[i], p.at.y + args[i+1]}
			}
			return point{args[i], args[i+1]}
		}
		switch cmd {
		case 'M', 'm':
			start = from(0)
			p.move(start)
			for args = args[2:]; len(args) > 0; args = args[2:] {
				p.line(from(0))
			}
		case 'H':
			p.line(point{args[0], p.at.y})
		case 'C', 'c':
			for ; len(args) > 0; args = args[6:] {
				p.curve(from(0), from(2), from(4))
			}
		case 's':
			p.curve(point{2*p.at.x - p.bend.x, 2*p.at.y - p.bend.y}, from(0), from(2))
		case 'z':
			p.ClosePath()
			p.at = start
		}
	}
}

// numbers reads the numbers at the beginning of d.
func numbers(d string) (all []float64, rest string) {
	for {
		for d != "" && (d[0] == ' ' || d[0] == ',') {
			d = d[1:]
		}
		n := 0
		for n < len(d) && (d[n] >= '0' && d[n] <= '9' || d[n] == '.' || n == 0 && d[n] == '-') {
			n++
		}
		v, err := strconv.ParseFloat(d[:n], 64)
		if err != nil {
			return all, d
		}
		all, d = append(all, v), d[n:]
	}
}
