package main

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"linnet/internal/admin"
	"linnet/internal/admin/backup"
	"linnet/internal/blob"
)

// backupOptions is the part of the table about backups.
func backupOptions() []option {
	return []option{
		{name: "backup.to", arg: "DIR|s3://BUCKET/PREFIX", help: "Where to store scheduled backups", details: "Without it there are no scheduled backups, and no backup button in the administration.",
			set: func(c *config, s string) (err error) { c.Backup.To, err = parsePlace(s); return }},
		{name: "backup.schedule", def: "03:00", arg: "HH:MM|DURATION|off", help: "When to back up", details: "A time of day in UTC, an interval from 5m to 720h, or off.",
			set: func(c *config, s string) (err error) { c.Backup.Schedule, err = parseSchedule(s); return }},
		{name: "backup.keep", def: "14", arg: "N", help: "Number of backups to keep", details: "0 keeps all.",
			set: func(c *config, s string) (err error) { c.Backup.Keep, err = parseCount(s, 10_000); return }},
		{name: "backup.recipients", arg: "age1…,…", help: "age recipients that backups are encrypted for", details: "The server cannot read encrypted backups. linnet backup --recipient overrides it.",
			set: func(c *config, s string) (err error) { c.Backup.Recipients, err = parseRecipients(s); return }},
		{name: "backup.s3.endpoint", arg: "URL", help: "S3 endpoint for backups", details: "The default is s3.endpoint.",
			set: func(c *config, s string) (err error) { c.Backup.S3.Endpoint, err = parsePublicURL(s); return }},
		{name: "backup.s3.region", arg: "NAME", help: "S3 region for backups", details: "The default is s3.region.",
			set: func(c *config, s string) error { c.Backup.S3.Region = s; return nil }},
		{name: "backup.s3.access_key", arg: "KEY", secret: true, help: "S3 access key for backups", details: "The default is s3.access_key.",
			set: func(c *config, s string) error { c.Backup.S3.AccessKey = s; return nil }},
		{name: "backup.s3.secret_key", arg: "KEY", secret: true, help: "S3 secret key for backups", details: "The default is s3.secret_key.",
			set: func(c *config, s string) error { c.Backup.S3.SecretKey = s; return nil }},
	}
}

// parsePlace takes a directory by its whole path, or a bucket with a prefix, or nothing.
func parsePlace(s string) (string, error) {
	if s != "" && !strings.HasPrefix(s, bucketScheme) && !filepath.IsAbs(s) {
		return "", errors.New("not an absolute path or s3://BUCKET/PREFIX")
	}
	return s, nil
}

// parseSchedule takes a time of day, a time between two backups, or off.
func parseSchedule(s string) (admin.Schedule, error) {
	if s == "off" {
		return admin.Schedule{Never: true}, nil
	}
	if at, err := time.Parse("15:04", s); err == nil {
		return admin.Schedule{At: time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute}, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 5*time.Minute || d > 720*time.Hour {
		return admin.Schedule{}, errors.New("not off, a time of day like 03:00, or an interval from 5m to 720h")
	}
	return admin.Schedule{Every: d}, nil
}

// newKeeper makes what makes backups of the store that a server has; nil: none is wanted.
func (b *backend) newKeeper(c *config, log *slog.Logger) (*admin.Keeper, error) {
	if c.Backup.To == "" {
		return nil, nil
	}
	to, err := c.newBackupPlace(c.Backup.To)
	if err != nil {
		return nil, err
	}
	opt := admin.BackupOptions{To: to, Recipients: c.Backup.Recipients, Scratch: c.scratchDir(), Program: release, Keep: c.Backup.Keep}
	return admin.NewKeeper(b.run, admin.Source{Engine: b.engine, Files: b.files},
		admin.KeeperOptions{Backup: opt, Schedule: c.Backup.Schedule, Name: serverName(c), Log: log}), nil
}

// parseRecipients reads recipients with commas between them.
func parseRecipients(s string) (backup.Recipients, error) {
	return backup.ParseRecipients(strings.ReplaceAll(s, ",", "\n"))
}

// recipientsOf reads what --recipient says: recipients, or files of them, with commas.
func recipientsOf(s string) (backup.Recipients, error) {
	var text strings.Builder
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); !strings.HasPrefix(part, "age1") {
			data, err := os.ReadFile(part)
			if err != nil {
				return nil, &fault{code: exitUsage, what: fmt.Sprintf("--recipient %q is neither an age recipient nor a readable file", part), cause: errors.Unwrap(err)}
			}
			part = string(data)
		}
		text.WriteString(part + "\n")
	}
	to, err := backup.ParseRecipients(text.String())
	if err == nil && len(to) == 0 {
		err = backup.ErrRecipient
	}
	if err != nil {
		return nil, &fault{code: exitUsage, what: fmt.Sprintf("bad value %q for --recipient", s), cause: err}
	}
	return to, nil
}

