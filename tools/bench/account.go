package bench

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"sync"
)

// Account is an account that makes requests.
type Account struct {
	Login string
	Token string // access token; it never appears in results or errors
}

// ReadAccounts reads lines of the form login:token. It ignores empty lines and lines that begin
// with #. Errors contain the number of the line, never the token.
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
			return nil, fmt.Errorf("line %d does not have the form login:token", n)
		}
		key := strings.ToLower(login)
		if before := seen[key]; before > 0 {
			return nil, fmt.Errorf("line %d contains %s, as line %d does", n, login, before)
		}
		seen[key] = n
		out = append(out, Account{Login: login, Token: token})
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read accounts: %w", err)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("the file contains no accounts")
	}
	return out, nil
}

// member is an account with its data on the server.
type member struct {
	Account
	id        string
	followers int
	follows   map[int]bool // authors of the ledger that it follows, see stale.go

	mu     sync.Mutex
	newest string // first status of its home at the last read
	oldest string // last status of that page
}

// sees stores the ends of a page of home, unless it is empty.
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

// seen returns the ends of the last non-empty page of home.
func (m *member) seen() (newest, oldest string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.newest, m.oldest
}
