package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// BucketOptions say which bucket of which server.
type BucketOptions struct {
	Endpoint  string // "https://s3.example.com": scheme and host, and a port if need be
	Region    string // "us-east-1"
	Bucket    string
	Prefix    string // put before every name, such as "media/"
	AccessKey string
	SecretKey string
}

// Bucket keeps files in a bucket of a server that speaks the protocol of Amazon's S3. It is
// safe for concurrent use, also by several processes.
// https://docs.aws.amazon.com/AmazonS3/latest/API/
type Bucket struct {
	client *minio.Client
	opt    BucketOptions
}

const (
	bucketTries    = 3           // of a request
	answerWithin   = time.Minute // for what is no file's content
	immutableCache = "public, max-age=31536000, immutable"
)

// ErrNoBucket: the server has no such bucket, or the keys are not for it.
var ErrNoBucket = errors.New("there is no such bucket, or the keys are not for it")

// NewBucket opens a bucket. It asks the server whether it is there: ErrNoBucket if not.
func NewBucket(ctx context.Context, opt BucketOptions) (*Bucket, error) {
	u, err := url.Parse(opt.Endpoint)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("%q is no address of a server", opt.Endpoint)
	}
	client, err := minio.New(u.Host, &minio.Options{Secure: u.Scheme == "https", Region: opt.Region, MaxRetries: bucketTries,
		Creds: credentials.NewStaticV4(opt.AccessKey, opt.SecretKey, "")})
	if err != nil {
		return nil, fmt.Errorf("set up a client of S3: %w", err)
	}
	b := &Bucket{client, opt}
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	there, err := client.BucketExists(ctx, opt.Bucket)
	switch code := minio.ToErrorResponse(err).StatusCode; {
	case err == nil && !there, code == 403, code == 404:
		return nil, fmt.Errorf("look for bucket %s at %s: %w", opt.Bucket, u.Host, ErrNoBucket)
	case err != nil:
		return nil, fmt.Errorf("look for bucket %s: %w", opt.Bucket, err)
	}
	return b, nil
}

// Where says where the files are, for people.
func (b *Bucket) Where() string { return b.opt.Endpoint + "/" + b.opt.Bucket + "/" + b.opt.Prefix }

// key is where a file lies: as in a directory, so that copying a directory to a bucket
// moves the files of an installation, and back.
func (b *Bucket) key(name string) string { return b.opt.Prefix + name[:2] + "/" + name }

// Put keeps a file, see Store. It is sent as a whole and never in parts, which a crash
// would leave behind.
func (b *Bucket) Put(ctx context.Context, name, contentType string, data Source) error {
	if !Valid(name) {
		return fmt.Errorf("keep a file: %q is no name of one", name)
	}
	size, err := data.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = data.Seek(0, io.SeekStart)
	}
	if err == nil {
		_, err = b.client.PutObject(ctx, b.opt.Bucket, b.key(name), data, size,
			minio.PutObjectOptions{ContentType: contentType, CacheControl: immutableCache, DisableMultipart: true})
	}
	if err != nil {
		return fmt.Errorf("keep a file: %w", err)
	}
	return nil
}

// Open opens a file, see Store. It asks for the size; the content is asked for as it is
// read, from where it is read.
func (b *Bucket) Open(ctx context.Context, name string) (*File, error) {
	if !Valid(name) {
		return nil, ErrAbsent
	}
	o, err := b.client.GetObject(ctx, b.opt.Bucket, b.key(name), minio.GetObjectOptions{})
	if err != nil {
		return nil, fmt.Errorf("open a file: %w", err)
	}
	st, err := o.Stat()
	if err != nil {
		o.Close()
		if minio.ToErrorResponse(err).StatusCode == 404 {
			return nil, ErrAbsent
		}
		return nil, fmt.Errorf("open a file: %w", err)
	}
	return &File{ReadSeekCloser: o, Info: Info{Name: name, Bytes: st.Size, Written: st.LastModified}}, nil
}

// Delete removes files. That one is not there is no error.
func (b *Bucket) Delete(ctx context.Context, names ...string) error {
	var errs []error
	for _, name := range names {
		if Valid(name) {
			errs = append(errs, b.client.RemoveObject(ctx, b.opt.Bucket, b.key(name), minio.RemoveObjectOptions{}))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("remove files: %w", err)
	}
	return nil
}

// Walk tells of every file, see Store.
func (b *Bucket) Walk(ctx context.Context, each func(Info) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // or the list would wait for who reads it
	for o := range b.client.ListObjects(ctx, b.opt.Bucket, minio.ListObjectsOptions{Prefix: b.opt.Prefix, Recursive: true}) {
		if o.Err != nil {
			return fmt.Errorf("walk over files: %w", o.Err)
		}
		name := path.Base(o.Key)
		if !Valid(name) || o.Key != b.key(name) {
			continue // somebody else's
		}
		if err := each(Info{Name: name, Bytes: o.Size, Written: o.LastModified}); err != nil {
			return err
		}
	}
	return ctx.Err()
}
