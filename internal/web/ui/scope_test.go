package ui

import (
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// Every valid scope has its own description.
func TestScopesInWords(t *testing.T) {
	tops := []string{"read", "write", "follow", "push", "profile", "admin:read", "admin:write"}
	parts := strings.Fields("accounts blocks bookmarks collections conversations favourites filters follows lists media me mutes " +
		"notifications reports search statuses domain_allows domain_blocks ip_blocks email_domain_blocks canonical_email_blocks")
	all := tops
	for _, top := range []string{"read", "write", "admin:read", "admin:write"} {
		for _, part := range parts {
			if s := top + ":" + part; linnet.ValidScope(s) {
				all = append(all, s)
			}
		}
	}
	if len(all) < 40 {
		t.Fatalf("only %d scopes found", len(all))
	}
	seen := map[string]string{}
	for _, s := range all {
		words := scopeInWords(s)
		if words == "" || strings.Contains(words, ":") && !strings.Contains(words, ": ") || strings.Contains(words, "_") || strings.Contains(words, "permission") {
			t.Errorf("scope %s is explained as %q", s, words)
		}
		if other := seen[words]; other != "" {
			t.Errorf("scopes %s and %s are explained alike: %q", s, other, words)
		}
		seen[words] = s
	}
}

func TestPowers(t *testing.T) {
	var got []string
	for _, p := range Powers([]string{"read:lists", "write", "read:lists", "admin:read", "read"}) {
		s := p.Scope
		if p.Grave {
			s += "!"
		}
		got = append(got, s)
	}
	if want := "write read read:lists admin:read!"; strings.Join(got, " ") != want {
		t.Errorf("powers in order %q, want %q", strings.Join(got, " "), want)
	}
}
