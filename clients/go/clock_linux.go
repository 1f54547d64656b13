package belfry

import (
	"syscall"
	"time"
	"unsafe"
)

const clockBoottime = 7

// bootNow is a clock that also goes on while the machine sleeps, as a lease does.
func bootNow() time.Duration {
	var now syscall.Timespec
	if _, _, failed := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clockBoottime, uintptr(unsafe.Pointer(&now)), 0); failed != 0 {
		return time.Since(started)
	}
	return time.Duration(now.Nano())
}

var started = time.Now()
