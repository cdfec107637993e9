// A program that writes a CPU profile and a heap profile of itself.
package main

import (
	"os"
	"runtime"
	"runtime/pprof"
	"sort"
	"time"
)

type list[T any] struct{ items []T }

//go:noinline
func (l *list[T]) push(item T) { l.items = append(l.items, item) }

func main() {
	cpu, _ := os.Create(os.Args[1])
	heap, _ := os.Create(os.Args[2])
	runtime.MemProfileRate = 1
	pprof.StartCPUProfile(cpu)
	kept := &list[[]int]{}
	for end := time.Now().Add(300 * time.Millisecond); time.Now().Before(end); {
		numbers := make([]int, 5000)
		for i := range numbers {
			numbers[i] = i * 7919 % 5003
		}
		sort.Ints(numbers)
		kept.push(numbers[:10:10])
	}
	pprof.StopCPUProfile()
	pprof.WriteHeapProfile(heap)
	cpu.Close()
	heap.Close()
	runtime.KeepAlive(kept)
}
