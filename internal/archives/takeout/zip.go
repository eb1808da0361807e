package takeout

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"compress/gzip"
	"errors"
	"io"
	"path"
	"strings"
)

// zipped is a ZIP file.
type zipped struct {
	files map[string]*zip.File
	list  []string
}

// directoryReader limits the bytes read for the directory.
type directoryReader struct {
	r      io.ReaderAt
	left   int
	opened bool
}

var errDirectory = refuse("The archive contains too many files (maximum is %d)", MaxEntries)

func (d *directoryReader) ReadAt(p []byte, off int64) (int, error) {
	if !d.opened {
		if d.left -= len(p); d.left < 0 {
			return 0, errDirectory
		}
	}
	return d.r.ReadAt(p, off)
}

func openZip(f io.ReaderAt, size int64) (entries, error) {
	in := &directoryReader{r: f, left: MaxDirectory}
	z, err := zip.NewReader(in, size)
	if in.left < 0 {
		return nil, errDirectory
	}
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, refuse("The archive is damaged or incomplete: %v", err)
	}
	in.opened = true
	if len(z.File) > MaxEntries {
		return nil, errDirectory
	}
	out := &zipped{files: make(map[string]*zip.File, len(z.File))}
	for _, e := range z.File {
		name, ok := entryName(e.Name)
		if !ok || out.files[name] != nil || !e.Mode().IsRegular() {
			continue
		}
		out.files[name] = e
		out.list = append(out.list, name)
	}
	return out, nil
}

func (z *zipped) names() []string { return z.list }

func (z *zipped) each(names map[string]bool, f func(string, int64, io.Reader) error) error {
	for _, name := range z.list {
		if names[name] {
			if err := z.one(name, f); err != nil {
				return err
			}
		}
	}
	return nil
}

func (z *zipped) one(name string, f func(string, int64, io.Reader) error) error {
	e := z.files[name]
	r, err := e.Open()
	if err != nil {
		return refuse("Can't read %s in the archive: %v", name, err)
	}
	defer r.Close()
	return f(name, int64(min(e.UncompressedSize64, 1<<62)), r)
}

// entryName returns the name of an entry without a common prefix, such as ./ or a directory. ok is
// false for an invalid name.
func entryName(s string) (string, bool) {
	s = strings.ReplaceAll(s, `\`, "/")
	if s == "" || len(s) > 1000 || strings.HasSuffix(s, "/") || strings.ContainsRune(s, 0) {
		return "", false
	}
	return strings.TrimPrefix(path.Clean("/"+s), "/"), true
}

// tarred is a compressed tar file, which can only be read from its beginning.
type tarred struct {
	f    io.ReaderAt
	size int64
	list []string
}

// maxUnpacked limits the bytes of an uncompressed tar file, and so the time for reading it. All
// accepted archives are smaller.
const maxUnpacked = 16 << 30

func openTar(f io.ReaderAt, size int64) (entries, error) {
	t := &tarred{f: f, size: size}
	seen, bytes := map[string]bool{}, 0
	err := t.walk(func(name string, _ int64, _ io.Reader) error {
		if seen[name] {
			return nil
		}
		if bytes += len(name) + 64; len(t.list) == MaxEntries || bytes > MaxDirectory {
			return errDirectory
		}
		seen[name] = true
		t.list = append(t.list, name)
		return nil
	})
	return t, err
}

func (t *tarred) names() []string { return t.list }

// walk calls f for each file.
func (t *tarred) walk(f func(string, int64, io.Reader) error) error {
	z, err := gzip.NewReader(bufio.NewReaderSize(io.NewSectionReader(t.f, 0, t.size), 256<<10))
	if err != nil {
		return refuse("The archive is damaged or incomplete: %v", err)
	}
	var read int64
	r := tar.NewReader(&capped{r: z, left: maxUnpacked, read: &read})
	for {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return refuse("The archive is damaged or incomplete: %v", err)
		}
		name, ok := entryName(h.Name)
		if !ok || h.Typeflag != tar.TypeReg {
			continue
		}
		if err := f(name, h.Size, r); err != nil {
			return err
		}
	}
}

func (t *tarred) each(names map[string]bool, f func(string, int64, io.Reader) error) error {
	done := map[string]bool{}
	return t.walk(func(name string, bytes int64, r io.Reader) error {
		if !names[name] || done[name] {
			return nil
		}
		done[name] = true
		return f(name, bytes, r)
	})
}
