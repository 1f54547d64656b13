package belfry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"sync"
	"testing"
	"time"
)

// fakeServer hands out one run, and answers as a test says.
type fakeServer struct {
	beats  string // the answer to beats, or "down"
	ends   []any  // answers to reports: words, or errors; the last one for ever
	late   time.Duration
	waited int64

	mutex    sync.Mutex
	claims   int
	regions  map[string]bool // that workers said they were in
	beaten   int
	reports  []Report
	reported chan struct{}
}

func newFake(beats string, ends ...any) *fakeServer {
	return &fakeServer{beats: beats, ends: append(ends, "OK"), reported: make(chan struct{}, 10), regions: map[string]bool{}}
}

func (f *fakeServer) ClaimRuns(ctx context.Context, request ClaimRequest) ([]ClaimedRun, error) {
	f.mutex.Lock()
	f.claims++
	f.regions[request.Region] = true
	first := f.claims == 1
	f.mutex.Unlock()
	if first {
		_ = sleep(ctx, f.late)
		return []ClaimedRun{sampled(ClaimedRun{JobType: "t", Payload: json.RawMessage(`"p"`), WaitedMS: f.waited})}, nil
	}
	return nil, sleep(ctx, 10*time.Millisecond)
}

func (f *fakeServer) BeatRuns(_ context.Context, runs []Beat, _ int, _ ...Option) ([]Answer, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.beaten++
	if f.beats == "down" {
		return nil, &Problem{Kind: ErrUnreachable, Detail: "down"}
	}
	answers := []Answer{}
	for _, run := range runs {
		answers = append(answers, Answer{run.RunID, f.beats})
	}
	return answers, nil
}

func (f *fakeServer) CompleteRuns(_ context.Context, runs []Report, _ ...Option) ([]Answer, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.reports = append(f.reports, runs...)
	end := f.ends[0]
	if len(f.ends) > 1 {
		f.ends = f.ends[1:]
	}
	if err, bad := end.(error); bad {
		return nil, err
	}
	if end == "OK" {
		f.reported <- struct{}{}
	}
	return []Answer{{runs[0].RunID, end.(string)}}, nil
}

func (f *fakeServer) statuses() string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	words := []string{}
	for _, each := range f.reports {
		words = append(words, each.Status)
	}
	return strings.Join(words, " ")
}

func quiet(string, string) {}

// work runs a worker with this handler until the channel tells.
func work(t *testing.T, fake *fakeServer, options WorkerOptions, handler Handler, until <-chan struct{}) {
	t.Helper()
	options.Log = quiet
	worker, err := newWorker(fake, options)
	if err != nil {
		t.Fatal(err)
	}
	worker.Handle("t", handler)
	done := make(chan error)
	go func() { done <- worker.Run(context.Background()) }()
	<-until
	worker.Stop()
	equal(t, <-done, nil)
}

func tried(t *testing.T, handler Handler) Report {
	t.Helper()
	worker, _ := newWorker(newFake("EXTENDED"), WorkerOptions{})
	worker.Handle("t", handler)
	report, err := worker.TryOut(context.Background(), "t", ClaimedRun{Payload: json.RawMessage("3"), Attempt: 2})
	equal(t, err, nil)
	equal(t, report.RunID, strings.Repeat("0", 32))
	return report
}

func fails(err error) Handler {
	return func(context.Context, *Run) (any, error) { return nil, err }
}

func TestReturningIsSuccess(t *testing.T) {
	report := tried(t, func(_ context.Context, run *Run) (any, error) {
		var payload int
		return []int{payload, run.Attempt}, run.Into(&payload)
	})
	equal(t, report.Status, "SUCCEEDED")
}

func TestErrors(t *testing.T) {
	report := tried(t, fails(errors.New("no route")))
	equal(t, []any{report.Status, report.Error, *report.Retryable}, []any{"FAILED", "no route", true})
	report = tried(t, fails(Permanent(errors.New("no such customer"))))
	equal(t, []any{report.Error, *report.Retryable}, []any{"no such customer", false})
	report = tried(t, fails(fmt.Errorf("mail: %w", RetryLater(errors.New("busy"), 1200*time.Millisecond))))
	equal(t, []any{report.Error, *report.Retryable, *report.RetryAfterSeconds}, []any{"mail: busy", true, 2})
	report = tried(t, fails(RetryLater(errors.New("never"), math.MaxInt64)))
	equal(t, *report.RetryAfterSeconds, 86400)
	report = tried(t, func(_ context.Context, run *Run) (any, error) { return nil, run.Into(&struct{ A int }{}) })
	equal(t, *report.Retryable, false)
}

