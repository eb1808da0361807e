package rediskv_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/rediskv"
	"linnet/internal/kv/redistest"
)

// TestPrefix checks that two instances and another program on one server do not see each other's
// keys.
func TestPrefix(t *testing.T) {
	s := redistest.Start(t)
	s.Do("SET", "stranger", "x")
	s.Do("SET", "a*v:{3}:decoy", "1 x")
	a, b := open(t, s.URL(), rediskv.Options{Prefix: "a[*", Timeout: time.Minute, DialTimeout: time.Minute}), open(t, s.URL(), rediskv.Options{Prefix: "a"})
	mustTxn(t, a, nil, put("id", 1))
	mustTxn(t, b, nil, put("id", 2))
	if version(t, a, "id") != 1 || version(t, b, "id") != 2 {
		t.Error("installations with different prefixes share a key")
	}
	if got := s.Do("GET", "a[*v:{3}:id"); got != "1 x" {
		t.Errorf("under the prefix lies %q", got)
	}
	for _, e := range []*rediskv.Engine{a, b} {
		if n, err := e.Count(t.Context(), "k", 1, time.Hour); n != 1 || err != nil {
			t.Errorf("Count: %d, %v", n, err)
		}
		keys, _, err := e.Keys(t.Context(), "")
		if err != nil || len(keys) != 1 || keys[0] != key("v", 3, "id") {
			t.Errorf("Keys: %v, %v", keys, err)
		}
	}
	sub := subscribe(t, a, "t")
	for _, p := range []struct {
		e    kv.Bus
		text string
	}{{b, "other"}, {a, "own"}} {
		if err := p.e.Publish(t.Context(), "t", []byte(p.text)); err != nil {
			t.Fatal(err)
		}
	}
	wantMessage(t, sub, "own")
	for _, prefix := range []string{"{", "a}", "\n", strings.Repeat("p", 65)} {
		if _, err := rediskv.Open(t.Context(), s.URL(), rediskv.Options{Prefix: prefix}); !errors.Is(err, kv.ErrRefused) {
			t.Errorf("prefix %q: %v", prefix, err)
		}
	}
}

func TestDatabase(t *testing.T) {
	s := redistest.Start(t)
	e := open(t, s.URL()+"?db=3", patient)
	mustTxn(t, e, nil, put("a", 1))
	if err := e.Apply(t.Context(), put("b", 1), kv.Fill{Key: key("home", 3, "a"), Token: "t", TTL: time.Hour}); err != nil {
		t.Fatal(err)
	}
	if got := s.Do("INFO", "keyspace"); !strings.Contains(got, "db3:keys=3") || strings.Contains(got, "db0") {
		t.Errorf("keyspace: %q", got)
	}
	n := redistest.Cluster(t, 1, 0)
	if _, err := rediskv.Open(t.Context(), n.URL()+"/3", rediskv.Options{}); err == nil {
		t.Error("a Cluster was opened with a database other than 0")
	}
}

func TestPassword(t *testing.T) {
	s := redistest.Start(t, "--requirepass", "p@ss/word")
	with := func(userinfo string) string { return strings.Replace(s.URL(), "unix://", "unix://"+userinfo+"@", 1) }
	e := open(t, with(":"+url.PathEscape("p@ss/word")), patient)
	mustTxn(t, e, nil, put("a", 1))
	if place := e.Info().Location; strings.Contains(place, "word") {
		t.Errorf("the password stands in %q", place)
	}
	for _, u := range []string{s.URL(), with(":wrong")} {
		_, err := rediskv.Open(t.Context(), u, rediskv.Options{})
		if err == nil || strings.Contains(err.Error(), "wrong") && strings.Contains(err.Error(), ":wrong") {
			t.Errorf("%s: %v", u, err)
		}
	}
}

// TestNarrowRights checks that an account without access to the configuration is sufficient, and
// that unknown settings are reported as unknown.
func TestNarrowRights(t *testing.T) {
	s := redistest.Start(t, "--appendonly", "yes")
	s.Do("ACL", "SETUSER", "linnet", "on", ">p", "~*", "&*", "+@all", "-@admin", "-@dangerous", "+info")
	e := open(t, strings.Replace(s.URL(), "unix://", "unix://linnet:p@", 1), patient)
	for name, call := range calls(e) {
		if err := call(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if d := e.Info().Durability; !strings.Contains(d.String(), "unknown") {
		t.Errorf("Info says %q", d)
	}
}

func TestTLS(t *testing.T) {
	dir, pool := certificate(t)
	port := redistest.FreePort(t)
	redistest.Start(t, "--tls-port", port, "--bind", "127.0.0.1", "--tls-auth-clients", "no",
		"--tls-cert-file", filepath.Join(dir, "cert.pem"), "--tls-key-file", filepath.Join(dir, "key.pem"),
		"--tls-ca-cert-file", filepath.Join(dir, "cert.pem"))
	e := open(t, "rediss://127.0.0.1:"+port, rediskv.Options{TLS: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}, Timeout: time.Minute, DialTimeout: time.Minute})
	for name, call := range calls(e) {
		if err := call(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := rediskv.Open(t.Context(), "rediss://127.0.0.1:"+port, rediskv.Options{}); err == nil {
		t.Error("a certificate of nobody known was accepted")
	}
}

// certificate writes a key and its certificate for 127.0.0.1.
func certificate(t *testing.T) (dir string, pool *x509.CertPool) {
	t.Helper()
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	cert, err := x509.CreateCertificate(rand.Reader, form, form, &secret.PublicKey, secret)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	dir, pool = t.TempDir(), x509.NewCertPool()
	for name, block := range map[string]*pem.Block{
		"cert.pem": {Type: "CERTIFICATE", Bytes: cert}, "key.pem": {Type: "PRIVATE KEY", Bytes: private},
	} {
		text := pem.EncodeToMemory(block)
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
		pool.AppendCertsFromPEM(text)
	}
	return dir, pool
}

// TestSentinel checks that an engine finds the master of a group, and the new one after a failover.
func TestSentinel(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	master, replica := replicated(t)
	sentinel := redistest.Sentinel(t, "m", master)
	until(t, "the Sentinel knows the replica", func() bool {
		return strings.Contains(sentinel.Do("INFO", "sentinel"), "slaves=1")
	})
	e := open(t, fmt.Sprintf("redis+sentinel://%s?master=m", sentinel.Addr()), rediskv.Options{WaitReplicas: 1})
	if info := e.Info(); info.Engine != "redis-sentinel" {
		t.Errorf("Info: %+v", info)
	}
	mustTxn(t, e, nil, put("a", 1))
	sub := subscribe(t, e, "t")
	master.Kill()
	if _, err := e.Txn(t.Context(), nil, put("a", 2)); !errors.Is(err, kv.ErrUnavailable) && !errors.Is(err, kv.ErrUnknown) {
		t.Errorf("without a master: %v", err)
	}
	if m, ok := <-sub.Messages(); ok {
		t.Errorf("message %q of a dead master", m.Payload)
	}
	until(t, "the replica takes over", func() bool {
		_, err := e.Txn(t.Context(), nil, put("b", 1))
		return errors.Is(err, kv.ErrUnknown) // it has no replica at the moment
	})
	if got := replica.Do("GET", "v:{3}:a"); got != "1 x" {
		t.Errorf("at the new master lies %q", got)
	}
	until(t, "the bus has a new place", func() bool {
		s, err := e.Subscribe(t.Context(), "t")
		if err != nil {
			return false
		}
		defer s.Close()
		return e.Publish(t.Context(), "t", nil) == nil
	})
}
