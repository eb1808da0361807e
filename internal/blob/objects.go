package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// BucketOptions identify a bucket.
type BucketOptions struct {
	Endpoint  string // "https://s3.example.com": scheme, host and optional port
	Region    string // "us-east-1"
	Bucket    string
	Prefix    string // prefix of each name, such as "media/"
	AccessKey string
	SecretKey string
}

// Objects are the objects below a prefix in a bucket of an S3 server, with any names. Bucket uses
// it as a Store. It is safe for concurrent use, also by several processes.
// https://docs.aws.amazon.com/AmazonS3/latest/API/
type Objects struct {
	client *minio.Client
	opt    BucketOptions
}

const (
	bucketTries    = 3           // per request
	answerWithin   = time.Minute // for requests without a file's content
	immutableCache = "public, max-age=31536000, immutable"
)

// ErrNoBucket is returned if the server does not have the bucket, or refuses the keys.
var ErrNoBucket = errors.New("the bucket does not exist, or the keys give no access to it")

// OpenObjects opens a bucket. It returns ErrNoBucket if the server does not have it.
func OpenObjects(ctx context.Context, opt BucketOptions) (*Objects, error) {
	u, err := url.Parse(opt.Endpoint)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("%q is not the URL of an S3 endpoint", opt.Endpoint)
	}
	client, err := minio.New(u.Host, &minio.Options{Secure: u.Scheme == "https", Region: opt.Region, MaxRetries: bucketTries,
		Creds: credentials.NewStaticV4(opt.AccessKey, opt.SecretKey, "")})
	if err != nil {
		return nil, fmt.Errorf("set up the S3 client: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	there, err := client.BucketExists(ctx, opt.Bucket)
	switch code := minio.ToErrorResponse(err).StatusCode; {
	case err == nil && !there, code == 403, code == 404:
		return nil, fmt.Errorf("check bucket %s at %s: %w", opt.Bucket, u.Host, ErrNoBucket)
	case err != nil:
		return nil, fmt.Errorf("check bucket %s: %w", opt.Bucket, err)
	}
	return &Objects{client, opt}, nil
}

// Where returns the URL of the objects for messages.
func (o *Objects) Where() string { return o.opt.Endpoint + "/" + o.opt.Bucket + "/" + o.opt.Prefix }

// Put stores data, read from the beginning. It sends an object at once and not in parts, which a
// crash would leave behind. When Put returns nil, the object is complete and durable.
func (o *Objects) Put(ctx context.Context, name, contentType string, data Source) error {
	opt := minio.PutObjectOptions{ContentType: contentType, CacheControl: immutableCache, DisableMultipart: true}
	if err := o.put(ctx, name, data, opt); err != nil {
		return fmt.Errorf("store a file: %w", err)
	}
	return nil
}

// putNew is Put for an object that does not exist yet. It leaves an existing one unchanged.
func (o *Objects) putNew(ctx context.Context, name, contentType string, data Source) error {
	opt := minio.PutObjectOptions{ContentType: contentType, DisableMultipart: true}
	opt.SetMatchETagExcept("*")
	err := o.put(ctx, name, data, opt)
	switch answer := minio.ToErrorResponse(err); {
	case err == nil, answer.StatusCode == http.StatusPreconditionFailed, answer.StatusCode == http.StatusConflict:
		return nil
	case answer.StatusCode == http.StatusNotImplemented, answer.StatusCode == http.StatusBadRequest: // the server does not support conditions
		return o.Put(ctx, name, contentType, data)
	}
	return fmt.Errorf("store a file: %w", err)
}

func (o *Objects) put(ctx context.Context, name string, data Source, opt minio.PutObjectOptions) error {
	size, err := data.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = data.Seek(0, io.SeekStart)
	}
	if err == nil {
		_, err = o.client.PutObject(ctx, o.opt.Bucket, o.opt.Prefix+name, data, size, opt)
	}
	return err
}

// Get opens an object and reads its size, or returns ErrAbsent. The content is requested when it is
// read, from the position that is read.
func (o *Objects) Get(ctx context.Context, name string) (*File, error) {
	f, err := o.client.GetObject(ctx, o.opt.Bucket, o.opt.Prefix+name, minio.GetObjectOptions{})
	if err != nil {
		return nil, fmt.Errorf("open a file: %w", err)
	}
	st, err := f.Stat()
	if err != nil {
		f.Close()
		if minio.ToErrorResponse(err).StatusCode == 404 {
			return nil, ErrAbsent
		}
		return nil, fmt.Errorf("open a file: %w", err)
	}
	return &File{ReadSeekCloser: f, Info: Info{Name: name, Bytes: st.Size, Written: st.LastModified}}, nil
}

// Remove deletes an object. It ignores a missing one.
func (o *Objects) Remove(ctx context.Context, name string) error {
	return o.client.RemoveObject(ctx, o.opt.Bucket, o.opt.Prefix+name, minio.RemoveObjectOptions{})
}

// exists reports whether an object exists.
func (o *Objects) exists(ctx context.Context, name string) (bool, error) {
	_, err := o.client.StatObject(ctx, o.opt.Bucket, o.opt.Prefix+name, minio.StatObjectOptions{})
	if err != nil && minio.ToErrorResponse(err).StatusCode == http.StatusNotFound {
		return false, nil
	}
	return err == nil, err
}

// copy copies an object within the bucket, with its media type. It returns false if the object does
// not exist.
func (o *Objects) copy(ctx context.Context, from, to string) (bool, error) {
	_, err := o.client.CopyObject(ctx, minio.CopyDestOptions{Bucket: o.opt.Bucket, Object: o.opt.Prefix + to},
		minio.CopySrcOptions{Bucket: o.opt.Bucket, Object: o.opt.Prefix + from})
	if err != nil && minio.ToErrorResponse(err).StatusCode == http.StatusNotFound {
		return false, nil
	}
	return err == nil, err
}

// List calls each for every object whose name has a prefix, in the order of names, until each
// returns an error.
func (o *Objects) List(ctx context.Context, begin string, each func(Info) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // otherwise the list would wait for its reader
	for found := range o.client.ListObjects(ctx, o.opt.Bucket, minio.ListObjectsOptions{Prefix: o.opt.Prefix + begin, Recursive: true}) {
		if found.Err != nil {
			return fmt.Errorf("list files: %w", found.Err)
		}
		if err := each(Info{Name: strings.TrimPrefix(found.Key, o.opt.Prefix), Bytes: found.Size, Written: found.LastModified}); err != nil {
			return err
		}
	}
	return ctx.Err()
}
