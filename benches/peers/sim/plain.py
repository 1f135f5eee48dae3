"""The elections in Python without any library: a queue of messages, in the order of their arrival, with unit delays."""
import time
from collections import deque
from job import DIAMETER, GRID, IDS, N, neighbours, report

ELECT, ANNOUNCE = False, True


def chang_roberts():
    ids, told = IDS, [0] * N
    queue = deque(((node + 1) % N, ELECT, id) for node, id in enumerate(ids))
    send, take = queue.append, queue.popleft
    sent = N
    while queue:
        at, kind, id = take()
        if kind is ELECT and id < ids[at]:
            continue
        if kind is ANNOUNCE or id == ids[at]:
            if kind is ANNOUNCE and id == ids[at]:
                continue
            kind = ANNOUNCE
            told[at] = id
        sent += 1
        send((at + 1 if at + 1 < N else 0, kind, id))
    return told, sent


def floodmax():
    links = [neighbours(node) for node in range(N)]
    best, sent = list(IDS), 0
    queue = deque()
    send, take = queue.append, queue.popleft
    for _ in range(DIAMETER):
        for node, id in enumerate(best):
            for to in links[node]:
                send((to, id))
        sent += len(queue)
        while queue:
            to, id = take()
            if id > best[to]:
                best[to] = id
    return best, sent


begun = time.process_time()
report(*(floodmax() if GRID else chang_roberts()), begun)
