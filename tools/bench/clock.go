package bench

import (
	"context"
	"sync"
	"time"
)

// load is one stream of requests. do makes one of them; it is called by
// several connections at a time.
type load struct {
	rate        float64 // requests a second; 0: a closed loop
	connections int
	do          func(ctx context.Context, due time.Time)
}

// span is the time of a run. What is due between begin and from only warms up. For
// grace after the end requests are still sent that were due before.
type span struct {
	begin, from, end time.Time
	grace            time.Duration
}

// drive runs loads side by side and returns when the last request is answered.
// ctx breaks it off.
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

// closed lets each connection ask again when it was answered.
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

// open gives out requests at the times when they are due, evenly spaced. While
// all connections are busy it waits; what became due meanwhile is given out as
// soon as one is free and is charged from when it was due.
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

// due is when request i is due.
func (l load) due(begin time.Time, i uint64) time.Time {
	return begin.Add(time.Duration(float64(i) / l.rate * float64(time.Second)))
}

// give gives out the tickets and returns how many. How late it is itself counts
// from when the ticket was due and a connection was free.
func (l load) give(ctx context.Context, s span, c *collector, tickets chan<- time.Time) (given uint64) {
	over := time.NewTimer(time.Until(s.end.Add(s.grace)))
	defer over.Stop()
	free := s.begin // no connection was free before
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

// grace is the usual one of a span.
const grace = 2 * time.Second

// settle accounts for what was due before the end and never given out.
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

// coarse is how early a timer is set before a moment. Where nothing else goes
// on the runtime rounds timers up to a millisecond, which would be counted as
// the server's.
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
