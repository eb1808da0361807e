package bird

import "strconv"

// PNG returns the drawing as a square picture with this width in pixels.
func (b *Bird) PNG(pixels int) []byte {
	c := newCanvas(pixels, b.sky.rgb)
	p := pen{scale: float32(pixels) / side, mirrored: b.left}
	for _, s := range b.shapes {
		p.strokes = p.strokes[:0]
		if s.d != "" {
			p.path(s.d)
		} else {
			p.ellipse(s.cx, s.cy, s.rx, s.ry)
		}
		c.fill(p.strokes, s.fill.rgb)
	}
	return c.encode()
}

// pen turns outlines of shapes, in the units of the drawing, into strokes.
type pen struct {
	strokes  []stroke
	scale    float32
	mirrored bool
	at, bend point // where it is; the last control point
}

type point struct{ x, y float64 }

// to converts a point to pixels.
func (p *pen) to(q point) pixel {
	if p.mirrored {
		q.x = side - q.x
	}
	return pixel{float32(q.x) * p.scale, float32(q.y) * p.scale}
}

func (p *pen) move(q point) {
	p.strokes = append(p.strokes, stroke{kind: moveStroke, to: [3]pixel{p.to(q)}})
	p.at, p.bend = q, q
}

func (p *pen) line(q point) {
	p.strokes = append(p.strokes, stroke{kind: lineStroke, to: [3]pixel{p.to(q)}})
	p.at, p.bend = q, q
}

func (p *pen) curve(b, c, q point) {
	p.strokes = append(p.strokes, stroke{kind: curveStroke, to: [3]pixel{p.to(b), p.to(c), p.to(q)}})
	p.at, p.bend = q, c
}

func (p *pen) close() { p.strokes = append(p.strokes, stroke{kind: closeStroke}) }

// ellipse draws four curves with an error below a thousandth.
func (p *pen) ellipse(cx, cy, rx, ry float64) {
	const k = 0.5522847498
	p.move(point{cx + rx, cy})
	p.curve(point{cx + rx, cy + k*ry}, point{cx + k*rx, cy + ry}, point{cx, cy + ry})
	p.curve(point{cx - k*rx, cy + ry}, point{cx - rx, cy + k*ry}, point{cx - rx, cy})
	p.curve(point{cx - rx, cy - k*ry}, point{cx - k*rx, cy - ry}, point{cx, cy - ry})
	p.curve(point{cx + k*rx, cy - ry}, point{cx + rx, cy - k*ry}, point{cx + rx, cy})
	p.close()
}

// path draws one of our outlines, with the path commands they use.
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
			p.close()
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
