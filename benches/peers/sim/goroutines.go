// The elections in Go: a node is a goroutine, a link a channel with room for one message. Time does not exist:
// everybody goes on as soon as it can. Arguments: ring or grid, unit, a file with an id a line. Said at the end: the
// leader's node, how many nodes know it, messages sent, CPU seconds of the election.
package main

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strconv"
	"sync/atomic"
	"syscall"
)

type message struct {
	announce bool
	id       int
}

var (
	told, sent atomic.Int64
	done       = make(chan bool)
)

// What a node says when it is through: the last one ends the election.
func decided(leader, most, messages, nodes int) {
	sent.Add(int64(messages))
	if leader != most {
		panic("a wrong leader")
	}
	if told.Add(1) == int64(nodes) {
		done <- true
	}
}

func changRoberts(own int, in <-chan message, out chan<- message, most, nodes int) {
	out <- message{false, own}
	messages := 1
	for {
		switch got := <-in; {
		case !got.announce && got.id < own:
		case !got.announce && got.id == own:
			out <- message{true, own}
			messages++
		case !got.announce:
			out <- got
			messages++
		default:
			if got.id != own {
				out <- got
				messages++
			}
			decided(got.id, most, messages, nodes)
			return
		}
	}
}

func floodmax(own int, in []<-chan message, out []chan<- message, diameter, most, nodes int) {
	best := own
	for round := 0; round < diameter; round++ {
		for _, link := range out {
			link <- message{false, best}
		}
		for _, link := range in {
			if got := <-link; got.id > best {
				best = got.id
			}
		}
	}
	decided(best, most, diameter*len(out), nodes)
}

func read(path string) (ids []int) {
	file, _ := os.Open(path)
	for lines := bufio.NewScanner(file); lines.Scan(); {
		id, _ := strconv.Atoi(lines.Text())
		ids = append(ids, id)
	}
	return ids
}

func neighbours(node, side int) (near []int) {
	row, column := node/side, node%side
	if row > 0 {
		near = append(near, node-side)
	}
	if column > 0 {
		near = append(near, node-1)
	}
	if column+1 < side {
		near = append(near, node+1)
	}
	if row+1 < side {
		near = append(near, node+side)
	}
	return near
}

func seconds() float64 {
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e9
}

func main() {
	ids := read(os.Args[3])
	nodes, most, leader := len(ids), 0, 0
	for node, id := range ids {
		if id > most {
			most, leader = id, node
		}
	}
	begun := make(chan bool)
	if os.Args[1] == "ring" {
		links := make([]chan message, nodes)
		for node := range links {
			links[node] = make(chan message, 1)
		}
		for node, id := range ids {
			go func(id int, in <-chan message, out chan<- message) {
				<-begun
				changRoberts(id, in, out, most, nodes)
			}(id, links[node], links[(node+1)%nodes])
		}
	} else {
		side := int(math.Sqrt(float64(nodes)))
		in, out := make([][]<-chan message, nodes), make([][]chan<- message, nodes)
		for node := range ids {
			for _, to := range neighbours(node, side) {
				link := make(chan message, 1)
				out[node], in[to] = append(out[node], link), append(in[to], link)
			}
		}
		for node, id := range ids {
			go func(id int, in []<-chan message, out []chan<- message) {
				<-begun
				floodmax(id, in, out, 2*(side-1), most, nodes)
			}(id, in[node], out[node])
		}
	}
	before := seconds()
	close(begun)
	<-done
	fmt.Println(leader, told.Load(), sent.Load(), seconds()-before)
}
