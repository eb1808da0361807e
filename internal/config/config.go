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

	"linnet/internal/exit"

	"linnet/internal/admin/backup"
	"linnet/internal/blob"
	"linnet/internal/core"
	"linnet/internal/mail"
)

// Config is the whole configuration, checked.
type Config struct {
	Addr           string // host:port of the plain listener, or of TLS with a domain
	Data           string // absolute path of the data directory
	Media          string // directory of pictures; "": media in Data
	S3             blob.BucketOptions
	FFmpeg         string // path, "auto" or "off"
	Store          string // "embedded" or a redis:// URL
	StoreArgument  string // the argument that names the store; "": a setting does
	RedisPrefix    string
	RedisReplicas  int
	FeedTTL        time.Duration // 0: feeds that nobody reads are kept
	PlainVersion   bool          // clients are told a plain Mastodon version
	PublicURL      string        // without a trailing slash; "" means: from the listener
	TrustedProxies []netip.Prefix
	Reach          []netip.Prefix // networks that are not public and may be asked all the same
	Translate      struct{ URL, Key string }
	SMTP           mail.Server
	OTLP           Tracing
	Backup         struct {
		To         string // DIR or s3://BUCKET/PREFIX; "": this server makes none
		Schedule   backup.Schedule
		Keep       int
		Recipients backup.Recipients
		S3         blob.BucketOptions // what is empty is as in the other S3
	}
	Role            string // roleAll, roleWeb or roleWorker
	SyncAlways      bool
	Reserve         int64         // bytes
	ArchiveLimit    int64         // likewise
	ImportLimit     int64         // likewise
	Memory          int64         // bytes
	MemoryLimit     int64         // likewise, see parseMemory
	NoRateLimits    bool          // for measuring
	Rates           core.Rates    // what tests set; zero: the usual ones
	SlowRequest     time.Duration // 0: none is logged
	LogLevel        slog.Level
	LogJSON         bool
	ShutdownTimeout time.Duration
	DrainDelay      time.Duration
	MetricsAddr     string // of /metrics and /debug/pprof, or "off"
	HTTPAddr        string // of the redirect to https, with a domain
	ACMEEmail       string
	ACMEDirectory   string

	Program  string             // path of this program, to run it again; "": not to be
	Now      func() time.Time   // the clock of the store; nil: time.Now
	File     string             // configuration file that was read, or ""
	settings map[string]setting // by option name
}

// setting is the text of an option and where it came from.
type setting struct {
	text   string
	source string // "default", "flag --addr", "environment LINNET_ADDR", "file /x/linnet.conf line 3"
}

// Source names the source of an option, for faults.
func (c *Config) Source(name string) string { return c.settings[name].source }

// The roles of a server. Many servers on one Redis may divide the work: some
// answer people, others do what acts have left to do later.
const (
	roleAll    = "all"    // both
	RoleWeb    = "web"    // answers; what is left of a task after its first pass goes to others
	RoleWorker = "worker" // does tasks; answers only how it is
)

func (c *Config) Embedded() bool { return c.Store == "embedded" }

// StoreDir is where the embedded store lies.
func (c *Config) StoreDir() string { return filepath.Join(c.Data, "store") }

// TempDir is where files lie that are needed for a while: in the data directory, if there
// is one, and not in the system's, which may lie in memory.
func (c *Config) TempDir() string {
	if info, err := os.Stat(c.Data); err == nil && info.IsDir() {
		return c.Data
	}
	return ""
}

// ServerName tells this server from others on the same store. It stays when it is
// started again in the same place.
func (c *Config) ServerName() string {
	host, err := os.Hostname()
	if err != nil {
		return "" // it has another name each time
	}
	return host + " " + c.Addr
}

// BaseURL is the public address as far as it is known without a listener.
func (c *Config) BaseURL() string {
	if c.PublicURL != "" {
		return c.PublicURL
	}
	return "http://" + c.Addr
}

// MediaDir is where pictures lie, if not in a bucket.
func (c *Config) MediaDir() string { return cmp.Or(c.Media, filepath.Join(c.Data, "media")) }

// FFmpegPath is the path of that program, "" if it is not to be used or not there.
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

// MakeDataDir makes the data directory, for this user only.
func (c *Config) MakeDataDir() error {
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return &exit.Error{Code: exit.Failed, What: "cannot create the data directory " + c.Data, Cause: errors.Unwrap(err),
			Source: c.Source("data"), Advice: "Choose another one with --data DIR."}
	}
	return nil
}

// StoreName is how the engine is named in linnet_build_info before it is open.
func (c *Config) StoreName() string {
	if c.Embedded() {
		return "embedded"
	}
	return "redis"
}

// WithStore is the configuration with another store, which an argument names as placeOfStore
// does.
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

// StoreLocation says where the store is, without secrets.
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

// StoreOptions are those by which servers find the store, without secrets.
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
