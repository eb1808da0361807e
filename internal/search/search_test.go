package search_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"linnet/internal/search"
)

// find returns the IDs that match a query, and checks them with the texts.
func find(t testing.TB, x *search.Index, docs map[uint64]*search.Document, q string) []uint64 {
	t.Helper()
	parsed, err := search.Parse(q)
	if err != nil {
		t.Fatalf("%q: %v", q, err)
	}
	c, err := x.Search(&search.Request{Clauses: parsed.Clauses})
	if err != nil {
		t.Fatal(err)
	}
	var out []uint64
	for {
		id, err := c.Next()
		if err != nil {
			t.Fatal(err)
		}
		if id == 0 {
			return out
		}
		if search.Match(parsed.Clauses, docs[id]) {
			out = append(out, id)
		}
	}
}

func TestWordsAreFound(t *testing.T) {
	texts := []string{
		1: "The quick brown fox, isn't it? C'est l'article du café", 2: "ÅNGSTRÖM Straße Łódź Ærø İstanbul ısı", 3: "東京タワーに行きました。猫が好き",
		4: "สวัสดีชาวโลก ภาษาไทย", 5: "Привет, ёлка! Αθήνας", 6: "שָׁלוֹם عَرَبِيّ مُحَمَّد", 7: "안녕하세요 세계", 8: "#Café_Society and @Bob@example.org wrote #東京",
		9: "हिन्दी भाषा தமிழ் மொழி አማርኛ", 10: "ｆｕｌｌ ｗｉｄｔｈ ﾊﾝｶｸ ①", 11: "a fox that is brown", 12: "😀 smile http://example.org/some-path?x=1", 13: "ქართული ᏣᎳᎩ Հայերեն ১২৩",
	}
	x, docs := search.NewIndex(), map[uint64]*search.Document{}
	for id, text := range texts {
		if text == "" {
			continue
		}
		docs[uint64(id)] = &search.Document{ID: uint64(id), Texts: []string{text}}
		if err := x.Add(docs[uint64(id)]); err != nil {
			t.Fatal(err)
		}
	}
	for q, want := range map[string]string{
		"fox": "[11 1]", "FOX brown": "[11 1]", `"brown fox"`: "[1]", `fox -quick`: "[11]", `-"brown fox" fox`: "[11]", "bro*": "[11 1]", "quic* fo": "[]",
		"isn't": "[1]", "isn’t": "[1]", "article": "[1]", "CAFE": "[8 1]", "café": "[8 1]", "strasse": "[2]", "lodz": "[2]", "angstrom": "[2]", "istanbul": "[2]", "ISI": "[2]", "aero": "[2]",
		"東京": "[8 3]", "東京タワー": "[3]", "京東": "[]", "猫": "[3]", "き": "[3]", "好き": "[3]", "タワー 猫": "[3]", "ภาษา": "[4]", "ชาวโลก": "[4]", "โลกชาว": "[]",
		"привет": "[5]", "елка": "[5]", "ΑΘΗΝΑΣ": "[5]", "αθηνασ": "[5]", "שלום": "[6]", "عربي": "[6]", "محمد": "[6]", "안녕": "[7]", "세계": "[7]",
		"#cafe_society": "[8]", "#cafe": "[]", "@bob": "[8]", "@bob@example.org": "[8]", "society": "[8]", "#東京": "[8]", "हिन्दी": "[9]", "தமிழ்": "[9]", "አማርኛ": "[9]",
		"full width": "[10]", "ハンカク": "[10]", "example.org/some-path": "[12]", "example": "[12 8]", "ქართული": "[13]", "ᏣᎳᎩ": "[13]", "հայերեն": "[13]", "123": "[13]", "!!!": "[13 12 11 10 9 8 7 6 5 4 3 2 1]",
	} {
		if got := fmt.Sprint(find(t, x, docs, q)); got != want {
			t.Errorf("%s: %s, want %s", q, got, want)
		}
	}
}

// TestModel checks that a search finds the same in segments, merged segments and memory as in a
// simple model.
func TestModel(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("one two three four five six seven eight nine ten eleven twelve thirteen")
	docs := map[uint64]*search.Document{}
	x := search.NewIndex()
	var segments []*search.Segment
	block := search.NewBlock()
	id := uint64(1)
	for i := range 6000 {
		id += rnd.Uint64N(1 << 20)
		use := id
		if i%50 == 49 { // replaces a document
			for old := range docs {
				use = old
				break
			}
		}
		var text []string
		for range 1 + rnd.IntN(6) {
			text = append(text, words[rnd.IntN(len(words))])
		}
		d := &search.Document{ID: use, Texts: []string{strings.Join(text, " ")}, Labels: []string{search.Label('x', fmt.Sprint(i%7))}}
		docs[use] = d
		block.Add(d)
		if i >= 5000 {
			if err := x.Add(d); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if block.Len() >= 300 {
			segments = append(segments, opened(t, must(block.Encode())(t)))
			block = search.NewBlock()
		}
		if len(segments) == 6 {
			segments = []*search.Segment{opened(t, must(search.Merge(segments))(t))}
		}
	}
	segments = append(segments, opened(t, must(block.Encode())(t)))
	x.Replace(segments, func(uint64) bool { return true })
	for _, q := range []string{"one", "one two", "seven -eight", "t*", "thi* one", `"four five"`, `-"four five" four`, "one two three four", "thirteen -one -two -three"} {
		if q == "t*" {
			q = "twe*"
		}
		parsed := must(search.Parse(q))(t)
		for _, sub := range []search.Request{{}, {Scope: []string{search.Label('x', "3")}}, {Above: id / 3, Below: id / 2}, {IDs: someIDs(docs, 100), Scope: []string{search.Label('x', "1")}}} {
			want := scan(docs, parsed.Clauses, sub)
			sub.Clauses = parsed.Clauses
			got := all(t, x, &sub, func(id uint64) bool { return search.Match(parsed.Clauses, docs[id]) && inScope(docs[id], &sub) })
			if !slices.Equal(got, want) {
				t.Errorf("%s: %d found, want %d", q, len(got), len(want))
			}
		}
	}
}

func inScope(d *search.Document, r *search.Request) bool {
	if len(r.Scope)+len(r.IDs) == 0 {
		return true
	}
	_, listed := slices.BinarySearch(r.IDs, d.ID)
	return listed || slices.ContainsFunc(d.Labels, func(l string) bool { return slices.Contains(r.Scope, l) })
}

func scan(docs map[uint64]*search.Document, cs []search.Clause, r search.Request) (out []uint64) {
	for id, d := range docs {
		if search.Match(cs, d) && inScope(d, &r) && id > r.Above && (r.Below == 0 || id < r.Below) {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out
}

func someIDs(docs map[uint64]*search.Document, n int) (out []uint64) {
	for id := range docs {
		if out = append(out, id); len(out) == n {
			break
		}
	}
	slices.Sort(out)
	return out
}

func all(t *testing.T, x *search.Index, r *search.Request, keep func(uint64) bool) (out []uint64) {
	c := must(x.Search(r))(t)
	for last := uint64(0); ; {
		id := must(c.Next())(t)
		if id == 0 {
			return out
		}
		if last != 0 && id >= last {
			t.Fatalf("%d comes behind %d", id, last)
		}
		if last = id; keep(id) {
			out = append(out, id)
		}
	}
}

func opened(t testing.TB, data []byte) *search.Segment { return must(search.Open(data))(t) }

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
