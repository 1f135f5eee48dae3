/* Dolev-Klawe-Rodeh: an active node compares its own value, the one behind it, and the one behind that. */
#define first one

mtype = { one, two, announce, waits_for_one, waits_for_two, relay, announcer };

#include "ring.pml"

proctype node(byte i; bool initiates) {
  byte known = undecided;
  mtype role = (initiates -> waits_for_one : relay);
  byte c = (initiates -> id[i] : 0); /* 0 whenever it is not needed, so that equal states look equal */
  byte a;
end:
  do
  :: STEP {
       nempty(link[i]) -> receive();
       if
       :: kind == one && role == waits_for_one && j == c -> role = announcer; know(c); tell(c); c = 0
       :: kind == one && role == waits_for_one && j != c -> role = waits_for_two; a = j; send(two, a)
       :: kind == two && role == waits_for_two && a > c && a > j -> role = waits_for_one; c = a; a = 0; send(one, c)
       :: kind == two && role == waits_for_two && !(a > c && a > j) -> role = relay; c = 0; a = 0
       :: kind == one && role == waits_for_two || kind == two && role == waits_for_one /* only if overtaken: ignored */
       :: kind != announce && role == relay && known == undecided -> send(kind, j)
       :: kind != announce && known != undecided /* all is decided */
       :: kind == announce && role == announcer -> role = relay /* home again */
       :: kind == announce && role != announcer -> role = relay; c = 0; a = 0; know(j); tell(j)
       fi
     }
  od
}
