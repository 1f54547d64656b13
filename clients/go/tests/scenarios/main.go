// Runs clients/scenarios.json with the Go client against a server: scenarios SCENARIOS SERVER [NAME-PART]
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
	"time"

	"belfry"
)

const patience = time.Minute // a limit for broken tests

type step struct {
	Do      string            `json:"do"`
	List    string            `json:"list"`
	Watch   []json.RawMessage `json:"watch"`
	After   string            `json:"after"`
	Page    int               `json:"page"`
	With    part              `json:"with"`
	Token   string            `json:"token"`
	Server  string            `json:"server"`
	Expect  any               `json:"expect"`
	Refused any               `json:"refused"`
	Within  int               `json:"within"`
	Save    map[string]string `json:"save"`
}

type part struct {
	Path       map[string]any  `json:"path"`
	Query      belfry.Query    `json:"query"`
	Body       json.RawMessage `json:"body"`
	Key        string          `json:"key"`
	Version    int64           `json:"version"`
	CreateOnly bool            `json:"create_only"`
}

type scenario struct {
	Name  string            `json:"name"`
	Steps []json.RawMessage `json:"steps"`
}

type webhook struct {
	Name    string            `json:"name"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	Secrets []string          `json:"secrets"`
	Now     int64             `json:"now"`
	Refused string            `json:"refused"`
}

// mismatch is an answer that is not as expected; it may be so later.
type mismatch struct{ words string }

func (m *mismatch) Error() string { return m.words }

func mismatched(format string, values ...any) error { return &mismatch{fmt.Sprintf(format, values...)} }

type runner struct {
	server    string
	variables map[string]any
}

// step does one step, again and again if it may come true later.
func (r *runner) step(raw json.RawMessage) error {
	var step step
	if err := decode(raw, &step); err != nil {
		return err
	}
	watched := step.Watch
	filled, err := fill(raw, r.variables)
	if err != nil {
		return err
	}
	if err := recode(filled, &step); err != nil {
		return err
	}
	step.Watch = watched
	giveUp := time.Now().Add(time.Duration(step.Within) * time.Second)
	for {
		got, err := r.check(&step)
		var wrong *mismatch
		if err == nil {
			return r.save(step.Save, got)
		} else if !errors.As(err, &wrong) || !time.Now().Before(giveUp) {
			return err
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func (r *runner) save(names map[string]string, got any) error {
	for name, pointer := range names {
		value, err := pick(got, pointer)
		if err != nil {
			return err
		}
		r.variables[name] = value
	}
	return nil
}

func (r *runner) check(step *step) (any, error) {
	address, options := r.server, belfry.Options{Token: step.Token}
	if step.Server != "" {
		address, options.Patience = step.Server, time.Second
	}
	client, err := belfry.NewClient(address, options)
	if err != nil {
		return nil, err
	}
	if step.Watch != nil {
		return r.watch(client, step)
	}
	answer, err := ask(client, step)
	var problem *belfry.Problem
	if errors.As(err, &problem) {
		return nil, checkProblem(step, problem)
	} else if err != nil {
		return nil, err
	}
	var got any
	if err := recode(answer, &got); err != nil {
		return nil, err
	}
	if step.Refused != nil {
		return nil, mismatched("expected to be refused (%v), got %v", step.Refused, got)
	}
	if step.Expect != nil {
		return got, match(step.Expect, got, "")
	}
	return got, nil
}

func checkProblem(step *step, problem *belfry.Problem) error {
	fields := []any{}
	for _, each := range problem.Errors {
		fields = append(fields, each.Pointer)
	}
	told := map[string]any{"kind": problem.Kind.Error(), "code": problem.Code, "fields": fields}
	if step.Refused == nil {
		return mismatched("%v: %v", told, problem)
	}
	return match(step.Refused, told, "")
}

// watch does the steps while it listens, until the event comes.
func (r *runner) watch(client *belfry.Client, step *step) (any, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	opened, seen, ended := make(chan struct{}, 100), make(chan map[string]any, 1000), make(chan error, 1)
	watch := belfry.Watch{After: step.After, OnOpen: func() { opened <- struct{}{} }}
	go func() {
		ended <- client.Events(ctx, watch, func(event belfry.Event) error {
			var data any
			if err := decode(event.Data, &data); err != nil {
				return err
			}
			seen <- map[string]any{"id": event.ID, "name": event.Name, "data": data}
			return nil
		})
	}()
	select {
	case <-opened:
	case err := <-ended:
		return nil, err
	}
	for _, each := range step.Watch {
		if err := r.step(each); err != nil {
			return nil, err
		}
	}
	for {
		select {
		case event := <-seen:
			if match(step.Expect, event, "") == nil {
				return event, nil
			}
		case err := <-ended:
			return nil, mismatched("no such event: %v (%v)", step.Expect, err)
		}
	}
}

func (s *scenario) run(server string) bool {
	runner := runner{server, map[string]any{"id": fmt.Sprintf("s-%d-%d", os.Getpid(), time.Now().UnixNano())}}
	for number, raw := range s.Steps {
		if err := runner.step(raw); err != nil {
			var step bytes.Buffer
			_ = json.Compact(&step, raw)
			fmt.Printf("FAILED  %s\n  step %d: %.300s\n  %v\n", s.Name, number+1, step.String(), err)
			return false
		}
	}
	fmt.Printf("ok      %s\n", s.Name)
	return true
}

// run says whether the verdict on a call is the expected one: a reason, or none.
func (w *webhook) run() bool {
	headers := http.Header{}
	for name, value := range w.Headers {
		headers.Set(name, value)
	}
	verdict := ""
	call, err := belfry.VerifyWebhookAt(time.Unix(w.Now, 0), headers, []byte(w.Body), w.Secrets...)
	var refused *belfry.WebhookRefused
	if errors.As(err, &refused) {
		verdict = refused.Reason
	} else if err != nil || call.ID != headers.Get("webhook-id") {
		verdict = "something else"
	}
	if verdict != w.Refused {
		fmt.Printf("FAILED      webhook: %s: %q, expected %q\n", w.Name, verdict, w.Refused)
		return false
	}
	fmt.Printf("ok      webhook: %s\n", w.Name)
	return true
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	var file struct {
		Scenarios []scenario `json:"scenarios"`
		Webhooks  []webhook  `json:"webhooks"`
	}
	if err == nil {
		err = decode(text, &file)
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(2)
	}
	wanted := ""
	if len(os.Args) > 3 {
		wanted = os.Args[3]
	}
	passed, total := 0, 0
	count := func(name string, run func() bool) {
		if !strings.Contains(name, wanted) {
			return
		}
		total++
		if run() {
			passed++
		}
	}
	for _, each := range file.Scenarios {
		count(each.Name, func() bool { return each.run(os.Args[2]) })
	}
	for _, each := range file.Webhooks {
		count(each.Name, each.run)
	}
	fmt.Printf("%d of %d passed\n", passed, total)
	if total == 0 || passed < total {
		os.Exit(1)
	}
}
