package config

import (
	"strings"
)

// Option is one setting. It has one name on the command line (--name), in the environment and in
// the file (LINNET_NAME).
type Option struct {
	Name    string
	Default string // as text; "" if computed or empty
	Arg     string // kind of value, for the usage
	Help    string // short phrase without a full stop
	Details string // whole sentences, can be empty
	Secret  bool   // can contain a password: masked when shown, and also read from NAME_FILE
	set     func(c *Config, text string) error
}

// Variable returns the name of the option in the environment and in the file.
func (o Option) Variable() string {
	return "LINNET_" + strings.NewReplacer("-", "_", ".", "_").Replace(strings.ToUpper(o.Name))
}

// Section is a group of options with a heading in the help.
type Section struct {
	Title   string
	Options []Option
}

// Sections returns all options by section, in the order of the help.
func Sections() []Section {
	return []Section{
		{"Storage", storageOptions()},
		{"Network", networkOptions()},
		{"Media", mediaOptions()},
		{"E-mail", mailOptions()},
		{"Backups", backupOptions()},
		{"Operation", processOptions()},
		{"Tracing", otlpOptions()},
	}
}

// Options returns all options. The first is the data directory.
func Options() []Option {
	var all []Option
	for _, s := range Sections() {
		all = append(all, s.Options...)
	}
	return all
}

func storageOptions() []Option {
	return []Option{
		{Name: "data", Arg: "DIR", Help: "Data directory",
			set: func(c *Config, s string) error { c.Data = s; return nil }},
		{Name: "media", Arg: "DIR", Help: "Media directory", Details: "All servers of an instance must share it. Default: media in the data directory.",
			set: func(c *Config, s string) error { c.Media = s; return nil }},
		{Name: "store", Default: "embedded", Arg: "embedded|redis://…", Secret: true,
			Help: "Storage engine", Details: "embedded stores all records in the data directory. To use Redis or Valkey, set the URL of the server.",
			set: func(c *Config, s string) (err error) { c.Store, err = ParseStore(s); return }},
		{Name: "redis.prefix", Arg: "TEXT", Help: "Prefix of all Redis keys", Details: "Set a prefix if other programs use the same Redis server.",
			set: func(c *Config, s string) (err error) { c.RedisPrefix, err = ParseRedisPrefix(s); return }},
		{Name: "redis.wait_replicas", Default: "0", Arg: "N", Help: "Number of Redis replicas that must confirm each write",
			set: func(c *Config, s string) (err error) { c.RedisReplicas, err = parseCount(s, 16); return }},
		{Name: "sync", Default: "always", Arg: "always|interval",
			Help: "When the embedded store syncs to disk", Details: "With always, writes are synced before the response. With interval, writes are synced once a second, so a crash can lose the last second of writes.",
			set: func(c *Config, s string) error {
				c.SyncAlways = s == "always"
				return oneOf(s, "always", "interval")
			}},
		{Name: "reserve", Default: "256MB", Arg: "SIZE", Help: "Minimum free disk space for writes", Details: "If less is free, the embedded store refuses writes.",
			set: func(c *Config, s string) (err error) { c.Reserve, err = parseSize(s); return }},
		{Name: "feed-ttl", Default: "720h", Arg: "DURATION", Help: "Keep timelines of inactive members this long", Details: "0 keeps them forever. A dropped timeline is rebuilt when the member returns.",
			set: func(c *Config, s string) (err error) { c.FeedTTL, err = parseFeedTTL(s); return }},
		{Name: "memory", Default: "auto", Arg: "auto|SIZE",
			Help: "Approximate memory use, including caches", Details: "With auto, Linnet chooses a size that fits the machine's memory. The minimum is 64MB.",
			set: func(c *Config, s string) (err error) { c.Memory, c.MemoryLimit, err = parseMemory(s); return }},
		{Name: "archive-limit", Default: "20GB", Arg: "SIZE", Help: "Maximum size of an archive requested by a member", Details: "The limit does not apply to linnet user export.",
			set: func(c *Config, s string) (err error) { c.ArchiveLimit, err = parseSize(s); return }},
		{Name: "import-limit", Default: "2GB", Arg: "SIZE", Help: "Maximum size of an imported Mastodon or X archive", Details: "The server temporarily needs free disk space of up to three times the size of the archive.",
			set: func(c *Config, s string) (err error) { c.ImportLimit, err = parseSize(s); return }},
	}
}

