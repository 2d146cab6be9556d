"""Numbers of a position: pieces, scores, the last move, counters."""

from __future__ import annotations

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Word
from ludoport.ludemes.core.components import component_by_name
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.registry import condition, int_ludeme, number, site_number
from ludoport.ludemes.fields.position import state_at, what_at, who_at
from ludoport.ludemes.fields.stacks import max_height
from ludoport.ludemes.fields.teams import team_numbers


@int_ludeme("what", reads=["board"], given_sites=True)
def what(node: Ludeme, cx: Cx) -> Expr:
    """The component at a site; of a stack the bottom one, unless a level is given (the reference does so)."""
    level = node.get("level")
    if level is None and cx.program.stacking:
        level = 0
    return what_at(cx, site_number(node.args["at"], cx), level)


@int_ludeme("who", reads=["board"], given_sites=True)
def who(node: Ludeme, cx: Cx) -> Expr:
    """The owner of the component at a site."""
    site, level = site_number(node.args["at"], cx), node.get("level")
    kind, program = node.get("type"), cx.program
    default = program.board.kind if kind is None else str(kind)
    if level is None and default != "Cell" and program.hands:
        # The reference looks for sites of such a kind on the board only, where a hand's numbers are empty.
        site = site if isinstance(site, int) else cx.name(site, "site")
        owner, there = who_at(cx, site), program.outside_hands(site)
        return (owner if there else 0) if isinstance(there, bool) else f"({owner} if {there} else 0)"
    return who_at(cx, site, level)


@int_ludeme("state", reads=["state"], given_sites=True)
def state(node: Ludeme, cx: Cx) -> Expr:
    """The local state at a site."""
    return state_at(cx, site_number(node.args["at"], cx), node.get("level"))


def _owner(node: Ludeme, cx: Cx) -> Expr:
    """The player whose piece is looked for; of a team, the one player who has pieces."""
    role = node.get("role")
    if isinstance(role, Word) and role.name.startswith("Team") and role.name != "TeamMover":
        teams = list(team_numbers(cx.program))
        owners = {c.owner for c in cx.program.components[1:] if teams[c.owner] == int(role.name[4:])}
        if len(owners) == 1:
            return owners.pop()
        raise UnsupportedError("`where` for a team of several players with pieces is not implemented yet", node.source)
    return number(node.get("indexPlayer") or role, cx)


@int_ludeme("where", reads=["board"], lists=True)
def where(node: Ludeme, cx: Cx) -> Expr:
    """The first site of a component, or -1."""
    program = cx.program
    if node.get("namePiece") is not None:
        name = str(node.args["namePiece"])
        owner = _owner(node, cx)
        component: Expr = component_by_name(program, name, owner)
    else:
        component = number(node.args["what"], cx)
    wanted_state = node.get("state")

    def body(inner: Cx) -> None:
        wanted = inner.slots["val"] if not isinstance(component, int) else component
        if program.stacking and wanted_state is None:
            # The site of any level counts.
            with inner.block(f"for s in range({program.n_board}):"):
                with inner.block("for i in range(state[HEIGHT + s]):"):
                    with inner.block(f"if state[LEVELS + s * {max_height(program)} + i] == {wanted}:"):
                        inner.line("return s")
            inner.line("return -1")
            return
        test = f"state[WHAT + s] == {wanted}"
        if wanted_state is not None:
            test += f" and state[STATE + s] == {number(wanted_state, inner)}"
        known = isinstance(component, int) and 0 <= component < len(program.components)
        owners = {program.components[int(component)].owner} if known else set()
        if len(owners) == 1 and 1 <= min(owners) <= program.n_players and program.want_own_list():
            _first_owned(inner, str(min(owners)), test)
            return
        if program.want_own_list() and not isinstance(component, int):
            inner.line(f"owner = {program.owner_of(inner.slots['val'])}")
            with inner.block("if owner >= 1 and owner <= N_PLAYERS:"):
                _first_owned(inner, "owner", test)
        with inner.block(f"for s in range({program.n_board}):"):
            with inner.block(f"if {test}:"):
                inner.line("return s")
        inner.line("return -1")

    if wanted_state is not None:
        program.want_state()
    place = cx if isinstance(component, int) else cx.bind(val=cx.name(component))
    return place.call("where", node, body, key=("where", id(node), component if isinstance(component, int) else None))


def _first_owned(cx: Cx, owner: str, test: str) -> None:
    """Return the smallest site of a player's pieces that passes a test, or -1; the list of pieces is in no order."""
    cx.line("first = -1")
    with cx.block(f"for i in range(state[N_OWN + {owner}]):"):
        cx.line(f"s = state[OWN + ({owner} - 1) * {cx.program.n_board} + i]")
        with cx.block(f"if {test} and (first < 0 or s < first):"):
            cx.line("first = s")
    cx.line("return first")


@int_ludeme("score", reads=["score"])
def score(node: Ludeme, cx: Cx) -> Expr:
    """A player's score."""
    who = number(node.get("player") or node.get("role"), cx)
    cx.program.want_scores()
    return f"state[SCORE + {who}]"


@int_ludeme("value Pending", reads=["pending"])
def value_pending(node: Ludeme, cx: Cx) -> Expr:
    """The pending value if there is exactly one, else 0."""
    cx.program.want_pending()
    return "(state[PENDING_VALUE] if state[N_PENDING] == 1 else 0)"


@int_ludeme("last To", "last From", reads=[])
def last(node: Ludeme, cx: Cx) -> Expr:
    """Where the last move ended or started."""
    where = node.keyword.split()[1].upper()
    if condition(node.get("afterConsequence"), cx, False) is not False:
        cx.program.want_last_after()
        return f"state[LAST_{where}_AFTER]"
    return f"state[LAST_{where}]"


@int_ludeme("last LevelTo", reads=[])
def last_level(node: Ludeme, cx: Cx) -> Expr:
    """The level that the last move chose, or 0."""
    if condition(node.get("afterConsequence"), cx, False) is not False:
        raise UnsupportedError("`afterConsequence:` of `last LevelTo` is not implemented yet", node.source)
    if not cx.program.stacking:
        return 0
    cx.program.state.want("LAST_LEVEL")
    return "state[LAST_LEVEL]"


@int_ludeme("counter", reads=["counter"])
def counter(node: Ludeme, cx: Cx) -> Expr:
    """Moves since the counter was set."""
    cx.program.state.want("COUNTER")
    return "state[COUNTER]"


@int_ludeme("count Moves", reads=[])
def count_moves(node: Ludeme, cx: Cx) -> Expr:
    """Moves made since the setup."""
    return "state[PLY]"


@int_ludeme("count Turns", reads=[])
def count_turns(node: Ludeme, cx: Cx) -> Expr:
    """The number of the turn, from 1."""
    return "state[TURN]"
