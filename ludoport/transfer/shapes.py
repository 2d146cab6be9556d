"""Fields that Ludii keeps of each ludeme; its piece trees are made of them.

Ludii compares two pieces by the objects behind their rules: a node for each object, below it a node for each field of
that object, in the order in which the class declares them, fields of the parent class last. An object below a field is
a node again; numbers, truth values and names are leaves; a field that is not set is the leaf ``null``; enum words and
collections of other things leave no trace. So a rule that is kept twice counts twice, defaults count, and the word
``Orthogonal`` does not.

`SHAPES` lists the fields of the classes that occur in the rules of pieces, one word a field:

    ``a.b``     what stands at parameter ``b`` of what stands at parameter ``a``
    ``a.b:x``   the same; where it is not written, the default ``x`` (see `ludoport.transfer.piece_trees`)
    ``a+b``     a list of what stands at ``a`` and ``b``
    ``a|b``     what stands at ``a``, otherwise what stands at ``b``
    ``*a``      an enum word or boxed value: ``null`` where it is not written, otherwise nothing
    ``?a``      a truth value, false where it is not written
    ``$a``      a role, as a number
    ``#a``      names of pieces, as numbers
    ``~a:x``    directions that are not worked out beforehand
    ``=x``      the leaf ``x``
    ``!x``      the default ``x``

Classes of moves end with what follows them, whether they are decisions, and when they apply; conditions end with three
fields that only puzzles use. `ludoport.transfer.piece_trees` adds these.
"""

from __future__ import annotations

SHAPES: dict[str, str] = {
    # parts of larger ludemes
    "util:then": "moves",
    "util:to": "loc:to region level if rotations *type effect",
    "util:from": "loc:from region level if *type",
    "util:between": "trail if before range after effect",
    "util:piece": "component|#nameComponent components|#nameComponents state nameComponent *nameComponents",
    # moves
    "moves:move Step": (
        "from.loc:from from.if from.region from.level to.if:true to.effect ?stack directions:adjacent to"
    ),
    "moves:move Slide": (
        "from.loc:from from.level from.if between.range.max:1000 between.range.min:-1 between.if:empty to.if "
        "to.effect.if between.trail between.effect to.effect.effect directions:adjacent track ?stack"
    ),
    "moves:move Hop": (
        "from.loc:from directions:adjacent to.if between.if:hurdle to.effect.if to.effect.effect between.before:0 "
        "between.range.min:1 between.range.max:1 between.after:0 from.if between.effect ?stack"
    ),
    "moves:move Leap": "from.loc:from from.if !walk forward:false to.if to.effect",
    "moves:move": (
        "from.loc:from from.level count to.loc:to to.rotations to.level from.region to.region from.if to.if:true "
        "to.effect.if to.effect.effect *mover ?stack copy:false =false"
    ),
    "moves:move Promote": "locationFn:to $role|who.index *names what.component what.components",
    "moves:move Add": (
        "what.state what.components|what.component|#what.nameComponents|#what.nameComponent:mover to.region to.loc:to "
        "to.level to.if count:1 to.effect.if to.effect ?stack =false"
    ),
    "moves:move Remove": "count:1 level *at",
    "moves:apply": "if effect",
    "moves:if": "cond list elseList",
    "moves:or": "movesA+movesB+list",
    "moves:and": "movesA+movesB+list",
    "moves:moveAgain": "",
    "moves:forEach Direction": (
        "from.loc:from between.range.min:1 between.range.max:1 ~directions:adjacent to.if between.if "
        "to.effect.effect|moves"
    ),
    "moves:forEach Level": "site moves",
    "moves:custodial": ("from.loc:last between.range.max:1000 between.if:enemy to.if:friend between.effect:remove"),
    "moves:surround": "from.loc:from between.if:enemy to.if:friend except:0 with.component between.effect:remove",
    "moves:set Counter": "newValue:-1",
    "moves:set Pending": "value region",
    "moves:set State": "at level value",
    "moves:remember Value": "value unique:false name",
    # conditions
    "boolean:not": "a =null",
    "boolean:and": "a+b+list =null",
    "boolean:or": "a+b+list =null",
    "boolean:=": "valueA valueB|$roleB regionA regionB =null",
    "boolean:!=": "valueA valueB|$roleB regionA regionB =null",
    "boolean:is Friend": "index|$role",
    "boolean:is Enemy": "index|$role",
    "boolean:is Mover": "index|$role",
    "boolean:is Empty": "at",
    "boolean:is Occupied": "at",
    "boolean:is Pending": "",
    "boolean:all Sites": "region if",
    "boolean:can Move": "moves",
    # numbers
    "int:to": "",
    "int:between": "",
    "int:site": "",
    "int:level": "",
    "int:from": "*at",
    "int:who": "at level",
    "int:what": "at level:0",
    "int:state": "at level",
    "int:mover": "",
    "int:next": "",
    "int:last To": "afterConsequence:false",
    "int:last From": "afterConsequence:false",
    "int:mapEntry": "name key|$keyRole =-1",
    "int:ahead": "site steps:1 directions:forward",
    "int:centrePoint": "=centre",
    "int:value Pending": "",
    "intarray:values Remembered": "name",
    # regions
    "region:sites Corners": "!region",
    "region:sites Around": "=null regionWhere where *type distance:1 if includeSelf:false",
    "region:sites Empty": "",
}

SAME = {
    "step": "move Step",
    "slide": "move Slide",
    "hop": "move Hop",
    "leap": "move Leap",
    "fromTo": "move",
    "promote": "move Promote",
    "add": "move Add",
    "remove": "move Remove",
}
"""Effects and the decisions that are made of the same class."""
