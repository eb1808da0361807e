package cluster_test

import "testing"

// TestCluster tests an instance from its set-up to failures of its servers. The order of the steps
// matters.
func TestCluster(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes about a minute")
	}
	w := newWorld(t)
	run := func(name string, f func(*world)) bool {
		return t.Run(name, func(t *testing.T) {
			sub := *w
			sub.T = t
			f(&sub)
		})
	}
	if !run("the set-up link of one server works once, at any", setUp) {
		return
	}
	run("people sign up, log in and let apps in across servers", signUp)
	run("an idempotency key makes one status at two servers at once", idempotency)
	run("requests of an address are counted across servers", rateLimit)
	run("failed log-ins are counted across servers", loginLimit)
	run("a stream hears of other servers", streams)
	run("caches hear of other servers", caches)
	var late *fanOut
	run("a server is killed after it has answered a post", func(w *world) { late = killedAfterPost(w) })
	run("a server is stopped under load", stopUnderLoad)
	run("a master of Redis is killed under load", killMaster)
	if late != nil {
		run("the post has reached everybody", late.check)
	}
	run("the store agrees with itself", func(w *world) { w.command("", "check") })
}
