"""The pages, one file each, found by being there.

A page is a module with ``title`` (its name in the navigation), ``routes`` (what its script asks for) and ``place``
(where it stands in the navigation; without one it is not listed). Its HTML is ``static/NAME.html``.
"""
