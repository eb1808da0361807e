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
	birds   defaultAvatars
	banner  []byte
}

// Accounts without pictures have a drawn avatar, and share one header picture.
const (
	avatarSize   = 400      // pixels, as Mastodon's largest
	avatarCache  = 16 << 20 // bytes of cached drawings
	avatarAtOnce = 2        // concurrent drawings, of two milliseconds each
	avatarQueue  = 64       // requests that wait for a drawing; more are refused
	bannerWidth  = 1500
	bannerHeight = 500
	// The URL of a picture never shows another picture.
	forever = "public, max-age=31536000, immutable"
	// The version of the drawings.
	pictureTag = `"3"`
)

// defaultAvatars draws avatars and caches them. It is safe for concurrent use.
type defaultAvatars struct {
	drawn   *cache.Cache[string, []byte]
	drawing chan struct{}
	waiting chan struct{}
}

func newDefaultAvatars() defaultAvatars {
	return defaultAvatars{drawing: make(chan struct{}, avatarAtOnce), waiting: make(chan struct{}, avatarQueue),
		drawn: cache.New(cache.Options[string, []byte]{Max: avatarCache,
			Weigh: func(name string, picture []byte) uint32 { return uint32(len(name) + len(picture) + 100) }})}
}

// cached returns a cached avatar.
func (v defaultAvatars) cached(name string) ([]byte, bool) { return v.drawn.Get(name) }

// draw draws the avatar of a name as PNG and caches it. It stops waiting when ctx ends, and
// returns Unavailable if too many requests wait.
func (v defaultAvatars) draw(ctx context.Context, name string) ([]byte, error) {
	select {
	case v.waiting <- struct{}{}:
		defer func() { <-v.waiting }()
	default:
		return nil, linnet.Errorf(linnet.Unavailable, "The server is creating too many pictures. Try again in a moment.")
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

// serveAvatar serves an avatar for every name, so that it does not reveal which users exist.
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

// avatar returns the avatar of a name from the cache or draws it. Only drawing counts against a
// rate limit.
func (h *pictureHandler) avatar(r *http.Request, name string) ([]byte, error) {
	if p, ok := h.birds.cached(name); ok {
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
	_, _ = w.Write(picture) // an error means that the client disconnected
}

// drawBanner draws the default header picture, three plain bands.
func drawBanner() []byte {
	img := image.NewPaletted(image.Rect(0, 0, bannerWidth, bannerHeight), color.Palette{
		color.RGBA{0x2b, 0x3a, 0x55, 0xff}, color.RGBA{0x33, 0x47, 0x68, 0xff}, color.RGBA{0x3c, 0x55, 0x7c, 0xff}})
	for y := range bannerHeight {
		line := img.Pix[y*img.Stride : y*img.Stride+bannerWidth]
		for x := range line {
			line[x] = uint8(min((x+y)*3/(bannerWidth+bannerHeight), 2))
		}
	}
	var b bytes.Buffer
	_ = png.Encode(&b, img) // a buffer accepts all writes
	return b.Bytes()
}

// serveFile serves an uploaded file by its name. Its headers keep browsers from running anything
// in it.
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

// pictureType returns the media type of a file name. An empty name is a drawn picture.
func pictureType(name string) string {
	if name == "" {
		return "image/png"
	}
	return media.Kind(strings.TrimPrefix(path.Ext(name), ".")).Type()
}

// pictureToken returns the token of a request for a picture. Pages show pictures too, so the
// session cookie counts.
func pictureToken(r *http.Request) string {
	if token := request.SentToken(r); token != "" {
		return token
	}
	for _, name := range [...]string{"__Host-linnet", "linnet"} { // the names in package web
		if c, err := r.Cookie(name); err == nil {
			return c.Value
		}
	}
	return ""
}
