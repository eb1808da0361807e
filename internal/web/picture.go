package web

import (
	"context"
	"math"
	"strconv"
	"strings"

	"linnet/internal/linnet"
)

// picturePage shows one of the pictures of a status in full.
type picturePage struct {
	Status linnet.StatusView
	At     int // its place among them, from 0
}

// Picture is the one that is shown.
func (m picturePage) Picture() linnet.Attachment { return m.Status.Media[m.At] }

// Of is how many the status has.
func (m picturePage) Of() int { return len(m.Status.Media) }

// Hidden reports whether it is not to be seen before somebody wants to.
func (m picturePage) Hidden() bool { return m.Status.Sensitive || m.Status.Warning != "" }

// Reveals is what shows it.
func (m picturePage) Reveals(ctx context.Context) string {
	switch c := m.Picture().Clip; {
	case c == nil:
		return tr(ctx, "Show sensitive picture")
	case c.Kind == linnet.Audio:
		return tr(ctx, "Show sensitive audio")
	}
	return tr(ctx, "Show sensitive video")
}

// Path leads to the picture that stands so many places further.
func (m picturePage) Path(further int) string { return picturePath(m.Status, m.At+further) }

// picturePath leads to the page of a picture of a status.
func picturePath(st linnet.StatusView, at int) string {
	return postPath(st) + "/media/" + strconv.Itoa(at+1)
}

// picture shows a picture of a status to whoever may see the status.
func (c *call) picture() error {
	login, rest := c.personInPath()
	digits, n, _ := strings.Cut(rest, "/media/")
	id, ok := linnet.ParseID(digits)
	at, err := strconv.Atoi(n)
	if !ok || err != nil || n != strconv.Itoa(at) { // each has one address
		return errNowhere()
	}
	st, err := c.svc.View.Status(c.r.Context(), c.viewer(), id)
	if err != nil {
		return notThere(err, "look up a status")
	}
	if st.Repost != nil || !strings.EqualFold(st.By.Login, login) || at < 1 || at > len(st.Media) {
		return errNowhere()
	}
	m := picturePage{Status: st, At: at - 1}
	if st.By.Login != login {
		return c.seeOther(m.Path(0))
	}
	c.shared = true
	return c.render(200, page{Title: c.tr("%s by %s", c.pictureTitle(m), displayName(st.By.UserView)), Body: pictureView(c, m)})
}

func (c *call) pictureTitle(m picturePage) string {
	switch clip := m.Picture().Clip; {
	case m.Of() > 1:
		return c.tr("Picture %d of %d", m.At+1, m.Of())
	case clip == nil:
		return c.tr("Picture")
	case clip.Kind == linnet.Audio:
		return c.tr("Audio")
	}
	return c.tr("Video")
}

// focusClass names the place of a picture that is to be seen where it is cut, one of five
// across and five down: pages have no styles of their own. "" is the middle.
func focusClass(f linnet.Focus) string {
	if f == (linnet.Focus{}) {
		return ""
	}
	part := func(at float64) string { return strconv.Itoa(int(math.Round((at + 1) * 2))) }
	return "fx" + part(f.X) + " fy" + part(-f.Y)
}

// cardImage is the picture that other sites may show of a status.
func cardImage(st linnet.StatusView) string {
	if len(st.Media) == 0 || st.Sensitive || st.Warning != "" {
		return ""
	}
	name, _ := st.Media[0].Preview()
	return name
}
