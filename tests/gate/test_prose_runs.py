"""What only a run can refuse is refused by it."""

from pathlib import Path

import pytest

from booktools import ROOT
from booktools.gate import prose_checks, prose_runs
from booktools.gate.prose_changes import changes_of

PAGE = """
```{code-cell} ipython3
from attnbook.questions import answers
print("not shown")
share = 2048 / (2048 + 6 * 12288)
```

```{code-cell} ipython3
:tags: [claims]

answers({"twelve-share": [100 * share, 50, 95, share, 100 / 13]})
```
"""
BANK = Path("src/attnbook/questions/bank/12_cost.toml")


def test_a_page_is_run_and_its_answers_are_kept(capsys):
    given = prose_runs.answers_of(PAGE)
    assert given["twelve-share"][:2] == [pytest.approx(2.7027, abs=1e-4), 50]
    assert capsys.readouterr().out == ""
    assert prose_runs.answers_of(PAGE.replace("answers({", "print({")) == {}


def test_a_false_answer_is_refused_and_a_true_one_is_reported(monkeypatch):
    monkeypatch.chdir(ROOT)
    text = BANK.read_text("utf-8")
    change = next(c for c in changes_of(BANK, text) if c.kind == "answer")
    assert prose_checks.question_of(change, text) == "twelve-share"
    given, texts = prose_runs.answers_of(PAGE), {BANK: text}
    assert prose_runs.refused(change, texts, given)
    same = change._replace(new=text[change.start : change.end])
    assert not prose_runs.refused(same, texts, given)
