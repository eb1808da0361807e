package main

import (
	"log/slog"
	"net/netip"
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
	name    string
	def     string // as text; "" if computed or empty
	arg     string // what kind of value, for the usage
	help    string // a short phrase without a full stop
	details string // whole sentences, may be empty
	secret  bool   // may hold a password: masked when shown, and read from NAME_FILE too
	set     func(c *config, text string) error
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

// optionSection is a part of the table of options, under one heading of the help.
type optionSection struct {
	title   string
	options []option
}

// optionSections is the table of all settings, in the order in which they are shown.
func optionSections() []optionSection {
	return []optionSection{
		{"Storage", storageOptions()},
		{"Network", networkOptions()},
		{"Media", mediaOptions()},
		{"E-mail", mailOptions()},
		{"Backups", backupOptions()},
		{"Operation", processOptions()},
		{"Tracing", otlpOptions()},
	}
}

// options returns the settings of all sections. The first is the data directory.
func options() []option {
	var all []option
	for _, s := range optionSections() {
		all = append(all, s.options...)
	}
	return all
}

func storageOptions() []option {
	return []option{
		{name: "data", arg: "DIR", help: "Data directory",
			set: func(c *config, s string) error { c.Data = s; return nil }},
		{name: "media", arg: "DIR", help: "Media directory", details: "All servers of an instance must share it. The default is media in the data directory.",
			set: func(c *config, s string) error { c.Media = s; return nil }},
		{name: "store", def: "embedded", arg: "embedded|redis://…", secret: true,
			help: "Storage engine", details: "embedded stores everything in the data directory. Otherwise it is the URL of a Redis or Valkey server.",
			set: func(c *config, s string) (err error) { c.Store, err = parseStore(s); return }},
		{name: "redis.prefix", arg: "TEXT", help: "Prefix of all Redis keys", details: "For a Redis that other programs use too.",
			set: func(c *config, s string) (err error) { c.RedisPrefix, err = parseRedisPrefix(s); return }},
		{name: "redis.wait_replicas", def: "0", arg: "N", help: "Replicas that must confirm each write",
			set: func(c *config, s string) (err error) { c.RedisReplicas, err = parseCount(s, 16); return }},
		{name: "sync", def: "always", arg: "always|interval",
			help: "When the embedded store syncs to disk", details: "always syncs before each response. interval syncs shortly after, so a power failure can lose the last writes.",
			set: func(c *config, s string) error {
				c.SyncAlways = s == "always"
				return oneOf(s, "always", "interval")
			}},
		{name: "reserve", def: "256MB", arg: "SIZE", help: "Minimum free disk space for writes", details: "Below it the embedded store is read-only.",
			set: func(c *config, s string) (err error) { c.Reserve, err = parseSize(s); return }},
		{name: "feed-ttl", def: "720h", arg: "DURATION", help: "Keep timelines of inactive members this long", details: "0 keeps them forever. A timeline that was removed is rebuilt when its owner returns.",
			set: func(c *config, s string) (err error) { c.FeedTTL, err = parseFeedTTL(s); return }},
		{name: "memory", def: "auto", arg: "auto|SIZE",
			help: "Memory limit, including caches", details: "auto depends on the memory of the machine.",
			set: func(c *config, s string) (err error) { c.Memory, c.memoryLimit, err = parseMemory(s); return }},
		{name: "archive-limit", def: "20GB", arg: "SIZE", help: "Maximum size of an export a member requests", details: "linnet user export has no limit.",
			set: func(c *config, s string) (err error) { c.ArchiveLimit, err = parseSize(s); return }},
		{name: "import-limit", def: "2GB", arg: "SIZE", help: "Maximum size of an import from Mastodon or X", details: "While an archive is read, it takes up to three times its size on disk.",
			set: func(c *config, s string) (err error) { c.ImportLimit, err = parseSize(s); return }},
	}
}

func networkOptions() []option {
	return []option{
		{name: "addr", def: "127.0.0.1:8420", arg: "HOST:PORT", help: "Address to listen on", details: "Port 0 selects a free port.",
			set: func(c *config, s string) (err error) { c.Addr, err = parseAddr(s); return }},
		{name: "public-url", arg: "URL", help: "Public URL of the instance", details: "The default is derived from addr.",
			set: func(c *config, s string) (err error) { c.PublicURL, err = parsePublicURL(s); return }},
		{name: "trusted-proxies", arg: "CIDR,…", help: "Proxies whose X-Forwarded-For is trusted",
			set: func(c *config, s string) (err error) { c.TrustedProxies, err = parsePrefixes(s); return }},
		{name: "reach-networks", arg: "CIDR,…", help: "Private networks the server may connect to", details: "By default link previews and push messages never go to private addresses.",
			set: func(c *config, s string) (err error) { c.Reach, err = parsePrefixes(s); return }},
		{name: "http-addr", def: ":80", arg: "HOST:PORT", help: "Address of the HTTP redirect", details: "For serve DOMAIN: it redirects to HTTPS and answers certificate challenges.",
			set: func(c *config, s string) (err error) { c.HTTPAddr, err = parseAddr(s); return }},
		{name: "acme-email", arg: "ADDRESS", help: "Contact address for the certificate authority",
			set: func(c *config, s string) (err error) { c.ACMEEmail, err = parseMailbox(s); return }},
		{name: "acme-directory", def: "https://acme-v02.api.letsencrypt.org/directory", arg: "URL", help: "ACME directory URL",
			set: func(c *config, s string) (err error) { c.ACMEDirectory, err = parseHTTPS(s); return }},
		{name: "plain-version", def: "off", arg: "on|off", help: "Announce a plain Mastodon version", details: "For apps that disable features for unknown software.",
			set: func(c *config, s string) error { c.PlainVersion = s == "on"; return oneOf(s, "on", "off") }},
		{name: "translate.url", arg: "URL", help: "LibreTranslate server for translating posts", details: "Only public and unlisted posts are sent to it, when a member asks for a translation.",
			set: func(c *config, s string) (err error) { c.Translate.URL, err = parsePublicURL(s); return }},
		{name: "translate.key", arg: "KEY", secret: true, help: "API key of the translation server",
			set: func(c *config, s string) error { c.Translate.Key = s; return nil }},
	}
}

func mediaOptions() []option {
	return []option{
		{name: "ffmpeg", def: "auto", arg: "auto|off|PATH", help: "ffmpeg, for previews of video and audio", details: "It is also needed for HEIC and AVIF pictures. auto searches PATH.",
			set: func(c *config, s string) error { c.FFmpeg = s; return nil }},
		{name: "s3.bucket", arg: "NAME", help: "S3 bucket for media", details: "Without a bucket, media are stored in a directory.",
			set: func(c *config, s string) error { c.S3.Bucket = s; return nil }},
		{name: "s3.endpoint", def: "https://s3.amazonaws.com", arg: "URL", help: "S3 endpoint",
			set: func(c *config, s string) (err error) { c.S3.Endpoint, err = parsePublicURL(s); return }},
		{name: "s3.region", def: "us-east-1", arg: "NAME", help: "S3 region",
			set: func(c *config, s string) error { c.S3.Region = s; return nil }},
		{name: "s3.prefix", arg: "TEXT", help: "Prefix of all file names", details: "For a bucket that other programs use too, such as linnet/.",
			set: func(c *config, s string) (err error) { c.S3.Prefix, err = parseBucketPrefix(s); return }},
		{name: "s3.access_key", arg: "KEY", secret: true, help: "S3 access key",
			set: func(c *config, s string) error { c.S3.AccessKey = s; return nil }},
		{name: "s3.secret_key", arg: "KEY", secret: true, help: "S3 secret key",
			set: func(c *config, s string) error { c.S3.SecretKey = s; return nil }},
	}
}

func processOptions() []option {
	return []option{
		{name: "role", def: roleAll, arg: "all|web|worker",
			help: "Role of this server", details: "web serves requests, worker runs background tasks, all does both. web and worker need Redis.",
			set: func(c *config, s string) error { c.Role = s; return oneOf(s, roleAll, roleWeb, roleWorker) }},
		{name: "metrics-addr", def: "127.0.0.1:8421", arg: "HOST:PORT|off", help: "Address of /metrics and /debug/pprof", details: "Do not expose it to the internet.",
			set: func(c *config, s string) (err error) { c.MetricsAddr, err = parseMetricsAddr(s); return }},
		{name: "rate-limits", def: "on", arg: "on|off", help: "Limit requests per user and address", details: "Turn it off only for load tests.",
			set: func(c *config, s string) (err error) { c.NoRateLimits, err = parseOff(s); return }},
		{name: "slow-request", def: "2s", arg: "DURATION", help: "Log requests slower than this", details: "The log entry lists the store calls of the request. 0 disables it.",
			set: func(c *config, s string) (err error) { c.SlowRequest, err = parseDuration(s); return }},
		{name: "log-level", def: "info", arg: "debug|info|warn|error", help: "Log level", details: "debug logs every request.",
			set: func(c *config, s string) error {
				if err := oneOf(s, "debug", "info", "warn", "error"); err != nil {
					return err
				}
				return c.LogLevel.UnmarshalText([]byte(s))
			}},
		{name: "log-format", def: "text", arg: "text|json", help: "Log format",
			set: func(c *config, s string) error { c.LogJSON = s == "json"; return oneOf(s, "text", "json") }},
		{name: "shutdown-timeout", def: "30s", arg: "DURATION", help: "Time for requests to finish after SIGTERM",
			set: func(c *config, s string) (err error) { c.ShutdownTimeout, err = parseDuration(s); return }},
		{name: "drain-delay", def: "500ms", arg: "DURATION",
			help: "Keep serving this long after SIGTERM", details: "Meanwhile /readyz fails, so that a load balancer can stop sending requests.",
			set: func(c *config, s string) (err error) { c.DrainDelay, err = parseDuration(s); return }},
	}
}
