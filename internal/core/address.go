package core

import (
	"net/url"
	"strings"

	"linnet/internal/linnet"
)

// LocalAddress returns the account that a URL of this server refers to, and the status if it refers
// to one. It accepts page URLs, with or without a query or trailing slash, and the URIs of accounts
// and statuses.
func (s *Service) LocalAddress(address string) (login string, status linnet.ID, ok bool) {
	u, err := url.Parse(strings.TrimSpace(address))
	own, err2 := url.Parse(s.opt.PublicURL)
	if err != nil || err2 != nil || u.Scheme != "https" && u.Scheme != "http" || !strings.EqualFold(u.Host, own.Host) {
		return "", 0, false
	}
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	switch {
	case strings.HasPrefix(parts[0], "@"):
		login, parts = parts[0][1:], parts[1:]
	case parts[0] == "users" && len(parts) > 1:
		login, parts = parts[1], parts[2:]
		if len(parts) > 0 && parts[0] == "statuses" {
			parts = parts[1:]
		}
	default:
		return "", 0, false
	}
	if login, ok = s.LocalLogin(login); !ok || len(parts) == 0 {
		return login, 0, ok
	}
	if len(parts) > 2 || len(parts) == 2 && parts[1] != "embed" && parts[1] != "activity" {
		return "", 0, false
	}
	status, ok = linnet.ParseID(parts[0])
	return login, status, ok
}
