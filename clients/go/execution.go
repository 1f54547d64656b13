package belfry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"strings"
	"time"
)

// Handler works on a run. What it returns is the run's result: anything that encoding/json writes, or nil.
//
// Its context ends when the handler should stop: the run was cancelled, its time or lease is over, or the worker ends
// (Run.StopReason tells which). A nil error is success; Permanent and RetryLater say what they mean; any other error, and a
// panic, is a failure that is tried again as the job's policy says.
type Handler func(ctx context.Context, run *Run) (any, error)

const (
	longestError = 60_000 // bytes; the server takes 64 KiB
	longestRetry = 24 * time.Hour
)

// execute calls the handler; it returns what to send with CompleteRuns.
func execute(ctx context.Context, handler Handler, run *Run) Report {
	result, err := callOnce(ctx, handler, run)
	if err == nil {
		if _, bad := json.Marshal(result); bad != nil {
			err = fmt.Errorf("the handler's result is not JSON: %w", bad)
		}
	}
	if err == nil {
		return run.report(Report{Status: "SUCCEEDED", Result: result})
	}
	if after, found := laterOf(err); found {
		report := run.failed(err.Error(), true)
		seconds := int64(math.Ceil(between(0, after, longestRetry).Seconds()))
		report.RetryAfterSeconds = &seconds
		return report
	}
	if isPermanent(err) {
		return run.failed(err.Error(), false)
	}
	if ctx.Err() != nil {
		return run.stopped()
	}
	run.logCauses(err)
	return run.failed(err.Error(), true)
}

// callOnce calls the handler once; a panic becomes an error, with its stack in the run's output.
func callOnce(ctx context.Context, handler Handler, run *Run) (result any, err error) {
	defer func() {
		if what := recover(); what != nil {
			run.logLines(fmt.Sprintf("panic: %v\n%s", what, debug.Stack()))
			result, err = nil, fmt.Errorf("panic: %v", what)
		}
	}()
	return handler(ctx, run)
}

// logCauses shows the error and what it wraps, outermost first: the words of each are often only "open file: …".
func (r *Run) logCauses(err error) {
	for depth, each := 0, err; each != nil; depth, each = depth+1, errors.Unwrap(each) {
		words := "caused by"
		if depth == 0 {
			words = "failed with"
		}
		r.logLines(fmt.Sprintf("%s %T: %v", words, each, each))
	}
}

func (r *Run) logLines(text string) {
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		r.notes.log(line)
	}
}

// stopped is the end of a stopped attempt. It is reported at once, so that others continue without waiting for the lease to end.
func (r *Run) stopped() Report {
	reason := r.StopReason()
	if reason == Stopping { // nobody's fault, so no attempt is used up
		return r.report(Report{Status: "RETURNED"})
	}
	return r.failed("stopped: "+reason, true)
}

// refused is for a result that the server refused: it is too large, for example. It would refuse it again.
func (r *Run) refused(why error) Report {
	return r.failed("the result was refused: "+why.Error(), false)
}

func (r *Run) failed(words string, retryable bool) Report {
	return r.report(Report{Status: "FAILED", Error: cut(words, longestError), Retryable: &retryable})
}

func (r *Run) report(report Report) Report {
	report.RunID, report.Fence = r.RunID, r.Fence
	report.Log, report.Progress, _ = r.notes.shown()
	return report
}
