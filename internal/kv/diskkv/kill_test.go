package diskkv

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const childDir = "LINNET_DISKKV_CHILD_DIR"

// TestChild is the process that TestKill starts, and no test. It writes acts until it is killed and
// prints the acknowledged ones.
func TestChild(t *testing.T) {
	dir := os.Getenv(childDir)
	if dir == "" {
		t.Skip("run by TestKill")
	}
	e, err := Open(dir, Options{Reserve: -1})
	if err != nil {
		t.Fatal(err)
	}
	var next atomic.Int64
	var first int
	fmt.Sscan(os.Getenv(childDir+"_FIRST"), &first)
	next.Store(int64(first))
	for range 8 {
		go func() {
			for {
				n := int(next.Add(1))
				if n >= first+killActs {
					select {} // the parent kills slowly; the next child continues here
				}
				_, ops := act(n)
				if _, err := e.Txn(context.Background(), nil, ops...); err != nil {
					fmt.Println("error", err)
					os.Exit(1)
				}
				os.Stdout.WriteString(fmt.Sprintln("ack", n))
			}
		}()
	}
	time.Sleep(20 * time.Second) // in case the parent has ended
}

// killActs limits the actions of a child.
const killActs = 300

// TestKill kills a process while it writes, and checks that its acknowledged writes are present.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	rounds := 4
	if testing.Short() {
		rounds = 2
	}
	var acked []int
	for round := range rounds {
		got := killRound(t, dir, round*killActs)
		if len(got) == 0 {
			t.Fatal("nothing was acknowledged")
		}
		acked = append(acked, got...)
		e, err := Open(dir, Options{Reserve: -1})
		if err != nil {
			t.Fatal(err)
		}
		if err := checkActs(e, acked, (round+1)*killActs); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d acts acknowledged in %d rounds", len(acked), rounds)
}

// killRound runs a child, lets it acknowledge up to 250 actions and kills it during the next one.
func killRound(t *testing.T, dir string, first int) []int {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestChild$")
	cmd.Env = append(os.Environ(), childDir+"="+dir, fmt.Sprint(childDir, "_FIRST=", first))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var acked []int
	killed := false
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var n int
		if _, err := fmt.Sscanf(lines.Text(), "ack %d", &n); err != nil {
			t.Errorf("child: %s", lines.Text())
			continue
		}
		acked = append(acked, n)
		if len(acked) == 1 {
			wantOwned(t, dir, cmd.Process.Pid)
		}
		if len(acked) > 250-first%97 && !killed {
			killed = true
			cmd.Process.Kill()
		}
	}
	if !killed {
		cmd.Process.Kill()
	}
	cmd.Wait()
	return acked
}

// wantOwned checks that a directory cannot be opened twice, and that the error contains the owner's
// process id.
func wantOwned(t *testing.T, dir string, pid int) {
	t.Helper()
	e, err := Open(dir, Options{})
	if err == nil {
		e.Close()
		t.Fatal("two processes own one directory")
	}
	if !strings.Contains(err.Error(), fmt.Sprint("pid ", pid)) || !strings.Contains(err.Error(), dir) {
		t.Errorf("error %q does not name pid %d and the directory", err, pid)
	}
}
