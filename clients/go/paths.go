package belfry

import (
	"net/url"
	"regexp"
	"strings"
)

const api = "/api/v1"

var jobID = regexp.MustCompile(`^[0-9a-f]{16}$`)

// jobPath is "/api/v1/jobs/name:nightly%20report": the path of the job with this name or id; "" if there is none.
func jobPath(job, rest string) string {
	if job == "" {
		return ""
	}
	name := strings.TrimPrefix(job, "name:")
	if name == job && jobID.MatchString(job) {
		return api + "/jobs/" + job + rest
	}
	return api + "/jobs/name:" + url.PathEscape(name) + rest
}

func runPath(run, rest string) string {
	if run == "" {
		return ""
	}
	return api + "/runs/" + url.PathEscape(run) + rest
}
