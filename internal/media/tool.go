package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"time"
)

const (
	toolTime     = time.Minute
	maxFrameSide = 1280 // maximum pixels of a picture of a film on its longer side
	maxHEIFSide  = 3840 // the same for a picture in HEIC or AVIF
)

// UseTool makes the worker run ffmpeg (https://ffmpeg.org/ffmpeg.html) with command, for formats it
// can't read itself. command should limit its resources.
func (w *Worker) UseTool(command ...string) *Worker {
	w.tool = command
	return w
}

// ReadsHEIF reports whether pictures of the formats HEIC and AVIF can be read.
func (w *Worker) ReadsHEIF() bool { return len(w.tool) > 0 }

// Still returns a picture of a film: its beginning, or a waveform without pictures. It returns nil
// if there is no tool or it fails.
func (w *Worker) Still(ctx context.Context, f *os.File, film *Film, receiving string) *Result {
	if len(w.tool) == 0 {
		return nil
	}
	args := []string{"-frames:v", "1", "-vf", scaled(maxFrameSide)}
	if !film.Video() {
		args = []string{"-filter_complex", "showwavespic=s=960x540:split_channels=0:colors=0x3c557c", "-frames:v", "1"}
	}
	skip := "0"
	if film.Video() && film.Duration > 2*time.Second {
		skip = "0.5"
	}
	out, err := w.convert(ctx, f, film.Kind, receiving, append([]string{"-ss", skip}, args...))
	if err != nil {
		return nil
	}
	defer out.Close()
	r, err := w.Process(ctx, out, Attached)
	if err != nil {
		return nil
	}
	return r
}

// scaled returns a filter that limits each side of a picture to edge pixels.
func scaled(edge int) string {
	n := strconv.Itoa(edge)
	return "scale='min(" + n + ",iw)':'min(" + n + ",ih)':force_original_aspect_ratio=decrease"
}

// demuxer returns the tool's name of a format. It is passed explicitly, so that no file can be read
// as another format, such as a list of addresses.
func demuxer(k Kind) string {
	switch k {
	case WebM:
		return "matroska"
	case MP3, OGG, FLAC:
		return string(k)
	}
	return "mov"
}

// convert runs the tool on a file, waiting for its turn like Process, and returns the picture as an
// unnamed file. An option -ss comes first among args.
func (w *Worker) convert(ctx context.Context, f *os.File, kind Kind, dir string, args []string) (out *os.File, err error) {
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
	return w.runTool(ctx, f, kind, dir, args)
}

func (w *Worker) runTool(ctx context.Context, f *os.File, kind Kind, dir string, args []string) (out *os.File, err error) {
	if out, err = os.CreateTemp(dir, "linnet-still-"); err != nil {
		return nil, fmt.Errorf("create a picture with ffmpeg: %w", err)
	}
	defer func() {
		if err != nil {
			out.Close()
		}
	}()
	if err := os.Remove(out.Name()); err != nil {
		return nil, fmt.Errorf("create a picture with ffmpeg: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, toolTime)
	defer cancel()
	line := append(slices.Clone(w.tool[1:]), "-nostdin", "-v", "error", "-threads", "1", "-protocol_whitelist", "file,pipe", "-f", demuxer(kind))
	if len(args) > 1 && args[0] == "-ss" {
		line, args = append(line, args[:2]...), args[2:]
	}
	line = append(append(line, "-i", "file:/dev/stdin"), args...)
	line = append(line, "-map_metadata", "-1", "-an", "-f", "image2pipe", "-c:v", "mjpeg", "-q:v", "2", "-pix_fmt", "yuvj420p", "pipe:1")
	cmd := exec.CommandContext(ctx, w.tool[0], line...)
	cmd.Env = []string{}
	cmd.WaitDelay = time.Second
	cmd.Stdin, cmd.Stdout = f, out
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("create a picture with ffmpeg: %w", err)
	}
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("create a picture with ffmpeg: %w", err)
	}
	if st, err := out.Stat(); err != nil || st.Size() == 0 {
		return nil, errors.Join(errors.New("create a picture with ffmpeg: no output"), err)
	}
	return out, nil
}
