"""The elections on Mesa, where a node is an agent, in its two ways.

"steps": a step is a unit of time. Every step asks every agent, also those that have nothing to do: first to take what
was sent in the step before, then to handle it. "events", for rings: a message is an event of its experimental event
list, and may take a random time; no message overtakes another on its link. Which of them is the first argument.
"""
import random, sys, time
import mesa
from mesa.experimental.devs import DEVSimulator
from job import DIAMETER, GRID, IDS, UNIFORM, neighbours, report

EVENTS = sys.argv[1] == "events"
ELECT, ANNOUNCE = False, True
draw = random.Random(1).random


class Node(mesa.Agent):
    def __init__(self, model, id):
        super().__init__(model)
        self.id, self.leader, self.sent, self.last = id, 0, 0, 0.0
        self.arriving, self.inbox = [], []

    def send(self, message):
        for to in self.out:
            if EVENTS:
                now = self.model.simulator.time
                self.last = max(self.last, now + draw()) if UNIFORM else now + 1
                self.model.simulator.schedule_event_absolute(to.handle, self.last, function_args=message)
            else:
                to.arriving.append(message)
        self.sent += len(self.out)

    def handle(self, kind, id):
        if kind is ELECT:
            if id > self.id:
                self.send((ELECT, id))
            elif id == self.id:
                self.leader = id
                self.send((ANNOUNCE, id))
        elif id == self.id:
            self.model.running = False
        else:
            self.leader = id
            self.send((ANNOUNCE, id))

    def take(self):
        self.inbox, self.arriving = self.arriving, []

    def ring(self):
        for kind, id in self.inbox:
            self.handle(kind, id)

    def grid(self):
        self.leader = max(self.leader, *self.inbox)
        if self.model.steps < DIAMETER:
            self.send(self.leader)
        else:
            self.model.running = False


class Election(mesa.Model):
    def __init__(self):
        super().__init__(seed=1)
        self.simulator = DEVSimulator()
        self.simulator.setup(self)
        self.nodes = [Node(self, id) for id in IDS]
        for number, node in enumerate(self.nodes):
            node.out = [self.nodes[to] for to in neighbours(number)]

    def step(self):
        self.agents.do("take")
        self.agents.do("grid" if GRID else "ring")


election = Election()
begun = time.process_time()
for node in election.nodes:
    if GRID:
        node.leader = node.id
        node.send(node.id)
    else:
        node.send((ELECT, node.id))
if EVENTS:
    election.simulator.run_until(float("inf"))
else:
    while election.running:
        election.step()
report([node.leader for node in election.nodes], sum(node.sent for node in election.nodes), begun)
