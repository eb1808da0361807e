package mastodon

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"path"
	"strconv"
	"strings"

	"linnet/internal/bird"
	"linnet/internal/cache"
	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/media"
	"linnet/internal/text"
	"linnet/internal/uploads"
)

// pictureHandler serves uploaded files and the drawn pictures of accounts without one.
type pictureHandler struct {
	srv     *request.Server
	uploads *uploads.Service
	core    *core.Service
	birds   aviary
	banner  []byte
}

// Who has uploaded no picture has one that is drawn: the bird of a name, as the pages
// show it, and one banner for all.
const (
	avatarSize   = 400      // pixels, as Mastodon's largest
	avatarCache  = 16 << 20 // bytes of drawn birds that are kept
	avatarAtOnce = 2        // birds drawn at a time: each takes a processor for two milliseconds
	avatarQueue  = 64       // requests that wait for a bird at a time; more are sent away
	bannerWidth  = 1500
	bannerHeight = 500
	// A picture's address never shows anything else.
	forever = "public, max-age=31536000, immutable"
	// The number of the way of drawing: another one would be 4.
	pictureTag = `"3"`
)

// aviary draws birds and keeps those that were asked for lately. It is safe for
// concurrent use.
type aviary struct {
	drawn   *cache.Cache[string, []byte]
	drawing chan struct{}
	waiting chan struct{}
}

func newAviary() aviary {
	return aviary{drawing: make(chan struct{}, avatarAtOnce), waiting: make(chan struct{}, avatarQueue),
		drawn: cache.New(cache.Options[string, []byte]{Max: avatarCache,
			Weigh: func(name string, picture []byte) uint32 { return uint32(len(name) + len(picture) + 100) }})}
}

// kept is the bird of a name, if it was drawn lately.
func (v aviary) kept(name string) ([]byte, bool) { return v.drawn.Get(name) }

// draw draws the bird of a name as PNG, and keeps it. Whoever goes away while it
// waits for its turn gets none; Unavailable if too many wait already.
func (v aviary) draw(ctx context.Context, name string) ([]byte, error) {
	select {
	case v.waiting <- struct{}{}:
		defer func() { <-v.waiting }()
	default:
		return nil, linnet.Errorf(linnet.Unavailable, "Too many pictures are being drawn. Try again in a moment.")
	}
	select {
	case v.drawing <- struct{}{}:
		defer func() { <-v.drawing }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	p := bird.New(name).PNG(avatarSize)
	v.drawn.Set(name, p)
	return p, nil
}

// serveAvatar answers for every name, whether there is such a user or not, and so
// tells nothing about who exists.
func (h *pictureHandler) serveAvatar(w http.ResponseWriter, r *http.Request) {
	name, ok := strings.CutSuffix(r.PathValue("file"), ".png")
	if !ok || !text.ValidLogin(name) || name != strings.ToLower(name) {
		h.srv.Fail(w, r, request.ErrNotFound())
		return
	}
	if r.Header.Get("If-None-Match") == pictureTag {
		w.Header().Set("Cache-Control", forever)
		w.WriteHeader(http.StatusNotModified)
		return
	}
	picture, err := h.avatar(r, name)
	if err != nil {
		h.srv.Fail(w, r, err)
		return
	}
	servePicture(w, picture)
}

// avatar finds or draws the bird of a name. Only drawing counts: what is kept costs
// no more than a file.
func (h *pictureHandler) avatar(r *http.Request, name string) ([]byte, error) {
	if p, ok := h.birds.kept(name); ok {
		return p, nil
	}
	if err := h.core.AllowClass(r.Context(), core.Caller{From: h.srv.ClientAddr(r)}, core.RatePicture); err != nil {
		return nil, err
	}
	return h.birds.draw(r.Context(), name)
}

func (h *pictureHandler) serveBanner(w http.ResponseWriter, r *http.Request) {
	servePicture(w, h.banner)
}

func servePicture(w http.ResponseWriter, picture []byte) {
	h := w.Header()
	h.Set("Content-Type", "image/png")
	h.Set("Cache-Control", forever)
	h.Set("ETag", pictureTag)
	h.Set("Content-Length", strconv.Itoa(len(picture)))
	_, _ = w.Write(picture) // the client may have gone
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

// serveFile answers with what somebody has uploaded to whoever has its name. It is shown
// as a picture and nothing else: a browser that opens it by itself runs nothing in it.
func (h *pictureHandler) serveFile(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	f, err := h.uploads.Open(r.Context(), name)
	if err != nil {
		h.srv.Fail(w, r, err)
		return
	}
	defer f.Close()
	header := w.Header()
	header.Set("Content-Type", pictureType(name))
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	header.Set("Cache-Control", forever)
	header.Set("ETag", `"`+name+`"`)
	http.ServeContent(w, r, "", f.Info.Written, f)
}

// pictureType is the media type of a file by its name; of none, that of what is drawn.
func pictureType(name string) string {
	if name == "" {
		return "image/png"
	}
	return media.Kind(strings.TrimPrefix(path.Ext(name), ".")).Type()
}

// pictureToken finds the token of a request for a picture: pages show pictures
// too, and for those the browser sends the cookie of its log-in.
func pictureToken(r *http.Request) string {
	if token := request.SentToken(r); token != "" {
		return token
	}
	for _, name := range [...]string{"__Host-linnet", "linnet"} { // as package web names it
		if c, err := r.Cookie(name); err == nil {
			return c.Value
		}
	}
	return ""
}
