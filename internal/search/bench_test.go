package search_test

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"linnet/internal/search"
)

// BenchmarkCorpus indexes the statuses of a corpus, merges segments and searches. LINNET_POSTS is a
// comma-separated list of gzipped files with one text per line, after a tab if there is one.
// LINNET_POSTS_N is the number of statuses to create from them. It reports processor time, which
// depends less on the load of the machine.
func BenchmarkCorpus(b *testing.B) {
	texts := corpus(b)
	var n int
	if _, err := fmt.Sscan(os.Getenv("LINNET_POSTS_N"), &n); err != nil {
		n = 50_000
	}
	rnd := rand.New(rand.NewPCG(7, 7))
	var segments []*search.Segment
	var small int64
	began := cpu()
	for id := 0; id < n; {
		block := search.NewBlock()
		for range min(8192, n-id) {
			block.Add(post(texts, rnd, id))
			id++
		}
		segments = append(segments, opened(b, must(block.Encode())(b)))
		small += int64(segments[len(segments)-1].Bytes())
	}
	built := cpu() - began
	b.Logf("%d statuses, %.0f a second of processor time, %.1f bytes each in %d segments", n, float64(n)/built.Seconds(), float64(small)/float64(n), len(segments))
	began = cpu()
	var merged []*search.Segment
	for part := range slices.Chunk(segments, 32) {
		merged = append(merged, opened(b, must(search.Merge(part))(b)))
	}
	took := cpu() - began
	bytes, packed := 0, 0
	for _, s := range merged {
		bytes += s.Bytes()
	}
	b.Logf("merged: %.0f statuses a second, %.1f bytes each in %d segments", float64(n)/took.Seconds(), float64(bytes)/float64(n), len(merged))
	first := must(search.Merge(segments[:min(32, len(segments))]))(b)
	packed = len(must(search.Pack(first))(b))
	b.Logf("packed: %.2f of that", float64(packed)/float64(len(first)))
	x := search.NewIndex()
	x.Replace(merged, nil)
	queries(b, x, texts, rnd)
}

func post(texts []string, rnd *rand.Rand, id int) *search.Document {
	t := texts[rnd.IntN(len(texts))]
	if len(t) > 220 {
		t = t[:220]
	}
	author := int(float64(100_000) * rnd.Float64() * rnd.Float64() * rnd.Float64())
	return &search.Document{ID: uint64(1_700_000_000_000+id*977)<<16 | uint64(author%1024)<<6, Texts: []string{strings.ToValidUTF8(t, "")},
		Labels: []string{search.Label('a', fmt.Sprint(author)), search.Label('p', ""), search.Label('l', "en")}}
}

// queries searches for words of texts, and tells the times of the index alone for twenty
// hits.
func queries(b *testing.B, x *search.Index, texts []string, rnd *rand.Rand) {
	for _, kind := range []string{"word", "two words of one text", "three words of one text", "prefix of 3", "word and author"} {
		var times []time.Duration
		for range 300 {
			words := strings.Fields(texts[rnd.IntN(len(texts))])
			q := words[rnd.IntN(len(words))]
			switch kind {
			case "two words of one text":
				q += " " + words[rnd.IntN(len(words))]
			case "three words of one text":
				q += " " + words[rnd.IntN(len(words))] + " " + words[rnd.IntN(len(words))]
			case "prefix of 3":
				if q = strings.Trim(q, `",.!?-—“”:;'’`); len(q) > 3 {
					q = strings.ToValidUTF8(q[:3], "") + "*"
				}
			}
			parsed, err := search.Parse(strings.ReplaceAll(q, `"`, ""))
			if err != nil {
				continue
			}
			r := &search.Request{Clauses: parsed.Clauses, Scope: []string{search.Label('p', ""), search.Label('a', "77")}}
			if kind == "word and author" {
				r.Scope = []string{search.Label('a', fmt.Sprint(rnd.IntN(1000)))}
			}
			began := time.Now()
			c := must(x.Search(r))(b)
			for range 20 {
				if must(c.Next())(b) == 0 {
					break
				}
			}
			times = append(times, time.Since(began))
		}
		slices.Sort(times)
		b.Logf("%-24s p50 %v, p99 %v", kind, times[len(times)/2], times[len(times)*99/100])
	}
}

func corpus(b *testing.B) (texts []string) {
	b.Helper()
	names := os.Getenv("LINNET_POSTS")
	if names == "" {
		b.Skip("LINNET_POSTS names no corpus")
	}
	for _, name := range strings.Split(names, ",") {
		f := must(os.Open(name))(b)
		defer f.Close()
		for lines := bufio.NewScanner(must(gzip.NewReader(f))(b)); lines.Scan(); {
			_, text, tabbed := strings.Cut(lines.Text(), "\t")
			if !tabbed {
				text = lines.Text()
			}
			if strings.TrimSpace(text) != "" {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// cpu returns the processor time used by this process.
func cpu() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
