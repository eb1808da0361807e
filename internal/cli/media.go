package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"linnet/internal/admin"
	"linnet/internal/backend"
	"linnet/internal/exit"
	"linnet/internal/linnet"
	"linnet/internal/media"
	"linnet/internal/uploads"
)

// mediaUsage reports media usage. With --clean it deletes unused files.
func mediaUsage(ctx context.Context, c *call, b *backend.Backend) error {
	if c.flag("accept") {
		if err := b.App.Uploads.AcceptLocation(ctx); err != nil {
			return refused("cannot accept the media location", err)
		}
	}
	r, err := admin.Media(ctx, b.App, c.flag("clean"), c.progress())
	if err != nil {
		return fmt.Errorf("cannot check the media: %w", err)
	}
	if c.flag("json") {
		err = printJSON(c.stdout, r)
	} else {
		err = r.Print(c.stdout)
	}
	if err == nil && r.Missing > 0 {
		return &exit.Error{Code: exit.Failed, What: fmt.Sprintf("missing media files: %d", r.Missing), Advice: "linnet check lists the records that refer to them."}
	}
	return err
}

// pictureCommands returns the commands for pictures of the instance and of groups.
func pictureCommands() []command {
	return []command{
		{name: "instance picture", args: "icon|thumbnail FILE|none", min: 2, max: 2, file: true, act: instancePicture,
			help: "Set or remove the instance's icon or banner", details: "icon is the favicon and app icon. thumbnail is the banner on the front page, in apps and in link previews."},
		{name: "group picture", args: "NAME avatar|header FILE|none", min: 3, max: 3, file: true, act: groupPicture,
			help: "Set or remove a group's avatar or header"},
	}
}

// noFile is the argument for no file.
const noFile = "none"

// readFile reads the file in the last argument. It returns nil for noFile.
func (c *call) readFile() ([]byte, error) {
	path := c.args()[len(c.args())-1]
	mayBeNone := strings.HasSuffix(c.line.cmd.args, "|"+noFile)
	if path == noFile && mayBeNone {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		advice := "Pass the path of a file."
		if mayBeNone {
			advice = "Pass the path of a file, or none."
		}
		return nil, &exit.Error{Code: exit.Usage, What: "cannot read the picture " + path, Cause: err, Advice: advice}
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, media.MaxBytes+1))
	switch {
	case err != nil:
		return nil, &exit.Error{Code: exit.Usage, What: "cannot read the picture " + path, Cause: err}
	case len(data) > media.MaxBytes:
		return nil, exit.UsageError(fmt.Sprintf("%s is larger than %d MB", path, media.MaxBytes>>20), "Choose a smaller file.")
	}
	return data, nil
}

// upload stores the file of the command as an upload. It returns nil if there is none.
func (c *call) upload(b *backend.Backend) (*uploads.File, error) {
	if c.file == nil {
		return nil, nil
	}
	return b.App.Uploads.Receive(bytes.NewReader(c.file))
}

// parseShape returns the shape for a word.
func parseShape(word string, shapes map[string]media.Shape) (media.Shape, error) {
	shape, ok := shapes[word]
	if !ok {
		return "", exit.UsageError(fmt.Sprintf("unknown kind of picture: %q", word), exit.DidYouMean(word, slices.Sorted(maps.Keys(shapes)), "", ""))
	}
	return shape, nil
}

// instancePicture sets or removes a picture of the instance.
func instancePicture(ctx context.Context, c *call, b *backend.Backend) error {
	shape, err := parseShape(c.args()[0], map[string]media.Shape{"icon": media.Icon, "thumbnail": media.Thumbnail})
	if err != nil {
		return err
	}
	f, err := c.upload(b)
	if err != nil {
		return refused("cannot use the picture", err)
	}
	defer f.Close()
	if err := b.App.Settings.SetPicture(ctx, linnet.Operator(), shape, f); err != nil {
		return refused("cannot set the instance picture", err)
	}
	_, err = fmt.Fprintf(c.stdout, "%s is now %s\n", shape, setOrRemoved(f))
	return err
}

// groupPicture sets or removes a picture of a group.
func groupPicture(ctx context.Context, c *call, b *backend.Backend) error {
	login := c.args()[0]
	shape, err := parseShape(c.args()[1], map[string]media.Shape{"avatar": media.Avatar, "header": media.Banner})
	if err != nil {
		return err
	}
	u, err := b.App.Moderation.AccountNamed(ctx, linnet.Operator(), login)
	if err == nil && u.Group == linnet.NoGroup {
		err = linnet.Errorf(linnet.NotFound, "%s is not a group", login)
	}
	if err != nil {
		return refused(fmt.Sprintf("cannot read the group %q", login), err)
	}
	f, err := c.upload(b)
	if err != nil {
		return refused("cannot use the picture", err)
	}
	defer f.Close()
	if err := b.App.Groups.EditPicture(ctx, linnet.Operator(), u.ID, shape, f); err != nil {
		return refused("cannot set the picture of "+login, err)
	}
	_, err = fmt.Fprintf(c.stdout, "%s of %s is now %s\n", c.args()[1], u.Login, setOrRemoved(f))
	return err
}

// setOrRemoved returns the past participle for a change of a picture.
func setOrRemoved(f *uploads.File) string {
	if f == nil {
		return "removed"
	}
	return "set"
}