func TestCausesAndStacksReachTheLog(t *testing.T) {
	cause := &fs.PathError{Op: "open", Path: "/etc/nothing", Err: fs.ErrNotExist}
	report := tried(t, fails(fmt.Errorf("no settings: %w", cause)))
	for _, words := range []string{"failed with *fmt.wrapError: no settings: open", "caused by *fs.PathError: open /etc/nothing", "caused by *errors.errorString"} {
		equal(t, strings.Contains(report.Log, words), true)
	}
	report = tried(t, func(context.Context, *Run) (any, error) { panic("ouch") })
	equal(t, []any{report.Status, report.Error}, []any{"FAILED", "panic: ouch"})
	equal(t, strings.Contains(report.Log, "worker_test.go:"), true)
}

func TestWhatIsShownIsReportedWithoutTheMiddleOfTooMuch(t *testing.T) {
	report := tried(t, func(_ context.Context, run *Run) (any, error) {
		for number := 0; number < 10_000; number++ {
			run.Log("line %d", number)
		}
		run.Progress(-2, 3)
		return nil, nil
	})
	equal(t, len(report.Log) < 65536 && strings.HasPrefix(report.Log, "line 0\n") && strings.HasSuffix(report.Log, "line 9999\n"), true)
	equal(t, strings.Contains(report.Log, "lines left out"), true)
	equal(t, *report.Progress, Progress{0, 3})
}

func TestALongErrorIsCutAndAResultThatIsNoJSONIsAFailure(t *testing.T) {
	equal(t, len(tried(t, fails(errors.New(strings.Repeat("ü", 100_000)))).Error) <= 65536, true)
	equal(t, tried(t, func(context.Context, *Run) (any, error) { return math.NaN(), nil }).Status, "FAILED")
}

func TestATryOutEndsWithItsContext(t *testing.T) {
	worker, _ := newWorker(newFake("EXTENDED"), WorkerOptions{})
	worker.Handle("t", func(ctx context.Context, _ *Run) (any, error) { <-ctx.Done(); return nil, ctx.Err() })
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	report, _ := worker.TryOut(ctx, "t", ClaimedRun{})
	equal(t, report.Error, "stopped: requested")
}

func TestTimeLeftDoesNotDependOnOurClock(t *testing.T) {
	tried(t, func(_ context.Context, run *Run) (any, error) { // from January 2026, whatever day it is
		equal(t, run.Remaining() > 200*time.Second && run.Remaining() <= 300*time.Second, true)
		return nil, nil
	})
}

// hold keeps the run until it is told to stop, and says why.
func hold(reasons chan<- string, over chan<- struct{}) Handler {
	return func(ctx context.Context, run *Run) (any, error) {
		<-ctx.Done()
		reasons <- run.StopReason()
		over <- struct{}{}
		return "nobody wants it", nil
	}
}

func TestALostLeaseCancelsAndNothingIsReported(t *testing.T) {
	for _, beats := range []string{"FENCED", "down"} {
		fake, reasons, over := newFake(beats), make(chan string, 1), make(chan struct{}, 1)
		work(t, fake, WorkerOptions{Lease: time.Second}, hold(reasons, over), over)
		equal(t, <-reasons, LeaseLost)
		equal(t, fake.statuses(), "")
	}
}

func TestItSaysWhereItIsIfItWasTold(t *testing.T) {
	for _, region := range []string{"", "eu"} {
		fake := newFake("EXTENDED")
		work(t, fake, WorkerOptions{Region: region}, fails(nil), fake.reported)
		equal(t, fmt.Sprint(fake.regions), fmt.Sprint(map[string]bool{region: true}))
	}
}

func TestACancelledRunIsReported(t *testing.T) {
	fake, reasons := newFake("CANCEL"), make(chan string, 1)
	work(t, fake, WorkerOptions{Lease: time.Second}, hold(reasons, make(chan struct{}, 1)), fake.reported)
	equal(t, <-reasons, Requested)
	equal(t, fake.statuses(), "SUCCEEDED")
}

