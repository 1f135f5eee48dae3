"""Itai and Rodeh's synchronous election (1990) as a PRISM model, solved by Storm in exact arithmetic.

Takes pairs N,K and prints a JSON list: the expected number of rounds, and the probability of ever seeing two leaders.
"""
import json, sys, tempfile

import stormpy


def model(n, k):
    """All draw from 1..k, then let their ids travel round the ring, so that each finds out whether its own is unique.
    The largest unique one leads; if none is, all draw again."""
    nodes = range(n)

    def node(i):
        draws = " + ".join(f"1/{k} : (id{i}'={d}) & (heard{i}'={d}) & (unique{i}'=true)" for d in range(1, k + 1))
        behind = f"heard{(i - 1) % n}"
        return f"""
module node{i}
  id{i} : [0..{k}] init 0;
  heard{i} : [0..{k}] init 0;
  unique{i} : bool init false;
  [draw] true -> {draws};
  [pass] true -> (heard{i}'={behind}) & (unique{i}'=unique{i} & {behind}!=id{i});
endmodule"""

    def leads(i):
        beaten = " | ".join(f"(unique{j} & id{j}>id{i})" for j in nodes if j != i)
        return f"(step={n} & unique{i} & !({beaten}) ? 1 : 0)"

    return f"""dtmc
formula leaders = {" + ".join(leads(i) for i in nodes)};
module clock
  step : [0..{n}] init 0;
  [draw] step=0 | (step={n} & leaders=0) -> (step'=1);
  [pass] step>0 & step<{n} -> (step'=step+1);
  [] leaders>0 -> true;
endmodule
{"".join(node(i) for i in nodes)}
rewards "rounds"
  [draw] true : 1;
endrewards
"""


def solve(n, k):
    with tempfile.NamedTemporaryFile("w", suffix=".prism") as file:
        file.write(model(n, k))
        file.flush()
        program = stormpy.parse_prism_program(file.name)
    properties = stormpy.parse_properties('R{"rounds"}=? [F leaders=1]; P=? [F leaders>1]', program)
    chain = stormpy.build_model[stormpy.Rational](program, properties)
    rounds, two = (str(stormpy.model_checking(chain, p).get_value(chain.initial_states[0])) for p in properties)
    return {"rounds": rounds, "two_leaders": two}


print(json.dumps([solve(*map(int, pair.split(","))) for pair in sys.argv[1:]]))
