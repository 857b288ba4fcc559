"""The small vocabulary: the running sentence, twenty others, and where it fails."""

import numpy as np
import pytest

from attnbook import attention, attention_weights, toydata, vocabulary

# A sentence, who asks, and whom it must find.
SENTENCES = """
The dog saw Kim; it barked. | it | dog
Kim saw the dog; it barked. | it | dog
The cat saw Ann; she waved. | she | Ann
The girl fed the horse; it neighed. | it | horse
A boy called the dog; it barked. | it | dog
Ann heard a bird; it chirped. | it | bird
The horse saw a boy; he laughed. | he | boy
Kim fed the cat; it meowed. | it | cat
The girl heard the bird; she laughed. | she | girl
Ann called the horse; she waved. | she | Ann
A bird saw the boy; it chirped. | it | bird
The cat heard Kim; she wrote. | she | Kim
The girl saw a dog; it barked. | barked | dog
Kim heard the bird; it chirped. | chirped | bird
A cat saw Ann; she laughed. | laughed | Ann
The horse called the girl; she waved. | waved | girl
The boy wrote. | wrote | boy
The dog saw Kim; it barked. | saw | Kim
The horse heard Ann; it neighed. | horse | heard
A boy fed the bird; he waved. | boy | fed
"""


def cases(text):
    """Return (sentence, who asks, who is found) for each line."""
    lines = [line.split(" | ") for line in text.strip().splitlines()]
    assert all(len(line) == 3 for line in lines)
    return lines


def row_of(text, word):
    """Return the tokens, and the weights and the output of one of them."""
    tokens, Q, K, V = vocabulary.sentence(text)
    at = tokens.index(word)
    return tokens, attention_weights(Q, K)[at], attention(Q, K, V)[at], V


def test_there_are_twenty_sentences():
    assert len({tuple(case) for case in cases(SENTENCES)}) == 20


@pytest.mark.parametrize(("text", "word", "found"), cases(SENTENCES))
def test_a_word_finds_what_it_asks_for_and_its_output_stands_there(text, word, found):
    tokens, weights, output, V = row_of(text, word)
    at = tokens.index(found)
    assert weights[at] == weights.max() and (weights == weights.max()).sum() == 1
    gaps = np.linalg.norm(V - output, axis=1)
    assert gaps.argmin() == at


def test_two_animals_are_one_to_it():
    tokens, weights, _, _ = row_of("The dog saw the cat; it barked.", "it")
    dog, cat = tokens.index("dog"), tokens.index("cat")
    assert weights[dog] == weights[cat] == weights.max()
    assert weights[dog] < 0.5


def test_who_saw_whom_is_lost():
    one, other = "The dog saw Kim; it barked.", "Kim saw the dog; it barked."
    outputs = [row_of(text, "it")[2] for text in (one, other)]
    np.testing.assert_allclose(*outputs)


def test_the_running_sentence_has_the_numbers_of_the_running_example():
    ours, known = vocabulary.sentence("the dog saw Kim it barked"), toydata
    example = known.running_example()
    assert ours.tokens == example.tokens
    for mine, theirs in zip(ours[1:], example[1:], strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_every_word_has_one_kind_and_every_kind_its_words():
    words = [word for line in vocabulary.WORDS.values() for word in line.split()]
    assert len(words) == len(set(words)) == 24
    assert vocabulary.WORDS.keys() == vocabulary.KINDS.keys()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("The fox saw an owl", "of the vocabulary, got fox, an, owl"),
        ("", "1 to 8 words, got 0"),
        ("the " * 9, "1 to 8 words, got 9"),
    ],
)
def test_what_the_vocabulary_does_not_hold_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        vocabulary.sentence(text)


def test_the_pronoun_asks_or_the_last_word():
    assert vocabulary.asker("Ann called the horse; she waved.") == 4
    assert vocabulary.asker("The boy wrote") == 2
