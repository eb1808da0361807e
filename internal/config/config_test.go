package config_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"linnet/internal/config"
	"linnet/internal/exit"
)

// samples returns three different values for each option.
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

// TestPrecedence expects for each option that flags take precedence over the environment, the
// environment over the file, and the file over the default. It also checks the source.
func TestPrecedence(t *testing.T) {
	all := samples(t)
	for _, o := range config.Options() {
		values, ok := all[o.Name]
		if !ok {
			t.Errorf("no samples of %s", o.Name)
			continue
		}
		file := filepath.Join(t.TempDir(), "x.conf")
		if err := os.WriteFile(file, []byte("# a comment\n\n"+o.Variable()+" = \""+values[2]+"\"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		flags := map[string]string{"config": file, o.Name: values[0]}
		env := config.Environment{"HOME": "/home/ann", o.Variable(): values[1]}
		expect(t, o, flags, env, values[0], "flag --"+o.Name)
		delete(flags, o.Name)
		expect(t, o, flags, env, values[1], "environment "+o.Variable())
		env[o.Variable()] = "" // an empty variable counts as not set
		expect(t, o, flags, env, values[2], file+" line 3")
		delete(flags, "config")
		def := o.Default
		if o.Name == "data" {
			def = "/home/ann/.local/share/linnet"
		}
		expect(t, o, flags, env, def, "default")
	}
}

func expect(t *testing.T, o config.Option, flags map[string]string, env config.Environment, text, source string) {
	t.Helper()
	c, err := config.Resolve(flags, env)
	if err != nil {
		t.Errorf("%s from %s: %v", o.Name, source, err)
		return
	}
	if c.Value(o.Name) != text || c.Source(o.Name) != source {
		t.Errorf("%s: got %q from %q, want %q from %q", o.Name, c.Value(o.Name), c.Source(o.Name), text, source)
	}
}

// TestOptionsReachConfig expects that each option changes a field of the configuration.
func TestOptionsReachConfig(t *testing.T) {
	env := config.Environment{"HOME": "/home/ann"}
	base, err := config.Resolve(nil, env)
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range samples(t) {
		c, err := config.Resolve(map[string]string{name: values[0]}, env)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if reflect.DeepEqual(fieldsOf(base), fieldsOf(c)) {
			t.Errorf("%s = %q changes nothing", name, values[0])
		}
	}
}

// fieldsOf returns the values of the exported fields of c.
func fieldsOf(c *config.Config) (out []any) {
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		if v.Type().Field(i).IsExported() {
			out = append(out, v.Field(i).Interface())
		}
	}
	return out
}

func TestSecretFile(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte("redis://u:p@h\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := config.Environment{"HOME": dir, "LINNET_STORE_FILE": secret}
	c, err := config.Resolve(nil, env)
	if err != nil {
		t.Fatal(err)
	}
	if c.Store != "redis://u:p@h" || c.Source("store") != "environment LINNET_STORE_FILE" {
		t.Errorf("got %q from %q", c.Store, c.Source("store"))
	}
	env["LINNET_STORE"] = "embedded"
	if _, err := config.Resolve(nil, env); err == nil || exit.CodeOf(err) != exit.Usage {
		t.Errorf("both LINNET_STORE and LINNET_STORE_FILE: %v", err)
	}
	conf := filepath.Join(dir, "x.conf")
	if err := os.WriteFile(conf, []byte("LINNET_STORE_FILE=secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err = config.Resolve(map[string]string{"config": conf}, config.Environment{"HOME": dir})
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
		if got := config.MaskURL(in); got != want {
			t.Errorf("maskURL(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestMaskedKeys(t *testing.T) {
	for _, o := range config.Options() {
		if o.Name == "store" { // its URL is shown without the password
			continue
		}
		if got := config.Mask(o, "hunter2"); o.Secret != (got == "***") {
			t.Errorf("%s is shown as %q", o.Name, got)
		}
	}
}

// TestFaultHidesPassword expects that the error for an invalid value hides the password.
func TestFaultHidesPassword(t *testing.T) {
	_, err := config.Resolve(map[string]string{"store": "http://u:hunter2@h"}, config.Environment{"HOME": "/home/ann"})
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got %v", err)
	}
}

// TestWrongStores expects that URLs which the engine rejects are invalid configuration.
func TestWrongStores(t *testing.T) {
	for _, url := range []string{"redis://", "redis://h/5x", "redis://h:notaport", "redis://h?foo=bar", "redis+sentinel://h", "http://h"} {
		_, err := config.Resolve(map[string]string{"store": url}, config.Environment{"HOME": "/home/ann"})
		if exit.CodeOf(err) != exit.Usage {
			t.Errorf("%s: %v, code %d", url, err, exit.CodeOf(err))
		}
	}
}

func TestUnknownVariables(t *testing.T) {
	var out strings.Builder
	config.NewEnvironment([]string{"LINNET_ADRR=x", "LINNET_REQUIRE=redis", "LINNET_PORT_8420_TCP=x", "LINNET_STORE_FILE=x", "HOME=x"}).WarnUnknown(&out)
	if got := out.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "LINNET_ADRR") || !strings.Contains(got, "Did you mean LINNET_ADDR?") {
		t.Errorf("got %q", got)
	}
}

// TestPublicURL expects URLs in the form of browsers, because links and signatures use them.
func TestPublicURL(t *testing.T) {
	for typed, want := range map[string]string{
		"https://example.com:443/": "https://example.com", "http://Example.com:80": "http://example.com", "https://example.com:80": "https://example.com:80",
		"https://example.com.": "https://example.com", "https://example.com.:8443": "https://example.com:8443", "https://Bücher.example": "https://xn--bcher-kva.example",
		"http://[::1]:80": "http://[::1]", "http://[::1]:8420": "http://[::1]:8420", "http://127.0.0.1:8420": "http://127.0.0.1:8420", "http://my_host:8420": "http://my_host:8420",
		"https://h:99999": "", "https://h:0": "", "https://h:x": "", "https://:443": "", "https://.": "", "https://ex ample.com": "", "https://example.com/path": "", "ftp://example.com": "",
	} {
		c, err := config.Resolve(map[string]string{"data": t.TempDir(), "public-url": typed}, config.Environment{})
		if (err == nil) != (want != "") || err == nil && c.PublicURL != want {
			t.Errorf("%q is %+v, %v; want %q", typed, c, err, want)
		}
	}
}
