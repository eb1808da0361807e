package blob_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"

	"linnet/internal/blob"
	"linnet/internal/blob/s3test"
)

func open(t *testing.T, s *s3test.Server, bucket, prefix string) *blob.Bucket {
	t.Helper()
	b, err := blob.NewBucket(t.Context(), blob.BucketOptions{Endpoint: s.Endpoint, Region: s3test.Region, Bucket: bucket, Prefix: prefix,
		AccessKey: s3test.AccessKey, SecretKey: s3test.SecretKey})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBucket(t *testing.T) {
	s := s3test.Start(t)
	suite(t, func(t *testing.T) blob.Store { return open(t, s, s.Bucket(t), "") })
	t.Run("below a prefix", func(t *testing.T) {
		bucket := s.Bucket(t)
		suite(t, func(t *testing.T) blob.Store {
			return open(t, s, bucket, strings.ToLower(t.Name()[len("TestBucket/"):])+"/media/")
		})
	})
	t.Run("moved", func(t *testing.T) { moved(t, open(t, s, s.Bucket(t), "")) })
	t.Run("of others", func(t *testing.T) { bucketOfOthers(t, s) })
	t.Run("refused", func(t *testing.T) { refused(t, s) })
	t.Run("bounded", func(t *testing.T) { bounded(t, s) })
}

// moved checks that a withheld or released file is stored once.
func moved(t *testing.T, b *blob.Bucket) {
	name := put(t, b, []byte("x"))
	for i := range 6 {
		do := b.Withhold
		if i%2 == 1 {
			do = b.Release
		}
		if err := do(t.Context(), name); err != nil {
			t.Fatal(err)
		}
		var keys []string
		if err := b.List(t.Context(), "", func(i blob.Info) error { keys = append(keys, i.Name); return nil }); err != nil {
			t.Fatal(err)
		}
		if len(keys) != 1 || strings.HasPrefix(keys[0], ".withheld/") != (i%2 == 0) {
			t.Errorf("after move %d the bucket holds %v", i, keys)
		}
	}
}

// bucketOfOthers checks that other objects in the bucket are ignored.
func bucketOfOthers(t *testing.T, s *s3test.Server) {
	bucket := s.Bucket(t)
	put(t, open(t, s, bucket, "other/"), []byte("x"))
	put(t, open(t, s, bucket, "media/of/"), []byte("x"))
	b := open(t, s, bucket, "media/")
	if err := b.Walk(t.Context(), func(i blob.Info) error { return errors.New("found " + i.Name) }); err != nil {
		t.Error(err)
	}
}

// refused checks that a wrong bucket or wrong keys are detected at the start, and that files cannot
// be read without keys.
func refused(t *testing.T, s *s3test.Server) {
	bucket := s.Bucket(t)
	good := blob.BucketOptions{Endpoint: s.Endpoint, Region: s3test.Region, Bucket: bucket, AccessKey: s3test.AccessKey, SecretKey: s3test.SecretKey}
	for name, change := range map[string]func(*blob.BucketOptions){
		"another bucket": func(o *blob.BucketOptions) { o.Bucket = "elsewhere" },
		"another key":    func(o *blob.BucketOptions) { o.AccessKey = "nobody" },
		"another secret": func(o *blob.BucketOptions) { o.SecretKey = "guessed" },
	} {
		opt := good
		change(&opt)
		if _, err := blob.NewBucket(t.Context(), opt); !errors.Is(err, blob.ErrNoBucket) {
			t.Errorf("%s: %v", name, err)
		}
	}
	good.Endpoint = "nowhere"
	if _, err := blob.NewBucket(t.Context(), good); err == nil || errors.Is(err, blob.ErrNoBucket) {
		t.Errorf("no address: %v", err)
	}
	name := put(t, open(t, s, bucket, ""), []byte("x"))
	r, err := http.Get(s.Endpoint + "/" + bucket + "/" + name[:2] + "/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusForbidden {
		t.Errorf("without keys: %s", r.Status)
	}
}

// bounded checks that writing and reading take the same memory for files of any size.
func bounded(t *testing.T, s *s3test.Server) {
	b := open(t, s, s.Bucket(t), "")
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(64 << 20); err != nil {
		t.Fatal(err)
	}
	name := blob.NewName("mp4")
	if n := allocated(func() { err = b.Put(t.Context(), name, "video/mp4", f) }); err != nil || n > 8<<20 {
		t.Errorf("writing took %d bytes of memory, %v", n, err)
	}
	var read int64
	if n := allocated(func() { read, err = drain(t.Context(), b, name) }); err != nil || read != 64<<20 || n > 8<<20 {
		t.Errorf("reading %d bytes took %d of memory, %v", read, n, err)
	}
}

func drain(ctx context.Context, b *blob.Bucket, name string) (int64, error) {
	f, err := b.Open(ctx, name)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(io.Discard, f)
	return n, errors.Join(err, f.Close())
}

// allocated returns the number of bytes that a call allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestBucketGone checks that files of an unreachable server cause errors and are not reported as
// missing.
func TestBucketGone(t *testing.T) {
	s := s3test.Start(t)
	b := open(t, s, s.Bucket(t), "")
	name := put(t, b, []byte("x"))
	s.Stop()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if _, err := b.Open(ctx, name); err == nil || errors.Is(err, blob.ErrAbsent) {
		t.Errorf("open: %v", err)
	}
	if err := b.Put(ctx, name, "image/jpeg", bytes.NewReader(nil)); err == nil {
		t.Error("kept nowhere")
	}
	if err := b.Delete(ctx, name); err == nil {
		t.Error("removed from nowhere")
	}
}
