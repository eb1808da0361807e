package streaming

import (
	"encoding/json"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/mastodon/request"
)

// FuzzFrame reads any frame of a client's: it names a stream that exists, with
// what the stream needs, or it is refused as the client's mistake.
func FuzzFrame(f *testing.F) {
	for _, s := range []string{`{"type":"subscribe","stream":"user"}`, `{"type":"subscribe","stream":"hashtag","tag":"x"}`, `{"stream":"list","list":"12"}`, `{"stream":5}`, `[]`, `{"stream":"public:media"}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var fr frame
		if json.Unmarshal([]byte(text), &fr) != nil {
			return
		}
		st, err := parseStream(fr.Stream, fr.Tag, fr.List)
		if err != nil {
			if p := request.ProblemOf(err, locale.English()); p.Code != 422 || len(p.Body.Error) > 4*len(text)+200 {
				t.Fatalf("%q: %d %s", text, p.Code, p.Body.Error)
			}
			return
		}
		if words := streamWords(st); string(st.Kind) != fr.Stream || words[0] != fr.Stream || len(strings.Join(words, "")) > maxStreamParam+40 {
			t.Fatalf("%q is %+v", text, st)
		}
		if mayListen(linnet.Session{}, st.Kind) == nil != openToAll(st.Kind) {
			t.Fatalf("%q is open to nobody", text)
		}
	})
}
