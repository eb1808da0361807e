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

Every record has a key of the form ` + "`kind:{shard}:id`" + `. The shard is a number below 1,024 and a
Redis hash tag. All records of a user are in the shard of the user's id, and all records of a
status in its author's. Name lookups are in the shard of the name's hash. An id is milliseconds
since 1970 << 16 | shard << 6 | sequence, in decimal. The embedded store has the same keys in its
own encoding.

A *value* is bytes with a version, *counters* are named integers (missing means 0), a *set* is
ordered by score and member, and a *feed* is a bounded list of ids that can be dropped at any
time. In Redis these are a string, a hash, a sorted set and a list. ` + "`linnet inspect KEY`" + ` prints a
record.

Backups and digests leave out records that can be rebuilt, expire within minutes, or belong to one
store only. The last column names the key or listing of *Redis in Action*, chapter 8, or of the
Retwis tutorial. [book.md](book.md) lists the functions and tests of each listing.

Redis also has two kinds of keys that are not records, with the same prefix. Backups, digests and
inspections ignore them:

- ` + "`mark:{0}`" + ` is a string that identifies the store, so that servers notice an emptied or replaced
  Redis. A Cluster has one per shard, ` + "`mark:{0}` to `mark:{1023}`" + `.
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

// cell escapes a text for a table.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
