package audit

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

func TestInspect(t *testing.T) {
	e := memkv.New(memkv.Options{})
	id := linnet.ID(5 << 6)
	put := func(kind, id, text string) kv.Op {
		return kv.Put{Key: kv.Key{Kind: kind, Shard: 5, ID: id}, Data: []byte(text), Version: 3}
	}
	ops := []kv.Op{
		put(record.KindUser, "1", `{"login":"ann"}`), put(record.KindLogin, "x", "no JSON"),
		put(record.KindSecret, "1", `{"hash":"$argon2id$s","email":"a@b.example"}`), put(record.KindApp, "1", `{"name":"app","secret":"s3"}`),
		put(record.KindSetup, "", `{"hash":"h7","used":"u7","expires":5}`), put(record.KindCode, "1", `{"user":"1","challenge":"c7"}`),
		put(record.KindSecret, "2", `["s3"]`), put(record.KindTOTP, "1", `{"secret":"JBSWY3DP","on":true,"step":7,"recovery":["r1"]}`),
		kv.Incr{Key: record.CountsKey(id), Name: "followers", By: 4},
		kv.Fill{Key: record.HomeKey(id), Token: "t", TTL: 1 << 40}, kv.Filled{Key: record.HomeKey(id), Token: "t", IDs: []uint64{7, 9, 8}, Floor: 2},
		kv.Fill{Key: record.ListFeedKey(id), Token: "t", TTL: 1 << 40},
	}
	for i := range 1500 {
		ops = append(ops, kv.Add{Key: record.PostsKey(id), Member: fmt.Sprint(i), Score: int64(i)})
	}
	for _, op := range ops {
		if _, err := e.Txn(t.Context(), nil, op); err != nil {
			t.Fatal(err)
		}
	}
	for key, want := range map[string]string{
		"user:{5}:1":       `"shape":"value","holds":"the public profile, JSON","version":3,"value":{"login":"ann"}}`,
		"login:{5}:x":      `"version":3,"text":"no JSON"}`,
		"secret:{5}:1":     `"value":{"email":"***","hash":"***"}}`,
		"app:{5}:1":        `"value":{"name":"app","secret":"***"}}`,
		"setup:{5}:":       `"value":{"expires":5,"hash":"***","used":"***"}}`,
		"code:{5}:1":       `"value":{"challenge":"***","user":"1"}}`,
		"totp:{5}:1":       `"value":{"on":true,"recovery":"***","secret":"***","step":7}}`,
		"counts:{5}:320":   `"counters":{"followers":4}}`,
		"home:{5}:320":     `"state":"warm","floor":"2","ids":["9","8"],"more":true}`,
		"listfeed:{5}:320": `"state":"filling"}`,
		"posts:{5}:320":    `"members":[{"score":1499,"member":"1499"},{"score":1498,"member":"1498"}],"more":true}`,
	} {
		k, err := kv.ParseKey(key)
		if err != nil {
			t.Fatal(err)
		}
		in, ok, err := Inspect(t.Context(), e, time.Now(), k, 2)
		if err != nil || !ok {
			t.Errorf("%s: found %v, %v", key, ok, err)
		}
		if got, _ := json.Marshal(in); !strings.HasSuffix(string(got), want) {
			t.Errorf("%s: %s, want it to end with %s", key, got, want)
		}
	}
	if in, _, err := Inspect(t.Context(), e, time.Now(), record.PostsKey(id), 1200); err != nil || len(in.Members) != 1200 || !in.More {
		t.Errorf("a set of 1,500: %d members, more %v, %v", len(in.Members), in.More, err)
	}
	if in, _, err := Inspect(t.Context(), e, time.Now(), record.PostsKey(id), 2000); err != nil || len(in.Members) != 1500 || in.More {
		t.Errorf("a whole set of 1,500: %d members, more %v, %v", len(in.Members), in.More, err)
	}
}

func TestInspectNothing(t *testing.T) {
	e := memkv.New(memkv.Options{})
	for _, d := range record.Keys() {
		if in, ok, err := Inspect(t.Context(), e, time.Now(), kv.Key{Kind: d.Kind, ID: "1"}, 10); ok || err != nil {
			t.Errorf("%s: found %+v, %v", d.Kind, in, err)
		}
	}
	if _, _, err := Inspect(t.Context(), e, time.Now(), kv.Key{Kind: "strange"}, 10); !errors.Is(err, ErrNoKind) {
		t.Errorf("a strange kind: %v", err)
	}
}

// TestInspectHidesWhatItCannotRead: a secret record in no known form is not
// shown at all.
func TestInspectHidesWhatItCannotRead(t *testing.T) {
	e := memkv.New(memkv.Options{})
	for _, text := range []string{`["s3cret"]`, `s3cret`} {
		if err := e.Apply(t.Context(), kv.Put{Key: record.SecretKey(7), Data: []byte(text), Version: 1}); err != nil {
			t.Fatal(err)
		}
		in, _, err := Inspect(t.Context(), e, time.Now(), record.SecretKey(7), 10)
		if got, _ := json.Marshal(in); strings.Contains(string(got), "s3cret") || err != nil && strings.Contains(err.Error(), "s3cret") {
			t.Errorf("shown: %s, %v", got, err)
		}
	}
}

// TestSecretsOfRecords: fields of records whose names tell that they let somebody
// in, or where somebody is reached, are named as secrets in the key table.
func TestSecretsOfRecords(t *testing.T) {
	for kind, r := range map[string]any{
		record.KindSecret: record.Secret{Hash: "canary", Email: "canary"}, record.KindTOTP: record.TwoFactor{Secret: "canary", Recovery: []string{"canary"}},
		record.KindApp: record.App{Secret: "canary"}, record.KindCode: record.CodeRecord{Challenge: "canary"},
	} {
		i := slices.IndexFunc(record.Keys(), func(d record.KeyDoc) bool { return d.Kind == kind })
		shown, err := mask(record.Encode(r), record.Keys()[i].Secrets.Fields)
		if err != nil || strings.Contains(string(shown), "canary") {
			t.Errorf("%s is shown as %s, %v", kind, shown, err)
		}
	}
}
