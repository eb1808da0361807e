package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// samples gives three values of each option that are told apart.
func samples(t *testing.T) map[string][3]string {
	d := t.TempDir()
	return map[string][3]string{
		"data":            {d + "/a", d + "/b", d + "/c"},
		"media":           {d + "/d", d + "/e", d + "/f"},
		"ffmpeg":          {"off", "/usr/bin/ffmpeg", "off"},
		"s3.bucket":       {"a", "b", "c"},
		"s3.endpoint":     {"https://a.example", "http://b.example:9000", "https://c.example"},
		"s3.region":       {"a", "b", "c"},
		"s3.prefix":       {"a/", "b/c/", "d"},
		"s3.access_key":   {"a", "b", "c"},
		"s3.secret_key":   {"a", "b", "c"},
		"backup.to":       {"/srv/backup", "s3://backups/linnet", "s3://backups"},
		"backup.schedule": {"04:30", "6h", "off"},
		"backup.keep":     {"0", "7", "30"},
		"backup.recipients": {"age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p", "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj",
			"age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p,age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"},
		"backup.s3.endpoint":   {"https://a.example", "http://b.example:9000", "https://c.example"},
		"backup.s3.region":     {"a", "b", "c"},
		"backup.s3.access_key": {"a", "b", "c"},
		"backup.s3.secret_key": {"a", "b", "c"},
		"smtp.addr":            {"mail.example:587", "127.0.0.1:25", "[::1]:465"},
		"smtp.tls":             {"implicit", "none", "insecure"},
		"smtp.user":            {"a", "b", "c"},
		"smtp.password":        {"a", "b", "c"},
		"smtp.from":            {"a@a.example", "b@b.example", "c@c.example"},
		"addr":                 {"127.0.0.1:1", "127.0.0.1:2", "[::1]:3"},
		"metrics-addr":         {"off", "127.0.0.1:4", ":5"},
		"public-url":           {"https://a.example", "http://b.example:8080", "https://c.example"},
		"trusted-proxies":      {"10.0.0.0/8", "127.0.0.1", "::1,192.168.0.0/16"},
		"translate.url":        {"http://127.0.0.1:5000", "https://translate.example", "https://libre.example:8443"},
		"translate.key":        {"one", "two", "three"},
		"plain-version":        {"on", "off", "on"},
		"reach-networks":       {"10.0.0.0/8", "127.0.0.1", "fd00::/8,192.168.0.0/16"},
		"store":                {"redis://a", "rediss://user:secret@b:1/2", "unix:///run/redis.sock"},
		"redis.prefix":         {"a:", "b:", "c:"},
		"redis.wait_replicas":  {"1", "2", "3"},
		"role":                 {"web", "worker", "web"},
		"sync":                 {"interval", "always", "interval"},
		"archive-limit":        {"1GB", "2MiB", "3TB"},
		"import-limit":         {"1GB", "2MiB", "3TB"},
		"reserve":              {"1GB", "2MiB", "0"},
		"memory":               {"64MB", "1GB", "auto"},
		"feed-ttl":             {"1h", "48h", "0s"},
		"rate-limits":          {"off", "on", "off"},
		"slow-request":         {"1s", "300ms", "0s"},
		"otlp.endpoint":        {"http://localhost:4318", "https://a.example", "https://b.example/x"},
		"otlp.headers":         {"A=b", "Authorization=Bearer a", "A=b,C=d"},
		"otlp.share":           {"0", "0.25", "0.5"},
		"log-level":            {"debug", "warn", "error"},
		"log-format":           {"json", "text", "json"},
		"shutdown-timeout":     {"1s", "2m", "0s"},
		"drain-delay":          {"1s", "2s", "3s"},
		"http-addr":            {":81", ":82", ":83"},
		"acme-email":           {"a@example.com", "b@example.com", "c@example.com"},
		"acme-directory":       {"https://a.example/dir", "https://b.example/dir", "https://c.example/dir"},
	}
}

