"""Numbers in words: which words are numbers, which only sound like one."""

import pytest

from attnbook.spoken import find_spoken


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("half of it, a half, one half, two thirds, three-quarters", [1 / 2] * 3),
        ("a third of all, an eighth. One fifth as much", [1 / 3, 1 / 8, 1 / 5]),
        ("twice, thrice; it doubles, halved, tripling", [2, 3, 2, 0.5, 3]),
        ("one in four, one in ten thousand, one out of three", [1 / 4, 1e-4, 1 / 3]),
        ("tenfold, three-fold, four times, twenty-five keys", [10, 3, 4, 25]),
        ("an order of magnitude, two orders of magnitude", [1, 2]),
        ("a hundred keys, two thousand, a dozen", [100, 2000, 12]),
        ("hundreds of bytes, thousands", [100, 1000]),
        ("one and a half times, two and a quarter", [1.5, 2.25]),
        ("One of zero and none", [1, 0, 0]),
    ],
)
def test_words_are_read_as_numbers(text, values):
    found = [spoken.value for spoken in find_spoken(text)]
    assert found[: len(values)] == pytest.approx(values)
    assert len(found) >= len(values)


@pytest.mark.parametrize(
    "text",
    [
        "half precision, half-open, a half-finished cell",
        "double-check, double precision, double quotes",
        "a second, the third question, a third option, the tenth row",
        "someone, anyone, tone, often, behalf, doubly, one's",
        "the order of magnitude, several hundred, a hundredth key",
        r"\half and x_two",
    ],
)
def test_what_only_sounds_like_a_number_is_none(text):
    assert [spoken.text for spoken in find_spoken(text)] == []


def test_a_word_knows_its_place_and_its_kind():
    text = "about two thirds of ten keys"
    share, keys = find_spoken(text)
    assert text[share.start : share.end] == "two thirds"
    assert (share.kind, keys.kind) == ("part", "count")
    assert keys.step == 1 > share.step > 0
