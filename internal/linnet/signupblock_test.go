package linnet

import (
	"net/netip"
	"testing"
	"time"
)

func TestParseSignUpBlock(t *testing.T) {
	for _, tc := range []struct {
		kind        BlockKind
		value, want string // "" if invalid
	}{
		{BlockAddress, " 192.0.2.77/24 ", "192.0.2.0/24"}, {BlockAddress, "192.0.2.1", "192.0.2.1/32"}, {BlockAddress, "2001:DB8::1/32", "2001:db8::/32"},
		{BlockAddress, "::ffff:192.0.2.1", "192.0.2.1/32"}, {BlockAddress, "::ffff:192.0.2.0/120", "192.0.2.0/24"},
		{BlockAddress, "0.0.0.0/0", ""}, {BlockAddress, "::/0", ""}, {BlockAddress, "192.0.2.1/33", ""}, {BlockAddress, "fe80::1%eth0", ""}, {BlockAddress, "here", ""}, {BlockAddress, "", ""},
		{BlockEmail, "@Mail.Example", "mail.example"}, {BlockEmail, "*.mail.example", "mail.example"}, {BlockEmail, "example", ""}, {BlockEmail, "a@b.example", ""}, {BlockEmail, "a..b", ""}, {BlockEmail, ".b.c", ""},
		{BlockName, "Admin", "admin"}, {BlockName, "free*", "free*"}, {BlockName, "?x_1", "?x_1"}, {BlockName, "a", ""}, {BlockName, "**", ""}, {BlockName, "[ab]c", ""}, {BlockName, "a b", ""},
		{"else", "x", ""},
	} {
		got, err := ParseSignUpBlock(tc.kind, tc.value)
		if got != tc.want || (err == nil) != (tc.want != "") || err != nil && KindOf(err) != Invalid {
			t.Errorf("%s %q: %q, %v", tc.kind, tc.value, got, err)
		}
	}
}

// TestAgainstSignUp checks that a rule that refuses has priority over one that requires approval,
// and that expired ones are ignored.
func TestAgainstSignUp(t *testing.T) {
	now := time.Now()
	all := []SignUpBlock{{ID: 1, Kind: BlockName, Value: "bird", Ask: true}, {ID: 2, Kind: BlockName, Value: "black*", Expires: now.Add(time.Hour)}, {ID: 3, Kind: BlockAddress, Value: "192.0.2.0/24"}}
	for _, tc := range []struct {
		login, from string
		at          time.Time
		want        ID
	}{
		{"ann", "", now, 0}, {"Blackbird", "", now, 2}, {"blackbird", "", now.Add(time.Hour), 1}, {"ann", "192.0.2.9", now, 3}, {"ann", "::ffff:192.0.2.9", now, 3}, {"ann", "192.0.3.9", now, 0}, {"bird", "192.0.2.9", now, 3},
	} {
		in := SignUp{Login: tc.login}
		if tc.from != "" {
			in.From = netip.MustParseAddr(tc.from)
		}
		got := ID(0)
		if b := AgainstSignUp(all, &in, tc.at); b != nil {
			got = b.ID
		}
		if got != tc.want {
			t.Errorf("%+v: rule %d", tc, got)
		}
	}
}
