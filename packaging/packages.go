package main

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // registers the format
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm" // registers the format
)

// scripts are the scripts that packages run on the machine.
//
//go:embed files
var scripts embed.FS

// unit returns the systemd service, adapted to the path /usr/bin of packages.
func (r *release) unit() ([]byte, error) {
	text := string(r.paper("linnet.service"))
	const local = "\nExecStart=/usr/local/bin/linnet "
	if strings.Count(text, local) != 1 {
		return nil, fmt.Errorf("linnet.service does not start /usr/local/bin/linnet")
	}
	_, text, ok := strings.Cut(text, "\n\n[Unit]") // instructions for a manual installation come first
	if !ok {
		return nil, fmt.Errorf("linnet.service has no empty line before [Unit]")
	}
	return []byte("[Unit]" + strings.Replace(text, local, "\nExecStart=/usr/bin/linnet ", 1)), nil
}

// packages writes a Debian and an RPM package with a system user, the service, and an empty
// configuration.
func (r *release) packages(t target, bin string, licences []byte) error {
	installed, err := r.installed(bin, licences)
	if err != nil {
		return err
	}
	info := &nfpm.Info{
		Name: "linnet", Arch: t.arch, Platform: "linux", Version: r.version, MTime: r.date,
		Section: "net", Priority: "optional", Maintainer: "The Linnet authors <linnet@invalid>", License: "Apache-2.0",
		Description: "microblogging server for your own people\n" +
			"Profiles, short statuses, followers and home timelines, in one program that\n" +
			"keeps everything in one directory. Apps for Mastodon log in to it, and its\n" +
			"pages need no JavaScript.",
		DisableGlobbing: true,
	}
	info.Recommends, info.Suggests = []string{"ca-certificates"}, []string{"ffmpeg"}
	info.RPM.BuildHost = "reproducible"
	info.RPM.Summary = "Microblogging server for your own people"
	dir := filepath.Join(r.work, "package-"+t.arch)
	for _, f := range installed {
		source := filepath.Join(dir, filepath.FromSlash(f.name))
		if err := writeFile(source, f.data); err != nil {
			return err
		}
		content := &files.Content{Source: source, Destination: f.name, FileInfo: &files.ContentFileInfo{Mode: f.mode, Owner: "root", Group: "root", MTime: r.date}}
		if strings.HasPrefix(f.name, "/etc/") {
			content.Type = files.TypeConfigNoReplace
		}
		info.Contents = append(info.Contents, content)
	}
	for name, to := range map[string]*string{"postinstall.sh": &info.Scripts.PostInstall, "preremove.sh": &info.Scripts.PreRemove, "postremove.sh": &info.Scripts.PostRemove} {
		data, err := scripts.ReadFile("files/" + name)
		if err != nil {
			return err
		}
		*to = filepath.Join(dir, name)
		if err := writeFile(*to, data); err != nil {
			return err
		}
	}
	for _, format := range []string{"deb", "rpm"} {
		if err := r.pack(t, info, format); err != nil {
			return fmt.Errorf("%s: %w", format, err)
		}
	}
	return nil
}

// installed returns the files of a package by path.
func (r *release) installed(bin string, licences []byte) ([]file, error) {
	program, err := os.ReadFile(bin)
	if err != nil {
		return nil, err
	}
	unit, err := r.unit()
	if err != nil {
		return nil, err
	}
	sysusers, err := scripts.ReadFile("files/linnet.sysusers")
	if err != nil {
		return nil, err
	}
	const docs = "/usr/share/doc/linnet/"
	installed := []file{
		{"/usr/bin/linnet", 0o755, program},
		{"/usr/lib/systemd/system/linnet.service", 0o644, unit},
		{"/usr/lib/sysusers.d/linnet.conf", 0o644, sysusers},
		{"/etc/linnet.conf", 0o600, r.paper("linnet.conf.example")},
		{"/usr/share/man/man1/linnet.1.gz", 0o644, zipped(r.paper("linnet.1"))},
		{"/usr/share/bash-completion/completions/linnet", 0o644, r.paper("completions/linnet.bash")},
		{"/usr/share/zsh/vendor-completions/_linnet", 0o644, r.paper("completions/_linnet")},
		{"/usr/share/fish/vendor_completions.d/linnet.fish", 0o644, r.paper("completions/linnet.fish")},
		{docs + "README.md", 0o644, r.paper("README.md")},
		{docs + "NOTICE", 0o644, r.paper("NOTICE")},
		{docs + "copyright", 0o644, slices.Concat(r.paper("LICENSE"), []byte("\n"), licences)},
	}
	for _, p := range r.papers {
		if page, ok := strings.CutPrefix(p.name, manualDir); ok {
			installed = append(installed, file{docs + "admin/" + page, p.mode, p.data})
		}
	}
	return installed, nil
}

// pack writes a package in one format.
func (r *release) pack(t target, info *nfpm.Info, format string) error {
	packer, err := nfpm.Get(format)
	if err != nil {
		return err
	}
	one := *info
	one.Contents = make(files.Contents, len(info.Contents))
	for i, c := range info.Contents { // formats modify the contents
		own := *c
		own.FileInfo = new(files.ContentFileInfo)
		*own.FileInfo = *c.FileInfo
		one.Contents[i] = &own
	}
	var out bytes.Buffer
	if err := packer.Package(nfpm.WithDefaults(&one), &out); err != nil {
		return err
	}
	return os.WriteFile(r.path(t, "."+format), out.Bytes(), 0o644)
}

func writeFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// zipped returns data compressed with gzip, without a date.
func zipped(data []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(data)
	w.Close()
	return out.Bytes()
}
