package belfry

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math/rand"
	"os"
	"os/signal"
	"sort"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	mostRuns    = 1000      // in one call
	mostLetters = 1_000_000 // bytes of output in one call
)

// How long the worker waits for things; variables for its tests.
var (
	newsEvery   = time.Second     // what handlers show is sent together
	afterCancel = 5 * time.Second // that a handler has to notice that the worker ends
)

// WorkerOptions of a worker; the zero value is good.
type WorkerOptions struct {
	ID          string        // shown in the history; default: host and process id
	Concurrency int           // how many handlers may run at a time; default 8
	Lease       time.Duration // for how long a run stays ours without a heartbeat, in whole seconds; default 30 s
	Grace       time.Duration // that running handlers get when the worker ends; default 30 s, negative: none
	ClaimWait   time.Duration // for how long one call waits for runs, in whole seconds; default 20 s
	Region      string        // where we are, and whose runs we get; default: the region of the node that we ask
	// Log receives messages. They contain neither keys nor payloads. Default: log.Printf, without the level "info".
	Log func(level, message string)
}

// server is what a worker needs of a client.
type server interface {
	ClaimRuns(ctx context.Context, request ClaimRequest) ([]ClaimedRun, error)
	BeatRuns(ctx context.Context, runs []Beat, leaseSeconds int, options ...Option) ([]Answer, error)
	CompleteRuns(ctx context.Context, runs []Report, options ...Option) ([]Answer, error)
}

// Worker claims runs, hands them to your functions, and reports how they ended. Leases are prolonged after a third of their
// length. A lost lease ends the handler's context, and what the handler returns is not reported.
type Worker struct {
	server   server
	options  WorkerOptions
	handlers map[string]Handler

	mutex   sync.Mutex
	held    map[*heldRun]struct{}
	changed chan struct{} // has an entry after a run left our hands
	news    chan struct{} // has an entry while there is something to show

	stopOnce, hurryOnce sync.Once
	stopping, hurrying  chan struct{}
	closed              chan struct{}
}

// NewWorker makes a worker of the client's server.
func NewWorker(client *Client, options WorkerOptions) (*Worker, error) {
	return newWorker(client, options)
}

func newWorker(server server, options WorkerOptions) (*Worker, error) {
	if options.ID == "" {
		host, _ := os.Hostname()
		options.ID = fmt.Sprintf("%s-%d", host, os.Getpid())
	}
	defaults := []struct {
		value *time.Duration
		usual time.Duration
	}{{&options.Lease, 30 * time.Second}, {&options.Grace, 30 * time.Second}, {&options.ClaimWait, 20 * time.Second}}
	for _, each := range defaults {
		if *each.value == 0 {
			*each.value = each.usual
		}
	}
	if options.Concurrency == 0 {
		options.Concurrency = 8
	}
	if options.Log == nil {
		options.Log = logLoud
	}
	if options.Lease < time.Second || options.Lease > time.Hour || options.ClaimWait < 0 || options.ClaimWait > time.Minute || options.Concurrency < 1 {
		return nil, errors.New("a lease is 1 s to 1 h, ClaimWait at most 1 min, Concurrency at least 1")
	}
	return &Worker{
		server: server, options: options, handlers: map[string]Handler{}, held: map[*heldRun]struct{}{},
		changed: make(chan struct{}, 1), news: make(chan struct{}, 1),
		stopping: make(chan struct{}), hurrying: make(chan struct{}), closed: make(chan struct{}),
	}, nil
}

// ID is the worker's name in the history.
func (w *Worker) ID() string { return w.options.ID }

// Handle sets the function for runs of this type. Call it before Run.
func (w *Worker) Handle(jobType string, handler Handler) {
	if w.handlers[jobType] != nil {
		panic("belfry: there is a handler for " + jobType + " already")
	}
	w.handlers[jobType] = handler
}

