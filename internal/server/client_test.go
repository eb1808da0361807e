package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"testing"
)

// TestOutputArrivesAsItWas expects that the output of a command in a server arrives unchanged,
// including output from a server of an earlier release.
func TestOutputArrivesAsItWas(t *testing.T) {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	cut := []byte("日本")
	for name, c := range map[string]struct {
		answer   func(out *frames, w io.Writer)
		out, err string
	}{
		"bytes": {func(out *frames, _ io.Writer) {
			to := pipe{out, func(b []byte) frame { return frame{Out: b} }}
			for _, b := range [][]byte{every, cut[:1], cut[1:]} {
				if n, err := to.Write(b); n != len(b) || err != nil {
					t.Error(n, err)
				}
			}
			pipe{out, func(b []byte) frame { return frame{Err: b} }}.Write(cut[:4])
		}, string(every) + "日本", string(cut[:4])},
		"an earlier release": {func(_ *frames, w io.Writer) {
			io.WriteString(w, `{"out":"日本"}{"err":"careful"}`)
		}, "日本", "careful"},
	} {
		t.Run(name, func(t *testing.T) {
			data := t.TempDir()
			l, err := openSocket(data)
			if err != nil {
				t.Fatal(err)
			}
			server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				c.answer(&frames{enc: json.NewEncoder(w), flush: http.NewResponseController(w)}, w)
				io.WriteString(w, `{"exit":3,"err":"it did not work"}`)
			})}
			go server.Serve(l)
			defer server.Close()
			var out, errs bytes.Buffer
			var end *commandError
			if err := Send(t.Context(), data, Command{}, &out, &errs); !errors.As(err, &end) || end.code != 3 || end.text != "it did not work" {
				t.Errorf("it ends with %v", err)
			}
			if out.String() != c.out || errs.String() != c.err {
				t.Errorf("got %q and %q, want %q and %q", out.String(), errs.String(), c.out, c.err)
			}
		})
	}
}