func TestAReportIsRepeatedUntilItIsAnswered(t *testing.T) {
	fake := newFake("EXTENDED", &Problem{Kind: ErrUnreachable, Detail: "down"}, "RETRY")
	work(t, fake, WorkerOptions{Lease: time.Second}, fails(nil), fake.reported)
	equal(t, fake.statuses(), "SUCCEEDED SUCCEEDED SUCCEEDED")
}

func TestARefusedReportIsSaidInOtherWordsOnce(t *testing.T) {
	fake := newFake("EXTENDED", &Problem{Kind: ErrInvalid, Detail: "too large"})
	work(t, fake, WorkerOptions{}, fails(nil), fake.reported)
	equal(t, fake.statuses(), "SUCCEEDED FAILED")
	equal(t, *fake.reports[1].Retryable, false)
}

// begun says how many beats there were when the handler was called; -1 if it was not. The answer to the claim comes late.
func begun(t *testing.T, fake *fakeServer) int {
	t.Helper()
	fake.late = 1050 * time.Millisecond
	seen, over := -1, make(chan struct{})
	options := WorkerOptions{Lease: 3 * time.Second, Log: func(_, message string) {
		if strings.Contains(message, "is lost") {
			close(over)
		}
	}}
	worker, _ := newWorker(fake, options)
	worker.Handle("t", func(context.Context, *Run) (any, error) {
		fake.mutex.Lock()
		defer fake.mutex.Unlock()
		seen = fake.beaten
		return nil, nil
	})
	done := make(chan error)
	go func() { done <- worker.Run(context.Background()) }()
	select {
	case <-over:
	case <-fake.reported:
	}
	worker.Stop()
	<-done
	return seen
}

func TestARunThatCameLateBeginsAfterABeat(t *testing.T) {
	equal(t, begun(t, newFake("EXTENDED")) > 0, true)
}

func TestWhatIsSomebodyElsesDoesNotBegin(t *testing.T) {
	for _, beats := range []string{"FENCED", "down"} {
		fake := newFake(beats)
		equal(t, begun(t, fake), -1)
		equal(t, fake.statuses(), "")
	}
}

func TestWhatTheServerWaitedDoesNotCount(t *testing.T) {
	fake := newFake("EXTENDED")
	fake.waited = 1050
	equal(t, begun(t, fake), 0)
}

func TestHeartbeatsDoNotOutgrowACall(t *testing.T) {
	runs := []*heldRun{}
	for number := 0; number < 100; number++ {
		_, run := newRun(sampled(ClaimedRun{RunID: fmt.Sprintf("%032d", number)}), 30*time.Second, func() {})
		for line := 0; line < 10; line++ {
			run.Log("%s", strings.Repeat("x", 5_000))
		}
		runs = append(runs, &heldRun{run: run})
	}
	told := map[string]bool{}
	for round := 0; round < 10; round++ {
		beats, versions := beatsOf(runs)
		letters := 0
		for index, beat := range beats {
			letters += len(beat.Log)
			told[beat.RunID] = told[beat.RunID] || beat.Log != ""
			runs[index].told = versions[index]
		}
		equal(t, letters < 1_100_000, true)
	}
	for _, run := range runs {
		equal(t, told[run.run.RunID], true)
	}
}

func TestAHandlerThatDoesNotListenIsLeftBehind(t *testing.T) {
	afterCancel = 50 * time.Millisecond
	defer func() { afterCancel = 5 * time.Second }()
	fake, started, never := newFake("EXTENDED"), make(chan struct{}), make(chan struct{})
	defer close(never)
	deaf := func(context.Context, *Run) (any, error) { close(started); <-never; return nil, nil }
	work(t, fake, WorkerOptions{Grace: -1}, deaf, started)
	equal(t, fake.statuses(), "RETURNED")
}

func TestBadSettingsAreRefused(t *testing.T) {
	client, _ := NewClient("http://127.0.0.1:7070", Options{})
	for _, options := range []WorkerOptions{{Lease: time.Millisecond}, {Lease: 2 * time.Hour}, {Concurrency: -1}, {ClaimWait: time.Hour}} {
		_, err := NewWorker(client, options)
		equal(t, err != nil, true)
	}
	worker, _ := NewWorker(client, WorkerOptions{})
	equal(t, worker.Run(context.Background()) != nil, true)
}
