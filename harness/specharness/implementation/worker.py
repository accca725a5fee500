"""The Python worker: loads one function and calls it for requests that come as JSON lines (spec/protocol.md).

One file of standard library for Python 3.9 and newer, so that it runs in an engine's own environment. It holds nothing
of the cases or the reference. Standard output of the implementation goes to standard error; the protocol has
descriptors of its own.
"""

# All that is used while the implementation runs is imported before its folder is on the path.
import importlib
import importlib.util
import inspect
import json
import marshal
import os
import reprlib
import sys
import traceback

PROTOCOL = 1
PARAMETERS = ("draft_tokens", "draft_probs", "target_probs", "random_samples")
MAX_ITEMS = 1_000_000
MAX_DEPTH = 3
MAX_TEXT = 400
_NON_FINITE = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


class Refusal(Exception):
    """The implementation can't be loaded or called; `reason` is one of those in spec/protocol.md."""

    def __init__(self, reason, message):
        super().__init__(message)
        self.reason = reason


# ---- loading


def load(target):
    """The callable that `target` names: {"module" or "path": where, "name": dotted name}. Raises Refusal.

    "search", where it is there, has folders to look for modules in, behind the current one or the file's own.
    """
    sys.path[:0] = target.get("search", ())
    if "path" in target:
        module = _load_path(target["path"])
    else:
        module = _load_module(target["module"])
    return adapt(resolve(module, target["name"]), target["name"])


def _load_module(name):
    sys.path.insert(0, os.getcwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name + ".").startswith(error.name + "."):
            raise Refusal("module-not-found", f"no module named {error.name}.{_near_modules(error.name)}") from None
        raise _import_failed(name, error) from None
    except BaseException as error:
        raise _import_failed(name, error) from None


