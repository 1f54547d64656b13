package belfry

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"time"
)

func (c *Client) get(ctx context.Context, path string, query Query) (Object, error) {
	var answer Object
	err := c.Call(ctx, "GET", path, nil, &answer, query.option())
	return answer, err
}

func (c *Client) post(ctx context.Context, path string, body any, options ...Option) (Object, error) {
	var answer Object
	err := c.Call(ctx, "POST", path, body, &answer, options...)
	return answer, err
}

// postAgain may be sent again: asking twice is as good as asking once.
func (c *Client) postAgain(ctx context.Context, path string, body any) (Object, error) {
	return c.post(ctx, path, body, repeatable())
}

func (c *Client) postKeyed(ctx context.Context, path string, body any, options []Option) (Object, error) {
	return c.post(ctx, path, body, append([]Option{repeatable(), Key(newKey())}, options...)...)
}

func newKey() string {
	var bytes [16]byte
	if _, err := rand.Read(bytes[:]); err != nil {
		panic(err) // the machine has no randomness
	}
	return hex.EncodeToString(bytes[:])
}

// ---- Jobs. A job is an id or a name.

// ListJobs lists jobs by name, without target and payload. Filters: status, job_type, label, q.
func (c *Client) ListJobs(filter Query) *List { return c.List(api+"/jobs", filter) }

// CreateJob makes a new job; ErrConflict if the name is taken. Options: Key.
func (c *Client) CreateJob(ctx context.Context, definition any, options ...Option) (Object, error) {
	return c.postKeyed(ctx, api+"/jobs", definition, options)
}

// PutJobs creates or replaces up to 10,000 jobs by name: {"jobs": […]}; with "atomic": false it keeps the good ones. Options: Key.
func (c *Client) PutJobs(ctx context.Context, batch any, options ...Option) (Object, error) {
	return c.postKeyed(ctx, api+"/jobs:batch", batch, options)
}

// GetJob is the job as it is now.
func (c *Client) GetJob(ctx context.Context, job string) (Object, error) {
	return c.get(ctx, jobPath(job, ""), nil)
}

// PutJob creates or replaces a job. Options: IfVersion, CreateOnly.
func (c *Client) PutJob(ctx context.Context, job string, definition any, options ...Option) (Object, error) {
	var answer Object
	err := c.Call(ctx, "PUT", jobPath(job, ""), definition, &answer, options...)
	return answer, err
}

// PatchJob changes the given fields; null resets one to its default. Options: IfVersion.
func (c *Client) PatchJob(ctx context.Context, job string, changes any, options ...Option) (Object, error) {
	var answer Object
	options = append([]Option{contentType("application/merge-patch+json")}, options...)
	err := c.Call(ctx, "PATCH", jobPath(job, ""), changes, &answer, options...)
	return answer, err
}

// DeleteJob deletes it. Options: IfVersion.
func (c *Client) DeleteJob(ctx context.Context, job string, options ...Option) error {
	return c.Call(ctx, "DELETE", jobPath(job, ""), nil, nil, options...)
}

// PauseJob skips its ticks until it is resumed, or until the instant in {"until": …}. The pause may be nil.
func (c *Client) PauseJob(ctx context.Context, job string, pause Object) (Object, error) {
	if pause == nil {
		pause = Object{}
	}
	return c.postAgain(ctx, jobPath(job, "/pause"), pause)
}

// ResumeJob ends a pause.
func (c *Client) ResumeJob(ctx context.Context, job string) (Object, error) {
	return c.postAgain(ctx, jobPath(job, "/resume"), nil)
}

// CancelJob ends the job for good; runs in flight go on.
func (c *Client) CancelJob(ctx context.Context, job string) (Object, error) {
	return c.postAgain(ctx, jobPath(job, "/cancel"), nil)
}

// TriggerJob starts a run now, whatever the schedule says, and returns it. With a nil payload it gets the job's own. Options: Key.
func (c *Client) TriggerJob(ctx context.Context, job string, payload any, options ...Option) (Object, error) {
	body := Object{}
	if payload != nil {
		body["payload"] = payload
	}
	return c.postKeyed(ctx, jobPath(job, "/trigger"), body, options)
}

// BackfillJob creates runs for past ticks that have none: {"from": …, "to": …, "dry_run": …}. Asking twice creates nothing twice.
func (c *Client) BackfillJob(ctx context.Context, job string, window Object) (Object, error) {
	return c.postAgain(ctx, jobPath(job, "/backfill"), window)
}

// ListRevisions lists what the job was before, newest first.
func (c *Client) ListRevisions(job string, filter Query) *List {
	return c.List(jobPath(job, "/revisions"), filter)
}

