package backend_test

import (
	"io"
	"strings"
	"testing"

	"linnet/internal/backend"
	"linnet/internal/blob"
	"linnet/internal/blob/s3test"
	"linnet/internal/config"
	"linnet/internal/exit"
)

// TestFilesInBucket opens the configured bucket, and expects an error with advice for wrong
// options.
func TestFilesInBucket(t *testing.T) {
	s := s3test.Start(t)
	good := map[string]string{"data": t.TempDir(), "s3.bucket": s.Bucket(t), "s3.endpoint": s.Endpoint, "s3.prefix": "place/",
		"s3.access_key": s3test.AccessKey, "s3.secret_key": s3test.SecretKey}
	opened := func(change ...string) (blob.Store, error) {
		flags := map[string]string{}
		for name, text := range good {
			flags[name] = text
		}
		for i := 0; i < len(change); i += 2 {
			flags[change[i]] = change[i+1]
		}
		c, err := config.Resolve(flags, config.Environment{})
		if err != nil {
			t.Fatal(err)
		}
		return backend.OpenFiles(t.Context(), c)
	}
	files, err := opened()
	if err != nil {
		t.Fatal(err)
	}
	name := blob.NewName("jpg")
	if err := files.Put(t.Context(), name, "image/jpeg", strings.NewReader("a picture")); err != nil {
		t.Fatal(err)
	}
	again, err := opened()
	if err != nil {
		t.Fatal(err)
	}
	f, err := again.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, err := io.ReadAll(f); err != nil || string(got) != "a picture" {
		t.Errorf("another server reads %q, %v", got, err)
	}
	for _, c := range []struct {
		change []string
		code   int
		says   string
	}{
		{[]string{"s3.bucket", "elsewhere"}, exit.Usage, "elsewhere"},
		{[]string{"s3.secret_key", "hunter2"}, exit.Usage, "s3.secret_key"},
		{[]string{"s3.secret_key", ""}, exit.Usage, "LINNET_S3_SECRET_KEY_FILE"},
		{[]string{"media", t.TempDir()}, exit.Usage, "Set one of them"},
		{[]string{"s3.endpoint", "http://127.0.0.1:1"}, exit.Temporary, "http://127.0.0.1:1"},
	} {
		_, err := opened(c.change...)
		if err == nil {
			t.Errorf("%v: opened", c.change)
			continue
		}
		if told := err.Error(); exit.CodeOf(err) != c.code || !strings.Contains(told, c.says) || strings.Contains(told, "hunter2") {
			t.Errorf("%v: exit code %d, %s", c.change, exit.CodeOf(err), told)
		}
	}
}
