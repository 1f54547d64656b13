//go:build !linux

package belfry

import "time"

// bootNow is a clock that nobody sets.
func bootNow() time.Duration { return time.Since(started) }

var started = time.Now()
