package torture_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// idleMemory is the limit of an idle server's memory.
const idleMemory = 64 << 20

// TestIdleMemory checks that an idle server takes little memory, as it may run on a small machine.
func TestIdleMemory(t *testing.T) {
	s := serve(t, 2)
	time.Sleep(3 * time.Second)
	took := s.memory()
	t.Logf("an idle server takes %.1f MB", float64(took)/(1<<20))
	if took > idleMemory {
		t.Errorf("an idle server takes %d bytes, it may take %d", took, idleMemory)
	}
	s.stop()
}

// memory returns the resident memory of the server in bytes.
func (s *server) memory() int64 {
	s.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		s.Skip("memory of a process is not to be had here: ", err)
	}
	for line := range strings.Lines(string(data)) {
		var kb int64
		if n, _ := fmt.Sscanf(line, "VmRSS: %d kB", &kb); n == 1 {
			return kb << 10
		}
	}
	s.Fatal("no VmRSS")
	return 0
}
