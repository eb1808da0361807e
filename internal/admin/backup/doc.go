// Package backup implements the format of backups in a directory or bucket. The format doesn't
// depend on the engine, so a backup of one engine can be restored into another. Unchanged data is
// not written again.
//
//	LINNET-BACKUP            format version, and whether backups are encrypted
//	manifest-TIME.json       one backup: its time, digests and chunks
//	chunks/ab/abcd…          part of a shard, or of the list of files: zstd
//	files/ab/abcd….ef01…     media file: hashes of its name and of its content
//	running/…                marker of a running backup
//
// The SHA-256 of its content is the name of a chunk. So backups in one location share equal chunks,
// and an interrupted backup continues with the existing ones. A backup is valid only once its
// manifest is written. Chunks begin at keys with a certain hash, so a change within a shard only
// changes the chunks around it.
//
// With recipients, each file is encrypted for them with age (https://age-encryption.org/v1), and
// manifests are named manifest-TIME.json.age. Hashes are then HMAC-SHA256, keyed by a secret of the
// store and by the recipients. So existing data is recognized without decrypting it, and other
// recipients get a complete new set of data that each of them can read. A person who sees the
// location without an identity learns when backups were made, the number and compressed sizes of
// their chunks and files, and which of them backups share (pieces-TIME lists them for pruning).
// They don't learn the content, nor whether the location has content that they know. A person who
// can write there can replace a backup, because age doesn't authenticate the sender.
//
// The package knows files, entries and digests, but not the meaning of entries.
package backup
