%% The elections in Erlang: a node is a process. Time does not exist: everybody goes on as soon as it can. Arguments:
%% ring or grid, unit, a file with an id a line. Said at the end: the leader's node, how many nodes know it, messages
%% sent, CPU seconds of the election.
-module(processes).
-export([main/1]).

%% What a node does when it is through: the last one ends the election.
decided(Leader, {Main, Count, Leader, Nodes}, Sent) ->
    counters:add(Count, 1, Sent),
    counters:add(Count, 2, 1),
    case counters:get(Count, 2) of
        Nodes -> Main ! done;
        _ -> ok
    end.

%% Messages are plain numbers, which are sent without being copied to the receiver's heap: Id for elect(Id), -Id for
%% announce(Id).
chang_roberts(Own, All) ->
    receive {out, [Next]} -> ok end,
    Next ! Own,
    chang_roberts(Own, Next, All, 1).

chang_roberts(Own, Next, All, Sent) ->
    receive
        Id when Id > Own -> Next ! Id, chang_roberts(Own, Next, All, Sent + 1);
        Id when Id =:= Own -> Next ! -Own, chang_roberts(Own, Next, All, Sent + 1);
        Id when Id > 0 -> chang_roberts(Own, Next, All, Sent);
        Id when Id =:= -Own -> decided(Own, All, Sent);
        Id -> Next ! Id, decided(-Id, All, Sent + 1)
    end.

floodmax(Own, Diameter, All) ->
    receive {out, Out} -> flood(Own, 0, Diameter, Out, length(Out), All) end.

%% A neighbour is at most a round ahead: twice the id, plus the round's parity, says which round it is of.
flood(Best, Diameter, Diameter, _, Degree, All) -> decided(Best, All, Diameter * Degree);
flood(Best, Round, Diameter, Out, Degree, All) ->
    Parity = Round band 1,
    [To ! 2 * Best + Parity || To <- Out],
    flood(hear(Degree, Parity, Best), Round + 1, Diameter, Out, Degree, All).

hear(0, _, Best) -> Best;
hear(Left, Parity, Best) ->
    receive Max when Max band 1 =:= Parity -> hear(Left - 1, Parity, max(Best, Max bsr 1)) end.

neighbours("ring", Node, Nodes) -> [(Node + 1) rem Nodes];
neighbours("grid", Node, Nodes) ->
    Side = round(math:sqrt(Nodes)),
    {Row, Column} = {Node div Side, Node rem Side},
    [To || {true, To} <- [{Row > 0, Node - Side}, {Column > 0, Node - 1},
                          {Column + 1 < Side, Node + 1}, {Row + 1 < Side, Node + Side}]].

main([Network, _, File]) ->
    {ok, Text} = file:read_file(File),
    Ids = [binary_to_integer(Line) || Line <- binary:split(Text, <<"\n">>, [global, trim])],
    Nodes = length(Ids),
    Most = lists:max(Ids),
    Count = counters:new(2, [atomics]),
    All = {self(), Count, Most, Nodes},
    Diameter = 2 * (round(math:sqrt(Nodes)) - 1),
    Begin = case Network of
        "ring" -> fun(Id) -> spawn(fun() -> chang_roberts(Id, All) end) end;
        "grid" -> fun(Id) -> spawn(fun() -> floodmax(Id, Diameter, All) end) end
    end,
    Pids = list_to_tuple([Begin(Id) || Id <- Ids]),
    Outs = [[element(To + 1, Pids) || To <- neighbours(Network, Node, Nodes)] || Node <- lists:seq(0, Nodes - 1)],
    {Before, _} = statistics(runtime),
    %% Being told its neighbours is what starts a node.
    lists:foldl(fun(Out, Node) -> element(Node, Pids) ! {out, Out}, Node + 1 end, 1, Outs),
    receive done -> ok end,
    {After, _} = statistics(runtime),
    Leader = length(lists:takewhile(fun(Id) -> Id =/= Most end, Ids)),
    io:format("~w ~w ~w ~.3f~n", [Leader, counters:get(Count, 2), counters:get(Count, 1), (After - Before) / 1000]),
    halt().
