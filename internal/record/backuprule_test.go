package record_test

import (
	"testing"

	"linnet/internal/kv"
	"linnet/internal/record"
)

// TestKeptKinds checks that backups contain all kinds of key, except for a fixed list.
func TestKeptKinds(t *testing.T) {
	kinds, left := record.BackupKinds(), map[string]bool{}
	for _, d := range record.Keys() {
		shape, kept := kinds[d.Kind]
		if !kept {
			left[d.Kind] = true
		} else if shape < kv.ValueShape || shape > kv.SetShape {
			t.Errorf("%s is kept as shape %d", d.Kind, shape)
		}
	}
	for _, kind := range []string{"home", "listfeed", "topfeed", "catchup", "ranking", "setup", "ticket", "code", "confirmed", "challenge", "servers", "backup", "move", "place"} {
		if !left[kind] {
			t.Errorf("%s is kept", kind)
		}
		delete(left, kind)
	}
	if len(left) > 0 {
		t.Errorf("left out as well: %v", left)
	}
}

// TestMadeByOpening checks that no record of a user is among these keys.
func TestMadeByOpening(t *testing.T) {
	for key, want := range map[kv.Key]bool{
		record.MetaKey("format"): true, record.GroupsMarkKey(): true, record.RecheckedMarkKey(): true, record.VAPIDKey(): true, record.LastBackupKey(): true, record.MediaLocationKey(): true,
		record.MetaKey("instance"): false, record.AdminKey(): false, record.RolesKey(): false, record.RestoringKey(): false, record.StoreNameKey(): false,
		{Kind: record.KindUser, ID: "1"}: false, {Kind: record.KindSearchPart, ID: "1"}: false,
	} {
		if record.MadeByOpening(key) != want {
			t.Errorf("%v: want %v", key, want)
		}
	}
}
