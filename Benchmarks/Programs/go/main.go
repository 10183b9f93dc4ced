// Keeps IN_FLIGHT requests under way until REQUESTS were answered with SIZE bytes each, and prints what that took:
// main URL IN_FLIGHT REQUESTS SIZE
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

func main() {
	url, inFlight, requests, size := os.Args[1], number(2), number(3), number(4)
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{
		MaxIdleConns: inFlight, MaxIdleConnsPerHost: inFlight, MaxConnsPerHost: inFlight, DisableCompression: true,
	}}
	send := func(count int) {
		left := int64(count)
		var senders sync.WaitGroup
		for i := 0; i < inFlight; i++ {
			senders.Add(1)
			go func() {
				defer senders.Done()
				request, err := http.NewRequest("GET", url, nil)
				check(err)
				for atomic.AddInt64(&left, -1) >= 0 {
					response, err := client.Do(request)
					check(err)
					received, err := io.Copy(io.Discard, response.Body)
					check(err)
					response.Body.Close()
					if response.StatusCode != 200 || received != int64(size) {
						check(fmt.Errorf("got status %d and %d bytes", response.StatusCode, received))
					}
				}
			}()
		}
		senders.Wait()
	}
	warmUp := requests / 10
	if warmUp < inFlight {
		warmUp = inFlight
	}
	send(warmUp)

	var before, after syscall.Rusage
	var heapBefore, heapAfter runtime.MemStats
	runtime.ReadMemStats(&heapBefore)
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &before))
	start := time.Now()
	send(requests)
	seconds := time.Since(start).Seconds()
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &after))
	runtime.ReadMemStats(&heapAfter)
	fmt.Printf("figures sent=%d requests=%d seconds=%f user=%f system=%f switches=%d allocations=%f\n",
		warmUp+requests, requests, seconds,
		float64(after.Utime.Nano()-before.Utime.Nano())/1e9, float64(after.Stime.Nano()-before.Stime.Nano())/1e9,
		after.Nvcsw+after.Nivcsw-before.Nvcsw-before.Nivcsw,
		float64(heapAfter.Mallocs-heapBefore.Mallocs)/float64(requests))
}

func number(index int) int {
	value, err := strconv.Atoi(os.Args[index])
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}
