package rediskv_test

import (
	"errors"
	"strings"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/kv/rediskv"
	"linnet/internal/kv/redistest"
)

// TestExplained checks that Ping returns why a Redis refuses writes, with the remedy, and nothing
// once it accepts them again.
func TestExplained(t *testing.T) {
	for name, tc := range map[string]struct {
		ail, heal []string
		want      string
	}{
		"full":        {[]string{"CONFIG", "SET", "maxmemory", "1"}, []string{"CONFIG", "SET", "maxmemory", "0"}, "maxmemory"},
		"no replicas": {[]string{"CONFIG", "SET", "min-replicas-to-write", "1"}, []string{"CONFIG", "SET", "min-replicas-to-write", "0"}, "min-replicas-to-write"},
		"a replica":   {[]string{"REPLICAOF", "127.0.0.1", "1"}, []string{"REPLICAOF", "NO", "ONE"}, "REPLICAOF NO ONE"},
		"no right":    {[]string{"ACL", "SETUSER", "default", "-set"}, []string{"ACL", "SETUSER", "default", "+set"}, "ACL SETUSER"},
	} {
		t.Run(name, func(t *testing.T) {
			s := redistest.Start(t)
			e := open(t, s.URL(), guarded)
			s.Do(tc.ail...)
			var told *kv.Trouble
			err := e.Ping(t.Context())
			if !errors.As(err, &told) || !strings.Contains(told.Reason.String(), tc.want) || !errors.Is(err, kv.ErrUnavailable) && !errors.Is(err, kv.ErrFull) {
				t.Errorf("%v", err)
			}
			s.Do(tc.heal...)
			if err := e.Ping(t.Context()); err != nil {
				t.Errorf("when it is well again: %v", err)
			}
		})
	}
}

// TestPasswordChanged checks the error for a password that is no longer valid on reconnection. It
// does not contain the password.
func TestPasswordChanged(t *testing.T) {
	s := redistest.Start(t)
	s.Do("ACL", "SETUSER", "linnet", "on", ">hunter2", "~*", "&*", "+@all")
	e := open(t, strings.Replace(s.URL(), "unix://", "unix://linnet:hunter2@", 1), rediskv.Options{Guard: true})
	s.Do("ACL", "SETUSER", "linnet", "resetpass", ">hunter3")
	s.Do("CLIENT", "KILL", "USER", "linnet")
	until(t, "the reason is known", func() bool {
		var told *kv.Trouble
		err := e.Ping(t.Context())
		if err != nil && strings.Contains(err.Error(), "hunter") {
			t.Fatal(err)
		}
		return errors.As(err, &told) && strings.Contains(told.Reason.String(), "rejected this server")
	})
}
