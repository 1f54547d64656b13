// The worker that tests/clients/test_workers.py drives: worker '{"server": …, "worker_id": …, "prefix": …, "sink": …, …}'
//
// Each handler's type is the prefix and its name. Events are written to standard output, one JSON object per line.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"belfry"
)

var (
	settings = struct {
		Server      string `json:"server"`
		WorkerID    string `json:"worker_id"`
		Prefix      string `json:"prefix"`
		Sink        string `json:"sink"`
		Lease       int    `json:"lease"`
		Concurrency int    `json:"concurrency"`
		Grace       int    `json:"grace"`
	}{Lease: 30, Concurrency: 8, Grace: 30}
	client *belfry.Client
	worker *belfry.Worker
	output sync.Mutex
	active atomic.Int64
)

type facts = map[string]any

func tell(event string, run *belfry.Run, known facts) {
	told := facts{"event": event}
	for name, value := range known {
		told[name] = value
	}
	if run != nil {
		told["run"], told["fence"], told["attempt"] = run.RunID, run.Fence, run.Attempt
	}
	line, _ := json.Marshal(told)
	output.Lock()
	defer output.Unlock()
	fmt.Println(string(line))
}

func handle(name string, handler belfry.Handler) {
	worker.Handle(settings.Prefix+name, func(ctx context.Context, run *belfry.Run) (any, error) {
		tell("started", run, nil)
		return handler(ctx, run)
	})
}

// effect changes something that checks fences; it returns the status of the answer.
func effect(run *belfry.Run) int {
	body, _ := json.Marshal(facts{"fence": run.Fence})
	answer, err := http.Post(settings.Sink, "application/json", bytes.NewReader(body))
	if err != nil {
		return 0
	}
	answer.Body.Close()
	return answer.StatusCode
}

// wait returns an error as soon as the handler should stop.
func wait(ctx context.Context, length time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(length):
		return nil
	}
}

func gate(ctx context.Context, run *belfry.Run) (any, error) {
	var file string
	if err := run.Into(&file); err != nil {
		return nil, err
	}
	run.Log("at the gate")
	run.Progress(1, 2)
	for {
		if _, err := os.Stat(file); err == nil {
			run.Log("through")
			return "passed", nil
		}
		if err := wait(ctx, 50*time.Millisecond); err != nil {
			return nil, err
		}
	}
}

// hold runs until it is stopped in the first attempt, and then does not obey; later ones end well.
func hold(ctx context.Context, run *belfry.Run) (any, error) {
	if run.Attempt > 1 {
		return facts{"by": worker.ID(), "effect": effect(run)}, nil
	}
	<-ctx.Done()
	tell("cancelled", run, facts{"reason": run.StopReason()})
	if run.StopReason() == belfry.LeaseLost {
		report := belfry.Report{RunID: run.RunID, Fence: run.Fence, Status: "SUCCEEDED", Result: "too late"}
		answers, err := client.CompleteRuns(context.Background(), []belfry.Report{report})
		if err != nil {
			return nil, err
		}
		tell("late", run, facts{"answer": answers[0].Answer, "effect": effect(run)})
	}
	return nil, ctx.Err()
}

func handleAll() {
	handle("ok", func(_ context.Context, run *belfry.Run) (any, error) { return facts{"payload": run.Payload}, nil })
	handle("fail", func(_ context.Context, run *belfry.Run) (any, error) {
		return nil, fmt.Errorf("attempt %d failed", run.Attempt)
	})
	handle("permanent", func(context.Context, *belfry.Run) (any, error) {
		return nil, belfry.Permanent(errors.New("no such customer"))
	})
	handle("later", func(_ context.Context, run *belfry.Run) (any, error) {
		if run.Attempt == 1 {
			return nil, belfry.RetryLater(errors.New("busy"), time.Second)
		}
		return nil, nil
	})
	handle("large", func(context.Context, *belfry.Run) (any, error) { return strings.Repeat("x", 100_000), nil })
	handle("count", func(ctx context.Context, _ *belfry.Run) (any, error) {
		seen := active.Add(1)
		defer active.Add(-1)
		return seen, wait(ctx, 100*time.Millisecond)
	})
	handle("long", func(ctx context.Context, run *belfry.Run) (any, error) {
		var seconds int
		if err := run.Into(&seconds); err != nil {
			return nil, err
		}
		return "done", wait(ctx, time.Duration(seconds)*time.Second)
	})
	handle("gate", gate)
	handle("hold", hold)
}

func run() error {
	if err := json.Unmarshal([]byte(os.Args[1]), &settings); err != nil {
		return err
	}
	var err error
	if client, err = belfry.NewClient(settings.Server, belfry.Options{}); err != nil {
		return err
	}
	options := belfry.WorkerOptions{
		ID: settings.WorkerID, Concurrency: settings.Concurrency, Lease: time.Duration(settings.Lease) * time.Second,
		Grace: time.Duration(settings.Grace) * time.Second,
		Log:   func(_, message string) { tell("log", nil, facts{"message": message}) },
	}
	if settings.Grace == 0 {
		options.Grace = -1
	}
	if worker, err = belfry.NewWorker(client, options); err != nil {
		return err
	}
	handleAll()
	if err := worker.Run(context.Background()); err != nil {
		return err
	}
	tell("ended", nil, nil)
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
