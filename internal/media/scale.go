package media

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/draw"
)

// within returns the size of a picture of w by h pixels, shrunk to at most area pixels if
// necessary.
func within(w, h, area int) (int, int) {
	if w*h <= area {
		return w, h
	}
	f := math.Sqrt(float64(area) / (float64(w) * float64(h)))
	return max(int(float64(w)*f), 1), max(int(float64(h)*f), 1)
}

// shrink returns a picture of w by h pixels, which is not larger. The scaler with the least memory
// skips pixels if the result is less than half as large, so whole blocks are averaged first.
func shrink(img image.Image, w, h int) *image.RGBA {
	b := img.Bounds()
	if k := min(b.Dx()/w, b.Dy()/h); k >= 2 {
		img = average(img, k)
	}
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	scaler := draw.Interpolator(draw.ApproxBiLinear)
	if w*h <= SmallArea { // it needs 32 bytes for each column and row
		scaler = draw.CatmullRom
	}
	scaler.Scale(out, out.Bounds(), img, img.Bounds(), draw.Src, nil)
	return out
}

// average replaces each block of k by k pixels with one pixel.
func average(img image.Image, k int) *image.RGBA {
	b := img.Bounds()
	w, h := b.Dx()/k, b.Dy()/k
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	row := image.NewRGBA(image.Rect(0, 0, w*k, k)) // one row of blocks
	for y := range h {
		draw.Draw(row, row.Bounds(), img, image.Pt(b.Min.X, b.Min.Y+y*k), draw.Src)
		for x := range w {
			averageBlock(out.Pix[out.PixOffset(x, y):], row, x*k, k)
		}
	}
	return out
}

func averageBlock(to []byte, row *image.RGBA, x, k int) {
	var sum [4]int
	for y := range k {
		line := row.Pix[row.PixOffset(x, y):][:4*k]
		for i := 0; i < len(line); i += 4 {
			for c := range 4 {
				sum[c] += int(line[i+c])
			}
		}
	}
	for c := range 4 {
		to[c] = byte((sum[c] + k*k/2) / (k * k))
	}
}

// upright rotates a picture by the orientation of the camera (TIFF 6.0, tag Orientation).
func upright(img image.Image, orientation int) image.Image {
	if orientation < 2 || orientation > 8 {
		return img
	}
	b := img.Bounds()
	w, h := b.Dx(), b.Dy()
	if orientation > 4 {
		w, h = h, w
	}
	src, ok := img.(*image.RGBA)
	if !ok {
		src = image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
		draw.Draw(src, src.Bounds(), img, b.Min, draw.Src)
	}
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			sx, sy := turned(x, y, w, h, orientation)
			copy(out.Pix[out.PixOffset(x, y):][:4], src.Pix[src.PixOffset(src.Rect.Min.X+sx, src.Rect.Min.Y+sy):][:4])
		}
	}
	return out
}

// turned returns the position in the original of a pixel of the upright picture.
func turned(x, y, w, h, orientation int) (int, int) {
	switch orientation {
	case 2:
		return w - 1 - x, y
	case 3:
		return w - 1 - x, h - 1 - y
	case 4:
		return x, h - 1 - y
	case 5:
		return y, x
	case 6:
		return y, w - 1 - x
	case 7:
		return h - 1 - y, w - 1 - x
	}
	return h - 1 - y, x // 8
}

// opaque reports whether a picture has no transparency.
func opaque(img image.Image) bool {
	o, ok := img.(interface{ Opaque() bool })
	return ok && o.Opaque()
}

// eightBits returns a picture with 8 bits per sample, since displays show no more.
func eightBits(img image.Image) image.Image {
	switch img.ColorModel() {
	case color.RGBA64Model, color.NRGBA64Model, color.Gray16Model:
	default:
		return img
	}
	out := image.NewNRGBA(image.Rect(0, 0, img.Bounds().Dx(), img.Bounds().Dy()))
	draw.Draw(out, out.Bounds(), img, img.Bounds().Min, draw.Src)
	return out
}

// cut returns the middle of a picture with the proportions of w and h.
func cut(img image.Image, w, h int) image.Image {
	b := img.Bounds()
	cw, ch := b.Dx(), b.Dy()
	if cw*h > ch*w {
		cw = max(ch*w/h, 1)
	} else {
		ch = max(cw*h/w, 1)
	}
	at := b.Min.Add(image.Pt((b.Dx()-cw)/2, (b.Dy()-ch)/2))
	part := image.Rectangle{Min: at, Max: at.Add(image.Pt(cw, ch))}
	if s, ok := img.(interface {
		SubImage(image.Rectangle) image.Image
	}); ok {
		return s.SubImage(part)
	}
	out := image.NewRGBA(image.Rect(0, 0, cw, ch))
	draw.Draw(out, out.Bounds(), img, at, draw.Src)
	return out
}
