package belfry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Why a handler is told to stop.
const (
	Requested = "requested"  // somebody cancelled the run
	LeaseLost = "lease_lost" // the run is somebody else's
	Deadline  = "deadline"   // the job's timeout is over
	Stopping  = "stopping"   // the worker ends
)

// Permanent wraps an error of a handler: trying again is useless, the run goes to the dead letters.
func Permanent(err error) error { return &permanent{err} }

// RetryLater wraps an error of a handler: try again, but only after this long (a day at most).
func RetryLater(err error, after time.Duration) error { return &retryLater{err, after} }

type permanent struct{ error }

func (p *permanent) Unwrap() error { return p.error }

type retryLater struct {
	error
	after time.Duration
}

func (r *retryLater) Unwrap() error { return r.error }

// Run is one attempt of a run, as its handler sees it.
//
// A run may be attempted more than once: check IdempotencyKey (the same for all attempts), or pass Fence to the system that
// the work changes, so that it can refuse a lower one.
type Run struct {
	ClaimedRun

	notes  notes
	ends   time.Duration // on the boot clock
	cancel context.CancelFunc

	mutex  sync.Mutex
	reason string
}

// newRun returns the run, and the context that ends when its handler should stop.
func newRun(claimed ClaimedRun, lease time.Duration, onNews func()) (context.Context, *Run) {
	ctx, cancel := context.WithCancel(context.Background())
	run := &Run{ClaimedRun: claimed, cancel: cancel}
	run.notes.onNews = onNews
	// Our clock may differ, so only lengths of time are taken from the server.
	granted := claimed.LeaseUntil.Add(-lease)
	run.ends = bootNow() + claimed.Deadline.Sub(granted)
	return ctx, run
}

// Into decodes the payload.
func (r *Run) Into(value any) error {
	if err := json.Unmarshal(r.Payload, value); err != nil {
		return Permanent(fmt.Errorf("the payload is not as expected: %w", err))
	}
	return nil
}

// Log adds a line to the run's output, which others see while it runs.
func (r *Run) Log(format string, values ...any) { r.notes.log(fmt.Sprintf(format, values...)) }

// Progress says how far the work is; a total of 0 means unknown.
func (r *Run) Progress(done, total int64) { r.notes.show(done, total) }

// Remaining is the time until the attempt times out; negative once it has.
func (r *Run) Remaining() time.Duration { return r.ends - bootNow() }

// StopReason says why the handler should stop: Requested, LeaseLost, Deadline or Stopping; "" while it may go on.
func (r *Run) StopReason() string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.reason
}

// stop ends the handler's context; the first reason stays.
func (r *Run) stop(reason string) {
	r.mutex.Lock()
	if r.reason == "" {
		r.reason = reason
	}
	r.mutex.Unlock()
	r.cancel()
}

func isPermanent(err error) bool {
	var found *permanent
	return errors.As(err, &found)
}

func laterOf(err error) (time.Duration, bool) {
	var found *retryLater
	if errors.As(err, &found) {
		return found.after, true
	}
	return 0, false
}
