package bench

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"sync"
)

// Account is somebody in whose name requests are made.
type Account struct {
	Login string
	Token string // access token; it never appears in results or errors
}

// ReadAccounts reads lines of the form login:token. Empty lines and lines that
// begin with # count for nothing. Errors name the line, never the token.
func ReadAccounts(r io.Reader) ([]Account, error) {
	var out []Account
	seen := map[string]int{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		login, token, ok := strings.Cut(line, ":")
		login, token = strings.TrimSpace(login), strings.TrimSpace(token)
		if !ok || login == "" || token == "" || strings.ContainsAny(token, " \t") {
			return nil, fmt.Errorf("line %d is not of the form login:token", n)
		}
		key := strings.ToLower(login)
		if before := seen[key]; before > 0 {
			return nil, fmt.Errorf("line %d names %s, as line %d does", n, login, before)
		}
		seen[key] = n
		out = append(out, Account{Login: login, Token: token})
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read accounts: %w", err)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("there is no account in it")
	}
	return out, nil
}

// member is an account with what was learnt about it.
type member struct {
	Account
	id        string
	followers int
	follows   map[int]bool // authors of the ledger that it follows; see stale.go

	mu     sync.Mutex
	newest string // status at the top of its home when it was last read
	oldest string // status at the end of that page
}

// sees keeps the ends of a page of home, if it was not empty.
func (m *member) sees(newest, oldest string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if newest != "" {
		m.newest = newest
	}
	if oldest != "" {
		m.oldest = oldest
	}
}

// seen returns the ends of the last page of home that was not empty.
func (m *member) seen() (newest, oldest string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.newest, m.oldest
}
