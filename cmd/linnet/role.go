package main

import "net/http"

// The roles of a server. Many servers on one Redis may divide the work: some
// answer people, others do what acts have left to do later.
const (
	roleAll    = "all"    // both
	roleWeb    = "web"    // answers; what is left of a task after its first pass goes to others
	roleWorker = "worker" // does tasks; answers only how it is
)

// checkRole refuses what cannot work.
func (c *config) checkRole() error {
	if c.Role != roleAll && c.embedded() {
		return &fault{code: exitUsage, what: "role " + c.Role + " needs Redis; the embedded store has a single server, which does everything",
			from: c.from("role"), advice: "Set --store to a Redis, or leave out --role."}
	}
	return nil
}

// checkServing refuses what no server of the role can do.
func (c *call) checkServing() error {
	if err := c.cfg.checkRole(); err != nil {
		return err
	}
	if err := c.cfg.checkFiles(); err != nil {
		return err
	}
	if err := c.cfg.checkFFmpeg(); err != nil {
		return err
	}
	if c.cfg.Role == roleWorker && len(c.args()) > 0 {
		return usage("a worker serves no requests and needs no certificate, so it takes no domain", "Leave out "+c.args()[0]+".")
	}
	return nil
}

// serves reports whether people are answered here.
func (s *server) serves() bool { return s.cfg.Role != roleWorker }

// workerRoutes is all that a worker answers; /metrics has its own listener.
func (s *server) workerRoutes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /livez", s.health.live)
	mux.HandleFunc("GET /readyz", s.health.ready)
	return mux
}
