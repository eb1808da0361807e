package redistest

import (
	"fmt"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"
)

const slots = 16384

// Nodes are the servers of a Cluster: the masters with equal shares of the slots, and the replicas,
// which belong to the masters in turn.
type Nodes struct {
	Masters  []*Server
	Replicas []*Server
	proxies  map[*Server]*Proxy
}

// Proxy returns the proxy of a server of ClusterBehindProxies.
func (n *Nodes) Proxy(s *Server) *Proxy { return n.proxies[s] }

// ClusterBehindProxies starts a Cluster whose servers are announced to clients and replicas with
// the addresses of proxies. The messages of the Cluster bus do not pass through the proxies.
func ClusterBehindProxies(t testing.TB, masters, replicas int, args ...string) *Nodes {
	t.Helper()
	Require(t)
	proxies := map[string]*Proxy{} // by announced port
	n := newCluster(t, masters, replicas, func(port string) []string {
		p := NewTCPProxy(t, net.JoinHostPort("127.0.0.1", port))
		_, announced, _ := net.SplitHostPort(p.addr)
		proxies[announced] = p
		return append([]string{"--cluster-announce-port", announced}, args...)
	})
	n.proxies = map[*Server]*Proxy{}
	for _, s := range n.All() {
		n.proxies[s] = proxies[s.option("--cluster-announce-port")]
	}
	return n
}

// Cluster starts a Cluster on ports of 127.0.0.1 and waits until it is ready. A replica replaces a
// failing master after about two seconds. Without replicas the timeout is longer, so that a slow
// master does not count as failed. args are options of all servers.
func Cluster(t testing.TB, masters, replicas int, args ...string) *Nodes {
	t.Helper()
	Require(t)
	return newCluster(t, masters, replicas, func(string) []string { return args })
}

// newCluster starts the servers with the options that args returns for a port.
func newCluster(t testing.TB, masters, replicas int, args func(port string) []string) *Nodes {
	t.Helper()
	patience := "30000"
	if replicas > 0 {
		patience = "1500"
	}
	var all []*Server
	for range masters + replicas {
		all = append(all, startOnPort(t, func(port string) []string {
			return append(defaults("--port", port, "--bind", "127.0.0.1",
				"--cluster-enabled", "yes", "--cluster-port", FreePort(t), "--cluster-node-timeout", patience,
				"--cluster-announce-ip", "127.0.0.1", "--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1",
			), args(port)...)
		}))
	}
	n := &Nodes{Masters: all[:masters], Replicas: all[masters:]}
	// A server forgets a node whose handshake takes longer than the timeout, and a busy machine can
	// take longer than 1.5 s.
	for _, s := range all {
		s.Do("CONFIG", "SET", "cluster-node-timeout", "30000")
	}
	n.meet(all)
	for i, r := range n.Replicas {
		id := n.Masters[i%masters].Do("CLUSTER", "MYID")
		until(t, "the replica does not know its master", func() bool {
			return strings.Contains(r.Do("CLUSTER", "NODES"), id)
		})
		r.Do("CLUSTER", "REPLICATE", id)
	}
	for _, s := range all {
		until(t, "the Cluster is not up", func() bool { return n.ready(s) })
	}
	for _, s := range all {
		s.Do("CONFIG", "SET", "cluster-node-timeout", patience)
	}
	return n
}

// meet distributes the slots and connects the servers.
func (n *Nodes) meet(all []*Server) {
	for i, m := range n.Masters {
		from, to := i*slots/len(n.Masters), (i+1)*slots/len(n.Masters)-1
		m.Do("CLUSTER", "ADDSLOTSRANGE", strconv.Itoa(from), strconv.Itoa(to))
		m.Do("CLUSTER", "SET-CONFIG-EPOCH", strconv.Itoa(i+1))
	}
	for i, r := range n.Replicas {
		r.Do("CLUSTER", "SET-CONFIG-EPOCH", strconv.Itoa(len(n.Masters)+i+1))
	}
	for _, s := range all[1:] {
		host, port, _ := net.SplitHostPort(s.addr)
		all[0].Do("CLUSTER", "MEET", host, port, s.option("--cluster-port"))
	}
}

// option returns the value of an option of the server.
func (s *Server) option(name string) string {
	for i, a := range s.args {
		if a == name {
			return s.args[i+1]
		}
	}
	return ""
}

// ready reports whether a server sees all slots covered and all replicas online.
func (n *Nodes) ready(s *Server) bool {
	info := s.Do("CLUSTER", "INFO")
	known := fmt.Sprintf("cluster_known_nodes:%d\r", len(n.Masters)+len(n.Replicas))
	covered := fmt.Sprintf("cluster_slots_ok:%d\r", slots) // the state can be ok without it
	for _, want := range []string{"cluster_state:ok", known, covered} {
		if !strings.Contains(info, want) {
			return false
		}
	}
	if strings.Count(s.Do("CLUSTER", "NODES"), "slave") != len(n.Replicas) {
		return false
	}
	repl := s.Do("INFO", "replication")
	if strings.Contains(repl, "role:master") {
		// A replica that has not acknowledged anything yet receives no commands.
		online := strings.Count(repl, "state=online") - strings.Count(repl, "offset=0,")
		return online == strings.Count(repl, ",state=")
	}
	return strings.Contains(repl, "master_link_status:up")
}

// URL returns the URL for rediskv.Open with the first two servers.
func (n *Nodes) URL() string {
	url := "redis://" + n.Masters[0].addr
	if len(n.Masters) > 1 {
		url += "," + n.Masters[1].addr
	}
	return url
}

// All returns the servers, masters first.
func (n *Nodes) All() []*Server {
	return append(append([]*Server{}, n.Masters...), n.Replicas...)
}

func until(t testing.TB, complaint string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(complaint)
		}
	}
}
