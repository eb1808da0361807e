package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"aead.dev/minisign"
)

// sumsName is the file with the checksums of a release, and provenanceName the provenance.
const (
	sumsName       = "SHA256SUMS"
	provenanceName = "provenance.intoto.json"
)

// buildType identifies this command in the provenance.
const buildType = "pkg:golang/linnet/packaging"

// statement is an in-toto statement whose predicate is SLSA provenance.
// https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md
// https://slsa.dev/spec/v1.0/provenance
type statement struct {
	Type          string     `json:"_type"`
	Subject       []subject  `json:"subject"`
	PredicateType string     `json:"predicateType"`
	Predicate     provenance `json:"predicate"`
}

type subject struct {
	Name   string            `json:"name"`
	Digest map[string]string `json:"digest"`
}

type provenance struct {
	BuildDefinition struct {
		BuildType            string            `json:"buildType"`
		ExternalParameters   map[string]string `json:"externalParameters"`
		InternalParameters   map[string]string `json:"internalParameters"`
		ResolvedDependencies []source          `json:"resolvedDependencies"`
	} `json:"buildDefinition"`
	RunDetails struct {
		Builder struct {
			ID string `json:"id"`
		} `json:"builder"`
	} `json:"runDetails"`
}

type source struct {
	URI    string            `json:"uri"`
	Digest map[string]string `json:"digest,omitempty"`
}

// provenance writes the files of the release, the commit and the Go release. It contains no times
// and no machine names, so the same commit results in the same bytes.
func (r *release) provenance() error {
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	s := statement{Type: "https://in-toto.io/Statement/v1", PredicateType: "https://slsa.dev/provenance/v1"}
	for _, e := range entries {
		sum, _, err := hashOf(filepath.Join(r.out, e.Name()))
		if err != nil {
			return err
		}
		s.Subject = append(s.Subject, subject{e.Name(), map[string]string{"sha256": sum}})
	}
	b := &s.Predicate.BuildDefinition
	b.BuildType = buildType
	b.ExternalParameters = map[string]string{"version": r.version}
	b.InternalParameters = map[string]string{"go": runtime.Version(), "sourceDateEpoch": fmt.Sprint(r.date.Unix())}
	from := source{URI: "pkg:golang/linnet@" + r.version}
	if r.commit != "" {
		from.Digest = map[string]string{"gitCommit": r.commit}
	} else {
		b.InternalParameters["uncommitted"] = "true"
	}
	b.ResolvedDependencies = []source{from, {URI: "pkg:golang/std@" + strings.TrimPrefix(runtime.Version(), "go")}}
	s.Predicate.RunDetails.Builder.ID = buildType
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, provenanceName), append(data, '\n'), 0o644)
}

// hashOf returns the SHA-256 of a file in hexadecimal digits, and its size.
func hashOf(path string) (sum string, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	size, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), size, err
}

// keyEnv and passwordEnv are the variables for the secret key that signs a release.
const (
	keyEnv      = "LINNET_RELEASE_KEY_FILE"
	passwordEnv = "LINNET_RELEASE_KEY_PASSWORD_FILE"
)

// signer reads the secret minisign key that signs a release. It returns nil if none is configured.
func signer() (*minisign.PrivateKey, error) {
	path, secret := os.Getenv(keyEnv), os.Getenv(passwordEnv)
	if path == "" {
		return nil, nil
	}
	password, err := os.ReadFile(secret)
	if err != nil {
		return nil, fmt.Errorf("read the password of the release key (%s): %w", passwordEnv, err)
	}
	key, err := minisign.PrivateKeyFromFile(strings.TrimRight(string(password), "\r\n"), path)
	if err != nil {
		return nil, fmt.Errorf("read the release key %s: %w", path, err)
	}
	return &key, nil
}

// sign writes SHA256SUMS.minisig. The checksums cover all other files of the release.
func (r *release) sign(key *minisign.PrivateKey) error {
	sums, err := os.ReadFile(filepath.Join(r.out, sumsName))
	if err != nil {
		return err
	}
	signature := minisign.SignWithComments(*key, sums, "linnet "+r.version, "signature of "+sumsName)
	if public, ok := key.Public().(minisign.PublicKey); !ok || !minisign.Verify(public, sums, signature) {
		return errors.New("the signature of the checksums does not verify")
	}
	return os.WriteFile(filepath.Join(r.out, sumsName+".minisig"), signature, 0o644)
}
