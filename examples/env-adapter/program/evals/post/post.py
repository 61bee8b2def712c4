"""The post office as an environment: what SkillOpt calls an EnvAdapter, in Python's standard library alone.

It is started with one line on its standard input, and answers with lines of JSON on its standard output.
"""

import json
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor


def get_items(split):
    """The items of one side: train, val or test. Asked once, before anything is spent."""
    with open("items.json", encoding="utf-8") as file:
        return json.load(file)[split]


def ask(target, messages):
    """The target client: the run's own model, cached, counted and capped by the run."""
    request = urllib.request.Request(
        target["url"] + "/chat/completions",
        data=json.dumps({"model": target["model"], "messages": messages}).encode(),
        headers={"Authorization": "Bearer " + target["token"], "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as reply:
        return json.load(reply)["choices"][0]["message"]["content"]


def rollout(attempt):
    """One attempt: the target writes a letter, and the post office takes it or sends it back."""
    task, options = attempt["task"], attempt["options"]
    question = [
        {"role": "system", "content": attempt["skill"] or ""},
        {"role": "user", "content": task["prompt"]},
    ]
    letter = ask(attempt["target"], question)
    short = len(letter) <= options["most"]
    signed = letter.rstrip().endswith(options["closing"])
    reasons = []
    if not short:
        reasons.append("The answer has at most %d characters." % options["most"])
    if not signed:
        reasons.append("The post office sent it back.")
    return {
        "id": task["id"],
        "attempt": attempt["attempt"],
        "hard": int(short and signed),
        "soft": (short + signed) / 2,
        "fail_reason": " ".join(reasons) or None,
        "conversation": question + [{"role": "assistant", "content": letter}],
        "predicted_answer": letter,
        "signed": signed,
    }


def reflect(attempts, options):
    """Edits of its own: why a letter came back is known here alone. They are proved like all others."""
    unsigned = [each["id"] for each in attempts if not each.get("extras", {}).get("signed", True)]
    if not unsigned:
        return {"remarks": "Every letter was signed.", "edits": []}
    edit = {
        "op": "append",
        "content": "- End with the line “%s”." % options["closing"],
        "rationale": "%d letters were not signed, and the post office sends those back." % len(unsigned),
        "tasks": unsigned,
    }
    return {"remarks": "The post office takes letters that are signed.", "edits": [edit]}


def main():
    line = json.loads(sys.stdin.readline())
    if line.get("ask") == "items":
        print(json.dumps({"items": get_items(line["split"])}))
    elif line.get("ask") == "edits":
        print(json.dumps(reflect(line["attempts"], line["options"])))
    else:
        with ThreadPoolExecutor(8) as pool:
            for result in pool.map(rollout, line["attempts"]):
                print(json.dumps(result), flush=True)


main()
