package belfry

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// held is a run this worker holds.
type heldRun struct {
	run *Run

	mutex      sync.Mutex
	leaseUntil time.Duration // on the boot clock
	told       int           // the version of its notes the server has
	lost       bool
	reporting  bool
}

func (h *heldRun) lease() time.Duration {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h.leaseUntil
}

// beginReport is true once: a run is reported by its handler's end, or given back when the worker ends.
func (h *heldRun) beginReport() bool {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	first := !h.reporting
	h.reporting = true
	return first
}

func (h *heldRun) state() (lost, reporting bool) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h.lost, h.reporting
}

func (w *Worker) isLost(held *heldRun) bool {
	lost, _ := held.state()
	if !lost && bootNow() >= held.lease() {
		w.lose(held, "no heartbeat was answered for the length of its lease")
		return true
	}
	return lost
}

func (w *Worker) lose(held *heldRun, why string) {
	held.mutex.Lock()
	first := !held.lost
	held.lost = true
	held.mutex.Unlock()
	if first {
		w.options.Log("warn", fmt.Sprintf("run %s (fence %d) is lost: %s", held.run.RunID, held.run.Fence, why))
	}
	held.run.stop(LeaseLost)
}

func (w *Worker) beatLoop() {
	usual := w.options.Lease / 3
	for pause := usual; ; {
		timer := time.NewTimer(w.untilDeadline(pause))
		select {
		case <-timer.C:
		case <-w.closed:
		case <-w.news:
			together := time.NewTimer(between(0, w.options.Lease/6, newsEvery))
			select {
			case <-together.C:
			case <-w.closed:
			}
			together.Stop()
		}
		timer.Stop()
		if isClosed(w.closed) {
			return
		}
		pause = usual
		if !w.beat() {
			pause = between(0, w.options.Lease/10, time.Second)
		}
	}
}

func (w *Worker) untilDeadline(pause time.Duration) time.Duration {
	for _, held := range w.all() {
		if remaining := held.run.Remaining(); held.run.StopReason() == "" && remaining < pause {
			pause = remaining
		}
	}
	return between(0, pause, pause)
}

// beat prolongs all leases; it returns whether the server answered.
func (w *Worker) beat() bool {
	runs := []*heldRun{}
	for _, held := range w.all() {
		if lost, _ := held.state(); !lost {
			runs = append(runs, held)
		}
		if held.run.Remaining() <= 0 {
			held.run.stop(Deadline)
		}
	}
	answered := true
	for first := 0; first < len(runs); first += mostRuns {
		answered = w.beatSome(runs[first:least(first+mostRuns, len(runs))]) && answered
	}
	for _, held := range runs {
		if _, reporting := held.state(); !reporting {
			w.isLost(held)
		}
	}
	return answered
}

func (w *Worker) beatSome(runs []*heldRun) bool {
	start := bootNow() // the lease began no earlier
	beats, versions := beatsOf(runs)
	timeout := between(time.Second, w.options.Lease/3, w.options.Lease)
	answers, err := w.server.BeatRuns(context.Background(), beats, seconds(w.options.Lease), Timeout(timeout), Patience(-1))
	if err == nil && len(answers) != len(runs) {
		err = fmt.Errorf("%d answers to %d heartbeats", len(answers), len(runs))
	}
	if err != nil {
		w.options.Log("warn", fmt.Sprintf("heartbeats are not answered: %v", err))
		return false
	}
	for index, held := range runs {
		if _, _, version := held.run.notes.shown(); version > versions[index] {
			ring(w.news) // there is more to tell
		}
		w.heed(held, answers[index].Answer, start, versions[index])
	}
	return true
}

// heed does what the answer to a heartbeat says.
func (w *Worker) heed(held *heldRun, answer string, start time.Duration, told int) {
	held.mutex.Lock()
	held.told = told
	if answer != "FENCED" {
		held.leaseUntil = start + w.options.Lease
	}
	reporting := held.reporting
	held.mutex.Unlock()
	if answer == "CANCEL" {
		held.run.stop(Requested)
	} else if answer == "FENCED" && !reporting { // a run that has just ended is fenced too; its report will tell
		w.lose(held, "its heartbeat was answered FENCED")
	}
}

// beatsOf is the beat of each run, and the version of its notes in it. At most what one call may hold: the rest follows next time.
func beatsOf(runs []*heldRun) (beats []Beat, versions []int) {
	letters := 0
	for _, held := range runs {
		beat := Beat{RunID: held.run.RunID, Fence: held.run.Fence}
		text, progress, version := held.run.notes.shown()
		held.mutex.Lock()
		told := held.told
		held.mutex.Unlock()
		if version > told && letters < mostLetters {
			beat.Log, beat.Progress, told = text, progress, version
			letters += len(text)
		}
		beats, versions = append(beats, beat), append(versions, told)
	}
	return beats, versions
}
