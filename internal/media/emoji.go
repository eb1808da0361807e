package media

import (
	"bytes"
	"fmt"
	"image"
	"image/gif"

	"golang.org/x/image/draw"
)

// Limits of a custom emoji in pixels per side. Still ones are scaled down to the first. Animated
// ones are stored unchanged up to the second.
const (
	EmojiSide       = 256
	MovingEmojiSide = 512
)

// emoji makes a custom emoji: a PNG, or for an animated GIF its frames with a PNG of the first one
// as preview. It has no blurhash.
func emoji(data []byte, p probe) (*Result, error) {
	if p.format == "jpeg" {
		return nil, refuse("is a JPEG, but must be a PNG, GIF or WebP")
	}
	if p.format == "gif" {
		var err error
		var moves bool
		if data, moves, err = frames(data); err != nil {
			return nil, err
		}
		if p, err = look(data); err != nil { // it can be larger now
			return nil, err
		}
		if moves {
			return movingEmoji(data, p)
		}
	}
	img, err := decode(data, p)
	if err != nil {
		return nil, damaged(p, data, err)
	}
	kept, err := emojiPicture(img)
	return &Result{Stored: kept}, err
}

// movingEmoji makes the emoji of an animated GIF.
func movingEmoji(moving []byte, p probe) (*Result, error) {
	if p.width > MovingEmojiSide || p.height > MovingEmojiSide {
		return nil, refuse("is an animation of %d × %d pixels (maximum is %d × %d)", p.width, p.height, MovingEmojiSide, MovingEmojiSide)
	}
	first, err := gif.Decode(bytes.NewReader(moving))
	if err != nil {
		return nil, refuse("is damaged: can't decode its first frame")
	}
	whole := image.NewRGBA(image.Rect(0, 0, p.width, p.height)) // a frame can be smaller
	draw.Draw(whole, first.Bounds(), first, first.Bounds().Min, draw.Src)
	r := &Result{Moves: true, Stored: Picture{Kind: GIF, Width: p.width, Height: p.height, Data: moving}}
	r.Small, err = emojiPicture(whole)
	return r, err
}

// emojiPicture returns a PNG of a picture with at most EmojiSide pixels per side.
func emojiPicture(img image.Image) (Picture, error) {
	b := img.Bounds()
	if most := max(b.Dx(), b.Dy()); most > EmojiSide {
		img = shrink(img, max(b.Dx()*EmojiSide/most, 1), max(b.Dy()*EmojiSide/most, 1))
	}
	kept, err := write(eightBits(img), PNG, nil)
	if err != nil {
		return kept, fmt.Errorf("encode an emoji: %w", err)
	}
	return kept, nil
}