// RestoreRevision gives the job the definition of an earlier version, as a new one.
func (c *Client) RestoreRevision(ctx context.Context, job string, version int64) (Object, error) {
	return c.postAgain(ctx, jobPath(job, fmt.Sprintf("/revisions/%d/restore", version)), nil)
}

// ---- Schedules

// ListJobRuns lists the job's runs, newest first. Filters: from, to, state.
func (c *Client) ListJobRuns(job string, filter Query) *List {
	return c.List(jobPath(job, "/runs"), filter)
}

// ListJobTicks is the ledger: each tick or range of ticks with its fate. Filters: from, to, order.
func (c *Client) ListJobTicks(job string, filter Query) *List {
	return c.List(jobPath(job, "/ticks"), filter)
}

// ExplainJob says why it did or did not run. Query: at.
func (c *Client) ExplainJob(ctx context.Context, job string, query Query) (Object, error) {
	return c.get(ctx, jobPath(job, "/explain"), query)
}

// NextTicks are the instants it will run at. Query: count.
func (c *Client) NextTicks(ctx context.Context, job string, query Query) (Object, error) {
	return c.get(ctx, jobPath(job, "/next"), query)
}

// JobWarnings are what its author may not expect of a job: of its schedule, and of its target just now.
func (c *Client) JobWarnings(ctx context.Context, job string) (Object, error) {
	return c.get(ctx, jobPath(job, "/warnings"), nil)
}

// PreviewSchedule says what a schedule means, in words and instants; nothing is stored.
func (c *Client) PreviewSchedule(ctx context.Context, schedule any) (Object, error) {
	return c.postAgain(ctx, api+"/schedules/preview", schedule)
}

// ---- Runs

// ListRuns lists runs of all jobs, newest first. Filters: state (dead letters: DEAD), from, to.
func (c *Client) ListRuns(filter Query) *List { return c.List(api+"/runs", filter) }

// GetRun is the run with its payload and its attempts.
func (c *Client) GetRun(ctx context.Context, run string) (Object, error) {
	return c.get(ctx, runPath(run, ""), nil)
}

// GetRunLog is what the worker logged for an attempt, also while it runs; by default for the last one. Query: attempt.
func (c *Client) GetRunLog(ctx context.Context, run string, query Query) (Object, error) {
	return c.get(ctx, runPath(run, "/log"), query)
}

// CancelRun ends a run that waits at once, and asks the worker of one that runs to stop.
func (c *Client) CancelRun(ctx context.Context, run string) (Object, error) {
	return c.postAgain(ctx, runPath(run, "/cancel"), nil)
}

// UnstickRun takes a running run from a worker that does not let go: it ends at once, and its fence is void.
func (c *Client) UnstickRun(ctx context.Context, run, note string) (Object, error) {
	if note == "" {
		return c.post(ctx, runPath(run, "/unstick"), nil)
	}
	return c.post(ctx, runPath(run, "/unstick"), Object{"note": note})
}

// RetryRun brings a dead run back. Options: Key.
func (c *Client) RetryRun(ctx context.Context, run string, options ...Option) (Object, error) {
	return c.postKeyed(ctx, runPath(run, "/retry"), nil, options)
}

// WaitForRun waits until the run is over, and returns it; the context bounds the wait.
func (c *Client) WaitForRun(ctx context.Context, run string) (Object, error) {
	for {
		seen, err := c.GetRun(ctx, run)
		if err != nil {
			return nil, err
		}
		switch seen.Text("state") {
		case "READY", "RUNNING", "RETRYING":
		default:
			return seen, nil
		}
		if err := sleep(ctx, 500*time.Millisecond); err != nil {
			return seen, err
		}
	}
}

// ---- The whole

// GetCluster says which nodes there are, and what each of them does.
func (c *Client) GetCluster(ctx context.Context) (Object, error) {
	return c.get(ctx, api+"/cluster", nil)
}

// GetForecast counts the ticks to come. Query: hours.
func (c *Client) GetForecast(ctx context.Context, query Query) (Object, error) {
	return c.get(ctx, api+"/forecast", query)
}

// GetForecastAdvice names the fullest minutes, and changes that would halve them. Query: hours.
func (c *Client) GetForecastAdvice(ctx context.Context, query Query) (Object, error) {
	return c.get(ctx, api+"/forecast/advice", query)
}

// GetWorkers says who takes runs, and what waits for them.
func (c *Client) GetWorkers(ctx context.Context) (Object, error) {
	return c.get(ctx, api+"/workers", nil)
}

// GetStats counts jobs and runs.
func (c *Client) GetStats(ctx context.Context) (Object, error) {
	return c.get(ctx, api+"/stats", nil)
}
