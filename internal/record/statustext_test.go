package record

import (
	"testing"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// What is written in a status is read from its record as the whole record is decoded,
// whatever stands in it.
func FuzzStatusText(f *testing.F) {
	for _, s := range []string{"", "plain", `"`, `\`, `\"`, `"text":"other"`, "a\nb\tc\r\u0001", "<&>\u2028", "Zürich 👍", "\xff\xfe", `}],{[`} {
		f.Add(s, "", uint64(1), false)
		f.Add("text", s, uint64(12), true)
	}
	f.Fuzz(func(t *testing.T, text, warning string, author uint64, more bool) {
		st := &linnet.Status{Author: linnet.ID(author>>1 | 1), Text: text, Warning: warning}
		if more {
			st.Mentions = []linnet.Mention{{ID: 7, Login: text}, {ID: 8, Login: warning}}
			st.Tags, st.Nonce, st.Level, st.Promoters = []string{text, warning}, text, 3, []linnet.ID{1, 2}
			st.App.Name, st.Sensitive, st.Bar = warning, true, -4
		}
		get := &kv.Get{Key: StatusKey(1), Data: EncodeStatus(st), Version: 1}
		whole, err := DecodeStatus(1, get)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := scanStatusText(get.Data)
		if want := (StatusText{JID(whole.Author), whole.Text, whole.Warning}); !ok || got != want {
			t.Errorf("%s\nis scanned as %+v, %t, want %+v", get.Data, got, ok, want)
		}
	})
}

// A record of another form than Encode writes is decoded as any other, and what is no
// record is an error.
func TestStatusTextOfOtherForms(t *testing.T) {
	want := StatusText{5, "a \"b\"", "w"}
	for _, data := range []string{
		` { "by" : "5", "text": "a \"b\"", "warning": "w" }`,
		`{"by":"5","text":"a \u0022b\u0022","warning":"w"}`,
		`{"mentions":[{"id":"1","login":"}]"}],"warning":"w","level":3,"text":"a \"b\"","by":"5"}`,
	} {
		if got, err := DecodeStatusText(&kv.Get{Data: []byte(data)}); err != nil || got != want {
			t.Errorf("%s: %+v, %v", data, got, err)
		}
	}
	whole := `{"by":"5","text":"a \"b\"","mentions":[{"id":"1"}]}`
	for n := range len(whole) {
		if got, err := DecodeStatusText(&kv.Get{Data: []byte(whole[:n])}); err == nil {
			t.Errorf("%s: %+v without an error", whole[:n], got)
		}
	}
}

func BenchmarkStatusText(b *testing.B) {
	get := &kv.Get{Data: EncodeStatus(&linnet.Status{Author: 114785, Text: "This is a status about birds, trees and the weather of today, as long as many are",
		Language: "en", Conversation: 114786, App: linnet.AppName{Name: "Tusky", Website: "https://tusky.app"}, Nonce: "4711"})}
	b.ReportAllocs()
	for b.Loop() {
		if t, err := DecodeStatusText(get); err != nil || t.Author != 114785 {
			b.Fatal(t, err)
		}
	}
}
