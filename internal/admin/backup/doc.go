// Package backup is the form in which a store lies in files: neutral, so that every engine's
// can be restored into every other, and such that what did not change since the last time
// is not written again.
//
//	LINNET-BACKUP            the format
//	manifest-TIME.json       one backup: of which moment, its digests, which chunks it has
//	chunks/ab/abcd…          a piece of a shard, or of the list of files: zstd
//	files/ab/abcd….ef01…     a picture: SHA-256 of its name, and of what it holds
//
// A chunk has the SHA-256 of what it holds for a name, so several backups in one directory
// share what they have in common, and a backup that was broken off goes on where it was:
// nothing counts before its manifest is there. Chunks begin where a hash of the key says, so
// that what is added to a shard changes the chunks in which it lies and no others.
//
// The package knows files, entries and digests, and nothing of what the entries mean.
package backup
