package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestBadLines checks that each invalid option is reported with its value and a remedy before a
// server is started.
func TestBadLines(t *testing.T) {
	for args, want := range map[string]string{
		"--rounds none":             `invalid value "none" for flag -rounds`,
		"--rounds 0":                "bad value 0 for --rounds: must be at least 1",
		"--on disk":                 `bad value "disk" for --on: neither embedded nor redis`,
		"--durability everysec":     `bad value "everysec" for --durability: neither always nor interval`,
		"--on redis --durability x": `bad value "x" for --durability: neither always nor everysec`,
		"--clients 5":               "5 clients in each of 10 rounds need more than 5000 followers",
		"--followers 400":           "40 clients in each of 10 rounds need more than 400 followers",
		"--load 2m":                 "bad load 2m0s or outage 10s: at most 1m and 10m",
		"now":                       `unknown option "now"`,
		"--program ./none":          "no such file or directory: build it with make build, or pass --program FILE",
	} {
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), strings.Fields(args), &stdout, &stderr); code != 2 || !strings.Contains(stderr.String(), want) || stdout.Len() > 0 {
			t.Errorf("%s: code %d, want %q\n%s%s", args, code, want, &stdout, &stderr)
		}
	}
}

func TestOptions(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	o, err := options([]string{"--program", self, "--on", "redis", "--durability", "everysec", "--seed", "7"}, &stderr)
	if err != nil || o.Program != self || o.Store != "redis" || o.Sync != "everysec" || !o.Lossy || o.Seed != 7 || len(o.Faults) == 0 || o.Rounds != 10 {
		t.Errorf("%+v, %v", o, err)
	}
}
