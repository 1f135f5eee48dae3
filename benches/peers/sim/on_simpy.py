"""The elections on SimPy: a message is a timeout whose callback is the receiver's, which is cheaper than a process and
a store a node. No message overtakes another on its link."""
import random, time
import simpy
from job import DIAMETER, GRID, IDS, N, UNIFORM, neighbours, report

ELECT, ANNOUNCE = False, True
draw = random.Random(1).random


class Node:
    def __init__(self, env, id):
        self.env, self.id, self.leader, self.sent, self.last = env, id, 0, 0, 0.0
        self.best, self.heard, self.left = id, 0, DIAMETER

    def send(self, message):
        env, delay = self.env, 1
        for to in self.out:
            if UNIFORM:
                self.last = max(self.last, env.now + draw())
                delay = self.last - env.now
            env.timeout(delay, message).callbacks.append(to)
        self.sent += len(self.out)

    def ring(self, event):
        kind, id = event.value
        if kind is ELECT:
            if id > self.id:
                self.send(event.value)
            elif id == self.id:
                self.leader = id
                self.send((ANNOUNCE, id))
        elif id != self.id:
            self.leader = id
            self.send(event.value)

    def grid(self, event):
        self.best = max(self.best, event.value)
        self.heard += 1
        if self.heard == len(self.out):
            self.heard, self.left = 0, self.left - 1
            if self.left:
                self.send(self.best)
            else:
                self.leader = self.best


env = simpy.Environment()
nodes = [Node(env, id) for id in IDS]
for number, node in enumerate(nodes):
    node.out = [nodes[to].grid if GRID else nodes[to].ring for to in neighbours(number)]
begun = time.process_time()
for node in nodes:
    node.send(node.id if GRID else (ELECT, node.id))
env.run()
report([node.leader for node in nodes], sum(node.sent for node in nodes), begun)
