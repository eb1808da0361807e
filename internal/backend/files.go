package backend

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"linnet/internal/blob"
	"linnet/internal/config"
	"linnet/internal/exit"
	"linnet/internal/uploads"
)

// OpenFiles opens the media storage: a directory or a bucket.
func OpenFiles(ctx context.Context, c *config.Config) (blob.Store, error) {
	if err := c.CheckFiles(); err != nil {
		return nil, err
	}
	if c.S3.Bucket != "" {
		return openBucket(ctx, c)
	}
	dir := c.MediaDir()
	d, err := blob.NewDir(dir)
	if err != nil {
		return nil, &exit.Error{Code: exit.Failed, What: "cannot store media in " + dir, Cause: err, Source: c.Source("media"),
			Advice: "Choose another directory with --media DIR."}
	}
	return d, nil
}

// openBucket opens the bucket for media.
func openBucket(ctx context.Context, c *config.Config) (blob.Store, error) {
	b, err := blob.NewBucket(ctx, c.S3)
	if err == nil {
		return b, nil
	}
	f := &exit.Error{Code: exit.Temporary, What: "cannot store media in the bucket " + c.S3.Bucket, Cause: err, Source: c.Source("s3.bucket"),
		Advice: "Check whether the S3 server at " + c.S3.Endpoint + " is running, or set another one with s3.endpoint."}
	if errors.Is(err, blob.ErrNoBucket) {
		f.Code, f.Advice = exit.Usage, "Create the bucket, or check s3.bucket, s3.region, s3.access_key and s3.secret_key."
	}
	return nil, f
}

// mediaTimeout limits how long a start checks the media storage.
const mediaTimeout = 10 * time.Second

// checkMedia warns if the media storage has the mark of another store or none. The server still
// starts, because only files would be missing.
func (b *Backend) checkMedia(ctx context.Context, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(ctx, mediaTimeout)
	defer cancel()
	is, err := b.App.Uploads.CheckLocation(ctx)
	const remedy = "mount or configure the right location, the same for every server (media, s3.bucket); if you moved the media here, check them with linnet media and confirm with linnet media --accept"
	switch {
	case err != nil:
		log.Warn("cannot check whether all servers use the same media location; will retry at the next start", "location", b.Files.Where(), "err", err)
	case is == uploads.LocationOther:
		log.Warn("the media location belongs to another store; other servers cannot read the files of this server", "location", b.Files.Where(), "remedy", remedy)
	case is == uploads.LocationUnmarked:
		log.Warn("the media location has no marker of this store: earlier files may be in another location", "location", b.Files.Where(), "remedy", remedy)
	}
}
