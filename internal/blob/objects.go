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

// BucketOptions say which bucket of which server.
type BucketOptions struct {
	Endpoint  string // "https://s3.example.com": scheme and host, and a port if need be
	Region    string // "us-east-1"
	Bucket    string
	Prefix    string // put before every name, such as "media/"
	AccessKey string
	SecretKey string
}

// Objects is what lies below a prefix in a bucket of a server that speaks the protocol of
// Amazon's S3, under whatever names; Bucket is a Store made of it. It is safe for concurrent
// use, also by several processes.
// https://docs.aws.amazon.com/AmazonS3/latest/API/
type Objects struct {
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

// OpenObjects opens a bucket. It asks the server whether it is there: ErrNoBucket if not.
func OpenObjects(ctx context.Context, opt BucketOptions) (*Objects, error) {
	u, err := url.Parse(opt.Endpoint)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("%q is no address of a server", opt.Endpoint)
	}
	client, err := minio.New(u.Host, &minio.Options{Secure: u.Scheme == "https", Region: opt.Region, MaxRetries: bucketTries,
		Creds: credentials.NewStaticV4(opt.AccessKey, opt.SecretKey, "")})
	if err != nil {
		return nil, fmt.Errorf("set up a client of S3: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	there, err := client.BucketExists(ctx, opt.Bucket)
	switch code := minio.ToErrorResponse(err).StatusCode; {
	case err == nil && !there, code == 403, code == 404:
		return nil, fmt.Errorf("look for bucket %s at %s: %w", opt.Bucket, u.Host, ErrNoBucket)
	case err != nil:
		return nil, fmt.Errorf("look for bucket %s: %w", opt.Bucket, err)
	}
	return &Objects{client, opt}, nil
}

// Where says where the objects are, for people.
func (o *Objects) Where() string { return o.opt.Endpoint + "/" + o.opt.Bucket + "/" + o.opt.Prefix }

// Put keeps what data holds, from its beginning. It is sent as a whole and never in parts,
// which a crash would leave behind: it is there, or not, and durable when Put returns nil.
func (o *Objects) Put(ctx context.Context, name, contentType string, data Source) error {
	opt := minio.PutObjectOptions{ContentType: contentType, CacheControl: immutableCache, DisableMultipart: true}
	if err := o.put(ctx, name, data, opt); err != nil {
		return fmt.Errorf("keep a file: %w", err)
	}
	return nil
}

// putNew is Put for what is not there yet; else nothing changes.
func (o *Objects) putNew(ctx context.Context, name, contentType string, data Source) error {
	opt := minio.PutObjectOptions{ContentType: contentType, DisableMultipart: true}
	opt.SetMatchETagExcept("*")
	err := o.put(ctx, name, data, opt)
	switch answer := minio.ToErrorResponse(err); {
	case err == nil, answer.StatusCode == http.StatusPreconditionFailed, answer.StatusCode == http.StatusConflict:
		return nil
	case answer.StatusCode == http.StatusNotImplemented, answer.StatusCode == http.StatusBadRequest: // it knows no conditions
		return o.Put(ctx, name, contentType, data)
	}
	return fmt.Errorf("keep a file: %w", err)
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

// Get opens an object; ErrAbsent if there is none. It asks for the size; the content is
// asked for as it is read, from where it is read.
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

// Remove removes an object. That it is not there is no error.
func (o *Objects) Remove(ctx context.Context, name string) error {
	return o.client.RemoveObject(ctx, o.opt.Bucket, o.opt.Prefix+name, minio.RemoveObjectOptions{})
}

// exists reports whether there is an object.
func (o *Objects) exists(ctx context.Context, name string) (bool, error) {
	_, err := o.client.StatObject(ctx, o.opt.Bucket, o.opt.Prefix+name, minio.StatObjectOptions{})
	if err != nil && minio.ToErrorResponse(err).StatusCode == http.StatusNotFound {
		return false, nil
	}
	return err == nil, err
}

// copy copies an object within the bucket, with its type. It reports false if there is none.
func (o *Objects) copy(ctx context.Context, from, to string) (bool, error) {
	_, err := o.client.CopyObject(ctx, minio.CopyDestOptions{Bucket: o.opt.Bucket, Object: o.opt.Prefix + to},
		minio.CopySrcOptions{Bucket: o.opt.Bucket, Object: o.opt.Prefix + from})
	if err != nil && minio.ToErrorResponse(err).StatusCode == http.StatusNotFound {
		return false, nil
	}
	return err == nil, err
}

// List tells of every object whose name begins in this way, in the order of names, until
// each returns an error, which it returns.
func (o *Objects) List(ctx context.Context, begin string, each func(Info) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // or the list would wait for who reads it
	for found := range o.client.ListObjects(ctx, o.opt.Bucket, minio.ListObjectsOptions{Prefix: o.opt.Prefix + begin, Recursive: true}) {
		if found.Err != nil {
			return fmt.Errorf("walk over files: %w", found.Err)
		}
		if err := each(Info{Name: strings.TrimPrefix(found.Key, o.opt.Prefix), Bytes: found.Size, Written: found.LastModified}); err != nil {
			return err
		}
	}
	return ctx.Err()
}