def _load_path(path):
    try:
        kind = "is a folder" if os.path.isdir(path) else os.stat(path) and None
    except PermissionError as error:
        kind = f"can't be read: {error.strerror}"
    except (OSError, ValueError):
        kind = "does not exist"
    if kind:
        raise Refusal("module-not-found", f"the file {path} {kind}.{_near_files(path)}")
    folder, base = os.path.split(os.path.abspath(path))
    sys.path.insert(0, folder)
    name = os.path.splitext(base)[0]
    if name in sys.modules or name in getattr(sys, "stdlib_module_names", ()):
        name = "specharness_implementation_" + name
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise Refusal("module-not-found", f"the file {path} is no Python file; expected a name that ends in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        raise _import_failed(path, error) from None
    return module


def _import_failed(where, error):
    text = f"importing {where} failed:\n{describe_traceback(error)}"
    if isinstance(error, ImportError) and "relative import" in str(error):
        text += "\nThe file is part of a package: name it as package.module:function."
    elif isinstance(error, ModuleNotFoundError):
        text += f"\nIt ran in {sys.executable}; --python PATH names another interpreter."
    return Refusal("import-failed", text)


def _functions_of(value, most=5):
    """` It defines X, Y.` for the functions of a module, or an empty string."""
    if not inspect.ismodule(value):
        return ""
    found = [
        name
        for name, member in vars(value).items()
        if inspect.isfunction(member) and member.__module__ == value.__name__ and not name.startswith("_")
    ]
    return f" It defines {', '.join([*found[:most], *(['...'] if found[most:] else [])])}." if found else ""


def resolve(module, dotted):
    """The attribute that `dotted` names; a method of a class is bound to an instance made without arguments."""
    value = module
    for part in dotted.split("."):
        parent = value
        try:
            value = getattr(parent, part)
        except AttributeError:
            known = [name for name in dir(parent) if not name.startswith("__")]
            where = getattr(parent, "__name__", type(parent).__name__)
            hint = _did_you_mean(part, known) or _functions_of(parent)
            raise Refusal("name-not-found", f"{where} has no {part}.{hint}") from None
        except BaseException as error:
            raise Refusal("import-failed", f"looking up {part} failed:\n{describe_traceback(error)}") from None
        if inspect.isclass(parent) and inspect.isfunction(inspect.getattr_static(parent, part, None)):
            try:
                value = getattr(parent(), part)
            except BaseException as error:
                where = parent.__name__
                text = f"{where}() failed, and {part} needs an instance:\n{describe_traceback(error)}"
                raise Refusal("import-failed", text) from None
    return value


def adapt(function, name):
    """`function` as one that takes the four arguments by position. Raises Refusal where it can't be called so."""
    if not callable(function):
        raise Refusal("not-callable", f"{name} is of type {type_name(function)}; expected a function")
    if inspect.isclass(function):
        raise Refusal("not-callable", f"{name} is a class; expected a function, {name}.method or an instance")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return function  # a builtin that tells nothing of its parameters
    try:
        signature.bind(*PARAMETERS)
    except TypeError:
        try:
            signature.bind(**dict.fromkeys(PARAMETERS))
        except TypeError:
            text = (
                f"{name}{signature} can't be called with ({', '.join(PARAMETERS)}); write an adapter that takes these"
            )
            raise Refusal("wrong-parameters", text) from None
        return lambda *values: function(**dict(zip(PARAMETERS, values)))
    return function


def _did_you_mean(name, known):
    import difflib

    near = difflib.get_close_matches(name, known, n=3, cutoff=0.6)
    return f" Did you mean {' or '.join(near)}?" if near else ""


def _near_modules(name):
    import pkgutil

    parent, _, last = name.rpartition(".")
    path = getattr(sys.modules.get(parent), "__path__", None) if parent else None
    prefix = parent + "." if parent else ""
    near = _did_you_mean(last, sorted({module.name for module in pkgutil.iter_modules(path)}))
    return near.replace("mean ", "mean " + prefix).replace(" or ", " or " + prefix) if near else ""


def _near_files(path):
    folder, base = os.path.split(path)
    try:
        names = sorted(os.listdir(folder or "."))
    except OSError:
        return ""
    return _did_you_mean(base, [name for name in names if name.endswith(".py")])


# ---- calling


def decode(values):
    """Arguments from JSON; the strings that stand for non-finite numbers become floats."""
    if isinstance(values, list):
        return [decode(value) for value in values]
    return _NON_FINITE.get(values, values) if isinstance(values, str) else values


def call(function, arguments, traced=True):
    """Call `function` with copies of `arguments`; the answer as a message without its id.

    Without `traced`, what it raises comes without its message and traceback.
    """
    kept = [marshal.dumps(argument, 2) for argument in arguments]
    copies = [marshal.loads(blob) for blob in kept]
    try:
        result = function(*copies)
    except BaseException as error:
        answer = {"type": "raised", **describe_exception(error, traced)}
    else:
        answer = {"type": "returned", "result": encode(result)}
    changed = [name for name, copy, blob in zip(PARAMETERS, copies, kept) if not _unchanged(copy, blob)]
    if changed:
        answer["mutated"] = changed
    return answer


def _unchanged(argument, blob):
    try:
        return marshal.dumps(argument, 2) == blob
    except ValueError:  # now holds something that marshal does not know
        return False


def describe_exception(error, traced):
    """Class, bases, message and traceback of an exception, none of which is trusted."""
    names = [type_name_of(base) for base in type(error).__mro__]
    named = {"exception": names[0], "bases": names[1:-1]}
    if not traced:
        return {**named, "message": "", "traceback": ""}
    return {
        **named,
        "message": _guarded(lambda: str.__getitem__(str(error), slice(0, MAX_TEXT))),
        "traceback": describe_traceback(error),
    }


def describe_traceback(error):
    """The last frames of an exception's traceback that are the implementation's own, as text."""

    def text():
        frames = [f for f in traceback.extract_tb(error.__traceback__) if not _is_ours(f.filename)]
        lines = traceback.format_list(frames[-6:]) + traceback.format_exception_only(type(error), error)
        return "".join(lines).rstrip()

    return _guarded(text)[-2000:]


def _is_ours(filename):
    return filename == __file__ or filename.startswith("<frozen importlib")


def _guarded(function):
    """What `function` returns, where the implementation's own code may be called and may fail in any way."""
    try:
        return function()
    except BaseException as error:
        return f"<{type(error).__name__} while describing it>"


# ---- encoding results


def encode(value):
    """`value` in the form of spec/protocol.md: JSON where JSON tells its type, else a mapping with "$type"."""
    try:
        return _encode(value, 0, [MAX_ITEMS])
    except BaseException:  # a subclass of list or dict that lies about itself
        return _opaque(value)


def _encode(value, depth, budget):
    kind = type(value)
    budget[0] -= 1
    if value is None or kind is bool:
        return value
    if kind is int:
        return value if -(2**63) <= value < 2**63 else _opaque(value)
    if kind is float:
        return value if value - value == 0 else "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    if issubclass(kind, list) and depth < MAX_DEPTH and list.__len__(value) <= budget[0]:
        return [_encode(item, depth + 1, budget) for item in list.__iter__(value)]
    if issubclass(kind, dict) and depth < MAX_DEPTH and dict.__len__(value) <= 100:
        items = list(dict.items(value))
        if all(issubclass(type(key), str) and str.__len__(key) <= 100 for key, _ in items):
            plain = {str.__str__(key): _encode(item, depth + 1, budget) for key, item in items}
            if "$type" not in plain:
                return plain
    return _opaque(value)


def _opaque(value):
    described = {"$type": type_name(value), "repr": short_repr(value)}
    if type(value) is list:
        described["length"] = len(value)
    if issubclass(type(value), float):
        described["float"] = True
    index = _guarded_index(value)
    if index is not None:
        described["int"] = index
    return described


def _guarded_index(value):
    """The int that an int subclass or an integer array scalar stands for, else None."""
    try:
        if type(value) is int or len(getattr(value, "shape", ())) > 0 or "bool" in str(getattr(value, "dtype", "")):
            return None
        index = int.__add__(value, 0) if issubclass(type(value), int) else type(value).__index__(value)
        return index if type(index) is int and -(2**63) <= index < 2**63 else None
    except BaseException:
        return None


def type_name(value):
    """The qualified name of a value's type, builtins unqualified."""
    return type_name_of(type(value))


def type_name_of(kind):
    def text():
        module = kind.__module__
        return kind.__qualname__ if module == "builtins" else f"{module}.{kind.__qualname__}"

    return str(_guarded(text))[:100]


class _Repr(reprlib.Repr):
    def __init__(self):
        super().__init__()
        self.maxlevel = 3
        self.maxlist = self.maxtuple = self.maxset = self.maxdict = 8
        self.maxstring = self.maxother = self.maxlong = 120


def short_repr(value):
    """A repr of bounded length, whatever the value's own does."""

    def text():
        if type(value) is int and value.bit_length() > 500:
            return f"<an int of {value.bit_length()} bits>"
        if type(value) in (bytes, bytearray) and len(value) > MAX_TEXT:
            return f"{bytes(value[:40])!r}... ({len(value)} bytes)"
        return _Repr().repr(value)

    return str(_guarded(text))[:MAX_TEXT]


# ---- imports


class ImportWatch:
    """Which modules the implementation loads, against those that were there before it."""

    def __init__(self):
        self._before = set(sys.modules)
        self._asked = {}
        sys.addaudithook(self._hook)

    def _hook(self, event, args):
        if event == "import":
            self._asked[args[0]] = None

    def foreign(self, target):
        """The top-level modules from outside the standard library and the implementation's folder, in order."""
        own = _own_places(target)
        found = {}
        for name in [*self._asked, *list(sys.modules)]:
            top = name.partition(".")[0]
            if name in self._before or top in self._before or top in found:
                continue
            try:
                reason = _foreign_reason(name, top, own)
            except BaseException as error:
                reason = f"{type(error).__name__} when asked where it comes from"
            if reason:
                found[top] = reason
        return [{"module": module, "reason": reason} for module, reason in found.items()]


def _own_places(target):
    """The folders that the implementation's own modules lie in, and the name of its top-level module."""
    if "path" in target:
        return _folders(target["path"]), None
    top = target["module"].partition(".")[0]
    file = getattr(sys.modules.get(top), "__file__", None)
    if not file:
        return [os.path.realpath(os.getcwd())], top
    if os.path.basename(file).startswith("__init__."):
        file = os.path.dirname(file)
    return _folders(file), top


def _folders(path):
    """The folder of a file as it was named, and of what a link leads to."""
    return [os.path.realpath(os.path.dirname(os.path.abspath(path))), os.path.dirname(os.path.realpath(path))]


def _foreign_reason(name, top, own):
    import sysconfig

    if top == "specreference":
        return "the reference itself"
    if top in getattr(sys, "stdlib_module_names", ()) or top in ("__main__", "__mp_main__"):
        return None
    module = sys.modules.get(name)
    spec = getattr(module, "__spec__", None)
    if module is None:
        try:
            spec = importlib.util.find_spec(name)
        except BaseException:
            return None
        if spec is None:
            return None  # asked for, and not there
    origin = getattr(module, "__file__", None) or getattr(spec, "origin", None)
    if not isinstance(origin, str) or origin in ("built-in", "frozen"):
        return None
    folders, own_top = own
    path = os.path.realpath(origin)
    if top == own_top or any(_is_own(path, folder) for folder in folders):
        return None if path.endswith((".py", ".pyc")) else "a compiled extension"
    stdlib = [os.path.realpath(sysconfig.get_path(key)) + os.sep for key in ("stdlib", "platstdlib")]
    if any(path.startswith(place) and not _installed(path[len(place) :]) for place in stdlib):
        return None
    return "outside the standard library"


def _is_own(path, folder):
    inside = path[len(folder) :] if path.startswith(folder.rstrip(os.sep) + os.sep) else None
    return inside is not None and not _installed(inside) and not _installed(folder)


def _installed(path):
    return "site-packages" in path.split(os.sep) or "dist-packages" in path.split(os.sep)


# ---- serving


def claim_streams():
    """Take the protocol's descriptors away from where the implementation could write to them by accident."""
    import fcntl

    try:
        taken = [fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, 200) for number in (0, 1)]
    except OSError:  # fewer descriptors are allowed
        taken = [fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, 10) for number in (0, 1)]
    requests, replies = os.fdopen(taken[0], "rb", 1 << 18), taken[1]
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return requests, replies