// Run works until Stop, SIGTERM or SIGINT, or until the context ends, and returns when drained. Call it once only.
func (w *Worker) Run(ctx context.Context) error {
	if len(w.handlers) == 0 {
		return errors.New("a worker needs at least one handler")
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGTERM, os.Interrupt)
	defer signal.Stop(signals)
	go w.listen(ctx, signals)
	beats := make(chan struct{})
	go func() {
		defer close(beats)
		w.beatLoop()
	}()
	w.options.Log("info", fmt.Sprintf("worker %s works on %s", w.options.ID, strings.Join(w.types(), ", ")))
	w.claimLoop()
	w.drain()
	close(w.closed)
	<-beats
	return nil
}

// Stop takes no new work; handlers may end within the grace. A second call: without grace. From any goroutine.
func (w *Worker) Stop() {
	first := false
	w.stopOnce.Do(func() { first = true; close(w.stopping) })
	if !first {
		w.hurryOnce.Do(func() { close(w.hurrying) })
	}
}

// TryOut calls the handler as for a run, without a server, and returns what would be reported. For tests. The facts that
// matter may be set, all others are a sample's; the run is cancelled when the context ends.
func (w *Worker) TryOut(ctx context.Context, jobType string, facts ClaimedRun) (Report, error) {
	handler := w.handlers[jobType]
	if handler == nil {
		return Report{}, errors.New("there is no handler for " + jobType)
	}
	facts.JobType = jobType
	own, run := newRun(sampled(facts), 30*time.Second, func() {})
	over := make(chan struct{})
	defer close(over)
	go func() {
		select {
		case <-ctx.Done():
			run.stop(Requested)
		case <-over:
			run.cancel()
		}
	}()
	return execute(own, handler, run), nil
}

func (w *Worker) listen(ctx context.Context, signals <-chan os.Signal) {
	done := ctx.Done()
	for {
		select {
		case <-signals:
			w.Stop()
		case <-done:
			w.Stop()
			done = nil
		case <-w.closed:
			return
		}
	}
}

func (w *Worker) types() []string {
	types := make([]string, 0, len(w.handlers))
	for each := range w.handlers {
		types = append(types, each)
	}
	sort.Strings(types)
	return types
}

// ---- Claiming

func (w *Worker) claimLoop() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		<-w.stopping
		cancel()
	}()
	for failures := 0; w.awaitRoom(ctx); {
		sent := bootNow()
		runs, err := w.server.ClaimRuns(ctx, ClaimRequest{
			WorkerID: w.options.ID, JobTypes: w.types(), MaxRuns: least(w.options.Concurrency-w.inHand(), mostRuns),
			LeaseSeconds: seconds(w.options.Lease), WaitSeconds: seconds(w.options.ClaimWait),
			Region: w.options.Region,
		})
		for _, run := range runs {
			// The server may have waited before it granted the run; all other time since the question is the answer's way.
			w.start(run, sent+time.Duration(run.WaitedMS)*time.Millisecond)
		}
		if err == nil {
			failures = 0
		} else if ctx.Err() == nil {
			failures = least(failures+1, 6)
			w.options.Log("warn", fmt.Sprintf("no runs can be claimed: %v", err))
			pause := between(0, 250*time.Millisecond<<failures, 10*time.Second)
			_ = sleep(ctx, pause/2+time.Duration(rand.Int63n(int64(pause/2))))
		}
	}
}

// awaitRoom waits until one more run may be worked on; false when the worker ends.
func (w *Worker) awaitRoom(ctx context.Context) bool {
	for ctx.Err() == nil && w.inHand() >= w.options.Concurrency {
		select {
		case <-w.changed:
		case <-ctx.Done():
		}
	}
	return ctx.Err() == nil
}

func (w *Worker) start(claimed ClaimedRun, granted time.Duration) {
	ctx, run := newRun(claimed, w.options.Lease, func() { ring(w.news) })
	if now := bootNow(); granted > now {
		granted = now
	}
	held := &heldRun{run: run, leaseUntil: granted + w.options.Lease}
	w.mutex.Lock()
	w.held[held] = struct{}{}
	w.mutex.Unlock()
	go func() {
		defer w.release(held)
		w.work(ctx, held)
	}()
}

func (w *Worker) release(held *heldRun) {
	held.run.cancel()
	w.mutex.Lock()
	delete(w.held, held)
	w.mutex.Unlock()
	ring(w.changed)
}

