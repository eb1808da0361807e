package form

import (
	"linnet/internal/core"
	"linnet/internal/locale"
	"linnet/internal/media"
	"linnet/internal/uploads"
	"linnet/internal/web/page"
)

// PictureHint describes the accepted pictures.
func PictureHint() string {
	return locale.Mark("Cropped to a square. JPEG, PNG, GIF or WebP, at most 16 MB.")
}

// PictureInput is an input for a picture. The checkbox "no-" plus its name removes the picture.
type PictureInput struct {
	Name  string
	Shape media.Shape
}

// ProfilePictures returns the inputs for the pictures of a profile.
func ProfilePictures() []PictureInput {
	return []PictureInput{{"avatar", media.Avatar}, {"header", media.Banner}}
}

// ChangePictures calls set with each uploaded picture, and with nil for each picture to remove.
func ChangePictures(c *page.Context, inputs []PictureInput, set func(media.Shape, *uploads.File) error) error {
	for _, p := range inputs {
		sent, away := c.Files[p.Name], c.Typed("no-"+p.Name) != ""
		if len(sent) == 0 && !away {
			continue
		}
		var file *uploads.File
		if len(sent) > 0 {
			if err := sent[0].Err; err != nil {
				return page.InField(err, p.Name)
			}
			if err := c.CountAs(core.RateMedia); err != nil {
				return err
			}
			file = sent[0].File
		}
		if err := set(p.Shape, file); err != nil {
			return err
		}
	}
	return nil
}
