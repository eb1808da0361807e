package text

import (
	"slices"
	"strings"
	"testing"

	"mvdan.cc/xurls/v2"
)

// list splits a table entry.
func list(s string) []string { return strings.Fields(s) }

func equal(t *testing.T, what, input string, got []string, want string) {
	t.Helper()
	if !slices.Equal(got, list(want)) {
		t.Errorf("%s of %q = %q, want %q", what, input, got, list(want))
	}
}

func TestMentions(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"hello", ""},
		{"@ann", "ann"},
		{"@ann hello", "ann"},
		{"hi @ann, @Bob_2 and (@carl)!", "ann Bob_2 carl"},
		{"@ann @ANN @Ann", "ann"},
		{"@ann @ann@example.com", "ann ann@example.com"},
		{"@ann@Example.com @ANN@example.COM", "ann@Example.com"},
		{"@ann.Thanks", "ann"},
		{"@ann-thanks", "ann"},
		{"@ann. @bob: @carl's @dora…", "ann bob carl dora"},
		{"@a.b-c@example.com", "a.b-c@example.com"},
		{"@ann@example.com.", "ann@example.com"},
		{"@ann@localhost:3000", "ann@localhost:3000"},
		{"@group@127.0.0.1:8420, @ann@example.com: hello", "group@127.0.0.1:8420 ann@example.com"},
		{"@ann@münchen.de ok", "ann@münchen.de"},
		{"@ann@example.comさん", "ann@example.com"},
		{".@ann \"@bob\" +@carl\n@dora", "ann bob carl dora"},
		{"ann@example.com and ann.b+c@example.com", ""},
		{"見て@ann", ""},
		{"こんにちは @annさん", "ann"},
		{"@anné @bobé", ""},
		{"@ann@ @@bob @", ""},
		{"@ann@bob@carl", ""},
		{"/@ann ?u=@ann", ""},
		{"https://example.com/@ann", ""},
		{"@http://example.com", ""},
		{"@ann#tag", "ann"},
		{"@" + strings.Repeat("a", MaxLogin), strings.Repeat("a", MaxLogin)},
		{"@" + strings.Repeat("a", MaxLogin+1), ""},
		{"@a@" + strings.Repeat("d", MaxDomain), "a@" + strings.Repeat("d", MaxDomain)},
		{"@a@" + strings.Repeat("d", MaxDomain+1), ""},
		{"@" + strings.Repeat("n", maxRemoteName+1) + "@b.de", ""},
	} {
		equal(t, "mentions", c.in, Parse(c.in).Mentions(), c.want)
	}
}

func TestTags(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"#go", "go"},
		{"#Go #go #GO #Café #cafe", "Go Café"},
		{"(#go) \"#js\", #c++ #f#", "go js c f"},
		{"#1 #2024 # ## #_ #__ #!", ""},
		{"#ශ්\u200dරීලංකා #ශ්\u200dරී! #क्\u200dष #a\u200d", "ශ්\u200dරීලංකා ශ්\u200dරී क्\u200dष a"},
		{"#1a #a1 #20_24 #___ #_a", "1a a1 20_24 ___ _a"},
		{"#12_ #1·2 #1· #·a", "1·2"},
		{"#go_ #go· #go・", "go_ go"},
		{"#foo-bar #it's #a.b", "foo it a"},
		{"a#b 1#b _#b é#b 日本#b", ""},
		{"/#a )#a =#a", ""},
		{"&#x27; don&#39;t", "x27"},
		{"##a #a#b", "a"},
		{"＃タグ と #ｔａｇ", "タグ ｔａｇ"},
		{"#️⃣ #️⃣abc #2️⃣", ""},
		{"#love❤️ #🎉 #a🎉", "love a"},
		{"https://example.com/#frag example.com/#frag", ""},
		{"#" + strings.Repeat("x", MaxTag), strings.Repeat("x", MaxTag)},
		{"#" + strings.Repeat("x", MaxTag+1) + " #y", "y"},
	} {
		equal(t, "tags", c.in, Parse(c.in).Tags(), c.want)
	}
}

