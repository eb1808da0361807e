package admin

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"linnet/internal/record"
)

// pattern is how keys of a kind look; 17 stands for any shard.
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

// keysHead stands above the table in the manual.
const keysHead = `# Keys

<!-- Written by "linnet keys --markdown". A test compares the two. -->

Every record lies under a key of the form ` + "`kind:{shard}:id`" + `. The shard is a number
below 1,024 and a Redis hash tag; all records of a user lie in the shard of the
user's id, all about a status in its author's. What is found by name lies in the
shard of the name's hash. An id is milliseconds since 1970 << 16 | shard << 6 |
sequence, in decimal. The embedded store has the same keys in its own encoding.

A *value* is bytes with a version, *counters* are named integers (absent: 0), a
*set* is ordered by score and member, a *feed* is a bounded list of ids that may
be forgotten at any time. In Redis these are a string, a hash, a sorted set, and a
list. ` + "`linnet inspect KEY`" + ` prints a record.

Backups and digests leave out what is made anew from the rest, what is over in
minutes, and what concerns the one store. The last column names the key or listing of *Redis in Action*, chapter 8, or of the
Retwis tutorial. [book.md](book.md) lists the functions and tests of each listing.

A Redis also holds two kinds of key that are not records, after the same prefix. They are
in no backup, digest or inspection:

- ` + "`mark:{0}`" + ` is a string that identifies the store, so that a server notices an emptied or
  replaced Redis. A Cluster has one per shard, ` + "`mark:{0}` to `mark:{1023}`" + `.
- ` + "`meter:NAME`" + ` is a counter of a rate limit. It expires.

| key | shape | holds | bound | in backups | in the book |
|---|---|---|---|---|---|
`

// PrintKeysMarkdown writes docs/keys.md.
func PrintKeysMarkdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString(keysHead)
	for _, d := range record.Keys() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n", pattern(d), d.Shape, cell(d.Holds), cell(d.Bound), d.Keeping(), cell(d.Book))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// cell lets a text stand in a table.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
