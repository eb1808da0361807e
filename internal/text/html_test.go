package text

import (
	"strings"
	"testing"
)

// everyone returns a resolver that knows all names except "nobody".
func everyone() Resolver {
	return Resolver{
		Mention: func(login string) (string, string, bool) {
			return "https://linnet.example/@" + login, login, login != "nobody"
		},
		Tag: func(tag string) string { return "https://linnet.example/tags/" + FoldTag(tag) },
	}
}

func TestHTML(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"blank", " \n\n\t", ""},
		{"plain", "hello", "<p>hello</p>"},
		{"lines", "a\nb\r\nc", "<p>a<br>b<br>c</p>"},
		{"paragraphs", "\n\na\n\nb\n\n\n\nc\n", "<p>a</p><p>b</p><p>c</p>"},
		{"escaped", `<b>"R&D"</b> 'x'`, "<p>&lt;b&gt;&#34;R&amp;D&#34;&lt;/b&gt; &#39;x&#39;</p>"},
		{"mention", "hi @ann!",
			`<p>hi <span class="h-card"><a href="https://linnet.example/@ann" class="u-url mention">@<span>ann</span></a></span>!</p>`},
		{"stranger", "hi @nobody", `<p>hi @nobody</p>`},
		{"tag", "#Café,",
			`<p><a href="https://linnet.example/tags/cafe" class="mention hashtag" rel="tag">#<span>Café</span></a>,</p>`},
		{"short link", "http://example.com/?a=1&b='",
			`<p><a href="http://example.com/?a=1&amp;b=" rel="nofollow noopener noreferrer" target="_blank">` +
				`<span class="invisible">http://</span><span class="">example.com/?a=1&amp;b=</span><span class="invisible"></span></a>&#39;</p>`},
		{"long link", "HTTPS://www.example.com/a/very/long/path/to/it",
			`<p><a href="https://www.example.com/a/very/long/path/to/it" rel="nofollow noopener noreferrer" target="_blank">` +
				`<span class="invisible">HTTPS://www.</span><span class="ellipsis">example.com/a/very/long/path/t</span>` +
				`<span class="invisible">o/it</span></a></p>`},
	} {
		if got := Parse(c.in).HTML(everyone()); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		if got := Note(c.in, everyone()); got != c.want {
			t.Errorf("%s as a note:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestHTMLWithoutResolver(t *testing.T) {
	const in = "@ann @bob@example.com #tag"
	if got := Parse(in).HTML(Resolver{}); got != "<p>"+in+"</p>" {
		t.Errorf("HTML(%q) = %s", in, got)
	}
}

func TestHTMLDistrustsTheResolver(t *testing.T) {
	evil := Resolver{
		Mention: func(string) (string, string, bool) { return "javascript:alert(1)", "x", true },
		Tag:     func(string) string { return "data:text/html,x" },
	}
	if got := Parse("@ann #tag").HTML(evil); got != "<p>@ann #tag</p>" {
		t.Errorf("addresses of other schemes got through: %s", got)
	}
	odd := Resolver{
		Mention: func(string) (string, string, bool) { return "/\"><script>\n", "<b>\n", true },
		Tag:     func(string) string { return "/'\n><i>" },
	}
	got := Parse("@ann #tag").HTML(odd)
	if strings.ContainsAny(strings.ReplaceAll(got, `"><`, ""), "'") || strings.Contains(got, "<script") ||
		strings.Contains(got, "<b") || strings.Contains(got, "<i>") {
		t.Errorf("a name or address of the resolver got through as markup: %s", got)
	}
}

func TestFieldValue(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"they/them", "they/them"},
		{"a\nb", "a b"},
		{" https://example.com \n", `<a href="https://example.com" rel="me nofollow noopener noreferrer" target="_blank">` +
			`<span class="invisible">https://</span><span class="">example.com</span><span class="invisible"></span></a>`},
		{"at https://example.com", `at <a href="https://example.com" rel="nofollow noopener noreferrer" target="_blank">` +
			`<span class="invisible">https://</span><span class="">example.com</span><span class="invisible"></span></a>`},
		{"@ann", `<span class="h-card"><a href="https://linnet.example/@ann" class="u-url mention">@<span>ann</span></a></span>`},
	} {
		if got := FieldValue(c.in, everyone()); got != c.want {
			t.Errorf("FieldValue(%q):\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

func TestHostileTexts(t *testing.T) {
	c := newChecker()
	for _, in := range seeds() {
		c.html(t, in)
	}
}

// hostile returns texts that try to inject markup.
func hostile() []string {
	return []string{
		`<script>alert(1)</script>`,
		`</p><script>alert(1)</script><p>`,
		`<img src=x onerror=alert(1)>`,
		`<svg/onload=alert(1)>`,
		`<a href="javascript:alert(1)">x</a>`,
		`"><img src=x onerror=alert(1)>`,
		`' onmouseover='alert(1)`,
		`javascript:alert(1)`,
		`JaVaScRiPt:alert(1)//http://example.com`,
		"java\nscript:alert(1)",
		`javascript://example.com/%0aalert(1)`,
		`data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==`,
		`vbscript:msgbox(1)`,
		`https://example.com/"onmouseover="alert(1)`,
		`https://example.com/'onmouseover='alert(1)`,
		`https://example.com/><script>alert(1)</script>`,
		`https://example.com/?q=<script>`,
		`https://example.com/#"><svg onload=alert(1)>`,
		`https://"onclick=alert(1).example.com`,
		"https://example.com/`onclick=alert(1)`",
		`https://example.com\@evil.example/`,
		`https://example.com&#x22;onclick=alert(1)`,
		`@ann"onclick=alert(1)`,
		`@ann@example.com"onclick=alert(1)`,
		`@<script>@x.de`,
		`#tag"onclick=alert(1)`,
		`#<script>alert(1)</script>`,
		`#x' onclick='alert(1)`,
		`&lt;script&gt;alert(1)&lt;/script&gt;`,
		`&#60;script&#62;`,
		`<!-- x --!><script>`,
		`<![CDATA[<script>]]>`,
		`<style>@import 'https://evil.example/';</style>`,
		`<iframe srcdoc="<script>alert(1)</script>">`,
		`<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>`,
		`<noscript><p title="</noscript><img src=x onerror=alert(1)>">`,
		"<scr\x00ipt>alert(1)</scr\x00ipt>",
		"<\u200bscript>\u202etpircs",
		"\ufeff<script>\u2028alert(1)\u2029",
		"+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
		"\xc0\xbcscript\xc0\xbe",
		"＜script＞alert(1)＜/script＞",
		`{{constructor.constructor('alert(1)')()}} ${alert(1)} <%= x %>`,
		strings.Repeat("<p>", 1000),
		strings.Repeat(`https://a.de/"`, 100),
	}
}
