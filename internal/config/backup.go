package config

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"linnet/internal/admin/backup"
	"linnet/internal/blob"
	"linnet/internal/exit"
)

// backupOptions returns the options for backups.
func backupOptions() []Option {
	return []Option{
		{Name: "backup.to", Arg: "DIR|s3://BUCKET/PREFIX", Help: "Location of scheduled backups", Details: "If no location is set, scheduled backups are off, and the administration pages have no backup button.",
			set: func(c *Config, s string) (err error) { c.Backup.To, err = parseBackupLocation(s); return }},
		{Name: "backup.schedule", Default: "03:00", Arg: "HH:MM|DURATION|off", Help: "When to back up", Details: "The value is a time of day in UTC, an interval from 5m to 720h, or off.",
			set: func(c *Config, s string) (err error) { c.Backup.Schedule, err = parseSchedule(s); return }},
		{Name: "backup.keep", Default: "14", Arg: "N", Help: "Number of backups to keep", Details: "0 keeps all.",
			set: func(c *Config, s string) (err error) { c.Backup.Keep, err = parseCount(s, 10_000); return }},
		{Name: "backup.recipients", Arg: "age1…,…", Help: "Public keys (age) to encrypt backups for", Details: "The server cannot read encrypted backups. linnet backup --recipient overrides this option.",
			set: func(c *Config, s string) (err error) { c.Backup.Recipients, err = ParseRecipients(s); return }},
		{Name: "backup.s3.endpoint", Arg: "URL", Help: "S3 endpoint for backups", Details: "If not set, the value of s3.endpoint is used.",
			set: func(c *Config, s string) (err error) { c.Backup.S3.Endpoint, err = parsePublicURL(s); return }},
		{Name: "backup.s3.region", Arg: "NAME", Help: "S3 region for backups", Details: "If not set, the value of s3.region is used.",
			set: func(c *Config, s string) error { c.Backup.S3.Region = s; return nil }},
		{Name: "backup.s3.access_key", Arg: "KEY", Secret: true, Help: "S3 access key for backups", Details: "If not set, the value of s3.access_key is used.",
			set: func(c *Config, s string) error { c.Backup.S3.AccessKey = s; return nil }},
		{Name: "backup.s3.secret_key", Arg: "KEY", Secret: true, Help: "S3 secret key for backups", Details: "If not set, the value of s3.secret_key is used.",
			set: func(c *Config, s string) error { c.Backup.S3.SecretKey = s; return nil }},
	}
}

// parseBackupLocation accepts an absolute path, a bucket with a prefix, or an empty string.
func parseBackupLocation(s string) (string, error) {
	if s != "" && !strings.HasPrefix(s, BucketScheme) && !filepath.IsAbs(s) {
		return "", errors.New("must be an absolute path or s3://BUCKET/PREFIX")
	}
	return s, nil
}

// parseSchedule accepts a time of day, an interval, or off.
func parseSchedule(s string) (backup.Schedule, error) {
	if s == "off" {
		return backup.Schedule{Never: true}, nil
	}
	if at, err := time.Parse("15:04", s); err == nil {
		return backup.Schedule{At: time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute}, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 5*time.Minute || d > 720*time.Hour {
		return backup.Schedule{}, errors.New("must be off, a time of day such as 03:00, or an interval from 5m to 720h")
	}
	return backup.Schedule{Every: d}, nil
}

// ParseRecipients parses a list of recipients, separated by commas.
func ParseRecipients(s string) (backup.Recipients, error) {
	return backup.ParseRecipients(strings.ReplaceAll(s, ",", "\n"))
}

// BucketScheme is the prefix of backup locations in buckets.
const BucketScheme = "s3://"

// BackupTarget parses a backup location: DIR or s3://BUCKET/PREFIX.
func (c *Config) BackupTarget(text string) (backup.Target, error) {
	t := backup.Target{Scratch: c.TempDir(), Dir: text}
	rest, inBucket := strings.CutPrefix(text, BucketScheme)
	if !inBucket {
		if !filepath.IsAbs(text) {
			return t, exit.UsageError(fmt.Sprintf("%q is not an absolute path", text), "")
		}
		return t, nil
	}
	bucket, prefix, _ := strings.Cut(rest, "/")
	prefix, err := parseBucketPrefix(strings.TrimSuffix(prefix, "/"))
	if err != nil || bucket == "" {
		return t, &exit.Error{Code: exit.Usage, What: fmt.Sprintf("invalid backup location %q", text), Cause: err, Advice: "Use s3://BUCKET or s3://BUCKET/PREFIX."}
	}
	t.Dir, t.Bucket = "", blob.BucketOptions{Endpoint: cmp.Or(c.Backup.S3.Endpoint, c.S3.Endpoint), Region: cmp.Or(c.Backup.S3.Region, c.S3.Region), Bucket: bucket, Prefix: prefix,
		AccessKey: cmp.Or(c.Backup.S3.AccessKey, c.S3.AccessKey), SecretKey: cmp.Or(c.Backup.S3.SecretKey, c.S3.SecretKey)}
	if t.Bucket.AccessKey == "" || t.Bucket.SecretKey == "" {
		return t, exit.UsageError("backups in a bucket need backup.s3.access_key and backup.s3.secret_key",
			"Set LINNET_BACKUP_S3_ACCESS_KEY_FILE and LINNET_BACKUP_S3_SECRET_KEY_FILE, or the variables without _FILE. If a server is running, set them for the server.")
	}
	return t, nil
}

// NewBackupTarget parses the location of a new backup. It rejects directories inside the store or
// the media, because they are part of the backup.
func (c *Config) NewBackupTarget(text string) (backup.Target, error) {
	t, err := c.BackupTarget(text)
	if err != nil || t.Dir == "" {
		return t, err
	}
	var own []string
	if c.Embedded() {
		own = append(own, c.StoreDir())
	}
	if c.S3.Bucket == "" {
		own = append(own, c.MediaDir())
	}
	for _, dir := range own {
		if isWithin(t.Dir, dir) {
			return t, exit.UsageError(fmt.Sprintf("the backup directory %s is inside %s, which is backed up", t.Dir, dir), "Choose a directory outside the data directory, preferably on another disk.")
		}
	}
	return t, nil
}

// isWithin reports whether path is dir or below it, after links are resolved.
func isWithin(path, dir string) bool {
	rel, err := filepath.Rel(resolveLinks(dir), resolveLinks(path))
	return err == nil && filepath.IsLocal(rel)
}

// resolveLinks returns the absolute path with links resolved, as far as it exists.
func resolveLinks(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(resolveLinks(parent), filepath.Base(path))
}
