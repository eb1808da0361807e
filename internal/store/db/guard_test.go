package db

import (
	"errors"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
)

// TestTxnAnswersWhatAConditionCarries checks that the error of the first failed condition is
// returned, and none for a condition without an error.
func TestTxnAnswersWhatAConditionCarries(t *testing.T) {
	d := New(memkv.New(memkv.Options{}), Options{})
	there, nowhere := UserPresent(1<<20|1), kv.Absent(kv.Key{Kind: "user", Shard: linnet.ID(1<<20 | 1).Shard(), ID: "x"})
	write := kv.Put{Key: kv.Key{Kind: "user", Shard: linnet.ID(1<<20 | 1).Shard(), ID: "y"}, Version: 1, Data: []byte("y")}
	first, second := errors.New("first"), errors.New("second")
	for _, c := range []struct {
		what  string
		conds []kv.Cond
		want  error
	}{
		{"no error", []kv.Cond{nowhere, there}, nil},
		{"its own", []kv.Cond{nowhere, Else(there, first)}, first},
		{"the first that does not hold", []kv.Cond{Else(nowhere, first), Else(there, second)}, second},
		{"that before it", []kv.Cond{Else(there, first), Else(there, second)}, first},
		{"what it carried before", AllElse([]kv.Cond{Else(there, first)}, second), first},
		{"what all were given", AllElse([]kv.Cond{nowhere, there}, second), second},
	} {
		made, err := d.Txn(t.Context(), c.conds, write)
		if made || !errors.Is(err, c.want) || c.want == nil && err != nil {
			t.Errorf("%s: %v %v", c.what, made, err)
		}
	}
	if made, err := d.Txn(t.Context(), []kv.Cond{Else(nowhere, first)}, write); !made || err != nil {
		t.Errorf("conditions that hold: %v %v", made, err)
	}
}