func networkOptions() []Option {
	return []Option{
		{Name: "addr", Default: "127.0.0.1:8420", Arg: "HOST:PORT", Help: "Address to listen on", Details: "Port 0 selects a free port.",
			set: func(c *Config, s string) (err error) { c.Addr, err = parseAddr(s); return }},
		{Name: "public-url", Arg: "URL", Help: "Public URL of the instance", Details: "If not set, the URL is derived from addr.",
			set: func(c *Config, s string) (err error) { c.PublicURL, err = parsePublicURL(s); return }},
		{Name: "trusted-proxies", Arg: "CIDR,…", Help: "Proxies whose X-Forwarded-For header is trusted",
			set: func(c *Config, s string) (err error) { c.TrustedProxies, err = parsePrefixes(s); return }},
		{Name: "reach-networks", Arg: "CIDR,…", Help: "Private networks that the server may connect to", Details: "By default the server does not connect to private addresses for link previews, push notifications and feeds of other sites.",
			set: func(c *Config, s string) (err error) { c.Reach, err = parsePrefixes(s); return }},
		{Name: "http-addr", Default: ":80", Arg: "HOST:PORT", Help: "Address of the listener that redirects HTTP to HTTPS", Details: "This listener runs only with serve DOMAIN. It also answers ACME HTTP-01 challenges.",
			set: func(c *Config, s string) (err error) { c.HTTPAddr, err = parseAddr(s); return }},
		{Name: "acme-email", Arg: "ADDRESS", Help: "Contact address for the certificate authority",
			set: func(c *Config, s string) (err error) { c.ACMEEmail, err = parseMailbox(s); return }},
		{Name: "acme-directory", Default: "https://acme-v02.api.letsencrypt.org/directory", Arg: "URL", Help: "ACME directory URL",
			set: func(c *Config, s string) (err error) { c.ACMEDirectory, err = parseHTTPS(s); return }},
		{Name: "plain-version", Default: "off", Arg: "on|off", Help: "Announce the server as Mastodon, without mentioning Linnet", Details: "Turn this on for apps that disable features on unknown server software.",
			set: func(c *Config, s string) error { c.PlainVersion = s == "on"; return oneOf(s, "on", "off") }},
		{Name: "translate.url", Arg: "URL", Help: "LibreTranslate server for translating posts", Details: "A post is sent to this server only if a member requests a translation and the post is public or unlisted.",
			set: func(c *Config, s string) (err error) { c.Translate.URL, err = parsePublicURL(s); return }},
		{Name: "translate.key", Arg: "KEY", Secret: true, Help: "API key of the translation server",
			set: func(c *Config, s string) error { c.Translate.Key = s; return nil }},
	}
}

func mediaOptions() []Option {
	return []Option{
		{Name: "ffmpeg", Default: "auto", Arg: "auto|off|PATH", Help: "Path of ffmpeg", Details: "ffmpeg creates previews of video and audio, and reads HEIC and AVIF pictures. With auto, Linnet searches PATH for it.",
			set: func(c *Config, s string) error { c.FFmpeg = s; return nil }},
		{Name: "s3.bucket", Arg: "NAME", Help: "S3 bucket for media", Details: "If no bucket is set, media are stored in the media directory.",
			set: func(c *Config, s string) error { c.S3.Bucket = s; return nil }},
		{Name: "s3.endpoint", Default: "https://s3.amazonaws.com", Arg: "URL", Help: "S3 endpoint",
			set: func(c *Config, s string) (err error) { c.S3.Endpoint, err = parsePublicURL(s); return }},
		{Name: "s3.region", Default: "us-east-1", Arg: "NAME", Help: "S3 region",
			set: func(c *Config, s string) error { c.S3.Region = s; return nil }},
		{Name: "s3.prefix", Arg: "TEXT", Help: "Prefix of all file names in the bucket", Details: "Set a prefix, such as linnet/, if other programs use the same bucket.",
			set: func(c *Config, s string) (err error) { c.S3.Prefix, err = parseBucketPrefix(s); return }},
		{Name: "s3.access_key", Arg: "KEY", Secret: true, Help: "S3 access key",
			set: func(c *Config, s string) error { c.S3.AccessKey = s; return nil }},
		{Name: "s3.secret_key", Arg: "KEY", Secret: true, Help: "S3 secret key",
			set: func(c *Config, s string) error { c.S3.SecretKey = s; return nil }},
	}
}

func processOptions() []Option {
	return []Option{
		{Name: "role", Default: roleAll, Arg: "all|web|worker",
			Help: "Role of this server", Details: "web serves requests, worker runs background tasks, and all does both. web and worker need Redis.",
			set: func(c *Config, s string) error { c.Role = s; return oneOf(s, roleAll, RoleWeb, RoleWorker) }},
		{Name: "metrics-addr", Default: "127.0.0.1:8421", Arg: "HOST:PORT|off", Help: "Address of /metrics and /debug/pprof", Details: "Do not expose this address to the internet.",
			set: func(c *Config, s string) (err error) { c.MetricsAddr, err = parseMetricsAddr(s); return }},
		{Name: "rate-limits", Default: "on", Arg: "on|off", Help: "Limit requests per user and per IP address", Details: "Turn the limits off only for load tests.",
			set: func(c *Config, s string) error { c.NoRateLimits = s == "off"; return oneOf(s, "on", "off") }},
		{Name: "slow-request", Default: "2s", Arg: "DURATION", Help: "Log requests slower than this", Details: "The log entry lists the store calls of the request. With 0, slow requests are not logged.",
			set: func(c *Config, s string) (err error) { c.SlowRequest, err = parseDuration(s); return }},
		{Name: "log-level", Default: "info", Arg: "debug|info|warn|error", Help: "Log level", Details: "debug logs every request.",
			set: func(c *Config, s string) error {
				if err := oneOf(s, "debug", "info", "warn", "error"); err != nil {
					return err
				}
				return c.LogLevel.UnmarshalText([]byte(s))
			}},
		{Name: "log-format", Default: "text", Arg: "text|json", Help: "Log format",
			set: func(c *Config, s string) error { c.LogJSON = s == "json"; return oneOf(s, "text", "json") }},
		{Name: "shutdown-timeout", Default: "30s", Arg: "DURATION", Help: "Time for requests to finish after SIGTERM",
			set: func(c *Config, s string) (err error) { c.ShutdownTimeout, err = parseDuration(s); return }},
		{Name: "drain-delay", Default: "500ms", Arg: "DURATION",
			Help: "Keep serving this long after SIGTERM", Details: "Meanwhile /readyz fails, so that a load balancer can stop sending requests.",
			set: func(c *Config, s string) (err error) { c.DrainDelay, err = parseDuration(s); return }},
	}
}

// Mask returns the text of an option without passwords.
func Mask(o Option, text string) string {
	switch {
	case o.Name == "store":
		return MaskURL(text)
	case o.Secret && text != "":
		return "***"
	}
	return text
}
