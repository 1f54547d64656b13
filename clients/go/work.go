package belfry

import (
	"context"
	"encoding/json"
	"time"
)

// ClaimRequest asks for runs to work on.
type ClaimRequest struct {
	WorkerID     string   `json:"worker_id"`
	JobTypes     []string `json:"job_types"`
	MaxRuns      int      `json:"max_runs,omitempty"`
	LeaseSeconds int      `json:"lease_seconds,omitempty"`
	WaitSeconds  int      `json:"wait_seconds,omitempty"` // for the first one
	Region       string   `json:"region,omitempty"`       // where the worker is; default: where the node is that is asked
}

// ClaimedRun is one attempt of a run, granted to a worker.
type ClaimedRun struct {
	RunID          string          `json:"run_id"`
	AttemptID      string          `json:"attempt_id"`
	Attempt        int             `json:"attempt"` // from 1
	Fence          int64           `json:"fence"`
	IdempotencyKey string          `json:"idempotency_key"`
	Traceparent    string          `json:"traceparent"` // the attempt's place in the run's trace (W3C Trace Context)
	JobID          string          `json:"job_id"`
	JobName        string          `json:"job_name"`
	JobType        string          `json:"job_type"`
	TenantID       string          `json:"tenant_id"`
	ScheduledFor   time.Time       `json:"scheduled_for"`
	LeaseUntil     time.Time       `json:"lease_until"`
	Deadline       time.Time       `json:"deadline"`   // by the server's clock
	StandsFor      int             `json:"stands_for"` // missed ticks, including its own
	WaitedMS       int64           `json:"waited_ms"`  // that the claim had waited when the run was granted
	Target         json.RawMessage `json:"target"`
	Payload        json.RawMessage `json:"payload"`
}

// Progress says how far the work is; a total of 0 means unknown.
type Progress struct {
	Done  int64 `json:"done"`
	Total int64 `json:"total"`
}

// Beat prolongs the lease of a run, and shows what it shows.
type Beat struct {
	RunID    string    `json:"run_id"`
	Fence    int64     `json:"fence"`
	Log      string    `json:"log,omitempty"`
	Progress *Progress `json:"progress,omitempty"`
}

// Report says how an attempt ended.
type Report struct {
	RunID             string    `json:"run_id"`
	Fence             int64     `json:"fence"`
	Status            string    `json:"status"` // SUCCEEDED, FAILED or RETURNED
	Result            any       `json:"result,omitempty"`
	Error             string    `json:"error,omitempty"`
	Retryable         *bool     `json:"retryable,omitempty"`
	RetryAfterSeconds *int64    `json:"retry_after_seconds,omitempty"`
	Log               string    `json:"log,omitempty"`
	Progress          *Progress `json:"progress,omitempty"`
}

// Answer is what the server says to a beat (EXTENDED, CANCEL or FENCED) or to a report (OK, RETRY or FENCED).
type Answer struct {
	RunID  string `json:"run_id"`
	Answer string `json:"answer"`
}

// ClaimRuns takes runs to work on; it waits for the first one. It is never repeated: the runs of a lost answer come back when
// their lease ends. Worker does all this for you.
func (c *Client) ClaimRuns(ctx context.Context, request ClaimRequest) ([]ClaimedRun, error) {
	var answer struct {
		Runs []ClaimedRun `json:"runs"`
	}
	timeout := c.timeout + time.Duration(request.WaitSeconds)*time.Second
	err := c.Call(ctx, "POST", api+"/runs:claim", request, &answer, Timeout(timeout))
	return answer.Runs, err
}

// BeatRuns prolongs leases; 0 seconds are the server's default. It answers for each run, in their order.
func (c *Client) BeatRuns(ctx context.Context, runs []Beat, leaseSeconds int, options ...Option) ([]Answer, error) {
	body := Object{"runs": runs}
	if leaseSeconds > 0 {
		body["lease_seconds"] = leaseSeconds
	}
	return c.answers(ctx, "/runs:heartbeat", body, options)
}

// CompleteRuns reports how attempts ended. Repeating a report is safe.
func (c *Client) CompleteRuns(ctx context.Context, runs []Report, options ...Option) ([]Answer, error) {
	return c.answers(ctx, "/runs:complete", Object{"runs": runs}, options)
}

func (c *Client) answers(ctx context.Context, path string, body any, options []Option) ([]Answer, error) {
	var answer struct {
		Results []Answer `json:"results"`
	}
	err := c.Call(ctx, "POST", api+path, body, &answer, append([]Option{repeatable()}, options...)...)
	return answer.Results, err
}
