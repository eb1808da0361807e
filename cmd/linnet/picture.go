package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"linnet/internal/blob"
	"linnet/internal/media"
	"linnet/internal/uploads"
)

// pictureWord runs the program as what works on one picture and ends. It is no command
// of people's.
const pictureWord = "__picture"

// workOnPicture reads a picture from standard input and writes what is made of it, on
// one processor and with limits that end it where the picture costs more than it may.
func workOnPicture(p process, shape string) error {
	runtime.GOMAXPROCS(1)
	if err := limitProcess(); err != nil {
		return fmt.Errorf("limit the process: %w", err)
	}
	return media.Serve(p.stdin, p.stdout, media.Shape(shape))
}

// pictureWorker makes what works on pictures: this program, run again for each, if it
// can be found.
func (c *config) pictureWorker() *media.Worker {
	w := media.NewWorker()
	if c.program != "" {
		w = media.NewWorker(c.program, pictureWord)
	}
	if tool := c.ffmpeg(); tool != "" && c.program != "" {
		w.UseTool(c.program, limitedWord, tool)
	}
	return w
}

// ffmpeg is the path of that program, "" if it is not to be used or not there.
func (c *config) ffmpeg() string {
	switch c.FFmpeg {
	case "off":
		return ""
	case "auto":
		path, err := exec.LookPath("ffmpeg")
		if err != nil {
			return ""
		}
		return path
	}
	return c.FFmpeg
}

// checkFFmpeg refuses a program that is named and not there.
func (c *config) checkFFmpeg() error {
	if c.FFmpeg == "" || c.FFmpeg == "auto" || c.FFmpeg == "off" {
		return nil
	}
	if _, err := exec.LookPath(c.FFmpeg); err != nil {
		return &fault{code: exitUsage, what: fmt.Sprintf("cannot run %q for videos", c.FFmpeg), cause: errors.Unwrap(err), from: c.from("ffmpeg"),
			advice: "Set the path of ffmpeg, auto or off."}
	}
	return nil
}

// limitedWord runs another program in place of this one, with limits that end it where it
// takes more than it may. It is no command of people's.
const limitedWord = "__limited"

// openFiles opens the place where pictures are kept.
func openFiles(ctx context.Context, c *config) (blob.Store, error) {
	if err := c.checkFiles(); err != nil {
		return nil, err
	}
	if c.S3.Bucket != "" {
		return openBucket(ctx, c)
	}
	dir := c.mediaDir()
	d, err := blob.NewDir(dir)
	if err != nil {
		return nil, &fault{code: exitFailed, what: "cannot store media in " + dir, cause: err, from: c.from("media"),
			advice: "Choose another directory with --media DIR."}
	}
	return d, nil
}

// mediaDir is where pictures lie, if not in a bucket.
func (c *config) mediaDir() string { return cmp.Or(c.Media, filepath.Join(c.Data, "media")) }

// checkFiles looks whether the options that say where pictures are kept go together.
func (c *config) checkFiles() error {
	if st, err := os.Stat(c.Media); c.Media != "" && err == nil && !st.IsDir() {
		return &fault{code: exitUsage, what: c.Media + " is not a directory, so media cannot be stored there", from: c.from("media"), advice: "Choose a directory with --media DIR."}
	}
	switch {
	case c.S3.Bucket == "":
		return nil
	case c.Media != "":
		return usage("media and s3.bucket are both set", "Set one of them.")
	case c.S3.AccessKey == "" || c.S3.SecretKey == "":
		return usage("s3.bucket needs s3.access_key and s3.secret_key", "Set LINNET_S3_ACCESS_KEY_FILE and LINNET_S3_SECRET_KEY_FILE, or the same without _FILE.")
	}
	return nil
}

// openBucket opens the bucket in which pictures are kept.
func openBucket(ctx context.Context, c *config) (blob.Store, error) {
	b, err := blob.NewBucket(ctx, c.S3)
	if err == nil {
		return b, nil
	}
	f := &fault{code: exitTemporary, what: "cannot store media in the bucket " + c.S3.Bucket, cause: err, from: c.from("s3.bucket"),
		advice: "Does the server at " + c.S3.Endpoint + " run? Name another with s3.endpoint."}
	if errors.Is(err, blob.ErrNoBucket) {
		f.code, f.advice = exitUsage, "Create the bucket, or check s3.bucket, s3.region, s3.access_key and s3.secret_key."
	}
	return nil, f
}

// placeWithin is how long a start looks whether the place of pictures is the store's.
const placeWithin = 10 * time.Second

// knowPlace says whether pictures are kept in another place than the store knows. The server
// serves all the same: what it does not see are pictures.
func (b *backend) knowPlace(ctx context.Context, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(ctx, placeWithin)
	defer cancel()
	is, err := b.svc.Uploads.KnowPlace(ctx)
	const remedy = "mount or configure the right location, the same for every server (media, s3.bucket); if you moved the media here, check them with linnet media and confirm with linnet media --accept"
	switch {
	case err != nil:
		log.Warn("cannot check whether all servers use the same media location; the next start retries", "place", b.files.Where(), "err", err)
	case is == uploads.PlaceOther:
		log.Warn("the media location has another store's mark: other servers use another location and cannot see the files of this server", "place", b.files.Where(), "try", remedy)
	case is == uploads.PlaceUnmarked:
		log.Warn("the media location lacks the store's mark: earlier files may be in another location", "place", b.files.Where(), "try", remedy)
	}
}

// thisProgram is the path of the running program, "" if the system does not tell.
func thisProgram() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	return path
}
