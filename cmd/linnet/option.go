package main

import (
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"time"

	"linnet/internal/admin"
	"linnet/internal/admin/backup"
	"linnet/internal/blob"
	"linnet/internal/core"
	"linnet/internal/mail"
)

// option is one setting. It has one name on the command line (--name), in the
// environment and in the file (LINNET_NAME).
type option struct {
	name   string
	def    string // as text; "" if computed or empty
	arg    string // what kind of value, for the usage
	help   string // one sentence without its full stop
	secret bool   // may hold a password: masked when shown, and read from NAME_FILE too
	set    func(c *config, text string) error
}

// env is the option's name in the environment and in the file.
func (o option) env() string { return envName(o.name) }

func envName(name string) string {
	return "LINNET_" + strings.NewReplacer("-", "_", ".", "_").Replace(strings.ToUpper(name))
}

// config is the whole configuration, checked.
type config struct {
	Addr           string // host:port of the plain listener, or of TLS with a domain
	Data           string // absolute path of the data directory
	Media          string // directory of pictures; "": media in Data
	S3             blob.BucketOptions
	FFmpeg         string // path, "auto" or "off"
	Store          string // "embedded" or a redis:// URL
	storeFrom      string // the argument that names the store; "": a setting does
	RedisPrefix    string
	RedisReplicas  int
	FeedTTL        time.Duration // 0: feeds that nobody reads are kept
	PlainVersion   bool          // clients are told a plain Mastodon version
	PublicURL      string        // without a trailing slash; "" means: from the listener
	TrustedProxies []netip.Prefix
	Reach          []netip.Prefix // networks that are not public and may be asked all the same
	Translate      struct{ URL, Key string }
	SMTP           mail.Server
	OTLP           otlpSettings
	Backup         struct {
		To         string // DIR or s3://BUCKET/PREFIX; "": this server makes none
		Schedule   admin.Schedule
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
	memoryLimit     int64         // likewise, see parseMemory
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

	program  string             // path of this program, to run it again; "": not to be
	now      func() time.Time   // the clock of the store; nil: time.Now
	file     string             // configuration file that was read, or ""
	settings map[string]setting // by option name
}

// setting is the text of an option and where it came from.
type setting struct {
	text   string
	source string // "default", "flag --addr", "environment LINNET_ADDR", "file /x/linnet.conf line 3"
}

// from names the source of an option, for faults.
func (c *config) from(name string) string { return c.settings[name].source }

// options is the table of all settings, in the order in which they are shown.
func options() []option {
	return append([]option{
		{name: "data", arg: "DIR", help: "Directory of everything that is kept",
			set: func(c *config, s string) error { c.Data = s; return nil }},
		{name: "media", arg: "DIR", help: "Directory of pictures, for all servers of an installation the same; media in data if empty",
			set: func(c *config, s string) error { c.Media = s; return nil }},
		{name: "archive-limit", def: "20GB", arg: "SIZE", help: "How large an archive of their posts and media may be that people ask for themselves; the command user export makes larger ones",
			set: func(c *config, s string) (err error) { c.ArchiveLimit, err = parseSize(s); return }},
		{name: "import-limit", def: "2GB", arg: "SIZE", help: "How large an archive of posts may be that people bring from Mastodon or X; while one is looked at, the disk takes up to three times as much",
			set: func(c *config, s string) (err error) { c.ImportLimit, err = parseSize(s); return }},
		{name: "addr", def: "127.0.0.1:8420", arg: "HOST:PORT", help: "Address to listen on; port 0 takes a free one",
			set: func(c *config, s string) (err error) { c.Addr, err = parseAddr(s); return }},
		{name: "metrics-addr", def: "127.0.0.1:8421", arg: "HOST:PORT|off", help: "Address of /metrics and /debug/pprof, for the operator alone",
			set: func(c *config, s string) (err error) { c.MetricsAddr, err = parseMetricsAddr(s); return }},
		{name: "public-url", arg: "URL", help: "Address under which people reach the server; from addr if empty",
			set: func(c *config, s string) (err error) { c.PublicURL, err = parsePublicURL(s); return }},
		{name: "plain-version", def: "off", arg: "on|off", help: "Announce a plain Mastodon version, for apps that limit unknown software",
			set: func(c *config, s string) error { c.PlainVersion = s == "on"; return oneOf(s, "on", "off") }},
		{name: "trusted-proxies", arg: "CIDR,…", help: "Proxies whose X-Forwarded-For is believed",
			set: func(c *config, s string) (err error) { c.TrustedProxies, err = parsePrefixes(s); return }},
		{name: "reach-networks", arg: "CIDR,…", help: "Networks that are not public and that may be asked all the same, such as one with a push service or with pages that members link to",
			set: func(c *config, s string) (err error) { c.Reach, err = parsePrefixes(s); return }},
		{name: "translate.url", arg: "URL", help: "Server of LibreTranslate that gives posts in other languages; it is sent what everybody may read, when somebody asks",
			set: func(c *config, s string) (err error) { c.Translate.URL, err = parsePublicURL(s); return }},
		{name: "translate.key", arg: "KEY", secret: true, help: "Key for the server that translates, if it wants one",
			set: func(c *config, s string) error { c.Translate.Key = s; return nil }},
		{name: "store", def: "embedded", arg: "embedded|redis://…", secret: true,
			help: "Where the data lies: embedded (in the data directory) or the URL of a Redis or Valkey",
			set:  func(c *config, s string) (err error) { c.Store, err = parseStore(s); return }},
		{name: "redis.prefix", arg: "TEXT", help: "Put before every key, for a Redis that is shared",
			set: func(c *config, s string) (err error) { c.RedisPrefix, err = parseRedisPrefix(s); return }},
		{name: "redis.wait_replicas", def: "0", arg: "N", help: "Replicas that must have a write before it is acknowledged",
			set: func(c *config, s string) (err error) { c.RedisReplicas, err = parseCount(s, 16); return }},
		{name: "feed-ttl", def: "720h", arg: "DURATION", help: "How long timelines of people who do not come are kept ready; 0 keeps them",
			set: func(c *config, s string) (err error) { c.FeedTTL, err = parseFeedTTL(s); return }},
		{name: "role", def: roleAll, arg: "all|web|worker",
			help: "What this server does on a Redis: answer people, do the work that is left for later, or both",
			set:  func(c *config, s string) error { c.Role = s; return oneOf(s, roleAll, roleWeb, roleWorker) }},
		{name: "sync", def: "always", arg: "always|interval",
			help: "When the embedded store is synced to disk: before each answer, or a little later",
			set: func(c *config, s string) error {
				c.SyncAlways = s == "always"
				return oneOf(s, "always", "interval")
			}},
		{name: "reserve", def: "256MB", arg: "SIZE", help: "Free disk space below which the embedded store refuses writes",
			set: func(c *config, s string) (err error) { c.Reserve, err = parseSize(s); return }},
		{name: "memory", def: "auto", arg: "auto|SIZE",
			help: "About how much memory the server takes, with what it keeps there to be quick; auto goes by the machine",
			set:  func(c *config, s string) (err error) { c.Memory, c.memoryLimit, err = parseMemory(s); return }},
	}, slices.Concat(bucketOptions(), mailOptions(), backupOptions(), processOptions(), otlpOptions())...)
}

// bucketOptions is the part of the table about files in a bucket instead of a directory.
func bucketOptions() []option {
	return []option{
		{name: "ffmpeg", def: "auto", arg: "auto|off|PATH", help: "Program that makes pictures of videos and sounds, and reads HEIC and AVIF; auto looks for it",
			set: func(c *config, s string) error { c.FFmpeg = s; return nil }},
		{name: "s3.bucket", arg: "NAME", help: "Bucket in which pictures lie instead of a directory",
			set: func(c *config, s string) error { c.S3.Bucket = s; return nil }},
		{name: "s3.endpoint", def: "https://s3.amazonaws.com", arg: "URL", help: "Server that has the bucket and speaks the protocol of S3",
			set: func(c *config, s string) (err error) { c.S3.Endpoint, err = parsePublicURL(s); return }},
		{name: "s3.region", def: "us-east-1", arg: "NAME", help: "Region of the bucket",
			set: func(c *config, s string) error { c.S3.Region = s; return nil }},
		{name: "s3.prefix", arg: "TEXT", help: "Put before the name of every file, for a bucket that is shared, such as linnet/",
			set: func(c *config, s string) (err error) { c.S3.Prefix, err = parseBucketPrefix(s); return }},
		{name: "s3.access_key", arg: "KEY", secret: true, help: "Access key for the bucket",
			set: func(c *config, s string) error { c.S3.AccessKey = s; return nil }},
		{name: "s3.secret_key", arg: "KEY", secret: true, help: "Secret key for the bucket",
			set: func(c *config, s string) error { c.S3.SecretKey = s; return nil }},
	}
}

// processOptions is the part of the table about logs, stopping and
// certificates.
func processOptions() []option {
	return []option{
		{name: "rate-limits", def: "on", arg: "on|off", help: "Off answers any number of requests, to measure the server; never in public",
			set: func(c *config, s string) (err error) { c.NoRateLimits, err = parseOff(s); return }},
		{name: "slow-request", def: "2s", arg: "DURATION", help: "Requests that take longer are logged with their calls of the store; 0 logs none",
			set: func(c *config, s string) (err error) { c.SlowRequest, err = parseDuration(s); return }},
		{name: "log-level", def: "info", arg: "debug|info|warn|error", help: "What is logged; debug includes each request",
			set: func(c *config, s string) error {
				if err := oneOf(s, "debug", "info", "warn", "error"); err != nil {
					return err
				}
				return c.LogLevel.UnmarshalText([]byte(s))
			}},
		{name: "log-format", def: "text", arg: "text|json", help: "Form of the log on standard error",
			set: func(c *config, s string) error { c.LogJSON = s == "json"; return oneOf(s, "text", "json") }},
		{name: "shutdown-timeout", def: "30s", arg: "DURATION", help: "How long requests may take to finish after SIGTERM",
			set: func(c *config, s string) (err error) { c.ShutdownTimeout, err = parseDuration(s); return }},
		{name: "drain-delay", def: "500ms", arg: "DURATION",
			help: "How long to go on serving after SIGTERM while /readyz says no, so that a load balancer notices",
			set:  func(c *config, s string) (err error) { c.DrainDelay, err = parseDuration(s); return }},
		{name: "http-addr", def: ":80", arg: "HOST:PORT", help: "Redirect to https and certificate challenges, with serve DOMAIN",
			set: func(c *config, s string) (err error) { c.HTTPAddr, err = parseAddr(s); return }},
		{name: "acme-email", arg: "ADDRESS", help: "Where the certificate authority writes if something is wrong",
			set: func(c *config, s string) (err error) { c.ACMEEmail, err = parseMailbox(s); return }},
		{name: "acme-directory", def: "https://acme-v02.api.letsencrypt.org/directory", arg: "URL", help: "Certificate authority",
			set: func(c *config, s string) (err error) { c.ACMEDirectory, err = parseHTTPS(s); return }},
	}
}
