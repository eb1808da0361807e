package admin

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"sync"

	"linnet/internal/linnet"
	"linnet/internal/media"
	"linnet/internal/uploads"
)

// demoFiles are the pictures of the demo. Names of avatars are logins. NOTICE lists the sources.
//
//go:embed demo/*.webp
var demoFiles embed.FS

// demoPicture describes a picture of a post.
type demoPicture struct {
	alt   string
	focus linnet.Focus
}

// demoPictures returns the pictures of posts by name.
func demoPictures() map[string]demoPicture {
	return map[string]demoPicture{
		"atlas":      {alt: "A page of an old atlas, numbered 94: four large islands around a compass rose, and a dashed route that ends at a small red cross."},
		"bee":        {alt: "Close-up of a honey bee on a violet aster, with yellow pollen on its legs.", focus: linnet.Focus{X: -.2}},
		"cat":        {alt: "A tabby cat looks up with large green eyes.", focus: linnet.Focus{Y: .2}},
		"chart":      {alt: "Bar chart, “Whales in every nine chapters”: the word appears between 5 and 190 times. Chapters 28 to 36 have the most, chapters 118 to 126 the fewest."},
		"coffee":     {alt: "An espresso in a red cup on a red saucer, with a small spoon, on a wooden table.", focus: linnet.Focus{Y: .1}},
		"dandelions": {alt: "Dandelion clocks in a meadow, with the low sun behind them.", focus: linnet.Focus{X: -.4, Y: .3}},
		"dunes":      {alt: "Gulls over the dunes on a bright day. Behind the grass are the sea and a small red and white lighthouse.", focus: linnet.Focus{Y: .3}},
		"fog":        {alt: "A street at night in fog and yellow lamplight. A cab waits under the lamps, and two men in long coats walk away from us.", focus: linnet.Focus{Y: -.35}},
		"galaxies":   {alt: "Hundreds of galaxies on black: white, blue and orange points, spirals and smudges."},
		"linnet":     {alt: "Coloured plate of a linnet on a branch of gorse, with a red forehead and breast. The caption says “The linnet, Linaria cannabina”.", focus: linnet.Focus{Y: .15}},
		"park":       {alt: "A pale country house behind a lake. Two women in long dresses walk on the lawn, and a white bridge crosses the water.", focus: linnet.Focus{Y: .2}},
		"raft":       {alt: "Night on a wide river. A boy in a straw hat fishes from a raft with a tent and a small fire, and the moon is on the water.", focus: linnet.Focus{X: -.2, Y: -.4}},
		"sea":        {alt: "A three-masted ship at sunset, dark in front of an orange sky, and a path of light on the sea.", focus: linnet.Focus{X: -.2, Y: -.1}},
		"thames":     {alt: "London from the river, with the square tower of old St Paul’s and houses on the bridge. Small boats with red sails are on the water."},
		"weave":      {alt: "Woven cloth with red, blue and yellow medallions. A punched card lies on it, marked “No. 1843”."},
	}
}

// picture opens a picture as an upload; nil if files aren't stored.
func (d *demo) picture(name string) (*uploads.File, error) {
	in, err := demoFiles.Open("demo/" + name + ".webp")
	if err != nil {
		return nil, err
	}
	defer in.Close()
	f, err := d.svc.Uploads.Receive(in)
	if linnet.KindOf(err) == linnet.Unavailable {
		return nil, nil
	}
	return f, err
}

// hang sets the pictures of the server, the users and the groups concurrently.
func (d *demo) hang() error {
	var work sync.WaitGroup
	var mu sync.Mutex
	var failed error
	set := func(name string, to func(context.Context, *uploads.File) error) {
		work.Go(func() {
			f, err := d.picture(name)
			if err == nil && f != nil {
				err = to(d.ctx, f)
				f.Close()
			}
			mu.Lock()
			defer mu.Unlock()
			failed = errors.Join(failed, err)
		})
	}
	set("library", func(ctx context.Context, f *uploads.File) error {
		return d.svc.Settings.SetPicture(ctx, linnet.Operator(), media.Thumbnail, f)
	})
	of := func(login string, shape media.Shape) func(context.Context, *uploads.File) error {
		return func(ctx context.Context, f *uploads.File) error {
			return d.svc.Social.Profiles.SetPicture(ctx, d.people[login], shape, f)
		}
	}
	for _, p := range demoPeople() {
		set(p.login+".avatar", of(p.login, media.Avatar))
		if p.banner != "" {
			set(p.banner, of(p.login, media.Banner))
		}
	}
	for _, g := range demoGroups() {
		of := func(shape media.Shape) func(context.Context, *uploads.File) error {
			return func(ctx context.Context, f *uploads.File) error {
				return d.svc.Groups.SetPicture(ctx, d.people[g.by], d.people[g.login], shape, f)
			}
		}
		set(g.login+".avatar", of(media.Avatar))
		if g.banner != "" {
			set(g.banner, of(media.Banner))
		}
	}
	work.Wait()
	return failed
}

// attach uploads the pictures of a post.
func (d *demo) attach(p demoPost) (ids []linnet.ID, err error) {
	for _, name := range p.pictures {
		about, ok := demoPictures()[name]
		if !ok {
			return nil, fmt.Errorf("there is no picture %q", name)
		}
		f, err := d.picture(name)
		if err != nil || f == nil {
			return nil, err
		}
		a, err := d.svc.Uploads.Upload(d.ctx, d.people[p.by], f, nil, linnet.AttachmentChange{Description: &about.alt, Focus: &about.focus})
		f.Close()
		if err != nil {
			return nil, err
		}
		ids = append(ids, a.ID)
	}
	return ids, nil
}