// TestPrecedence: for each option the flag wins over the environment, that over
// the file, that over the default, and the source is named.
func TestPrecedence(t *testing.T) {
	all := samples(t)
	for _, o := range options() {
		values, ok := all[o.name]
		if !ok {
			t.Errorf("no samples of %s", o.name)
			continue
		}
		file := filepath.Join(t.TempDir(), "x.conf")
		if err := os.WriteFile(file, []byte("# a comment\n\n"+o.env()+" = \""+values[2]+"\"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		flags := map[string]string{"config": file, o.name: values[0]}
		env := environment{"HOME": "/home/ann", o.env(): values[1]}
		expect(t, o, flags, env, values[0], "flag --"+o.name)
		delete(flags, o.name)
		expect(t, o, flags, env, values[1], "environment "+o.env())
		env[o.env()] = "" // an empty variable is as good as none
		expect(t, o, flags, env, values[2], file+" line 3")
		delete(flags, "config")
		def := o.def
		if o.name == "data" {
			def = "/home/ann/.local/share/linnet"
		}
		expect(t, o, flags, env, def, "default")
	}
}

func expect(t *testing.T, o option, flags map[string]string, env environment, text, source string) {
	t.Helper()
	c, err := resolve(flags, env)
	if err != nil {
		t.Errorf("%s from %s: %v", o.name, source, err)
		return
	}
	if got := c.settings[o.name]; got.text != text || got.source != source {
		t.Errorf("%s: got %q from %q, want %q from %q", o.name, got.text, got.source, text, source)
	}
}

// TestOptionsReachConfig: each option changes the configuration that the
// program works with.
func TestOptionsReachConfig(t *testing.T) {
	env := environment{"HOME": "/home/ann"}
	base, err := resolve(nil, env)
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range samples(t) {
		c, err := resolve(map[string]string{name: values[0]}, env)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		a, b := *base, *c
		a.settings, b.settings = nil, nil
		if reflect.DeepEqual(a, b) {
			t.Errorf("%s = %q changes nothing", name, values[0])
		}
	}
}

// TestDefaultsAreShownAsTheyAre: the example file, with its comment signs taken
// away, is the default configuration.
func TestExampleIsDefault(t *testing.T) {
	var out strings.Builder
	if err := configExample(t.Context(), &call{stdout: &out}); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	text := strings.ReplaceAll(out.String(), "\n#LINNET_", "\nLINNET_")
	text = strings.Replace(text, "LINNET_DATA=\n", "", 1)
	if err := os.WriteFile(filepath.Join(dir, "linnet.conf"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := resolve(map[string]string{"data": dir}, environment{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := resolve(map[string]string{"data": dir, "config": os.DevNull}, environment{})
	if err != nil {
		t.Fatal(err)
	}
	if got.file == "" {
		t.Fatal("the file in the data directory was not read")
	}
	got.file, got.settings, want.file, want.settings = "", nil, "", nil
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestSecretFile(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte("redis://u:p@h\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := environment{"HOME": dir, "LINNET_STORE_FILE": secret}
	c, err := resolve(nil, env)
	if err != nil {
		t.Fatal(err)
	}
	if c.Store != "redis://u:p@h" || c.from("store") != "environment LINNET_STORE_FILE" {
		t.Errorf("got %q from %q", c.Store, c.from("store"))
	}
	env["LINNET_STORE"] = "embedded"
	if _, err := resolve(nil, env); err == nil || exitCode(err) != exitUsage {
		t.Errorf("both LINNET_STORE and LINNET_STORE_FILE: %v", err)
	}
	conf := filepath.Join(dir, "x.conf")
	if err := os.WriteFile(conf, []byte("LINNET_STORE_FILE=secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err = resolve(map[string]string{"config": conf}, environment{"HOME": dir})
	if err != nil || c.Store != "redis://u:p@h" {
		t.Errorf("a secret beside the file: %v, %v", c, err)
	}
}

func TestMasked(t *testing.T) {
	for in, want := range map[string]string{
		"embedded":          "embedded",
		"redis://h:1/2":     "redis://h:1/2",
		"redis://u:p@h":     "redis://u:***@h",
		"redis://:p@h,i:2":  "redis://:***@h,i:2",
		"redis://u:p:q@r@h": "redis://u:***@h",
		"unix:///s?db=1":    "unix:///s?db=1",
		"redis+sentinel://h?master=m&sentinel_password=p": "redis+sentinel://h?master=m&sentinel_password=***",
	} {
		if got := maskURL(in); got != want {
			t.Errorf("maskURL(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestMaskedKeys(t *testing.T) {
	for _, o := range mediaOptions() {
		if got := masked(o, "hunter2"); o.secret != (got == "***") {
			t.Errorf("%s is shown as %q", o.name, got)
		}
	}
}

// TestFaultHidesPassword: a value that is refused is named without its secret.
func TestFaultHidesPassword(t *testing.T) {
	_, err := resolve(map[string]string{"store": "http://u:hunter2@h"}, environment{"HOME": "/home/ann"})
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got %v", err)
	}
}

// TestWrongStores: what the engine would not understand is wrong configuration already.
func TestWrongStores(t *testing.T) {
	for _, url := range []string{"redis://", "redis://h/5x", "redis://h:notaport", "redis://h?foo=bar", "redis+sentinel://h", "http://h"} {
		_, err := resolve(map[string]string{"store": url}, environment{"HOME": "/home/ann"})
		if exitCode(err) != exitUsage {
			t.Errorf("%s: %v, code %d", url, err, exitCode(err))
		}
	}
}

func TestUnknownVariables(t *testing.T) {
	var out strings.Builder
	newEnvironment([]string{"LINNET_ADRR=x", "LINNET_REQUIRE=redis", "LINNET_PORT_8420_TCP=x", "LINNET_STORE_FILE=x", "HOME=x"}).warnUnknown(&out)
	if got := out.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "LINNET_ADRR") || !strings.Contains(got, "Did you mean LINNET_ADDR?") {
		t.Errorf("got %q", got)
	}
}

func TestPasswordSources(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p")
	if err := os.WriteFile(file, []byte("from file\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		env   environment
		stdin string
		want  string
	}{
		{environment{}, "from stdin\nmore\n", "from stdin"},
		{environment{}, "no line break", "no line break"},
		{environment{"LINNET_PASSWORD": "from env"}, "x\n", "from env"},
		{environment{"LINNET_PASSWORD_FILE": file}, "x\n", "from file"},
		{environment{}, "", ""},
		{environment{"LINNET_PASSWORD_FILE": file + "-missing"}, "x\n", ""},
	} {
		call := &call{env: c.env, stdin: strings.NewReader(c.stdin), stderr: io.Discard}
		got, err := call.password(t.Context())
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%v: got %q, %v; want %q", c, got, err, c.want)
		}
		var f *fault
		if err != nil && !errors.As(err, &f) {
			t.Errorf("%v: no advice in %v", c, err)
		}
	}
}

// TestPublicURL: an address is kept as browsers write it, since links and what signs are made of it.
func TestPublicURL(t *testing.T) {
	for typed, want := range map[string]string{
		"https://example.com:443/": "https://example.com", "http://Example.com:80": "http://example.com", "https://example.com:80": "https://example.com:80",
		"https://example.com.": "https://example.com", "https://example.com.:8443": "https://example.com:8443", "https://Bücher.example": "https://xn--bcher-kva.example",
		"http://[::1]:80": "http://[::1]", "http://[::1]:8420": "http://[::1]:8420", "http://127.0.0.1:8420": "http://127.0.0.1:8420", "http://my_host:8420": "http://my_host:8420",
		"https://h:99999": "", "https://h:0": "", "https://h:x": "", "https://:443": "", "https://.": "", "https://ex ample.com": "", "https://example.com/path": "", "ftp://example.com": "",
	} {
		if got, err := parsePublicURL(typed); (err == nil) != (want != "") || err == nil && got != want {
			t.Errorf("%q is %q, %v; want %q", typed, got, err, want)
		}
	}
}