def end_with_parent():
    """Ask Linux to end this process when the harness is killed, so that an endless loop does not outlive it."""
    if not sys.platform.startswith("linux"):
        return
    try:
        import ctypes

        ctypes.CDLL(None).prctl(1, 9)  # PR_SET_PDEATHSIG, SIGKILL
    except (ImportError, OSError, AttributeError):
        pass


def send(descriptor, message):
    """Write one message. Raises OSError where the implementation closed the descriptor."""
    data = json.dumps(message).encode("ascii") + b"\n"
    while data:
        data = data[os.write(descriptor, data) :]


def flush_streams():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:
            pass


def serve(target, watch_imports):
    """Answer requests until there are no more."""
    requests, replies = claim_streams()
    end_with_parent()
    own_pid = os.getpid()
    watch = ImportWatch() if watch_imports else None
    function = None
    for line in requests:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            try:
                function = load(target)
                answer = {"type": "ready", "protocol": PROTOCOL, "language": "Python " + sys.version.split()[0]}
            except Refusal as refusal:
                answer = {"type": "refused", "reason": refusal.reason, "message": str(refusal)}
        elif kind == "call":
            arguments = [message[name] for name in PARAMETERS]
            if b'"NaN"' in line or b'Infinity"' in line:
                arguments = decode(arguments)
            answer = {"id": message["id"], **call(function, arguments)}
        elif kind == "imports":
            foreign = watch.foreign(target) if watch else []
            answer = {"type": "imports", "foreign": foreign, "reference": "specreference" in sys.modules}
        else:
            break
        flush_streams()
        if os.getpid() != own_pid:  # a child that the implementation forked and let return
            os._exit(0)
        send(replies, answer)
    flush_streams()
    os._exit(0)


if __name__ == "__main__":
    configuration = json.loads(sys.argv[1])
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [place for place in sys.path if place != here]
    sys.argv = ["specharness-worker"]
    try:
        serve(configuration["target"], configuration["watch_imports"])
    except OSError:  # the protocol's descriptors are gone; the harness sees the end of the stream
        os._exit(81)
