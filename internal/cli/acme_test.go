package cli_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"linnet/internal/kv/redistest"
)

// authority is a certificate authority for a test (Pebble, the ACME test server of Let's Encrypt)
// with a name server that resolves every name to this machine.
type authority struct {
	processes []*exec.Cmd
	log       *os.File
	trust     string // certificate of the authority's HTTPS, for SSL_CERT_FILE
	manage    string // host:port
	http, tls string // HOST:PORT where it validates challenges
	directory string
}

// acmeTools builds the two programs. It skips the test if they cannot be built.
func acmeTools(tb testing.TB, dir string) {
	tb.Helper()
	cmd := exec.Command("go", "build", "-o", dir+"/", "github.com/letsencrypt/pebble/v2/cmd/pebble",
		"github.com/letsencrypt/pebble/v2/cmd/pebble-challtestsrv")
	cmd.Dir = filepath.Join("..", "..", "scripts", "tools")
	out, err := cmd.CombinedOutput()
	if err == nil {
		return
	}
	if slices.Contains(strings.Split(os.Getenv("LINNET_REQUIRE"), ","), "acme") {
		tb.Fatalf("LINNET_REQUIRE names acme, but its test server cannot be built: %v\n%s", err, out)
	}
	tb.Skipf("the ACME test server cannot be built: %v\n%s", err, out)
}

func startAuthority(tb testing.TB) *authority {
	tb.Helper()
	dir := tb.TempDir()
	acmeTools(tb, dir)
	local := func() string { return net.JoinHostPort("127.0.0.1", redistest.FreePort(tb)) }
	a := &authority{manage: local(), http: local(), tls: local(), trust: filepath.Join(dir, "cert.pem")}
	listen, dns := local(), local()
	a.directory = "https://" + listen + "/dir"
	writeCertificate(tb, a.trust, filepath.Join(dir, "key.pem"))
	conf := map[string]any{"pebble": map[string]any{
		"listenAddress": listen, "managementListenAddress": a.manage,
		"certificate": a.trust, "privateKey": filepath.Join(dir, "key.pem"),
		"httpPort": portOf(a.http), "tlsPort": portOf(a.tls),
		"retryAfter":   map[string]int{"authz": 1, "order": 1},
		"keyAlgorithm": "ecdsa", "profiles": map[string]any{"default": map[string]any{"description": "default", "validityPeriod": 7776000}},
	}}
	text, err := json.Marshal(conf)
	if err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "pebble.json"), text, 0o600); err != nil {
		tb.Fatal(err)
	}
	if a.log, err = os.Create(filepath.Join(dir, "log")); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(a.stop)
	a.run(tb, filepath.Join(dir, "pebble-challtestsrv"), "-dnsserver", dns, "-management", local(), "-defaultIPv6", "",
		"-http01", "", "-https01", "", "-tlsalpn01", "", "-doh", "")
	a.run(tb, filepath.Join(dir, "pebble"), "-config", filepath.Join(dir, "pebble.json"), "-dnsserver", dns)
	a.await(tb)
	return a
}

func portOf(addr string) (port int) {
	_, text, _ := net.SplitHostPort(addr)
	fmt.Sscan(text, &port)
	return port
}

func (a *authority) run(tb testing.TB, path string, args ...string) {
	tb.Helper()
	cmd := exec.Command(path, args...)
	cmd.Env = []string{"PEBBLE_VA_NOSLEEP=1", "PEBBLE_WFE_NONCEREJECT=0"}
	cmd.Stdout, cmd.Stderr = a.log, a.log
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	a.processes = append(a.processes, cmd)
}

func (a *authority) stop() {
	for _, p := range a.processes {
		p.Process.Kill()
		p.Wait()
	}
	a.processes = nil
}

// client returns a client that trusts the authority's own certificate.
func (a *authority) client(tb testing.TB) *http.Client {
	tb.Helper()
	text, err := os.ReadFile(a.trust)
	if err != nil {
		tb.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(text)
	return &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
}

func (a *authority) await(tb testing.TB) {
	tb.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if resp, err := a.client(tb).Get(a.directory); err == nil {
			resp.Body.Close()
			return
		}
	}
	a.stop()
	text, _ := os.ReadFile(a.log.Name())
	tb.Fatalf("the ACME test server does not answer:\n%s", text)
}

// roots returns the root certificates of the authority.
func (a *authority) roots(tb testing.TB) *x509.CertPool {
	tb.Helper()
	resp, err := a.client(tb).Get("https://" + a.manage + "/roots/0")
	if err != nil {
		tb.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		tb.Fatal(err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		tb.Fatalf("no certificate in %q", text)
	}
	return pool
}

// writeCertificate creates the certificate of the authority's HTTPS.
func writeCertificate(tb testing.TB, certFile, keyFile string) {
	tb.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		tb.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		tb.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{
		certFile: {Type: "CERTIFICATE", Bytes: cert}, keyFile: {Type: "PRIVATE KEY", Bytes: secret},
	} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
}

// cmdACME starts and stops the authority of a script.
func cmdACME(ts *testscript.TestScript, neg bool, args []string) {
	s := serversOf(ts)
	switch {
	case neg || len(args) != 1:
		ts.Fatalf("usage: acme start|stop")
	case args[0] == "start":
		s.acme = startAuthority(s.tb)
		s.roots = s.acme.roots(s.tb)
		ts.Setenv("ACME", s.acme.directory)
		ts.Setenv("ACME_HTTP", s.acme.http)
		ts.Setenv("ACME_TLS", s.acme.tls)
		ts.Setenv("SSL_CERT_FILE", s.acme.trust)
	default:
		s.acme.stop()
	}
}

// cmdTLS requests a path over HTTPS from ACME_TLS with the given name, and checks the certificate.
func cmdTLS(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: tls CODE NAME PATH")
	}
	s := serversOf(ts)
	client := &http.Client{Timeout: 30 * time.Second, CheckRedirect: noRedirect, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: s.roots, ServerName: args[1]}, ForceAttemptHTTP2: true}}
	resp, err := client.Get("https://" + ts.Getenv("ACME_TLS") + args[2])
	ts.Check(err)
	defer resp.Body.Close()
	var dump bytes.Buffer
	fmt.Fprintf(&dump, "%s %s\n", resp.Proto, resp.Status)
	ts.Check(resp.Header.Write(&dump))
	ts.Check(os.WriteFile(ts.MkAbs("response"), dump.Bytes(), 0o600))
	if got := fmt.Sprint(resp.StatusCode); got != args[0] {
		ts.Fatalf("code %s, want %s", got, args[0])
	}
}
