package belfry

import (
	"encoding/json"
	"strings"
	"time"
)

// sampled fills in what a test did not say about its run.
func sampled(facts ClaimedRun) ClaimedRun {
	tick := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	texts := []struct {
		field *string
		usual string
	}{
		{&facts.RunID, strings.Repeat("0", 32)},
		{&facts.AttemptID, strings.Repeat("0", 32) + "-1"},
		{&facts.IdempotencyKey, strings.Repeat("0", 32)},
		{&facts.JobID, strings.Repeat("0", 16)},
		{&facts.JobName, "sample"},
		{&facts.TenantID, "default"},
	}
	for _, each := range texts {
		if *each.field == "" {
			*each.field = each.usual
		}
	}
	if facts.Attempt == 0 {
		facts.Attempt = 1
	}
	if facts.Fence == 0 {
		facts.Fence = 1
	}
	if facts.StandsFor == 0 {
		facts.StandsFor = 1
	}
	if facts.ScheduledFor.IsZero() {
		facts.ScheduledFor = tick
	}
	if facts.LeaseUntil.IsZero() {
		facts.LeaseUntil, facts.Deadline = tick.Add(30*time.Second), tick.Add(5*time.Minute)
	}
	if facts.Payload == nil {
		facts.Payload = json.RawMessage("null")
	}
	if facts.Target == nil {
		facts.Target = json.RawMessage(`{"kind":"WORKER"}`)
	}
	return facts
}
