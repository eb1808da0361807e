// Command brotli compresses the style sheets, scripts and icons of the pages, and writes the
// results to internal/web/assets/brotli. It first shortens the names in scripts. The server embeds
// the results. Run it in tools with: go run ./brotli
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/evanw/esbuild/pkg/api"

	"linnet/internal/web/assets"
)

func main() {
	if err := compressAll("../internal/web/assets/brotli"); err != nil {
		fmt.Fprintln(os.Stderr, "brotli:", err)
		os.Exit(1)
	}
}

// compressAll replaces the files in dir with the compressed assets, if they differ.
func compressAll(dir string) error {
	wanted := map[string][]byte{}
	for path, body := range assets.Texts() {
		if strings.HasSuffix(path, ".js") {
			var err error
			if body, err = minify(body); err != nil {
				return fmt.Errorf("minify %s: %w", path, err)
			}
		}
		packed, err := compress(body)
		if err != nil {
			return fmt.Errorf("compress %s: %w", path, err)
		}
		wanted[assets.BrotliName(path)] = packed
	}
	old, err := filepath.Glob(filepath.Join(dir, "*.br"))
	if err != nil {
		return err
	}
	for _, file := range old {
		if _, ok := wanted[filepath.Base(file)]; !ok {
			if err := os.Remove(file); err != nil {
				return err
			}
		}
	}
	for name, packed := range wanted {
		file := filepath.Join(dir, name)
		if is, err := os.ReadFile(file); err == nil && bytes.Equal(is, packed) {
			continue
		}
		if err := os.WriteFile(file, packed, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// minify returns a module with the same effect and shorter names. Minifying compressed files saves a
// fifth. Other versions of the files stay readable.
func minify(module []byte) ([]byte, error) {
	r := api.Transform(string(module), api.TransformOptions{Loader: api.LoaderJS, Format: api.FormatESModule, Target: api.ES2021, Charset: api.CharsetUTF8,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone})
	if len(r.Errors)+len(r.Warnings) > 0 {
		return nil, fmt.Errorf("esbuild: %v%v", r.Errors, r.Warnings)
	}
	return r.Code, nil
}

// compress compresses a file at the best level, and checks that it can be decompressed.
func compress(body []byte) ([]byte, error) {
	var b bytes.Buffer
	w := brotli.NewWriterLevel(&b, brotli.BestCompression)
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	back, err := io.ReadAll(brotli.NewReader(bytes.NewReader(b.Bytes())))
	if err == nil && !bytes.Equal(back, body) {
		err = errors.New("the content differs")
	}
	if err != nil {
		return nil, fmt.Errorf("decompress the result: %w", err)
	}
	return b.Bytes(), nil
}