// identityOf reads the file that --identity names, if it names one.
func identityOf(path string) (backup.Identities, error) {
	if path == "" {
		return backup.Identities{}, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return backup.Identities{}, &fault{code: exitUsage, what: "cannot read the identity " + path, cause: errors.Unwrap(err)}
	}
	id, err := backup.ParseIdentities(data)
	if err != nil {
		return id, &fault{code: exitUsage, what: "cannot use the identity " + path, cause: err}
	}
	return id, nil
}

// newBackupPlace finds the place that a backup is to be written into, and refuses one among
// what is backed up: backups would go into backups, or into the files of the storage library.
func (c *config) newBackupPlace(text string) (backup.Target, error) {
	t, err := c.backupPlace(text)
	if err != nil || t.Dir == "" {
		return t, err
	}
	var own []string
	if c.embedded() {
		own = append(own, c.storeDir())
	}
	if c.S3.Bucket == "" {
		own = append(own, c.mediaDir())
	}
	for _, dir := range own {
		if liesIn(t.Dir, dir) {
			return t, usage(fmt.Sprintf("backups cannot lie in %s: %s is what they are made of", t.Dir, dir), "Name a directory outside of it, best on another disk.")
		}
	}
	return t, nil
}

// liesIn says whether a path is a directory or below it, wherever links lead.
func liesIn(path, dir string) bool {
	rel, err := filepath.Rel(withoutLinks(dir), withoutLinks(path))
	return err == nil && filepath.IsLocal(rel)
}

// withoutLinks is a whole path without links, as far as it exists.
func withoutLinks(path string) string {
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
	return filepath.Join(withoutLinks(parent), filepath.Base(path))
}

// bucketScheme begins the name of a place of backups that is a bucket.
const bucketScheme = "s3://"

// backupPlace finds the place of backups that a text names: DIR or s3://BUCKET/PREFIX.
func (c *config) backupPlace(text string) (backup.Target, error) {
	t := backup.Target{Scratch: c.scratchDir(), Dir: text}
	rest, inBucket := strings.CutPrefix(text, bucketScheme)
	if !inBucket {
		if !filepath.IsAbs(text) {
			return t, usage(fmt.Sprintf("%q is not an absolute path", text), "")
		}
		return t, nil
	}
	bucket, prefix, _ := strings.Cut(rest, "/")
	prefix, err := parseBucketPrefix(strings.TrimSuffix(prefix, "/"))
	if err != nil || bucket == "" {
		return t, &fault{code: exitUsage, what: fmt.Sprintf("bad place %q of backups", text), cause: err, advice: "It takes s3://BUCKET or s3://BUCKET/PREFIX."}
	}
	t.Dir, t.Bucket = "", blob.BucketOptions{Endpoint: cmp.Or(c.Backup.S3.Endpoint, c.S3.Endpoint), Region: cmp.Or(c.Backup.S3.Region, c.S3.Region), Bucket: bucket, Prefix: prefix,
		AccessKey: cmp.Or(c.Backup.S3.AccessKey, c.S3.AccessKey), SecretKey: cmp.Or(c.Backup.S3.SecretKey, c.S3.SecretKey)}
	if t.Bucket.AccessKey == "" || t.Bucket.SecretKey == "" {
		return t, usage("backups in a bucket need backup.s3.access_key and backup.s3.secret_key",
			"Set LINNET_BACKUP_S3_ACCESS_KEY_FILE and LINNET_BACKUP_S3_SECRET_KEY_FILE, or the same without _FILE, for the server if one has the store.")
	}
	return t, nil
}
