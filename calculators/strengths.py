"""How strongly a written part holds together: what holds a weaker one puts it in brackets."""

SENTENCE = 0
CONDITION = 1
NEGATED = 2
SIGNED = 3
SUM = 4
PRODUCT = 5
ATOM = 9
