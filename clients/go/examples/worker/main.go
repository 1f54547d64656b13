// A worker that greets. Try it beside `./dev run`:
//
//	cd clients/go && go run ./examples/worker
//	build/belfry add greet --every 5s --type greet --payload '{"name": "you"}'
package main

import (
	"context"
	"errors"
	"fmt"
	"log"

	"belfry"
)

func greet(_ context.Context, run *belfry.Run) (any, error) {
	var payload struct{ Name string }
	if err := run.Into(&payload); err != nil {
		return nil, err
	}
	if payload.Name == "" {
		return nil, belfry.Permanent(errors.New("the payload has no name"))
	}
	fmt.Printf("hello %s, it is %s (attempt %d)\n", payload.Name, run.ScheduledFor.Format("15:04:05"), run.Attempt)
	return map[string]string{"greeted": payload.Name}, nil
}

func main() {
	client, err := belfry.FromEnv()
	if err != nil {
		log.Fatal(err)
	}
	worker, err := belfry.NewWorker(client, belfry.WorkerOptions{})
	if err != nil {
		log.Fatal(err)
	}
	worker.Handle("greet", greet)
	if err := worker.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
}
