package media

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"

	"github.com/bbrks/go-blurhash"
)

// Shape is the use of a picture, which determines its stored size.
type Shape string

// Shapes. Pictures of posts are not cropped. Profile pictures are cropped to their centre.
const (
	Attached Shape = "attached"
	Avatar   Shape = "avatar" // square, 400 pixels
	Banner   Shape = "banner" // 1500 by 500

	// Shapes of the server's pictures: its icon, and the picture in link previews, in full and half
	// size.
	Icon      Shape = "icon"      // square, 512 pixels
	Thumbnail Shape = "thumbnail" // 2400 by 1260; the preview has 1200 by 630

	Emoji Shape = "emoji" // at most 256 pixels wide and high, see emoji.go
)

// size returns the size for a shape; 0 for the picture's own.
func (s Shape) size() (w, h int) {
	switch s {
	case Avatar:
		return 400, 400
	case Banner:
		return 1500, 500
	case Icon:
		return 512, 512
	case Thumbnail:
		return 2400, 1260
	}
	return 0, 0
}

// Process converts a picture for storage. It returns a Refusal if the file is not a picture,
// damaged or too large. It takes up to MaxMemory bytes, and seconds.
func Process(data []byte, shape Shape) (*Result, error) {
	p, err := look(data)
	if err != nil {
		return nil, err
	}
	if shape == Emoji {
		return emoji(data, p)
	}
	if p.format == "gif" {
		kept, moves, err := frames(data)
		if shape == Attached && (err != nil || moves) {
			return animated(kept, err)
		}
		if err == nil {
			if p, err = look(kept); err != nil { // it can be larger now
				return nil, err
			}
			data = kept
		}
	}
	if shape == Attached {
		if kind, kept, first, err := movingPicture(data, p); err != nil || kept != nil {
			return moving(kind, kept, first, p, err)
		}
	}
	img, err := decode(data, p)
	if err != nil {
		return nil, damaged(p, data, err)
	}
	profile := colours(p.format, data)
	if _, cmyk := img.(*image.CMYK); cmyk {
		profile = nil // its colours are in another colour model than the stored picture
	}
	r, err := encodeStored(img, p, orientation(p.format, data), shape, len(data), profile)
	if err != nil {
		return nil, fmt.Errorf("encode a picture: %w", err)
	}
	return r, nil
}

// decode decodes a still picture, or the first frame of an animation.
func decode(data []byte, p probe) (image.Image, error) {
	if p.format == "jpeg" {
		return decodeJPEG(data)
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil && p.format == "webp" {
		if _, first, _ := webpFrames(data, p); first != nil {
			return first, nil
		}
	}
	return img, err
}

// damaged returns the error for a picture with a valid header but damaged content.
func damaged(p probe, data []byte, err error) error {
	var unsupported jpeg.UnsupportedError
	switch {
	case errors.As(err, &unsupported):
		return refuse("is a type of JPEG that this server doesn't support. Save it as an ordinary JPEG or as PNG")
	}
	return refuse("is damaged and can't be decoded")
}

// encodeStored makes the stored picture and the preview. It releases img as early as possible,
// because it is the largest object in memory.
func encodeStored(img image.Image, p probe, turn int, shape Shape, size int, profile []byte) (*Result, error) {
	kind := kindFor(img, p, size)
	if w, h := shape.size(); w > 0 {
		if turn > 4 {
			w, h = h, w
		}
		img = shrinkTo(cut(img, w, h), w, h)
	} else if w, h := within(p.width, p.height, MaxStoredPixels); w != p.width || h != p.height {
		img = shrink(img, w, h)
	}
	img = upright(eightBits(img), turn)
	r := &Result{}
	var err error
	if r.Stored, err = write(img, kind, profile); err != nil {
		return nil, err
	}
	switch shape {
	case Attached:
		return r, r.preview(img, kind, profile, SmallArea)
	case Thumbnail:
		return r, r.preview(img, kind, profile, 1200*630)
	}
	return r, nil
}

// shrinkTo is like shrink, but leaves smaller pictures unchanged.
func shrinkTo(img image.Image, w, h int) image.Image {
	b := img.Bounds()
	if b.Dx() <= w || b.Dy() <= h {
		return img
	}
	return shrink(img, w, h)
}

// preview makes the preview of at most area pixels, if the stored picture is larger, and the
// blurhash.
func (r *Result) preview(img image.Image, kind Kind, profile []byte, area int) (err error) {
	b := img.Bounds()
	if w, h := within(b.Dx(), b.Dy(), area); w < b.Dx() || h < b.Dy() {
		small := shrink(img, w, h)
		img = small
		if kind == PNG && opaque(small) || kind == GIF {
			kind = JPEG
		}
		if r.Small, err = write(small, kind, profile); err != nil {
			return err
		}
	}
	tiny := shrink(img, min(32, img.Bounds().Dx()), min(32, img.Bounds().Dy()))
	r.Blurhash, err = blurhash.Encode(4, 3, onWhite(tiny))
	return err
}

// onWhite returns a picture on a white background.
func onWhite(img *image.RGBA) image.Image {
	for i := 0; i < len(img.Pix); i += 4 {
		rest := 255 - img.Pix[i+3]
		for c := range 3 {
			img.Pix[i+c] += rest
		}
		img.Pix[i+3] = 255
	}
	return img
}

// kindFor returns the format in which a picture is stored. Lossless pictures stay lossless, in
// particular drawings and transparent ones. A lossless photograph compresses badly and would take
// many megabytes, so it becomes a JPEG.
func kindFor(img image.Image, p probe, size int) Kind {
	switch {
	case p.format == "jpeg":
		return JPEG
	case p.format == "webp" && opaque(img):
		return JPEG
	case p.format == "png" && opaque(img) && size > 1<<20 && size > p.width*p.height:
		return JPEG
	}
	return PNG
}

// write encodes a picture, with a colour profile if it has one.
func write(img image.Image, kind Kind, profile []byte) (Picture, error) {
	var b bytes.Buffer
	var err error
	if kind == JPEG {
		err = jpeg.Encode(&b, solid(img), &jpeg.Options{Quality: quality})
	} else {
		level := png.DefaultCompression
		if d := img.Bounds().Size(); d.X*d.Y > 2_000_000 {
			level = png.BestSpeed // a tenth larger, in a quarter of the time
		}
		err = (&png.Encoder{CompressionLevel: level}).Encode(&b, img)
	}
	if err != nil {
		return Picture{}, err
	}
	size := img.Bounds().Size()
	return Picture{Kind: kind, Width: size.X, Height: size.Y, Data: withProfile(b.Bytes(), kind, profile)}, nil
}

// solid returns a picture without transparency.
func solid(img image.Image) image.Image {
	if img.ColorModel() == color.YCbCrModel || opaque(img) {
		return img
	}
	rgba, ok := img.(*image.RGBA)
	if !ok {
		return img
	}
	return onWhite(rgba)
}
