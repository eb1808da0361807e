package post

import (
	"context"
	"math"
	"strconv"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// picturePage shows a picture of a status in full size.
type picturePage struct {
	Status linnet.StatusView
	At     int // index of the picture
}

// Picture returns the shown picture.
func (m picturePage) Picture() linnet.Attachment { return m.Status.Media[m.At] }

// Of returns the number of the status's pictures.
func (m picturePage) Of() int { return len(m.Status.Media) }

// Hidden reports whether the picture is hidden at first.
func (m picturePage) Hidden() bool { return m.Status.Sensitive || m.Status.Warning != "" }

// Reveals returns the text of the button that shows a hidden picture.
func (m picturePage) Reveals(ctx context.Context) string {
	switch c := m.Picture().Clip; {
	case c == nil:
		return ui.Tr(ctx, "Show sensitive picture")
	case c.Kind == linnet.Audio:
		return ui.Tr(ctx, "Show sensitive audio")
	}
	return ui.Tr(ctx, "Show sensitive video")
}

// Path returns the path of the picture that many positions further.
func (m picturePage) Path(further int) string { return paths.Picture(m.Status, m.At+further) }

// Picture shows a picture of a status to all readers who can see the status.
func (h *Pages) Picture(c *page.Context) error {
	login, rest := c.PersonInPath()
	digits, n, _ := strings.Cut(rest, "/media/")
	id, ok := linnet.ParseID(digits)
	at, err := strconv.Atoi(n)
	if !ok || err != nil || n != strconv.Itoa(at) { // each page has one address
		return page.NotFound()
	}
	st, err := h.View.Status(c.Request.Context(), c.Viewer(), id)
	if err != nil {
		return page.OrNotFound(err, "look up a status")
	}
	if st.Repost != nil || !strings.EqualFold(st.By.Login, login) || at < 1 || at > len(st.Media) {
		return page.NotFound()
	}
	m := picturePage{Status: st, At: at - 1}
	if st.By.Login != login {
		return c.Redirect(m.Path(0))
	}
	c.Shared = true
	return c.Render(200, page.Page{Title: c.Tr("%s by %s", pictureTitle(c, m), ui.DisplayName(st.By.UserView)), Sheet: "single.css", Body: pictureView(c, m)})
}

func pictureTitle(c *page.Context, m picturePage) string {
	switch clip := m.Picture().Clip; {
	case m.Of() > 1:
		return c.Tr("Picture %d of %d", m.At+1, m.Of())
	case clip == nil:
		return c.Tr("Picture")
	case clip.Kind == linnet.Audio:
		return c.Tr("Audio")
	}
	return c.Tr("Video")
}

// FocusClass returns the class for the focus of a cropped picture, one of five columns and five
// rows, because pages have no inline styles. "" is the centre.
func FocusClass(f linnet.Focus) string {
	if f == (linnet.Focus{}) {
		return ""
	}
	part := func(at float64) string { return strconv.Itoa(int(math.Round((at + 1) * 2))) }
	return "fx" + part(f.X) + " fy" + part(-f.Y)
}

// CardImage returns the picture of a status for previews on other sites.
func CardImage(st linnet.StatusView) string {
	if len(st.Media) == 0 || st.Sensitive || st.Warning != "" {
		return ""
	}
	name, _ := st.Media[0].Preview()
	return name
}

// MediaTile is a media file of a post on a profile's media page: a square with a link.
type MediaTile struct {
	linnet.Attachment
	Path   string
	Name   string // accessible name
	Hidden bool   // hidden at first
}

// MediaTiles returns the media files of posts, in their order.
func MediaTiles(ctx context.Context, posts []linnet.StatusView) (all []MediaTile) {
	for _, st := range posts {
		for at, a := range st.Media {
			m := picturePage{Status: st, At: at}
			all = append(all, MediaTile{a, m.Path(0), pictureName(ctx, a, at, len(st.Media)), m.Hidden()})
		}
	}
	return all
}
