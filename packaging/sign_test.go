package main

import (
	"crypto/rand"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aead.dev/minisign"
)

// TestSign checks that the checksums contain the provenance and all files, and that the signature
// is only valid for them. An unusable key is reported before the build.
func TestSign(t *testing.T) {
	dir := t.TempDir()
	r := &release{out: filepath.Join(dir, "dist"), version: "1.2.3", commit: strings.Repeat("ab", 20), date: time.Unix(1700000000, 0)}
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	encrypted, err := minisign.EncryptKey("secret", private)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) string { return testFile(t, filepath.Join(dir, name), text) }
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(r.out, name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	write("dist/linnet.tar.gz", "program")
	t.Setenv(keyEnv, write("key", string(encrypted)))
	t.Setenv(passwordEnv, write("wrong", "guess"))
	if _, err := signer(); err == nil {
		t.Error("a wrong password is taken")
	}
	t.Setenv(passwordEnv, write("password", "secret\n"))
	key, err := signer()
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []func() error{r.provenance, r.sum, func() error { return r.sign(key) }} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	sums, signature := read(sumsName), read(sumsName+".minisig")
	if !minisign.Verify(public, sums, signature) || minisign.Verify(public, append(sums, ' '), signature) {
		t.Error("the signature is not of the checksums")
	}
	if n := strings.Count(string(sums), "\n"); n != 2 || !strings.Contains(string(sums), "  "+provenanceName+"\n") {
		t.Errorf("checksums: %s", sums)
	}
	var s statement
	if err := json.Unmarshal(read(provenanceName), &s); err != nil {
		t.Fatal(err)
	}
	sum, _, err := hashOf(filepath.Join(r.out, "linnet.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Subject) != 1 || s.Subject[0].Name != "linnet.tar.gz" || s.Subject[0].Digest["sha256"] != sum ||
		s.Predicate.BuildDefinition.ResolvedDependencies[0].Digest["gitCommit"] != r.commit {
		t.Errorf("provenance: %+v", s)
	}
}

// testFile writes a file, creating its directory, and returns its path.
func testFile(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
