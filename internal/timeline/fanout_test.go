package timeline

import (
	"encoding/json"
	"testing"

	"linnet/internal/kv"
)

// TestStagesOfEarlierReleases checks that cursors of releases until 2026 can be read. Their stages
// are numbers.
func TestStagesOfEarlierReleases(t *testing.T) {
	places := []Stage{StageFirst, "second", "third"}
	for text, want := range map[string]Cursor{
		`{}`:                     {Stage: StageFirst},
		`{"stage":0}`:            {Stage: StageFirst},
		`{"stage":""}`:           {Stage: StageFirst},
		`{"stage":2}`:            {Stage: "third"},
		`{"stage":3}`:            {Stage: "3"}, // not a stage, which the user of the cursor refuses
		`{"stage":-1}`:           {Stage: "-1"},
		`{"stage":"third"}`:      {Stage: "third"},
		`{"stage":"of a later"}`: {Stage: "of a later"},
	} {
		var c Cursor
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if c.Stage = c.Stage.Named(places); c != want {
			t.Errorf("%s is %+v, not %+v", text, c, want)
		}
	}
	for _, text := range []string{`{"stage":true}`, `{"stage":{}}`} {
		if err := json.Unmarshal([]byte(text), new(Cursor)); err == nil {
			t.Errorf("%s is read", text)
		}
	}
	c := Cursor{Stage: "third", From: kv.Member{Member: "m", Score: 3}}
	raw, err := json.Marshal(c)
	var back Cursor
	if err == nil {
		err = json.Unmarshal(raw, &back)
	}
	if err != nil || back != c {
		t.Errorf("%s is read as %+v: %v", raw, back, err)
	}
}
