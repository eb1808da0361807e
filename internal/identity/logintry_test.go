package identity_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/linnet"
)

// TestLogInCountsSpellingsTogether checks that attempts at an account count together for all
// spellings of its login, even if the account does not exist.
func TestLogInCountsSpellingsTogether(t *testing.T) {
	for _, name := range []string{"ann", "nobody"} {
		t.Run(name, func(t *testing.T) {
			w, _ := apptest.WithClock(t) // at the beginning of a window
			w.User("ann")
			spellings := []string{name, "@" + name, "@ " + name, "@@" + name, "@@ " + name, " " + name + " ", strings.ToUpper(name),
				name + "@linnet.test", "@" + name + "@LINNET.test", "\t" + name + "\u00a0", "@@ " + name + "@linnet.test "}
			tried := 0
			for i := range 60 {
				_, _, err := w.Identity.LogIn(w.Ctx, spellings[i%len(spellings)], "wrong horse", netip.MustParseAddr("192.0.2.1"))
				if linnet.KindOf(err) == linnet.Unauthenticated {
					tried++
				}
			}
			if tried != 10 {
				t.Errorf("%d passwords were tried from one address, want 10", tried)
			}
		})
	}
}

// TestLogInCountsNetworks checks that IPv6 attempts are counted by networks of 64 and 48 bits.
func TestLogInCountsNetworks(t *testing.T) {
	for _, c := range []struct {
		what string
		from func(i int) string
		want int // allowed attempts at different accounts, of 300
	}{
		{"one address", func(int) string { return "192.0.2.1" }, 50},
		{"one address as IPv6", func(int) string { return "::ffff:192.0.2.1" }, 50},
		{"a network of 64 bits", func(i int) string { return fmt.Sprintf("2001:db8:1:2::%x", i+1) }, 50},
		{"a site of 48 bits", func(i int) string { return fmt.Sprintf("2001:db8:1:%x::1", i) }, 250},
		{"sites that differ", func(i int) string { return fmt.Sprintf("2001:db8:%x::1", i) }, 300},
	} {
		t.Run(c.what, func(t *testing.T) {
			w, _ := apptest.WithClock(t) // at the beginning of a window
			tried := 0
			for i := range 300 {
				_, _, err := w.Identity.LogIn(w.Ctx, fmt.Sprint("user", i), "wrong horse", netip.MustParseAddr(c.from(i)))
				if linnet.KindOf(err) == linnet.Unauthenticated {
					tried++
				}
			}
			if tried != c.want {
				t.Errorf("%d attempts, want %d", tried, c.want)
			}
		})
	}
}

// TestLogInsOfAllAreLimited checks that many guessing addresses are allowed fewer failures each,
// and that the correct password still works.
func TestLogInsOfAllAreLimited(t *testing.T) {
	w, _ := apptest.WithClock(t) // at the beginning of a window
	w.User("ann")
	from := func(i int) netip.Addr { return netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}) }
	for i := range identity.LoginTotal + 1 {
		_, _, err := w.Identity.LogIn(w.Ctx, fmt.Sprint("user", i), "wrong horse", from(i))
		apptest.WantKind(t, err, linnet.Unauthenticated)
	}
	fresh, tried := from(1<<20), 0
	for i := range 10 {
		_, _, err := w.Identity.LogIn(w.Ctx, fmt.Sprint("other", i), "wrong horse", fresh)
		if linnet.KindOf(err) == linnet.Unauthenticated {
			tried++
		}
	}
	if tried != 3 {
		t.Errorf("%d attempts from one address of many, want 3", tried)
	}
	if _, _, err := w.Identity.LogIn(w.Ctx, "ann", apptest.Password, from(1<<20+1)); err != nil {
		t.Errorf("who knows the password is kept out: %v", err)
	}
}

// TestAddressKey checks that addresses have the same key if they are in the same IPv6 network of 64
// bits, or the same IPv4 address in two notations.
func TestAddressKey(t *testing.T) {
	for in, want := range map[string]string{
		"192.0.2.7": "192.0.2.7", "::ffff:192.0.2.7": "192.0.2.7",
		"2001:db8:1:2:3:4:5:6": "2001:db8:1:2::", "2001:db8:1:2::9": "2001:db8:1:2::", "fe80::1%eth0": "fe80::",
	} {
		if got := core.AddressKey(netip.MustParseAddr(in)); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
	if core.AddressKey(netip.Addr{}) == "" {
		t.Error("an unknown address counts nowhere")
	}
}
