"""The post office as an environment: what upstream calls an EnvAdapter, in Python's standard library alone.

It is started once for each batch, reads one line and writes one for each attempt.
"""

import json
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor


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
    task, skill, options = attempt["task"], attempt["skill"] or "", attempt["options"]
    question = [{"role": "system", "content": skill}, {"role": "user", "content": task["prompt"]}]
    letter = ask(attempt["target"], question)
    reasons = []
    if len(letter) > options["most"]:
        reasons.append("The answer has at most %d characters." % options["most"])
    if not letter.rstrip().endswith(options["closing"]):
        reasons.append("The answer ends with the line “%s”." % options["closing"])
    return {
        "id": task["id"],
        "attempt": attempt["attempt"],
        "hard": 0 if reasons else 1,
        "soft": 1 - len(reasons) / 2,
        "fail_reason": " ".join(reasons) or None,
        "conversation": question + [{"role": "assistant", "content": letter}],
        "predicted_answer": letter,
        "length": len(letter),
    }


def main():
    line = json.loads(sys.stdin.readline())
    with ThreadPoolExecutor(8) as pool:
        for result in pool.map(rollout, line["attempts"]):
            print(json.dumps(result), flush=True)


main()
