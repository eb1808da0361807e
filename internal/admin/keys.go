package admin

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"linnet/internal/record"
)

// pattern returns the form of a key of a kind; 17 is an example of a shard.
func pattern(d record.KeyDoc) string {
	if d.ID == "" {
		return d.Kind + ":{17}:"
	}
	return d.Kind + ":{17}:<" + d.ID + ">"
}

// PrintKeys writes the table of keys for a terminal.
func PrintKeys(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "KEY\tSHAPE\tHOLDS")
	for _, d := range record.Keys() {
		fmt.Fprintf(t, "%s\t%s\t%s\n", pattern(d), d.Shape, d.Holds)
	}
	return t.Flush()
}

// keysHead is the introduction of docs/keys.md.
const keysHead = `# Keys

<!-- Written by "linnet keys --markdown". A test compares the two. -->

Every record has a key of the form ` + "`kind:{shard}:id`" + `. The shard is a number from 0 to 1,023.
The braces make the shard the hash tag of Redis. All records of a user are in the shard of the
user's id, and all records of a status in the shard of its author. Records that are found by a name
are in the shard of the hash of that name. An id is a decimal number made of the time in
milliseconds since 1970 (from bit 16), the shard (from bit 6) and a sequence number (6 bits). The
embedded store has the same keys in its own encoding.

A *value* is a byte string with a version. *Counters* are named integers, and a missing one is 0. A
*set* is ordered by score and member. A *feed* is a bounded list of ids that can be dropped at any
time. Redis stores these shapes as strings, hashes, sorted sets and lists. ` + "`linnet inspect KEY`" + `
prints a record.

Backups and digests leave out records that can be rebuilt, expire within minutes, or belong to one
store only. The last column names the key or listing of *Redis in Action*, chapter 8, or of the
Retwis tutorial. [book.md](book.md) lists the functions and tests of each listing.

Redis also has two kinds of keys that are not records, with the same prefix (` + "`redis.prefix`" + `).
Backups, digests and ` + "`linnet inspect`" + ` ignore them:

- ` + "`mark:{0}`" + ` is a string that identifies the store, so that servers notice an emptied or replaced
  Redis. A Cluster has one mark per shard, ` + "`mark:{0}` to `mark:{1023}`" + `.
- ` + "`meter:NAME`" + ` is a counter of a rate limit, which expires.

| key | shape | holds | bound | in backups | in the book |
|---|---|---|---|---|---|
`

// PrintKeysMarkdown writes docs/keys.md.
func PrintKeysMarkdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString(keysHead)
	for _, d := range record.Keys() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n", pattern(d), d.Shape, cell(d.Holds), cell(d.Bound), d.BackupRule(), cell(d.Book))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// cell escapes a text for a table.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
