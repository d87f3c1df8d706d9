"""Records which public methods of the client were called, without changing their behaviour."""

import functools
import inspect

from archivist.archivist import Archivist
from archivist.archivistpublic import ArchivistPublic
from archivist.runner import _ActionMap

ABSENT = {
    "Archivist.post_binary": "for entries of the public SCITT service, which this server isn't",
}


def _public_methods(cls):
    for name, value in inspect.getmembers(cls, inspect.isfunction):
        if not name.startswith("_"):
            yield name, value


def _classes():
    """Returns each class of the client with the prefix of its methods' names."""
    yield Archivist, "Archivist"
    yield ArchivistPublic, "Public"
    for clients, prefix in ((ArchivistPublic.CLIENTS, "Public."), (Archivist.CLIENTS, "")):
        for name, cls in clients.items():
            yield cls, prefix + name


def _all_labels():
    return {f"{label}.{name}" for cls, label in _classes() for name, _ in _public_methods(cls)}


def _note(cls, label, name, method, called):
    # One class may serve both interfaces; each instance has the name of its interface.
    base = label.replace("Public.", "")

    @functools.wraps(method)
    def noted(self, *args, **kwargs):
        prefix = "Public." if getattr(self, "_public", False) else ""
        called.add(f"{prefix}{base}.{name}")
        return method(self, *args, **kwargs)

    setattr(cls, name, noted)


def _wrap(called):
    """Wraps each method of each class. All original methods are read before the first one is replaced."""
    found = [(cls, label, *method) for cls, label in _classes() for method in _public_methods(cls)]
    for cls, label, name, method in found:
        _note(cls, label, name, method, called)


class Calls:
    """The methods of the client, the actions of its runner, and those of them that were called."""

    def __init__(self):
        self.called = set()
        self.known = _all_labels()
        self.actions = set()
        self.known_actions = set(_ActionMap(Archivist("http://127.0.0.1", None)))
        _wrap(self.called)
        self._note_actions()

    def _note_actions(self):
        ops = _ActionMap.ops

        def noted(action_map, name):
            self.actions.add(name)
            return ops(action_map, name)

        _ActionMap.ops = noted

    def missing(self):
        """Returns the methods and actions that no test called and that are not listed as absent."""
        methods = {name for name in self.known - self.called if not is_absent(name)}
        return sorted(methods | (self.known_actions - self.actions))


def is_absent(label):
    """Returns whether a method belongs to a resource that the ledger doesn't have."""
    return label in ABSENT
