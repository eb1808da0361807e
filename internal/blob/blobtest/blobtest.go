// Package blobtest is the suite that every store of files passes.
package blobtest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"testing"

	"linnet/internal/blob"
)

// Run tries a store that open makes, empty each time.
func Run(t *testing.T, open func(*testing.T) blob.Store) {
	for name, run := range map[string]func(*testing.T, blob.Store){
		"kept and read": keptAndRead, "absent": absent, "names": names, "walk": walk, "at once": atOnce, "ranges": ranges,
	} {
		t.Run(name, func(t *testing.T) { run(t, open(t)) })
	}
}

func put(t *testing.T, s blob.Store, data []byte) string {
	t.Helper()
	name := blob.NewName("jpg")
	if err := s.Put(t.Context(), name, data); err != nil {
		t.Fatal(err)
	}
	return name
}

// Read is all of a file.
func Read(ctx context.Context, s blob.Store, name string) ([]byte, error) {
	f, err := s.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(f)
	return data, errors.Join(err, f.Close())
}

func keptAndRead(t *testing.T, s blob.Store) {
	for _, size := range []int{0, 1, 100_000, 6 << 20} {
		data := bytes.Repeat([]byte{7, 8, 9}, size/3+1)[:size]
		name := put(t, s, data)
		got, err := Read(t.Context(), s, name)
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes: %d came back, %v", size, len(got), err)
		}
		if err := s.Put(t.Context(), name, []byte("again")); err != nil {
			t.Error(err)
		}
		if got, err := Read(t.Context(), s, name); err != nil || string(got) != "again" {
			t.Errorf("over %d bytes: %q %v", size, got, err)
		}
	}
	if s.Where() == "" {
		t.Error("nobody is told where the files are")
	}
}

func absent(t *testing.T, s blob.Store) {
	name := put(t, s, []byte("x"))
	if err := s.Delete(t.Context(), name, blob.NewName("png")); err != nil {
		t.Error(err)
	}
	if err := s.Delete(t.Context()); err != nil {
		t.Error(err)
	}
	if err := s.Delete(t.Context(), name); err != nil {
		t.Errorf("a second time: %v", err)
	}
	if _, err := s.Open(t.Context(), name); !errors.Is(err, blob.ErrAbsent) {
		t.Errorf("opened what is gone: %v", err)
	}
}

func names(t *testing.T, s blob.Store) {
	for _, name := range []string{"", "../../etc/passwd", "a.jpg", "/", "index.html"} {
		if err := s.Put(t.Context(), name, nil); err == nil {
			t.Errorf("kept as %q", name)
		}
		if _, err := s.Open(t.Context(), name); !errors.Is(err, blob.ErrAbsent) {
			t.Errorf("opened %q: %v", name, err)
		}
		if err := s.Delete(t.Context(), name); err != nil {
			t.Errorf("removed %q: %v", name, err)
		}
	}
}

func walk(t *testing.T, s blob.Store) {
	var want []string
	for range 30 {
		want = append(want, put(t, s, []byte("abc")))
	}
	slices.Sort(want)
	var got []string
	err := s.Walk(t.Context(), func(i blob.Info) error {
		got = append(got, i.Name)
		if i.Bytes != 3 || i.Written.IsZero() {
			t.Errorf("%+v", i)
		}
		return nil
	})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v\nwant %v, %v", got, want, err)
	}
	enough := errors.New("enough")
	if err := s.Walk(t.Context(), func(blob.Info) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("a walk that is ended gives %v", err)
	}
}

func atOnce(t *testing.T, s blob.Store) {
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			data := bytes.Repeat([]byte{byte(i)}, 1000+i)
			name := blob.NewName("png")
			if err := s.Put(t.Context(), name, data); err != nil {
				t.Error(err)
			}
			if got, err := Read(t.Context(), s, name); err != nil || !bytes.Equal(got, data) {
				t.Errorf("%d: %d bytes, %v", i, len(got), err)
			}
		})
	}
	all.Wait()
}

// ranges reads parts, as browsers ask for them of what is long.
func ranges(t *testing.T, s blob.Store) {
	data := make([]byte, 300_000)
	for i := range data {
		data[i] = byte(i >> 8)
	}
	f, err := s.Open(t.Context(), put(t, s, data))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Info().Bytes != int64(len(data)) || f.Info().Written.IsZero() {
		t.Errorf("%+v", f.Info())
	}
	for _, at := range []int64{250_000, 0, 299_990} {
		if _, err := f.Seek(at, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		part := make([]byte, 10)
		if _, err := io.ReadFull(f, part); err != nil || !bytes.Equal(part, data[at:at+10]) {
			t.Errorf("at %d: %v %v", at, part, err)
		}
	}
	if end, err := f.Seek(0, io.SeekEnd); err != nil || end != int64(len(data)) {
		t.Errorf("the end is at %d, %v", end, err)
	}
}
