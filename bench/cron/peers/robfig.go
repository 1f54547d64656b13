// robfig/cron: nanoseconds per next fire time, and a checksum of the first 200.
// usage: robfig <expressions file> <version of robfig/cron>
package main

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/robfig/cron"
)

const (
	start   = 1767225600 // 2026-01-01T00:00:00Z
	horizon = start + 3000000000
	measure = 100 * time.Millisecond
	passes  = 3 // over the whole list; the best counts, so that a busy machine slows nobody
	checked = 200
)

type row struct {
	zone, expression string
	schedule         cron.Schedule
	first            time.Time // in the zone
	best             float64   // nanoseconds per next
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	expressions := strings.Split(strings.TrimSpace(string(text)), "\n")
	goVersion := strings.TrimPrefix(runtime.Version(), "go")
	library := fmt.Sprintf("robfig/cron %s (Go %s)", os.Args[2], goVersion)

	var rows []*row
	for _, zone := range []string{"UTC", "America/New_York"} {
		location, err := time.LoadLocation(zone)
		if err != nil {
			panic(err)
		}
		first := time.Unix(start, 0).In(location)
		for _, expression := range expressions {
			schedule, err := cron.ParseStandard(expression)
			if err != nil {
				panic(err)
			}
			rows = append(rows, &row{zone, expression, schedule, first, math.Inf(1)})
		}
	}
	for pass := 0; pass < passes; pass++ {
		for _, r := range rows {
			r.best = math.Min(r.best, nanosPerNext(r.schedule, r.first))
		}
	}
	for _, r := range rows {
		fmt.Printf("%s\t%s\t%s\t%.1f\t%d\n", library, r.zone, r.expression, r.best, checksum(r.schedule, r.first))
	}
}

func checksum(schedule cron.Schedule, t time.Time) int64 {
	var sum int64
	for i := 0; i < checked; i++ {
		t = schedule.Next(t)
		sum = (sum + t.Unix()) % 1000000000000000
	}
	return sum
}

func nanosPerNext(schedule cron.Schedule, first time.Time) float64 {
	t := first
	count := 0
	began := time.Now()
	for {
		for i := 0; i < 50; i++ {
			t = schedule.Next(t)
			count++
			if t.Unix() > horizon {
				t = first
			}
		}
		if elapsed := time.Since(began); elapsed > measure {
			return float64(elapsed.Nanoseconds()) / float64(count)
		}
	}
}
