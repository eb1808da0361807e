package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"linnet/internal/admin/backup"
	"linnet/internal/blob"
)

// backupOptions is the part of the table about backups.
func backupOptions() []option {
	return []option{
		{name: "backup.recipients", arg: "age1…,…", help: "Whom backups are encrypted for, with age, unless --recipient says it; the servers cannot read them then",
			set: func(c *config, s string) (err error) { c.Backup.Recipients, err = parseRecipients(s); return }},
		{name: "backup.s3.endpoint", arg: "URL", help: "Server of the bucket with backups; that of s3.endpoint if empty",
			set: func(c *config, s string) (err error) { c.Backup.S3.Endpoint, err = parsePublicURL(s); return }},
		{name: "backup.s3.region", arg: "NAME", help: "Region of the bucket with backups; that of s3.region if empty",
			set: func(c *config, s string) error { c.Backup.S3.Region = s; return nil }},
		{name: "backup.s3.access_key", arg: "KEY", secret: true, help: "Access key for the bucket with backups; that of s3.access_key if empty",
			set: func(c *config, s string) error { c.Backup.S3.AccessKey = s; return nil }},
		{name: "backup.s3.secret_key", arg: "KEY", secret: true, help: "Secret key for the bucket with backups; that of s3.secret_key if empty",
			set: func(c *config, s string) error { c.Backup.S3.SecretKey = s; return nil }},
	}
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
				return nil, &fault{code: exitUsage, what: fmt.Sprintf("--recipient %q is no recipient of age, and no file of them can be read", part), cause: errors.Unwrap(err)}
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

// bucketScheme begins the name of a place of backups that is a bucket.
const bucketScheme = "s3://"

// backupPlace finds the place of backups that a text names: DIR or s3://BUCKET/PREFIX.
func (c *config) backupPlace(text string) (backup.Target, error) {
	t := backup.Target{Scratch: c.scratchDir(), Dir: text}
	rest, inBucket := strings.CutPrefix(text, bucketScheme)
	if !inBucket {
		if !filepath.IsAbs(text) {
			return t, usage(fmt.Sprintf("%q is no absolute path", text), "")
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
