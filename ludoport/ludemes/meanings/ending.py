"""End rules: conditions and results."""

from __future__ import annotations

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.registry import condition, number
from ludoport.ludemes.fields.teams import team_table
from ludoport.ludemes.meanings.track_tables import tracks


def end_rules(node: Ludeme, cx: Cx) -> None:
    """Write the test of every end rule of an ``(end ...)``, in text order."""
    rules = node.get("endRules")
    for rule in rules if isinstance(rules, list) else [node.args["endRule"]]:
        assert isinstance(rule, Ludeme)
        end_rule(rule, cx)


def end_rule(rule: Ludeme, cx: Cx) -> None:
    """Write one end rule."""
    if rule.keyword == "if":
        _if(rule, cx)
    elif rule.keyword == "forEach":
        _for_each(rule, cx)
    else:
        raise UnsupportedError(f"the end rule `{rule.keyword}` is not implemented yet", rule.source)


def _if(rule: Ludeme, cx: Cx) -> None:
    cx.fn.remark(cx.program.cite(rule))
    with cx.when(condition(rule.args["test"], cx)):
        subs = rule.get("subs") if rule.get("subs") is not None else rule.get("sub")
        if subs is not None:
            _nested(subs if isinstance(subs, list) else [subs], rule, cx)
        elif rule.get("result") is not None:
            result(rule.args["result"], cx)


def _nested(subs: list[Value], rule: Ludeme, cx: Cx) -> None:
    """The first nested rule that applies decides; otherwise the default result."""
    done = cx.fresh("done")
    cx.line(f"{done} = False")
    for sub in subs:
        assert isinstance(sub, Ludeme)
        with cx.block(f"if not {done}:"):
            with cx.when(condition(sub.args["test"], cx)):
                deeper = sub.get("subs") if sub.get("subs") is not None else sub.get("sub")
                if deeper is not None:
                    _nested(deeper if isinstance(deeper, list) else [deeper], sub, cx)
                elif sub.get("result") is not None:
                    result(sub.args["result"], cx)
                cx.line(f"{done} = True")
    if rule.get("result") is not None:
        with cx.block(f"if not {done}:"):
            result(rule.args["result"], cx)


def _for_each(rule: Ludeme, cx: Cx) -> None:
    kind = rule.get("type")
    if rule.get("trackType") is not None or kind is None:
        for track in tracks(cx.program):
            place = cx.bind(trk=track.index)
            with cx.when(condition(rule.args["if"], place)):
                result(rule.args["result"], place)
        return
    player = cx.fresh("player")
    with cx.block(f"for {player} in range(1, N_PLAYERS + 1):"):
        place = cx.bind(plr=player)
        active = f"state[RANK + {player}] == 0"
        name = str(kind)
        with cx.block(f"if {active} and {player} != {cx.slots['mover']}:" if name == "NonMover" else f"if {active}:"):
            with cx.when(condition(rule.args["if"], place)):
                result(rule.args["result"], place)


def result(value: Value, cx: Cx) -> None:
    """Write the consequence of an end rule."""
    assert isinstance(value, Ludeme)
    if value.keyword == "byScore":
        _by_score(value, cx)
        return
    if value.keyword != "result":
        raise UnsupportedError(f"the result `{value.keyword}` is not implemented yet", value.source)
    outcome = str(value.args["result"])
    who = value.args["who"]
    program = cx.program
    if outcome in ("Draw", "Tie"):
        program.library.add("draw")
        cx.line("draw(state)")
        return
    if outcome not in ("Win", "Loss"):
        raise UnsupportedError(f"the result `{outcome}` is not implemented yet", value.source)
    name = "win" if outcome == "Win" else "lose"
    program.library.add(name)
    if outcome == "Loss" and isinstance(who, Word) and who.name == "All" and program.n_players > 1:
        # No player wins: all have the last rank.
        player = cx.fresh("player")
        with cx.block(f"for {player} in range(1, N_PLAYERS + 1):"):
            cx.line(f"state[RANK + {player}] = 2 * N_PLAYERS")
        cx.line("state[OVER] = 1")
        return
    if isinstance(who, Word) and who.name in ("All", "Each", "NonMover", "Enemy"):
        player = cx.fresh("player")
        with cx.block(f"for {player} in range(1, N_PLAYERS + 1):"):
            with cx.when(True if who.name in ("All", "Each") else f"{player} != {cx.slots['mover']}"):
                cx.line(f"{name}(state, {player})")
        return
    if isinstance(who, Word) and who.name.startswith("Team"):
        _team_result(name, who, cx)
        return
    loser = cx.name(number(who, cx)) if outcome == "Loss" and program.n_players > 2 else number(who, cx)
    cx.line(f"{name}(state, {loser})")
    if outcome == "Loss" and program.n_players > 2:
        # A player who is out does not move next.
        with (
            cx.block(f"if state[NEXT] == {loser} and state[OVER] == 0:"),
            cx.block("while state[RANK + state[NEXT]] != 0:"),
        ):
            cx.line("state[NEXT] = state[NEXT] % N_PLAYERS + 1")


def _team_result(name: str, who: Word, cx: Cx) -> None:
    """The same result for every player of a team."""
    program = cx.program
    table = team_table(program)
    team: Expr = f"{table}[{cx.slots['mover']}]" if who.name == "TeamMover" else int(who.name[4:])
    if name != "win":
        raise UnsupportedError("a loss of a team is not implemented yet", who.source)
    rank, size, player = cx.fresh("rank"), cx.fresh("size"), cx.fresh("player")
    # The team shares the best rank that is left; the others, if they are one team, share the next.
    cx.line(f"{rank} = 1")
    with cx.block("for _ in range(N_PLAYERS):"), cx.block(f"for {player} in range(1, N_PLAYERS + 1):"):
        with cx.block(f"if state[RANK + {player}] == 2 * {rank}:"):
            cx.line(f"{rank} += 1")
    cx.line(f"{size} = 0")
    with cx.block(f"for {player} in range(1, N_PLAYERS + 1):"), cx.block(f"if {table}[{player}] == {team}:"):
        cx.line(f"state[RANK + {player}] = 2 * {rank}")
        cx.line(f"{size} += 1")
    with cx.block(f"for {player} in range(1, N_PLAYERS + 1):"), cx.block(f"if state[RANK + {player}] == 0:"):
        cx.line(f"state[RANK + {player}] = 2 * ({rank} + {size})")
    cx.line("state[OVER] = 1")


def _by_score(node: Ludeme, cx: Cx) -> None:
    program = cx.program
    program.want_scores()
    finals = node.get("finalScore")
    if isinstance(finals, list):
        values: list[tuple[Expr, Expr]] = []
        for each in finals:
            assert isinstance(each, Ludeme)
            values.append((number(each.args["role"], cx), cx.name(number(each.args["score"], cx), "score")))
        for who, score in values:
            cx.line(f"state[SCORE + {who}] = {score}")
    program.library.add("rank_by_score")
    misere = condition(node.get("misere"), cx, False)
    sign = -1 if misere is True else 1
    cx.line(f"rank_by_score(state, {sign})")
