package torture_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"linnet/internal/kv/redistest"
	"linnet/internal/torture"
)

// TestFailover: a master of a Cluster is killed while its replica lags. With
// wait_replicas nothing that was acknowledged is lost.
func TestFailover(t *testing.T) {
	failover(t, "--redis.wait_replicas", "1")
}

// TestFailoverWithoutWait: without it the loss is reported.
func TestFailoverWithoutWait(t *testing.T) {
	if !long() {
		t.Skip("shows what is lost without a promise; with LINNET_TORTURE=long")
	}
	sum := failover(t)
	t.Logf("without wait_replicas %d of %d acknowledged acts were lost", sum.Lost, sum.Acked)
}

func failover(t *testing.T, args ...string) torture.Sum {
	program(t)
	redistest.Require(t)
	t.Parallel()
	nodes := redistest.Cluster(t, 3, 3)
	master, replica := nodes.Masters[0], nodes.Replicas[0]
	strike := func(ctx context.Context, r *torture.Round) error {
		replica.Stop()
		time.Sleep(time.Duration(500+r.Chance(1500)) * time.Millisecond)
		master.Kill()
		replica.Continue()
		r.StarPosts(ctx)
		if !within(20*time.Second, func() bool { return strings.Contains(replica.Do("INFO", "replication"), "role:master") }) {
			return fmt.Errorf("the replica does not take over")
		}
		master.Restart()
		master, replica = replica, master
		if !within(20*time.Second, func() bool { return strings.Contains(replica.Do("INFO", "replication"), "master_link_status:up") }) {
			return fmt.Errorf("the former master does not follow")
		}
		return r.Await(ctx)
	}
	return run(t, torture.Options{Store: nodes.URL() + "," + nodes.Masters[2].Addr(), Args: args, Lossy: len(args) == 0, Followers: either(1_000, 5_000),
		Faults: []torture.Fault{{Name: "failover", Strike: strike}}, Rounds: either(1, 6)})
}

func within(patience time.Duration, done func() bool) bool {
	for end := time.Now().Add(patience); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}
