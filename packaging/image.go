package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// The users and groups in an image: the owner of the program, and the user who runs it and owns the
// data directory.
const (
	root   = 0
	nobody = 65532
)

// image writes a container image that contains only the program, without a shell and without root.
// It is an OCI image layout with the manifest of docker load, so that docker, podman, skopeo and
// crane accept it.
func (r *release) image(t target, bin string, licences []byte) error {
	program, err := os.ReadFile(bin)
	if err != nil {
		return err
	}
	var layer bytes.Buffer
	if err := writeTar(&layer, []file{
		{"linnet", 0o755, program},
		{"LICENSE", 0o644, r.paper("LICENSE")},
		{"NOTICE", 0o644, r.paper("NOTICE")},
		{"LICENSES.txt", 0o644, licences},
	}, r.date, root); err != nil {
		return err
	}
	files, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(layer.Bytes())), nil },
		tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return err
	}
	data, err := dataLayer(r.date)
	if err != nil {
		return err
	}
	base := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	img, err := mutate.Append(base, addendum(files, "the program", r.date), addendum(data, "its data directory", r.date))
	if err != nil {
		return err
	}
	img, err = mutate.ConfigFile(img, r.configuration(t, img))
	if err != nil {
		return err
	}
	dir := filepath.Join(r.work, "image-"+t.arch)
	at, err := layout.Write(dir, empty.Index)
	if err != nil {
		return err
	}
	if err := at.AppendImage(img, layout.WithAnnotations(map[string]string{
		"io.containerd.image.name":          "docker.io/library/linnet:" + r.version,
		"org.opencontainers.image.ref.name": r.version,
	}), layout.WithPlatform(v1.Platform{OS: t.os, Architecture: t.arch})); err != nil {
		return err
	}
	if err := writeManifest(dir, "linnet:"+r.version, img); err != nil {
		return err
	}
	return r.packImage(t, dir)
}

// dataLayer returns the layer with the directories that the user can write: the data, and media
// that servers share.
func dataLayer(date time.Time) (v1.Layer, error) {
	var out bytes.Buffer
	if err := writeTar(&out, []file{{"data/", fs.ModeDir | 0o700, nil}, {"media/", fs.ModeDir | 0o700, nil}}, date, nobody); err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(out.Bytes())), nil },
		tarball.WithMediaType(types.OCILayer))
}

func addendum(layer v1.Layer, what string, date time.Time) mutate.Addendum {
	return mutate.Addendum{Layer: layer, MediaType: types.OCILayer, History: v1.History{CreatedBy: "linnet: " + what, Created: v1.Time{Time: date}}}
}

// configuration returns the run options of the image, like the Dockerfile.
func (r *release) configuration(t target, img v1.Image) *v1.ConfigFile {
	cf, err := img.ConfigFile()
	if err != nil {
		panic(err) // the image was just created
	}
	cf = cf.DeepCopy()
	cf.OS, cf.Architecture, cf.Created = t.os, t.arch, v1.Time{Time: r.date}
	cf.Config = v1.Config{
		User: fmt.Sprintf("%d:%d", nobody, nobody), Env: []string{"LINNET_DATA=/data", "LINNET_ADDR=:8420"},
		Entrypoint: []string{"/linnet"}, StopSignal: "SIGTERM",
		ExposedPorts: map[string]struct{}{"8420/tcp": {}}, Volumes: map[string]struct{}{"/data": {}},
		Healthcheck: &v1.HealthConfig{Test: []string{"CMD", "/linnet", "status"}, Interval: 10 * time.Second, Timeout: 5 * time.Second, StartPeriod: 30 * time.Second},
		Labels: map[string]string{
			"org.opencontainers.image.title": "linnet", "org.opencontainers.image.version": r.version, "org.opencontainers.image.licenses": "Apache-2.0",
		},
	}
	return cf
}

// writeManifest writes the manifest of docker load for the blobs of the layout.
func writeManifest(dir, name string, img v1.Image) error {
	config, err := img.ConfigName()
	if err != nil {
		return err
	}
	layers, err := img.Layers()
	if err != nil {
		return err
	}
	entry := struct {
		Config   string
		RepoTags []string
		Layers   []string
	}{blobPath(config), []string{name}, nil}
	for _, l := range layers {
		digest, err := l.Digest()
		if err != nil {
			return err
		}
		entry.Layers = append(entry.Layers, blobPath(digest))
	}
	text, err := json.Marshal([]any{entry})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "manifest.json"), text, 0o644)
}

func blobPath(h v1.Hash) string { return fmt.Sprintf("blobs/%s/%s", h.Algorithm, h.Hex) }

// packImage writes a layout as a single file.
func (r *release) packImage(t target, dir string) error {
	var files []file
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		files = append(files, file{filepath.ToSlash(name), 0o644, data})
		return err
	})
	if err != nil {
		return err
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	var out bytes.Buffer
	if err := writeTar(&out, files, r.date, root); err != nil {
		return err
	}
	return os.WriteFile(r.path(t, ".image.tar"), out.Bytes(), 0o644)
}
