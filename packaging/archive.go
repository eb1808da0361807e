package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"time"
)

// archive writes an archive of the program and its documents: zip for Windows, otherwise tar.gz. It
// contains a single directory.
func (r *release) archive(t target, bin string, licences []byte) error {
	program, err := os.ReadFile(bin)
	if err != nil {
		return err
	}
	dir := fmt.Sprintf("linnet_%s_%s_%s/", r.version, t.os, t.arch)
	files := []file{{dir + t.program(), 0o755, program}, {dir + "LICENSES.txt", 0o644, licences}}
	for _, p := range r.papers {
		if t.os != "linux" && p.name == "linnet.service" {
			continue
		}
		files = append(files, file{dir + p.name, p.mode, p.data})
	}
	var out bytes.Buffer
	if t.os == "windows" {
		if err := writeZip(&out, files, r.date); err != nil {
			return err
		}
		return os.WriteFile(r.path(t, ".zip"), out.Bytes(), 0o644)
	}
	zipped := gzip.NewWriter(&out) // the header contains no name and no date
	if err := writeTar(zipped, files, r.date, root); err != nil {
		return err
	}
	if err := zipped.Close(); err != nil {
		return err
	}
	return os.WriteFile(r.path(t, ".tar.gz"), out.Bytes(), 0o644)
}

// writeTar writes files that belong to the user and group with the id owner.
func writeTar(w io.Writer, files []file, date time.Time, owner int) error {
	out := tar.NewWriter(w)
	for _, f := range files {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: f.name, Mode: int64(f.mode.Perm()), Size: int64(len(f.data)), ModTime: date, Format: tar.FormatUSTAR, Uid: owner, Gid: owner}
		if f.mode.IsDir() {
			h.Typeflag = tar.TypeDir
		}
		if err := out.WriteHeader(h); err != nil {
			return err
		}
		if _, err := out.Write(f.data); err != nil {
			return err
		}
	}
	return out.Close()
}

func writeZip(w io.Writer, files []file, date time.Time) error {
	out := zip.NewWriter(w)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: date}
		h.SetMode(f.mode)
		part, err := out.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := part.Write(f.data); err != nil {
			return err
		}
	}
	return out.Close()
}
