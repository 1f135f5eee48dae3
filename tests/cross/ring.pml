/* What the one-way ring algorithms share: the links, the start, and what is asked of them.
 *
 * Given from outside: N nodes; IDS, their ids clockwise, 1 or more each; TOP, the one that has to win; INITIATORS, a
 * bit for each node that starts, all of them if not given; REORDER, if a link may deliver its messages in any order.
 * With MIN and MAX the election messages are counted too. The including file says what the `first` message is, and
 * defines `node(i, initiator)`.
 */
#ifndef INITIATORS
#define INITIATORS ((1 << N) - 1)
#endif

#define initiator(i) ((INITIATORS >> i) & 1)

#ifdef REORDER
#define STEP atomic /* d_step would fix the choice */
#define CAPACITY 2 * N
#else
#define STEP d_step
#define CAPACITY N
#endif

#define undecided 0

chan link[N] = [CAPACITY] of { mtype, byte }; /* link[i] leads to node i */

byte leaders;  /* how many lead at this moment */
byte informed; /* how many know that TOP leads */
bool usurped;  /* whether somebody else has ever led */

#define agreed (informed == N && leaders == 1)

/* Claims are chosen one by one, and an assertion would break them all; so there are either claims or assertions. */
#ifdef MAX
byte total;
bool over; /* whether nothing is left to be delivered */
#define count total++
#define holds(condition) skip
#define finish over = true
#else
#define count skip
#define holds(condition) assert(condition)
#define finish assert(agreed)
#endif

/* Of no meaning between two steps, hence no part of a state. */
hidden mtype kind;
hidden byte j, turns;

hidden byte id[N] = { IDS };

inline receive() {
  link[i]?kind,j;
#ifdef REORDER
  select(turns : 0 .. len(link[i]));
  do
  :: turns > 0 -> link[i]!kind,j; link[i]?kind,j; turns--
  :: else -> break
  od
#endif
}

inline pass_on(what, value) {
  assert(nfull(link[(i + 1) % N])); /* nobody ever waits for room */
  link[(i + 1) % N]!what,value
}

inline send(what, value) {
  pass_on(what, value);
  count
}

inline tell(leader) {
  pass_on(announce, leader)
}

inline know(leader) {
  leaders = leaders - (known == id[i]) + (leader == id[i]);
  informed = informed - (known == TOP) + (leader == TOP);
  usurped = usurped || (leader == id[i] && leader != TOP);
  known = leader;
  holds(leaders <= 1)
}

init {
  byte i;
  atomic {
    do
    :: i < N ->
         run node(i, initiator(i));
         if
         :: initiator(i) -> send(first, id[i])
         :: else
         fi;
         i++
    :: else -> break
    od;
    i = 0
  }
  atomic { timeout -> finish }
}

#ifdef MAX
ltl one_leader { [] (leaders <= 1) }
ltl right_leader { [] !usurped }
ltl ends { <> (over && agreed) }
ltl at_most { [] (total <= MAX) }
ltl at_least { [] (over -> total >= MIN) }
/* These two have to fail, or MIN and MAX are not exact. */
ltl below_most { [] (total < MAX) }
ltl above_least { [] (over -> total > MIN) }
#endif