// TestLanguages checks that tags work in a sentence of each language, written for this test. The
// punctuation at the end follows directly after the tag where that is usual.
func TestLanguages(t *testing.T) {
	for _, c := range []struct{ lang, in, tags string }{
		{"am", "ዛሬ #መልካም_ቀን፡ #ሰላም።", "መልካም_ቀን ሰላም"},
		{"ar", "صباح الخير #صباح، #قهوة_عربية؟", "صباح قهوة_عربية"},
		{"bn", "আজ #বাংলা। #ক্রিকেট!", "বাংলা ক্রিকেট"},
		{"ca", "Avui #col·laboració, #l'Hospitalet.", "col·laboració l"},
		{"cs", "Dobré #ráno! #příroda, #žluťoučký.", "ráno příroda žluťoučký"},
		{"de", "Schöne #Grüße! #Straße.", "Grüße Straße"},
		{"el", "Καλημέρα #Ελλάδα· #καφές;", "Ελλάδα καφές"},
		{"en", "Good #morning, #coffee.", "morning coffee"},
		{"es", "¿Qué #mañana? ¡#Ñandú!", "mañana Ñandú"},
		{"fa", "امروز #می\u200cخواهم، #تهران.", "می\u200cخواهم تهران"},
		{"fi", "Hyvää #päivää.", "päivää"},
		{"fr", "«#Été» et #cœur… #l’amour", "Été cœur l"},
		{"he", "בוקר #טוב! #שָׁלוֹם.", "טוב שָׁלוֹם"},
		{"hi", "आज #हिन्दी। #क्रिकेट, #स्वागत", "हिन्दी क्रिकेट स्वागत"},
		{"hy", "Բարի #լույս։ #Հայաստան՝", "լույս Հայաստան"},
		{"id", "Selamat #pagi.", "pagi"},
		{"ja", "今日は #東京タワー。 #ソード・アート、#カレー 「#猫」", "東京タワー ソード・アート カレー 猫"},
		{"ka", "დილა #მშვიდობისა!", "მშვიდობისა"},
		{"ko", "오늘 #한국어, #서울2024.", "한국어 서울2024"},
		{"pl", "Dzień #dobry! #żółw.", "dobry żółw"},
		{"pt", "Bom #dia, #coração.", "dia coração"},
		{"ru", "Доброе #утро, #ёжик!", "утро ёжик"},
		{"sw", "Habari ya #asubuhi.", "asubuhi"},
		{"ta", "காலை #வணக்கம், #தமிழ்.", "வணக்கம் தமிழ்"},
		{"th", "สวัสดี #ประเทศไทย #กินข้าวที่บ้าน", "ประเทศไทย กินข้าวที่บ้าน"},
		{"tr", "Günaydın #İstanbul, #ışık.", "İstanbul ışık"},
		{"ur", "آج #اردو، #پاکستان۔", "اردو پاکستان"},
		{"vi", "Chào #buổi_sáng, #tiếngViệt.", "buổi_sáng tiếngViệt"},
		{"yo", "Ẹ káàárọ̀ #Yorùbá, #ọjọ́.", "Yorùbá ọjọ́"},
		{"zh", "今天#天气 很好， #北京，#中文。", "北京 中文"},
	} {
		equal(t, c.lang+": tags", c.in, Parse(c.in).Tags(), c.tags)
		for _, tag := range list(c.tags) {
			if !ValidTag(tag) || FoldTag(tag) == "" {
				t.Errorf("%s: %q is no valid tag, or has no key", c.lang, tag)
			}
		}
	}
}

