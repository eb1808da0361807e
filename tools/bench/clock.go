package bench

import (
	"context"
	"sync"
	"time"
)

// load is a stream of requests. do makes one request and is called concurrently.
type load struct {
	rate        float64 // requests per second, 0 for a closed loop
	connections int
	do          func(ctx context.Context, due time.Time)
}

// span is the time of a run. Requests due between begin and from are the warm-up. Overdue requests
// are still sent for grace after end.
type span struct {
	begin, from, end time.Time
	grace            time.Duration
}

// drive runs loads concurrently and returns after the last response, or when ctx ends.
func drive(ctx context.Context, s span, c *collector, loads []load) {
	var all sync.WaitGroup
	for _, l := range loads {
		all.Go(func() {
			if l.rate > 0 {
				l.open(ctx, s, c)
			} else {
				l.closed(ctx, s.end)
			}
		})
	}
	all.Wait()
}

// closed makes a new request on each connection after each response.
func (l load) closed(ctx context.Context, end time.Time) {
	var workers sync.WaitGroup
	for range l.connections {
		workers.Go(func() {
			for now := time.Now(); now.Before(end) && ctx.Err() == nil; now = time.Now() {
				l.do(ctx, now)
			}
		})
	}
	workers.Wait()
}

// open makes requests at evenly spaced due times. While all connections are busy, requests wait.
// They are sent as soon as a connection is free, and their latency counts from the due time.
func (l load) open(ctx context.Context, s span, c *collector) {
	tickets := make(chan time.Time)
	var workers sync.WaitGroup
	for range l.connections {
		workers.Go(func() {
			for due := range tickets {
				l.do(ctx, due)
			}
		})
	}
	given := l.give(ctx, s, c, tickets)
	if ctx.Err() == nil {
		l.settle(given, s, c)
	}
	close(tickets)
	workers.Wait()
}

// due returns the due time of request i.
func (l load) due(begin time.Time, i uint64) time.Time {
	return begin.Add(time.Duration(float64(i) / l.rate * float64(time.Second)))
}

// give distributes the due requests and returns their number. Its own delay counts from the moment
// when a request was due and a connection was free.
func (l load) give(ctx context.Context, s span, c *collector, tickets chan<- time.Time) (given uint64) {
	over := time.NewTimer(time.Until(s.end.Add(s.grace)))
	defer over.Stop()
	free := s.begin // start of the run, before which no connection was free
	for ; ; given++ {
		due := l.due(s.begin, given)
		if !due.Before(s.end) {
			return given
		}
		pauseUntil(ctx, due)
		if ctx.Err() != nil {
			return given
		}
		late := time.Since(due)
		if free.After(due) {
			late = time.Since(free)
		}
		select {
		case tickets <- due:
			c.lateness(due, late)
			continue
		default:
		}
		select {
		case tickets <- due:
			free = time.Now()
		case <-over.C:
			return given
		case <-ctx.Done():
			return given
		}
	}
}

// grace is the default of span.grace.
const grace = 2 * time.Second

// settle counts the due requests that were not sent.
func (l load) settle(given uint64, s span, c *collector) {
	for l.due(s.begin, given).Before(s.from) {
		given++
	}
	first := l.due(s.begin, given)
	if !first.Before(s.end) {
		return
	}
	n := uint64(s.end.Sub(s.begin).Seconds() * l.rate)
	for !l.due(s.begin, n).Before(s.end) {
		n--
	}
	over := s.end.Add(s.grace)
	c.notSent(n-given+1, over.Sub(first), over.Sub(l.due(s.begin, n)))
}

// coarse is the time by which a timer is set early. On an idle machine the runtime rounds timers up
// to a millisecond, which would count as the server's latency.
const coarse = 1500 * time.Microsecond

// pauseUntil sleeps until t, or until ctx ends.
func pauseUntil(ctx context.Context, t time.Time) {
	left := time.Until(t)
	if left > coarse {
		timer := time.NewTimer(left - coarse)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return
		}
	}
	for left = time.Until(t); left > 0; left = time.Until(t) {
		nap(left)
	}
}
