package belfry

import (
	"fmt"
	"strings"
	"sync"
)

const (
	halfOutput  = 30_000 // bytes kept of the beginning, and of the end; the server takes 64 KiB
	longestLine = 8_000
)

// notes are what a handler shows of its work while it runs: lines of output, and how far it is. A long output loses its middle.
type notes struct {
	onNews func()

	mutex              sync.Mutex
	head, tail         []string
	headSize, tailSize int
	dropped            int
	progress           *Progress
	version            int
}

func (n *notes) log(line string) {
	line = cut(line, longestLine) + "\n"
	n.mutex.Lock()
	if len(n.tail) == 0 && n.headSize+len(line) <= halfOutput {
		n.head = append(n.head, line)
		n.headSize += len(line)
	} else {
		n.tail = append(n.tail, line)
		n.tailSize += len(line)
	}
	for n.tailSize > halfOutput {
		n.tailSize -= len(n.tail[0])
		n.tail = n.tail[1:]
		n.dropped++
	}
	n.version++
	n.mutex.Unlock()
	n.onNews()
}

// show clamps to what the server accepts: one refused note would cost all runs of the worker their heartbeat.
func (n *notes) show(done, total int64) {
	n.mutex.Lock()
	n.progress = &Progress{atLeastZero(done), atLeastZero(total)}
	n.version++
	n.mutex.Unlock()
	n.onNews()
}

// shown is everything to show so far, and its version.
func (n *notes) shown() (text string, progress *Progress, version int) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	gap := ""
	if n.dropped > 0 {
		gap = fmt.Sprintf("… %d lines left out …\n", n.dropped)
	}
	return strings.Join(n.head, "") + gap + strings.Join(n.tail, ""), n.progress, n.version
}

func atLeastZero(number int64) int64 {
	if number < 0 {
		return 0
	}
	return number
}

// cut shortens a text to so many bytes, and makes it UTF-8 again.
func cut(text string, most int) string {
	if len(text) > most {
		text = text[:most]
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
