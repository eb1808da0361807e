package config

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"linnet/internal/admin/backup"
	"linnet/internal/blob"
	"linnet/internal/core"
	"linnet/internal/exit"
	"linnet/internal/mail"
)

// Config contains the values of all options, checked.
type Config struct {
	Addr           string // HOST:PORT of the listener for HTTP, or for TLS if there is a domain
	Data           string // absolute path of the data directory
	Media          string // directory of pictures; "": media in Data
	S3             blob.BucketOptions
	FFmpeg         string // path, "auto" or "off"
	Store          string // "embedded" or a redis:// URL
	StoreArgument  string // the argument that names the store; "": a setting does
	RedisPrefix    string
	RedisReplicas  int
	FeedTTL        time.Duration // 0: feeds never expire
	PlainVersion   bool          // announce a plain Mastodon version
	PublicURL      string        // without a trailing slash; "" means: from the listener
	TrustedProxies []netip.Prefix
	Reach          []netip.Prefix // private networks that outbound requests may connect to
	Translate      struct{ URL, Key string }
	SMTP           mail.Server
	OTLP           Tracing
	Backup         struct {
		To         string // DIR or s3://BUCKET/PREFIX; "": this server makes none
		Schedule   backup.Schedule
		Keep       int
		Recipients backup.Recipients
		S3         blob.BucketOptions // empty fields have the values of the other S3
	}
	Role            string // roleAll, RoleWeb or RoleWorker
	SyncAlways      bool
	Reserve         int64         // bytes
	ArchiveLimit    int64         // bytes
	ImportLimit     int64         // bytes
	Memory          int64         // bytes
	MemoryLimit     int64         // bytes, see parseMemory
	NoRateLimits    bool          // for load tests
	Rates           core.Rates    // zero: Mastodon's limits
	SlowRequest     time.Duration // 0: slow requests are not logged
	LogLevel        slog.Level
	LogJSON         bool
	ShutdownTimeout time.Duration
	DrainDelay      time.Duration
	MetricsAddr     string // of /metrics and /debug/pprof, or "off"
	HTTPAddr        string // HOST:PORT of the redirect to HTTPS, if there is a domain
	ACMEEmail       string
	ACMEDirectory   string

	Program  string             // path of this program, to run it again; "": not to be
	Now      func() time.Time   // clock of the store; nil: time.Now
	File     string             // configuration file that was read, or ""
	settings map[string]setting // by name of the option
}

// setting is the text of an option and its source.
type setting struct {
	text   string
	source string // "default", "flag --addr", "environment LINNET_ADDR", "file /x/linnet.conf line 3"
}

// Source returns the source of an option, for error messages.
func (c *Config) Source(name string) string { return c.settings[name].source }

// The roles of a server. Several servers on one Redis can divide the work: some serve requests, the
// others run background tasks.
const (
	roleAll    = "all"    // serve requests and run tasks
	RoleWeb    = "web"    // serve requests; other servers run the rest of each task
	RoleWorker = "worker" // run tasks; serve only its own state
)

// Embedded reports whether the store is the embedded one.
func (c *Config) Embedded() bool { return c.Store == "embedded" }

// StoreDir returns the directory of the embedded store.
func (c *Config) StoreDir() string { return filepath.Join(c.Data, "store") }

// TempDir returns the directory for temporary files: the data directory if it exists, because the
// system's can be in memory. An empty string selects the system's.
func (c *Config) TempDir() string {
	if info, err := os.Stat(c.Data); err == nil && info.IsDir() {
		return c.Data
	}
	return ""
}

// ServerName returns a name that distinguishes the servers of one store and does not change after a
// restart.
func (c *Config) ServerName() string {
	host, err := os.Hostname()
	if err != nil {
		return "" // each start then has another name
	}
	return host + " " + c.Addr
}

// BaseURL returns the public URL as far as it is known without a listener.
func (c *Config) BaseURL() string {
	if c.PublicURL != "" {
		return c.PublicURL
	}
	return "http://" + c.Addr
}

// MediaDir returns the directory of media, unless they are in a bucket.
func (c *Config) MediaDir() string { return cmp.Or(c.Media, filepath.Join(c.Data, "media")) }

// FFmpegPath returns the path of ffmpeg, or "" if it is turned off or not installed.
func (c *Config) FFmpegPath() string {
	switch c.FFmpeg {
	case "off":
		return ""
	case "auto":
		path, err := exec.LookPath("ffmpeg")
		if err != nil {
			return ""
		}
		return path
	}
	return c.FFmpeg
}

// MakeDataDir creates the data directory with access for this user only.
func (c *Config) MakeDataDir() error {
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return &exit.Error{Code: exit.Failed, What: "cannot create the data directory " + c.Data, Cause: errors.Unwrap(err),
			Source: c.Source("data"), Advice: "Choose another one with --data DIR."}
	}
	return nil
}

// StoreName returns the name of the engine, before it is open.
func (c *Config) StoreName() string {
	if c.Embedded() {
		return "embedded"
	}
	return "redis"
}

// WithStore returns a copy of c with another store: an absolute path or a URL. argument is the
// command line argument with the store, for errors.
func (c *Config) WithStore(argument, place, prefix string) (*Config, error) {
	other := *c
	other.StoreArgument = argument
	if strings.Contains(place, "://") {
		other.Store, other.RedisPrefix = place, prefix
		return &other, nil
	}
	if !filepath.IsAbs(place) {
		return nil, exit.UsageError(fmt.Sprintf("%q is not an absolute path", place), "")
	}
	other.Store, other.Data = "embedded", place
	return &other, nil
}

// StoreLocation returns the location of the store, without passwords.
func (c *Config) StoreLocation() string {
	if c.Embedded() {
		return c.Data
	}
	place := MaskURL(c.Store)
	if c.RedisPrefix != "" {
		place += " (prefix " + c.RedisPrefix + ")"
	}
	return place
}

// StoreOptions returns the options that select the store, without passwords.
func (c *Config) StoreOptions() string {
	if c.Embedded() {
		return "--store embedded --data " + c.Data
	}
	options := "--store " + MaskURL(c.Store)
	if c.RedisPrefix != "" {
		options += " --redis.prefix " + c.RedisPrefix
	}
	return options
}

// Value returns the text of an option.
func (c *Config) Value(name string) string { return c.settings[name].text }
