package rediskv

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// target is a parsed URL: the addresses, the user and the options.
type target struct {
	addrs        []string // host:port, or one path of a socket
	unix         bool
	tls          bool
	user, pass   string
	db           int
	master       string // name of a Sentinel group, or ""
	sentinelUser string
	sentinelPass string
}

// CheckURL checks the URL of a store without connecting, see parseURL.
func CheckURL(text string) error {
	_, err := parseURL(text)
	return err
}

// parseURL parses
//
//	redis://[user:pass@]host[:port][,host[:port]...][/db][?master=name]
//	rediss://...            the same over TLS
//	redis+sentinel://...    the same with master required; also rediss+sentinel
//	unix:///path/to/socket[?db=n]
//
// with db, master, sentinel_user and sentinel_password as parameters. Its errors contain no
// secrets.
func parseURL(text string) (target, error) {
	var t target
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		return t, fmt.Errorf("the Redis URL must start with redis://, rediss:// or unix://")
	}
	rest, query, _ := strings.Cut(rest, "?")
	if err := t.setScheme(scheme); err != nil {
		return t, err
	}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		if err := t.setUser(rest[:at]); err != nil {
			return t, err
		}
		rest = rest[at+1:]
	}
	if err := t.setLocation(rest, strings.HasSuffix(scheme, "+sentinel")); err != nil {
		return t, err
	}
	if err := t.setParams(query); err != nil {
		return t, err
	}
	if strings.HasSuffix(scheme, "+sentinel") && t.master == "" {
		return t, fmt.Errorf("the Sentinel URL lacks the master's name: append ?master=NAME")
	}
	if t.unix && t.master != "" {
		return t, fmt.Errorf("the Sentinel URL contains a socket file: use HOST:PORT")
	}
	return t, nil
}

func (t *target) setScheme(scheme string) error {
	switch scheme {
	case "redis", "valkey", "redis+sentinel":
	case "rediss", "valkeys", "rediss+sentinel":
		t.tls = true
	case "unix":
		t.unix = true
	default:
		return fmt.Errorf("URL scheme %q is not one of redis, rediss, unix, redis+sentinel, rediss+sentinel", scheme)
	}
	return nil
}

func (t *target) setUser(text string) error {
	user, pass, _ := strings.Cut(text, ":")
	var err1, err2 error
	t.user, err1 = url.PathUnescape(user)
	t.pass, err2 = url.PathUnescape(pass)
	if err1 != nil || err2 != nil {
		return fmt.Errorf("the user or password in the Redis URL is not escaped correctly")
	}
	return nil
}

// setLocation parses the part between the user and the parameters.
func (t *target) setLocation(text string, sentinel bool) error {
	if t.unix {
		path, err := url.PathUnescape(text)
		if err != nil || !strings.HasPrefix(path, "/") {
			return fmt.Errorf("%q is not the absolute path of a socket file", text)
		}
		t.addrs = []string{path}
		return nil
	}
	hosts, db, _ := strings.Cut(text, "/")
	if db != "" {
		if err := t.setDB(db); err != nil {
			return err
		}
	}
	port := "6379"
	if sentinel {
		port = "26379"
	}
	for host := range strings.SplitSeq(hosts, ",") {
		addr, err := hostPort(host, port)
		if err != nil {
			return err
		}
		t.addrs = append(t.addrs, addr)
	}
	return nil
}

func hostPort(text, port string) (string, error) {
	host := text
	if h, p, err := net.SplitHostPort(text); err == nil {
		host, port = h, p
	} else {
		host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 || strings.ContainsAny(host, "[]/ @\x00") || strings.Contains(host, ":") && net.ParseIP(host) == nil {
		return "", fmt.Errorf("%q does not have the form HOST or HOST:PORT", text)
	}
	if host == "" {
		host = "localhost"
	}
	return net.JoinHostPort(host, port), nil
}

func (t *target) setDB(text string) error {
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return fmt.Errorf("database %q is not a number from 0 to 65535", text)
	}
	t.db = int(n)
	return nil
}

func (t *target) setParams(query string) error {
	params, err := url.ParseQuery(query)
	if err != nil {
		return fmt.Errorf("the parameters in the Redis URL are not escaped correctly")
	}
	for name, values := range params {
		value := values[len(values)-1]
		switch name {
		case "db":
			if err := t.setDB(value); err != nil {
				return err
			}
		case "master":
			t.master = value
		case "sentinel_user":
			t.sentinelUser = value
		case "sentinel_password":
			t.sentinelPass = value
		default:
			return fmt.Errorf("unknown parameter %q in the Redis URL", name)
		}
	}
	return nil
}

// location returns the location of the target without secrets.
func (t *target) location() string {
	location := strings.Join(t.addrs, ",")
	if t.db != 0 {
		location += "/" + strconv.Itoa(t.db)
	}
	if t.master != "" {
		location += " (Sentinel, master " + t.master + ")"
	}
	return location
}
