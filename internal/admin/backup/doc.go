// Package backup is the form in which a store lies in files, in a directory or a bucket:
// neutral, so that every engine's can be restored into every other, and such that what did
// not change since the last time is not written again.
//
//	LINNET-BACKUP            the format, and whether it is encrypted
//	manifest-TIME.json       one backup: of which moment, its digests, which chunks it has
//	chunks/ab/abcd…          a piece of a shard, or of the list of files: zstd
//	files/ab/abcd….ef01…     a picture: hash of its name, and of what it holds
//	running/…                a backup that is under way
//
// A chunk has the SHA-256 of what it holds for a name, so several backups in one place
// share what they have in common, and a backup that was broken off goes on where it was:
// nothing counts before its manifest is there. Chunks begin where a hash of the key says, so
// that what is added to a shard changes the chunks in which it lies and no others.
//
// Where there are recipients, each file is encrypted for them with age, whose form is
// https://age-encryption.org/v1, and manifests are called manifest-TIME.json.age. Hashes are
// HMAC-SHA256 then, keyed by a secret of the store and by who the recipients are: what is
// there already is known again without being read, and other recipients begin anew, so that
// each can read all of a backup. Who sees the place without an identity learns when backups
// were made, how many pieces and pictures each has and how large these are when they are
// compressed, and which of them backups share (pieces-TIME lists them, for removing what no
// backup needs); not what is in them, nor whether something that he has is. He who may
// write there can put another backup in its place: age does not say who encrypted.
//
// The package knows files, entries and digests, and nothing of what the entries mean.
package backup
