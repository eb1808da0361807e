package admin

import (
	"bytes"
	"fmt"

	"linnet/internal/linnet"
	"linnet/internal/media"
	"linnet/internal/uploads"
)

// painted returns a picture as an upload; nil if files aren't stored.
func (d *demo) painted(name string, width, height int) (*uploads.File, error) {
	s, ok := demoScenes()[name]
	if !ok {
		return nil, fmt.Errorf("there is no picture %q", name)
	}
	data, err := s.paint(width, height)
	if err != nil {
		return nil, err
	}
	f, err := d.svc.Uploads.Receive(bytes.NewReader(data))
	if linnet.KindOf(err) == linnet.Unavailable {
		return nil, nil
	}
	return f, err
}

// hang gives the installation and some people a banner.
func (d *demo) hang() error {
	for login, name := range map[string]string{"": "morning", DemoKeeper: "hills", "ishmael": "sea"} {
		f, err := d.painted(name, 1200, 400)
		if err != nil || f == nil {
			return err
		}
		if login == "" {
			err = d.svc.Settings.SetPicture(d.ctx, linnet.Operator(), media.Thumbnail, f)
		} else {
			err = d.svc.Social.Profiles.SetPicture(d.ctx, d.people[login], media.Banner, f)
		}
		f.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// attach uploads the pictures of a post.
func (d *demo) attach(p demoPost) (ids []linnet.ID, err error) {
	for _, of := range p.pictures {
		f, err := d.painted(of[0], 960, 640)
		if err != nil || f == nil {
			return nil, err
		}
		a, err := d.svc.Uploads.Upload(d.ctx, d.people[p.by], f, nil, linnet.AttachmentChange{Description: &of[1]})
		f.Close()
		if err != nil {
			return nil, err
		}
		ids = append(ids, a.ID)
	}
	return ids, nil
}
