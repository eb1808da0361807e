package admin

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"linnet/internal/wording"
)

// Progress shows the progress of an operation: on a terminal as one line that is overwritten, and
// otherwise as lines at intervals. A nil Progress shows nothing. It is safe for concurrent use.
type Progress struct {
	w    io.Writer
	live bool // w is a terminal
	now  func() time.Time

	mu      sync.Mutex
	what    string
	total   int64 // 0 if unknown
	done    int64
	toil    int64 // total cost, if steps have different costs; 0 otherwise
	spent   int64 // finished part of toil
	began   time.Time
	printed time.Time
	width   int // width of the line on the terminal
}

// Intervals of updates.
const (
	liveEvery  = 200 * time.Millisecond
	linesEvery = 10 * time.Second
)

// NewProgress returns a Progress for w. live reports that w is a terminal.
func NewProgress(w io.Writer, live bool) *Progress {
	return &Progress{w: w, live: live, now: time.Now}
}

// start starts a phase with a number of steps, 0 if unknown.
func (p *Progress) start(what string, total int64) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what, p.total, p.done, p.began = what, total, 0, p.now()
	p.toil, p.spent = 0, 0
	p.printed = p.began
}

// weigh sets the total cost of a phase, from which the remaining time is estimated. spend adds the
// cost done.
func (p *Progress) weigh(toil int64) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.toil = toil
}

func (p *Progress) spend(toil int64) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spent += toil
}

// add records n more finished steps.
func (p *Progress) add(n int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += int64(n)
	every := linesEvery
	if p.live {
		every = liveEvery
	}
	if now := p.now(); now.Sub(p.printed) >= every && (p.total == 0 || p.done < p.total) {
		p.printed = now
		p.print("")
	}
}

// say writes a separate line.
func (p *Progress) say(line string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.live {
		line, p.width = "\r"+line+strings.Repeat(" ", max(p.width-len(line), 0)), 0
	}
	_, _ = io.WriteString(p.w, line+"\n")
}

// end ends the phase.
func (p *Progress) end() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total = p.done
	if p.live {
		p.print("\n")
	} else {
		p.print("")
	}
	p.width = 0
}

// print writes the line. It ignores write errors, because they should not stop the operation.
func (p *Progress) print(tail string) {
	line := p.line()
	if !p.live {
		_, _ = io.WriteString(p.w, line+"\n")
		return
	}
	pad := strings.Repeat(" ", max(p.width-len(line), 0))
	p.width = len(line)
	_, _ = io.WriteString(p.w, "\r"+line+pad+tail)
}

// Message returns the progress as a message that can be translated.
func (p *Progress) Message() wording.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	what := wording.Message(p.what)
	if p.total == 0 {
		return wording.Messagef("%s: %s", what, group(p.done))
	}
	part, _, left := p.gauge()
	text := wording.Messagef("%s: %s of %s (%d%%)", what, group(p.done), group(p.total), int(part*100))
	if left > 0 {
		return wording.Messagef("%s; about %s left", text, left.Round(time.Second))
	}
	return text
}

// gauge returns the finished share, the steps per second and the remaining time; 0 if unknown.
func (p *Progress) gauge() (part, rate float64, left time.Duration) {
	took := p.now().Sub(p.began).Seconds()
	if took > 0 {
		rate = float64(p.done) / took
	}
	part = min(float64(p.done)/float64(max(p.total, 1)), 1)
	if p.toil > 0 && p.done < p.total {
		part = min(float64(p.spent)/float64(p.toil), 1)
	}
	if part > 0 {
		left = time.Duration(took * (1 - part) / part * float64(time.Second))
	}
	return part, rate, left
}

// line returns the line, such as "users 12,400/18,000 |######    | 69% 3,100/s ETA 2s".
func (p *Progress) line() string {
	part, rate, left := p.gauge()
	if p.total == 0 {
		return fmt.Sprintf("%s %s %s/s", p.what, group(p.done), group(int64(rate)))
	}
	line := fmt.Sprintf("%s %s/%s |%-10s| %d%% %s/s", p.what, group(p.done), group(p.total), strings.Repeat("#", int(part*10)), int(part*100), group(int64(rate)))
	if p.done >= p.total {
		return line + " in " + p.now().Sub(p.began).Round(10*time.Millisecond).String()
	}
	if part > 0 {
		line += " ETA " + left.Round(time.Second).String()
	}
	return line
}

// group writes a number with commas between thousands.
func group(n int64) string {
	s := strconv.FormatInt(n, 10)
	from := len(s) % 3
	if n < 0 {
		from = (len(s)-1)%3 + 1
	}
	var b strings.Builder
	b.WriteString(s[:from])
	for i := from; i < len(s); i += 3 {
		if b.Len() > 0 && s[:i] != "-" {
			b.WriteByte(',')
		}
		b.WriteString(s[i : i+3])
	}
	return b.String()
}
