package main

import (
	"context"
	"encoding/json"
	"fmt"

	"belfry"
)

type caller func(ctx context.Context, c *belfry.Client, w *part) (any, error)

func (w *part) job() string { return fmt.Sprint(w.Path["job"]) }
func (w *part) run() string { return fmt.Sprint(w.Path["run"]) }

func (w *part) options() []belfry.Option {
	options := []belfry.Option{}
	if w.Key != "" {
		options = append(options, belfry.Key(w.Key))
	}
	if w.Version != 0 {
		options = append(options, belfry.IfVersion(w.Version))
	}
	if w.CreateOnly {
		options = append(options, belfry.CreateOnly())
	}
	return options
}

func (w *part) object() belfry.Object {
	var body belfry.Object
	_ = decode(w.Body, &body)
	return body
}

var calls = map[string]caller{
	"createJob": func(ctx context.Context, c *belfry.Client, w *part) (any, error) {
		return c.CreateJob(ctx, w.Body, w.options()...)
	},
	"putJobs": func(ctx context.Context, c *belfry.Client, w *part) (any, error) { return c.PutJobs(ctx, w.Body) },
	"getJob":  func(ctx context.Context, c *belfry.Client, w *part) (any, error) { return c.GetJob(ctx, w.job()) },
	"putJob": func(ctx context.Context, c *belfry.Client, w *part) (any, error) {
		return c.PutJob(ctx, w.job(), w.Body, w.options()...)
	},
	"patchJob": func(ctx context.Context, c *belfry.Client, w *part) (any, error) {
		return c.PatchJob(ctx, w.job(), w.Body, w.options()...)
	},
	"deleteJob": func(ctx context.Context, c *belfry.Client, w *part) (any, error) {
		return nil, c.DeleteJob(ctx, w.job())
	},
	"pauseJob": func(ctx context.Context, c *belfry.Client, w *part) (any, error) {
		return c.PauseJob(ctx, w.job(), w.object())
	},
	"resumeJob": func(ctx context.Context, c *belfry.Client, w *part) (any, error) { return c.ResumeJob(ctx, w.job()) },
	"cancelJob": func(ctx context.Context, c *belfry.Client, w *part) (any, error) { return c.CancelJob(ctx, w.job()) },
	"triggerJob": func(ctx context.Context, c *belfry.Client, w *part) (any, error) {
		return c.TriggerJob(ctx, w.job(), w.object()["payload"], w.options()...)
	},
	"backfillJob": func(ctx context.Context, c *belfry.Client, w *part) (any, error) {
		return c.BackfillJob(ctx, w.job(), w.object())
	},
	"explainJob": func(ctx context.Context, c *belfry.Client, w *part) (any, error) {
		return c.ExplainJob(ctx, w.job(), w.Query)
	},
	"restoreRevision": func(ctx context.Context, c *belfry.Client, w *part) (any, error) {
		version, _ := w.Path["version"].(json.Number).Int64()
		return c.RestoreRevision(ctx, w.job(), version)
	},
	"nextTicks": func(ctx context.Context, c *belfry.Client, w *part) (any, error) {
		return c.NextTicks(ctx, w.job(), w.Query)
	},
	"previewSchedule": func(ctx context.Context, c *belfry.Client, w *part) (any, error) {
		return c.PreviewSchedule(ctx, w.Body)
	},
	"getRun": func(ctx context.Context, c *belfry.Client, w *part) (any, error) { return c.GetRun(ctx, w.run()) },
	"getRunLog": func(ctx context.Context, c *belfry.Client, w *part) (any, error) {
		return c.GetRunLog(ctx, w.run(), w.Query)
	},
	"cancelRun": func(ctx context.Context, c *belfry.Client, w *part) (any, error) { return c.CancelRun(ctx, w.run()) },
	"unstickRun": func(ctx context.Context, c *belfry.Client, w *part) (any, error) {
		return c.UnstickRun(ctx, w.run(), w.object().Text("note"))
	},
	"retryRun": func(ctx context.Context, c *belfry.Client, w *part) (any, error) { return c.RetryRun(ctx, w.run()) },
	"claimRuns": func(ctx context.Context, c *belfry.Client, w *part) (any, error) {
		var request belfry.ClaimRequest
		if err := decode(w.Body, &request); err != nil {
			return nil, err
		}
		return c.ClaimRuns(ctx, request)
	},
	"beatRuns": func(ctx context.Context, c *belfry.Client, w *part) (any, error) {
		var request struct {
			Runs  []belfry.Beat `json:"runs"`
			Lease int           `json:"lease_seconds"`
		}
		if err := decode(w.Body, &request); err != nil {
			return nil, err
		}
		return c.BeatRuns(ctx, request.Runs, request.Lease)
	},
	"completeRuns": func(ctx context.Context, c *belfry.Client, w *part) (any, error) {
		var request struct {
			Runs []belfry.Report `json:"runs"`
		}
		if err := decode(w.Body, &request); err != nil {
			return nil, err
		}
		return c.CompleteRuns(ctx, request.Runs)
	},
	"getCluster":  func(ctx context.Context, c *belfry.Client, w *part) (any, error) { return c.GetCluster(ctx) },
	"getForecast": func(ctx context.Context, c *belfry.Client, w *part) (any, error) { return c.GetForecast(ctx, w.Query) },
	"getForecastAdvice": func(ctx context.Context, c *belfry.Client, w *part) (any, error) {
		return c.GetForecastAdvice(ctx, w.Query)
	},
	"getWorkers": func(ctx context.Context, c *belfry.Client, w *part) (any, error) { return c.GetWorkers(ctx) },
	"jobWarnings": func(ctx context.Context, c *belfry.Client, w *part) (any, error) {
		return c.JobWarnings(ctx, w.job())
	},
	"getStats": func(ctx context.Context, c *belfry.Client, w *part) (any, error) { return c.GetStats(ctx) },
}

var lists = map[string]func(c *belfry.Client, w *part, filter belfry.Query) *belfry.List{
	"listJobs": func(c *belfry.Client, w *part, filter belfry.Query) *belfry.List { return c.ListJobs(filter) },
	"listRuns": func(c *belfry.Client, w *part, filter belfry.Query) *belfry.List { return c.ListRuns(filter) },
	"listJobRuns": func(c *belfry.Client, w *part, filter belfry.Query) *belfry.List {
		return c.ListJobRuns(w.job(), filter)
	},
	"listRevisions": func(c *belfry.Client, w *part, filter belfry.Query) *belfry.List {
		return c.ListRevisions(w.job(), filter)
	},
	"listJobTicks": func(c *belfry.Client, w *part, filter belfry.Query) *belfry.List {
		return c.ListJobTicks(w.job(), filter)
	},
}

func ask(client *belfry.Client, step *step) (any, error) {
	ctx := context.Background()
	if list := lists[step.List]; list != nil {
		filter := belfry.Query{}
		for name, value := range step.With.Query {
			filter[name] = value
		}
		if step.Page > 0 {
			filter["limit"] = step.Page
		}
		return list(client, &step.With, filter).All(ctx)
	}
	call := calls[step.Do]
	if call == nil {
		return nil, fmt.Errorf("no call %q%q", step.Do, step.List)
	}
	return call(ctx, client, &step.With)
}
