package media

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"time"

	"golang.org/x/sync/semaphore"
)

const (
	atOnce   = 2               // concurrent pictures, if they fit into memory
	waiting  = 32              // maximum number of waiting pictures
	workTime = 2 * time.Minute // time limit for a picture in its own process
)

// ErrBusy is returned if too many pictures are waiting.
var ErrBusy = errors.New("too many pictures are being processed")

// Worker processes pictures, as many at a time as fit into MaxMemory. It is safe for concurrent
// use.
type Worker struct {
	command []string
	tool    []string            // runs ffmpeg; empty if there is none
	memory  *semaphore.Weighted // bytes
	hands   *semaphore.Weighted
	queue   chan struct{}
}

// NewWorker returns a worker that runs a command for each picture. The command must call Serve. If
// a picture needs more memory than expected, only that process ends and its memory is freed.
// Without a command this process does the work.
func NewWorker(command ...string) *Worker {
	return &Worker{command: command, memory: semaphore.NewWeighted(MaxMemory), hands: semaphore.NewWeighted(atOnce),
		queue: make(chan struct{}, waiting+atOnce)}
}

// Process is like the function Process for a file, as soon as there is memory. It returns ErrBusy
// if too many pictures are waiting. Waiting files are not in memory.
func (w *Worker) Process(ctx context.Context, f *os.File, shape Shape) (*Result, error) {
	select {
	case w.queue <- struct{}{}:
		defer func() { <-w.queue }()
	default:
		return nil, ErrBusy
	}
	if err := w.hands.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer w.hands.Release(1)
	data, err := io.ReadAll(io.LimitReader(io.NewSectionReader(f, 0, MaxBytes+1), MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read a picture: %w", err)
	}
	if name := heif(data); name != "" && len(w.tool) > 0 && shape != Emoji {
		out, err := w.runTool(ctx, f, MP4, "", []string{"-frames:v", "1", "-vf", scaled(maxHEIFSide)})
		if err != nil {
			return nil, refuse("is a type of %s that this server doesn't support. Upload it as JPEG, PNG or WebP", name)
		}
		defer out.Close()
		if data, err = io.ReadAll(io.LimitReader(io.NewSectionReader(out, 0, MaxBytes+1), MaxBytes+1)); err != nil {
			return nil, fmt.Errorf("read a picture: %w", err)
		}
		f = out
	}
	p, err := look(data)
	if err != nil {
		return nil, err
	}
	if err := w.memory.Acquire(ctx, p.cost); err != nil {
		return nil, err
	}
	defer w.memory.Release(p.cost)
	if len(w.command) == 0 {
		return Process(data, shape)
	}
	return w.apart(ctx, f, shape)
}

// answer is the response of a process about a picture. The stored data follows it.
type answer struct {
	Result  *Result
	Refusal Refusal
	Fault   string
	Sizes   [2]int // size in bytes of the stored picture and the preview
}

// apart processes a picture in a separate process, which gets only the picture.
func (w *Worker) apart(ctx context.Context, f *os.File, shape Shape) (*Result, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("read a picture: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, workTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, w.command[0], append(w.command[1:], string(shape))...)
	cmd.Env = []string{}
	cmd.WaitDelay = time.Second
	cmd.Stdin = f
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start the image process: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the image process: %w", err)
	}
	a, rerr := readAnswer(out)
	if err := cmd.Wait(); ctx.Err() != nil {
		return nil, refuse("took too long to decode. Upload a smaller picture")
	} else if err != nil || rerr != nil { // ended by its limits
		return nil, refuse("needs too much memory or time to decode. Upload a smaller picture")
	}
	switch {
	case a.Refusal != "":
		return nil, a.Refusal
	case a.Fault != "":
		return nil, errors.New(a.Fault)
	}
	return a.Result, nil
}

func readAnswer(r io.Reader) (a answer, err error) {
	in := bufio.NewReader(r)
	line, err := in.ReadBytes('\n')
	if err != nil {
		return a, err
	}
	if err := json.Unmarshal(line, &a); err != nil {
		return a, err
	}
	if a.Result == nil {
		return a, nil
	}
	for i, p := range []*Picture{&a.Result.Stored, &a.Result.Small} {
		if a.Sizes[i] < 0 || a.Sizes[i] > 4*MaxBytes {
			return a, errors.New("invalid picture size")
		}
		if a.Sizes[i] == 0 {
			continue
		}
		p.Data = make([]byte, a.Sizes[i])
		if _, err := io.ReadFull(in, p.Data); err != nil {
			return a, err
		}
	}
	return a, nil
}

// Serve processes one picture from in and writes the response for apart. It is for a process with
// no other purpose.
func Serve(in io.Reader, out io.Writer, shape Shape) error {
	debug.SetGCPercent(25)
	debug.SetMemoryLimit(MaxMemory + 40<<20)
	data, err := io.ReadAll(io.LimitReader(in, MaxBytes+1))
	if err != nil {
		return fmt.Errorf("read the picture: %w", err)
	}
	var a answer
	r, err := Process(data, shape)
	switch {
	case err == nil:
		a.Result, a.Sizes = r, [2]int{len(r.Stored.Data), len(r.Small.Data)}
	case errors.As(err, &a.Refusal):
	default:
		a.Fault = err.Error()
	}
	head, err := json.Marshal(a)
	if err != nil {
		return fmt.Errorf("write the response: %w", err)
	}
	if _, err := out.Write(append(head, '\n')); err != nil {
		return fmt.Errorf("write the response: %w", err)
	}
	if r == nil {
		return nil
	}
	for _, p := range []Picture{r.Stored, r.Small} {
		if _, err := out.Write(p.Data); err != nil {
			return fmt.Errorf("write the response: %w", err)
		}
	}
	return nil
}
