package mastodon

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"strconv"
	"strings"

	"linnet/internal/linnet"
)

// Pictures are drawn, since there are no uploads: a pattern that is always the
// same for the same user, and one banner for all.
const (
	avatarSize   = 240
	avatarCell   = 40 // 5 cells and a border of half a cell
	bannerWidth  = 1500
	bannerHeight = 500
	// A picture's address never shows anything else.
	forever = "public, max-age=31536000, immutable"
)

func (a *API) avatarURL(id string) string { return a.base + "/avatars/" + id + ".png" }

// serveAvatar answers for every id, whether there is such a user or not, and so
// tells nothing about who exists.
func (a *API) serveAvatar(w http.ResponseWriter, r *http.Request) {
	name, ok := strings.CutSuffix(r.PathValue("file"), ".png")
	id, isID := linnet.ParseID(name)
	if !ok || !isID {
		a.fail(w, r, errNotFound())
		return
	}
	if r.Header.Get("If-None-Match") == `"1"` {
		w.Header().Set("Cache-Control", forever)
		w.WriteHeader(http.StatusNotModified)
		return
	}
	servePicture(w, drawAvatar(id))
}

func (a *API) serveBanner(w http.ResponseWriter, r *http.Request) { servePicture(w, a.banner) }

func servePicture(w http.ResponseWriter, picture []byte) {
	h := w.Header()
	h.Set("Content-Type", "image/png")
	h.Set("Cache-Control", forever)
	h.Set("ETag", `"1"`) // the number of the pattern: another one would be 2
	h.Set("Content-Length", strconv.Itoa(len(picture)))
	_, _ = w.Write(picture) // the client may have gone
}

// drawAvatar draws a field of 5 by 5 cells, alike left and right, whose colour
// and cells follow from the id.
func drawAvatar(id linnet.ID) []byte {
	bits := mix(uint64(id))
	img := image.NewPaletted(image.Rect(0, 0, avatarSize, avatarSize),
		color.Palette{color.RGBA{0xee, 0xee, 0xf2, 0xff}, hue(bits >> 32)})
	for row := range 5 {
		for col := range 3 {
			if bits>>(row*3+col)&1 == 0 {
				continue
			}
			fillCell(img, col, row)
			fillCell(img, 4-col, row)
		}
	}
	return encodePNG(img)
}

func fillCell(img *image.Paletted, col, row int) {
	left, top := avatarCell/2+col*avatarCell, avatarCell/2+row*avatarCell
	for y := top; y < top+avatarCell; y++ {
		line := img.Pix[y*img.Stride:]
		for x := left; x < left+avatarCell; x++ {
			line[x] = 1
		}
	}
}

// mix spreads neighbouring ids over all bits (splitmix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// hue is a colour of middle lightness: one channel low, one high, one between.
func hue(n uint64) color.RGBA {
	const low, high = 0x38, 0xb0
	between := uint8(low + n>>8%(high-low))
	switch n % 6 {
	case 0:
		return color.RGBA{high, between, low, 0xff}
	case 1:
		return color.RGBA{between, high, low, 0xff}
	case 2:
		return color.RGBA{low, high, between, 0xff}
	case 3:
		return color.RGBA{low, between, high, 0xff}
	case 4:
		return color.RGBA{between, low, high, 0xff}
	}
	return color.RGBA{high, low, between, 0xff}
}

// drawBanner draws the picture above every profile, three plain bands.
func drawBanner() []byte {
	img := image.NewPaletted(image.Rect(0, 0, bannerWidth, bannerHeight), color.Palette{
		color.RGBA{0x2b, 0x3a, 0x55, 0xff}, color.RGBA{0x33, 0x47, 0x68, 0xff}, color.RGBA{0x3c, 0x55, 0x7c, 0xff}})
	for y := range bannerHeight {
		line := img.Pix[y*img.Stride : y*img.Stride+bannerWidth]
		for x := range line {
			line[x] = uint8(min((x+y)*3/(bannerWidth+bannerHeight), 2))
		}
	}
	return encodePNG(img)
}

func encodePNG(img image.Image) []byte {
	var b bytes.Buffer
	_ = png.Encode(&b, img) // a buffer takes everything
	return b.Bytes()
}
