"""What the programs in Python share. The last arguments: ring or grid, unit or uniform delays, a file with an id a
line. Said at the end: the leader's node, how many nodes know it, messages sent, CPU seconds of the election."""
import math, sys, time

NETWORK, DELAYS, PATH = sys.argv[-3:]
GRID = NETWORK == "grid"
UNIFORM = DELAYS == "uniform"
with open(PATH) as file:
    IDS = list(map(int, file))
N = len(IDS)
SIDE = math.isqrt(N)
DIAMETER = 2 * (SIDE - 1)


def neighbours(node):
    """Whom the node sends to: the next of the ring, or up to four in a square grid."""
    if not GRID:
        return [(node + 1) % N]
    row, column = divmod(node, SIDE)
    after = [(column + 1 < SIDE, node + 1), (row + 1 < SIDE, node + SIDE)]
    near = [(row > 0, node - SIDE), (column > 0, node - 1), *after]
    return [to for there, to in near if there]


def report(told, messages, begun):
    """`told` has the id that each node takes for the leader's."""
    seconds = time.process_time() - begun
    most = max(IDS)
    print(IDS.index(most), sum(id == most for id in told), messages, f"{seconds:.6f}")
