"""A process that speaks the protocol: `peer.py MODE`, where MODE is how it misbehaves on the case with two drafts."""

import json
import os
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "misbehaving"))

from right import verify_speculative_tokens as right

ARGUMENTS = ("draft_tokens", "draft_probs", "target_probs", "random_samples")


def write(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def answer_to(message):
    try:
        return {"type": "returned", "id": message["id"], "result": right(*(message[name] for name in ARGUMENTS))}
    except ValueError as error:
        return {"type": "raised", "id": message["id"], "exception": "ValueError", "message": str(error)}


def hang():
    time.sleep(1000)


def endless_line():
    chunk = "x" * 1_000_000
    for _ in range(20):
        sys.stdout.write(chunk)
    sys.stdout.flush()
    hang()


def close_output():
    os.close(1)
    hang()


def raw(data):
    sys.stdout.buffer.write(data)
    sys.stdout.flush()


def bonus(text):
    """An answer with the bonus token `text`, as JSON or not."""
    return lambda answer: write(json.dumps(answer).replace('"bonus_token": 0', f'"bonus_token": {text}'))


def twice(answer):
    write(json.dumps(answer) + "\n" + json.dumps(answer))


def repetition_twice(answer):
    (twice if answer["id"] % 2 == 0 else lambda answer: write(json.dumps(answer)))(answer)


def repetition_twice_later(answer):
    write(json.dumps(answer))
    if answer["id"] % 2 == 0:
        threading.Timer(0.1, write, [json.dumps(answer)]).start()


def changed(**changes):
    return lambda answer: write(json.dumps({**answer, **changes}))


ON_MARKED_CALL = {
    "garbage": lambda _: write("accepted: 0"),
    "bytes": lambda _: raw(b"\xff\xfe\x00\x1b[31m\n"),
    "blank_line": lambda _: write(""),
    "list": lambda _: write("[1, 2]"),
    "deep": lambda _: write("[" * 100_000),
    "cut_off": lambda _: (raw(b'{"type": "returned", "id"'), sys.exit(0)),
    "endless_line": lambda _: endless_line(),
    "exits": lambda _: sys.exit(5),
    "hangs": lambda _: hang(),
    "closes_output": lambda _: close_output(),
    "no_type": lambda answer: write(json.dumps({"id": answer["id"]})),
    "unknown_type": changed(type="done"),
    "no_result": lambda answer: write(json.dumps({"type": "returned", "id": answer["id"]})),
    "wrong_id": lambda answer: write(json.dumps({**answer, "id": answer["id"] + 1000})),
    "id_of_text": changed(id="3"),
    "id_of_true": changed(id=True),
    "negative_id": changed(id=-1),
    "mutated_no_list": changed(mutated="draft_probs"),
    "exception_no_text": changed(type="raised", exception=7),
    "twice": twice,
    "repetition_twice": repetition_twice,
    "repetition_twice_later": repetition_twice_later,
    "nan": bonus("NaN"),
    "spelt_nan": bonus('"NaN"'),
    "beyond": bonus("1e999"),
    "exponent": bonus("0e0"),
    "fraction": bonus("0.0"),
    "long_number": bonus("9" * 10_000),
    "unknown_exception": lambda answer: write(
        json.dumps({"type": "raised", "id": answer["id"], "exception": "std::runtime_error", "message": "out of range"})
    ),
}

GREETINGS = {
    "refuses": {"type": "refused", "reason": "unavailable", "message": "no CUDA device"},
    "refuses_without_reason": {"type": "refused"},
    "other_protocol": {"type": "ready", "protocol": 2},
    "no_greeting": {"type": "returned", "id": 1, "result": None},
}


def greet(mode):
    if mode == "exits_at_once":
        sys.exit(3)
    if mode == "never_ready":
        hang()
    if mode == "greets_in_prose":
        write("verifier 1.0 ready")
    write(json.dumps(GREETINGS.get(mode, {"type": "ready", "protocol": 1, "language": "a peer"})))


def serve(mode):
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            greet(mode)
        elif message["type"] == "bye":
            if mode == "ignores_bye":
                hang()
            break
        elif mode == "transcript":
            if message["id"] == 1 and sys.argv[2:]:
                write("\n".join(sys.argv[2:]))
        elif len(message["draft_tokens"]) == 2 and mode in ON_MARKED_CALL:
            ON_MARKED_CALL[mode](answer_to(message))
        else:
            if mode == "chatty":
                print("log " * 25_000, file=sys.stderr, flush=True)
            write(json.dumps(answer_to(message)))


serve(sys.argv[1])
