package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// readModules returns the modules in a program, without the main module.
func readModules(bin string) (*debug.BuildInfo, error) {
	info, err := buildinfo.ReadFile(bin)
	if err != nil {
		return nil, fmt.Errorf("read the build information of the program: %w", err)
	}
	for i, m := range info.Deps {
		if m.Replace != nil {
			info.Deps[i] = m.Replace
		}
	}
	return info, nil
}

// terms matches the names of licence files.
var terms = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|copyright)([.-].*)?$`)

// licences returns the licences of all modules in the program, which most of them require. A module
// without a licence is an error.
func (r *release) licences(ctx context.Context, info *debug.BuildInfo) ([]byte, error) {
	root, err := output(ctx, r.root, nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "The program linnet contains the following third-party code.\n")
	if err := addTerms(&out, "Go "+strings.TrimPrefix(info.GoVersion, "go"), string(bytes.TrimSpace(root))); err != nil {
		return nil, err
	}
	for _, m := range info.Deps {
		text, err := output(ctx, r.root, nil, "go", "mod", "download", "-json", m.Path+"@"+m.Version)
		if err != nil {
			return nil, err
		}
		var got struct{ Dir string }
		if err := json.Unmarshal(text, &got); err != nil {
			return nil, err
		}
		if err := addTerms(&out, m.Path+" "+m.Version, got.Dir); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// addTerms adds the licence files of a directory.
func addTerms(out *bytes.Buffer, name, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return e.IsDir() || !terms.MatchString(e.Name()) })
	if len(entries) == 0 {
		return fmt.Errorf("%s has no licence file", name)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "\n%s\n%s: %s\n\n%s\n", strings.Repeat("=", 78), name, e.Name(), bytes.TrimSpace(text))
	}
	return nil
}

// materials writes the bill of materials of a program in the CycloneDX format
// (https://cyclonedx.org/docs/1.6/json/). It contains the hashes of go.sum.
func (r *release) materials(t target, info *debug.BuildInfo) error {
	bom := cdx.NewBOM()
	main := component(cdx.ComponentTypeApplication, "linnet", r.version)
	bom.Metadata = &cdx.Metadata{
		Timestamp: r.date.Format("2006-01-02T15:04:05Z"),
		Component: &main,
	}
	parts := []cdx.Component{component(cdx.ComponentTypeLibrary, "std", strings.TrimPrefix(info.GoVersion, "go"))}
	for _, m := range info.Deps {
		part := component(cdx.ComponentTypeLibrary, m.Path, m.Version)
		if sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(m.Sum, "h1:")); err == nil && len(sum) > 0 {
			part.Hashes = &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum)}}
		}
		parts = append(parts, part)
	}
	bom.Components = &parts
	var needs []string
	for _, p := range parts {
		needs = append(needs, p.BOMRef)
	}
	bom.Dependencies = &[]cdx.Dependency{{Ref: main.BOMRef, Dependencies: &needs}}
	var out bytes.Buffer
	if err := cdx.NewBOMEncoder(&out, cdx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(bom, cdx.SpecVersion1_6); err != nil {
		return err
	}
	return os.WriteFile(r.path(t, ".cdx.json"), out.Bytes(), 0o644)
}

func component(kind cdx.ComponentType, name, version string) cdx.Component {
	purl := "pkg:golang/" + name + "@" + version
	return cdx.Component{BOMRef: purl, Type: kind, Name: name, Version: version, PackageURL: purl}
}
