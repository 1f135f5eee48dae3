/* Chang-Roberts: larger ids pass, smaller ones are swallowed. */
#define first elect

mtype = { elect, announce };

#include "ring.pml"

proctype node(byte i; bool participant) {
  byte known = undecided;
end:
  do
  :: STEP {
       nempty(link[i]) -> receive();
       if
       :: kind == elect && j > id[i] -> participant = true; know(undecided); send(elect, j)
       :: kind == elect && j < id[i] && participant /* swallowed */
       :: kind == elect && j < id[i] && !participant -> participant = true; know(undecided); send(elect, id[i])
       :: kind == elect && j == id[i] && participant -> participant = false; know(j); tell(j)
       :: kind == elect && j == id[i] && !participant /* has come home before */
       :: kind == announce && j == id[i] /* home again */
       :: kind == announce && j != id[i] -> participant = false; know(j); tell(j)
       fi
     }
  od
}
