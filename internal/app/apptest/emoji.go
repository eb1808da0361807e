package apptest

import (
	"bytes"
	"linnet/internal/linnet"
	"strings"
)

// Emoji adds a custom emoji.
func (w *World) Emoji(code string) error {
	w.Helper()
	f, err := w.Uploads.Receive(bytes.NewReader(Picture(20, 20)))
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = w.Emojis.Add(w.Ctx, linnet.Operator(), linnet.NewEmoji{Shortcode: code}, f)
	return err
}

// Codes returns the shortcodes of the custom emoji that a text is shown with.
func Codes(p *linnet.Pictured) string {
	var all []string
	for _, e := range p.Of() {
		all = append(all, e.Shortcode)
	}
	return strings.Join(all, " ")
}