func TestLinks(t *testing.T) {
	reference, err := xurls.StrictMatchingScheme(`https?://`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range linkCases() {
		got := Parse(c.in).Links()
		equal(t, "links", c.in, got, c.want)
		if theirs := reference.FindAllString(c.in, -1); !c.own && !slices.Equal(got, theirs) {
			t.Errorf("links of %q = %q, xurls says %q", c.in, got, theirs)
		}
	}
}

type linkCase struct {
	in, want string
	own      bool // differs from xurls, which doesn't check hosts
}

func linkCases() []linkCase {
	long := "https://example.com/" + strings.Repeat("x", MaxURL-len("https://example.com/"))
	return []linkCase{
		{in: "", want: ""},
		{in: "example.com www.example.com ftp://example.com", want: ""},
		{in: "http://example.com", want: "http://example.com"},
		{in: "see https://example.com/a, https://example.com/b.", want: "https://example.com/a https://example.com/b"},
		{in: "(https://example.com/a)", want: "https://example.com/a"},
		{in: "(see https://example.com/a_(b).)", want: "https://example.com/a_(b)"},
		{in: "https://en.example.org/wiki/A_(b_(c))_d", want: "https://en.example.org/wiki/A_(b_(c))_d"},
		{in: "https://example.com/a_(b", want: "https://example.com/a_"},
		{in: "[text](https://example.com/a)", want: "https://example.com/a"},
		{in: "https://example.com/?a[]=1&b={x}", want: "https://example.com/?a[]=1&b={x}"},
		{in: "<https://example.com/> \"https://example.com/q\"", want: "https://example.com/ https://example.com/q"},
		{in: "https://example.com/a'b c", want: "https://example.com/a'b"},
		{in: "https://example.com/!!! https://example.com/?", want: "https://example.com/ https://example.com/"},
		{in: "https://example.com?a=1#b", want: "https://example.com?a=1#b"},
		{in: "https://example.com:8443/x", want: "https://example.com:8443/x"},
		{in: "http://127.0.0.1:8420/@ann/1 http://localhost:3000", want: "http://127.0.0.1:8420/@ann/1 http://localhost:3000"},
		{in: "https://example.com/%20%E2%82%AC", want: "https://example.com/%20%E2%82%AC"},
		{in: "https://exämple.de/straße https://例え.テスト/パス", want: "https://exämple.de/straße https://例え.テスト/パス"},
		{in: "https://xn--r8jz45g.xn--zckzah/", want: "https://xn--r8jz45g.xn--zckzah/"},
		{in: "見てhttps://example.com/a", want: "https://example.com/a"},
		{in: "HTTPS://Example.com/A", want: "https://Example.com/A", own: true},
		{in: "https://example.com:99999/ https://example.com:", want: "https://example.com https://example.com", own: true},
		{in: "https://example.comです", want: "https://example.com", own: true},
		{in: "https://example.com/a。次 https://example.com/b、", want: "https://example.com/a https://example.com/b", own: true},
		{in: "「https://example.com/c」", want: "https://example.com/c", own: true},
		{in: "xhttps://example.com #https://example.com @https://example.com", want: "", own: true},
		{in: "https:// https://. https://- http:/example.com https//example.com", want: "", own: true},
		{in: "https://foo https://a.b https://1.2.3 https://256.1.1.1 https://[::1]/ http://example.c0m", want: "", own: true},
		{in: "https://example..com https://user@example.com https://example.com@evil.example", want: "", own: true},
		{in: "https://-example.com https://example-.com", want: "", own: true},
		{in: "https://example.com\\@evil.example https://example.com/a\\b", want: "https://example.com https://example.com/a", own: true},
		{in: "https://example.com/100%", want: "https://example.com/100", own: true},
		{in: "https://example.com/a%zzb", want: "https://example.com/a", own: true},
		{in: "https://example.com/a\u202eb https://example.com/c\u200bd", want: "https://example.com/a https://example.com/c", own: true},
		{in: "\u202ehttps://example.com", want: "", own: true},
		{in: "https://example.com/a–b—c https://ca.example.org/wiki/Paral·lel https://fr.example.org/wiki/L’Île", want: "https://example.com/a–b https://ca.example.org/wiki/Paral·lel https://fr.example.org/wiki/L’Île", own: true},
		{in: "https://example.com/a1\ufe0f\u20e3 https://example.com/a\u00a9\ufe0f", want: "https://example.com/a https://example.com/a", own: true},
		{in: "javascript:alert(1) JaVaScRiPt://example.com/%0aalert(1) data:text/html,x vbscript:x", want: ""},
		{in: long + " x", want: long},
		{in: long + "x x", want: "", own: true},
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"a\r\nb\rc\n\r\n", "a\nb\nc\n\n"},
		{"a\x00b\x1bc\td\x7f\u0085e", "abc\tde"},
		{"a\xffb\xc3", "a\ufffdb\ufffd"},
		{"\ufffd", "\ufffd"},
		{"é 日本 👩‍👩‍👧", "é 日本 👩‍👩‍👧"},
		{"\x00@ann", "@ann"},
	} {
		if got := Parse(c.in).Text(); got != c.want {
			t.Errorf("Parse(%q).Text() = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestPlainTextTakesTheFastPath(t *testing.T) {
	const plain = "However little known the feelings or views of such a man may be: http, https."
	if got := testing.AllocsPerRun(100, func() { Parse(plain) }); got != 0 {
		t.Errorf("parsing plain text allocates %v times", got)
	}
}
