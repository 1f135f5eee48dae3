%% A token goes round a ring of processes: ring:main([NODES, HOPS]) prints hops a second.
-module(ring).
-export([main/1]).

relay(Next, Main) ->
    receive
        {next, Pid} -> relay(Pid, Main);
        0 -> Main ! done;
        Left -> Next ! (Left - 1), relay(Next, Main)
    end.

main([N, H]) ->
    Nodes = list_to_integer(N),
    Hops = list_to_integer(H),
    Main = self(),
    Begun = erlang:monotonic_time(microsecond),
    Pids = [spawn(fun() -> relay(none, Main) end) || _ <- lists:seq(1, Nodes)],
    [P ! {next, Q} || {P, Q} <- lists:zip(Pids, tl(Pids) ++ [hd(Pids)])],
    lists:nth(2, Pids) ! (Hops - 1),
    receive done -> ok end,
    Passed = erlang:monotonic_time(microsecond) - Begun,
    io:format("~w~n", [round(Hops * 1000000 / Passed)]),
    halt().