func (w *Worker) work(ctx context.Context, held *heldRun) {
	if !w.makeSure(held) {
		return
	}
	report := execute(ctx, w.handlers[held.run.JobType], held.run)
	if held.beginReport() { // otherwise the worker ended meanwhile and gave the run back
		w.report(held, report)
	}
}

// makeSure lets a run that was granted longer ago than a third of its lease begin only after a heartbeat: it may be somebody
// else's by now.
func (w *Worker) makeSure(held *heldRun) bool {
	for !w.isLost(held) && bootNow() >= held.lease()-w.options.Lease*2/3 {
		w.options.Log("warn", fmt.Sprintf("run %s (fence %d) came late: a heartbeat goes first", held.run.RunID, held.run.Fence))
		if !w.beatSome([]*heldRun{held}) {
			w.pause()
		}
	}
	return !w.isLost(held)
}

// ---- Reporting

// report repeats the report until it is answered, or the run belongs to somebody else.
func (w *Worker) report(held *heldRun, report Report) {
	isSecond := false
	for !w.isLost(held) && !isClosed(w.closed) {
		answers, err := w.server.CompleteRuns(context.Background(), []Report{report}, Timeout(w.options.Lease))
		if isKind(err, ErrInvalid) {
			if isSecond {
				w.options.Log("error", fmt.Sprintf("run %s cannot be reported: %v", report.RunID, err))
				return
			}
			isSecond = true
			report = held.run.refused(err)
			continue
		}
		if err != nil || len(answers) == 0 {
			w.options.Log("warn", fmt.Sprintf("run %s is not reported yet: %v", report.RunID, err))
		} else if answers[0].Answer == "OK" {
			w.options.Log("info", fmt.Sprintf("run %s (attempt %d): %s", report.RunID, held.run.Attempt, report.Status))
			return
		} else if answers[0].Answer == "FENCED" {
			w.lose(held, "its report was answered FENCED")
			return
		}
		w.pause()
	}
}

// pause is the time between two tries of something that other runs wait for, too.
func (w *Worker) pause() {
	timer := time.NewTimer(between(0, w.options.Lease/10, time.Second))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-w.closed:
	}
}

// ---- The end

func (w *Worker) drain() {
	w.options.Log("info", fmt.Sprintf("worker %s stops; %d runs in hand", w.options.ID, w.inHand()))
	if w.awaitAll(w.options.Grace, w.hurrying) {
		return
	}
	for _, held := range w.all() {
		held.run.stop(Stopping)
	}
	if w.awaitAll(afterCancel, nil) {
		return
	}
	var group sync.WaitGroup
	for _, each := range w.all() { // their handlers do not listen; others continue the runs
		if each.beginReport() {
			group.Add(1)
			go func(stuck *heldRun) {
				defer group.Done()
				w.report(stuck, stuck.run.stopped())
			}(each)
		}
	}
	group.Wait()
}

// awaitAll waits, at most this long, until nothing is in hand; it returns whether that is so.
func (w *Worker) awaitAll(length time.Duration, hurry <-chan struct{}) bool {
	timer := time.NewTimer(length)
	defer timer.Stop()
	for w.inHand() > 0 {
		select {
		case <-w.changed:
		case <-timer.C:
			return w.inHand() == 0
		case <-hurry:
			return w.inHand() == 0
		}
	}
	return true
}

func (w *Worker) inHand() int {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return len(w.held)
}

func (w *Worker) all() []*heldRun {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	all := make([]*heldRun, 0, len(w.held))
	for each := range w.held {
		all = append(all, each)
	}
	return all
}

func ring(bell chan struct{}) {
	select {
	case bell <- struct{}{}:
	default: // it rings already
	}
}

func isClosed(channel <-chan struct{}) bool {
	select {
	case <-channel:
		return true
	default:
		return false
	}
}

func least(a, b int) int {
	if a < b {
		return a
	}
	return b
}

func seconds(length time.Duration) int { return int(length / time.Second) }

func logLoud(level, message string) {
	if level != "info" {
		log.Printf("belfry worker: %s", message)
	}
}
