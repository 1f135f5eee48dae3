"""The elections on Mesa: a node is an agent, a step is a unit of time. Every step asks every agent, also those that have
nothing to do: first to take what was sent in the step before, then to handle it. There are no random delays."""
import time
import mesa
from job import DIAMETER, GRID, IDS, neighbours, report

ELECT, ANNOUNCE = False, True


class Node(mesa.Agent):
    def __init__(self, model, id):
        super().__init__(model)
        self.id, self.leader, self.sent = id, 0, 0
        self.arriving, self.inbox = [], []

    def send(self, message):
        for to in self.out:
            to.arriving.append(message)
        self.sent += len(self.out)

    def take(self):
        self.inbox, self.arriving = self.arriving, []

    def ring(self):
        for kind, id in self.inbox:
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

    def grid(self):
        self.leader = max(self.leader, *self.inbox)
        if self.model.steps < DIAMETER:
            self.send(self.leader)
        else:
            self.model.running = False


class Election(mesa.Model):
    def __init__(self):
        super().__init__(seed=1)
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
while election.running:
    election.step()
report([node.leader for node in election.nodes], sum(node.sent for node in election.nodes), begun)
