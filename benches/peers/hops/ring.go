// A token goes round a ring of goroutines: ring NODES HOPS prints hops a second.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

func relay(in <-chan int, out chan<- int, done chan<- bool) {
	for left := range in {
		if left == 0 {
			done <- true
			return
		}
		out <- left - 1
	}
}

func main() {
	nodes, _ := strconv.Atoi(os.Args[1])
	hops, _ := strconv.Atoi(os.Args[2])
	links := make([]chan int, nodes)
	for i := range links {
		links[i] = make(chan int, 1)
	}
	done := make(chan bool)
	begun := time.Now()
	for i := range links {
		go relay(links[i], links[(i+1)%nodes], done)
	}
	links[1%nodes] <- hops - 1
	<-done
	fmt.Printf("%.0f\n", float64(hops)/time.Since(begun).Seconds())
}
