"""The templates of the 30 subcases, written for Flock from what each subcase means.

Add new templates at the end of a list: a template's id is its subcase and its place in the list.
"""

from pipeline import schema
from pipeline.grammar.template import Template

_PATTERNS = {
    # lexical overlap: all words of the hypothesis are in the premise, but not in one stretch
    "le_relative_clause": [
        ("the N1 who the N2 V1 I1", "the N2 V1 the N1"),
        ("the N1 who the N2 V1 V2 the N3", "the N2 V1 the N1"),
        ("the N1 V1 the N2 who V2 the N3", "the N2 V2 the N3"),
        ("the N1 V1 the N2 who the N3 V2", "the N3 V2 the N2"),
        ("the N1 V1 the N2 who I1", "the N2 I1"),
        ("the N1 who V1 the N2 I1", "the N1 V1 the N2"),
    ],
    "le_around_prepositional_phrase": [
        ("the N1 P1 the N2 V1 the N3", "the N1 V1 the N3"),
        ("the N1 P1 the N2 I1", "the N1 I1"),
        ("the N1 P1 the N2 Was1 V1 by the N3", "the N1 Was1 V1 by the N3"),
        ("the A1 N1 P1 the N2 V1 the N3", "the A1 N1 V1 the N3"),
        ("the N1 P1 the N2 I1 D1", "the N1 I1 D1"),
        ("the N1 P1 the N2 U1 the K1", "the N1 U1 the K1"),
    ],
    "le_around_relative_clause": [
        ("the N1 who the N2 V1 I1", "the N1 I1"),
        ("the N1 who V1 the N2 I1", "the N1 I1"),
        ("the N1 who the N2 V1 V2 the N3", "the N1 V2 the N3"),
        ("the N1 who V1 the N2 V2 the N3", "the N1 V2 the N3"),
        ("the N1 who I1 V1 the N2", "the N1 V1 the N2"),
        ("the N1 who I1 Was1 V1 by the N2", "the N1 Was1 V1 by the N2"),
    ],
    "le_conjunction": [
        ("the N1 and the N2 V1 the N3", "the N1 V1 the N3"),
        ("the N1 V1 the N2 and the N3", "the N1 V1 the N3"),
        ("the N1 and the N2 I1", "the N1 I1"),
        ("the N1 I1 and V1 the N2", "the N1 V1 the N2"),
        ("the N1 V1 the N2 and I1", "the N1 I1"),
    ],
    "le_passive": [
        ("the N1 Was1 V1 by the N2", "the N2 V1 the N1"),
        ("the A1 N1 Was1 V1 by the N2", "the N2 V1 the A1 N1"),
        ("the N1 Was1 V1 by the A1 N2", "the A1 N2 V1 the N1"),
        ("the N1 P1 the N2 Was1 V1 by the N3", "the N3 V1 the N1"),
        ("the N1 Was1 V1 by the N2 and the N3", "the N3 V1 the N1"),
        ("the N1 who I1 Was1 V1 by the N2", "the N2 V1 the N1"),
    ],
    "ln_subject/object_swap": [
        ("the N1 V1 the N2", "the N2 V1 the N1"),
        ("the A1 N1 V1 the N2", "the N2 V1 the A1 N1"),
        ("the N1 V1 the A1 N2", "the A1 N2 V1 the N1"),
        ("the N1 V1 the N2 D1", "the N2 V1 the N1 D1"),
        ("the N1 V1 the N2 in the L1", "the N2 V1 the N1 in the L1"),
    ],
    "ln_preposition": [
        ("the N1 P1 the N2 V1 the N3", "the N3 V1 the N2"),
        ("the N1 P1 the N2 V1 the N3", "the N1 V1 the N2"),
        ("the N1 V1 the N2 P1 the N3", "the N3 V1 the N2"),
        ("the N1 V1 the N2 P1 the N3", "the N1 V1 the N3"),
        ("the N1 V1 the N2 P1 the N3", "the N3 V1 the N1"),
    ],
    "ln_relative_clause": [
        ("the N1 who the N2 V1 V2 the N3", "the N2 V2 the N3"),
        ("the N1 V1 the N2 who the N3 V2", "the N3 V1 the N2"),
        ("the N1 V1 the N2 who V2 the N3", "the N1 V2 the N3"),
        ("the N1 who V1 the N2 V2 the N3", "the N1 V1 the N3"),
        ("the N1 who the N2 V1 I1", "the N2 I1"),
        ("the N1 V1 the N2 who I1", "the N1 I1"),
    ],
    "ln_passive": [
        ("the N1 Was1 V1 by the N2", "the N1 V1 the N2"),
        ("the A1 N1 Was1 V1 by the N2", "the A1 N1 V1 the N2"),
        ("the N1 Was1 V1 by the A1 N2", "the N1 V1 the A1 N2"),
        ("the N1 P1 the N2 Was1 V1 by the N3", "the N1 V1 the N3"),
        ("the N1 Was1 V1 by the N2 and the N3", "the N1 V1 the N3"),
        ("the N1 who I1 Was1 V1 by the N2", "the N1 V1 the N2"),
    ],
    "ln_conjunction": [
        ("the N1 and the N2 V1 the N3", "the N1 V1 the N2"),
        ("the N1 V1 the N2 and the N3", "the N2 V1 the N3"),
        ("the N1 V1 the N2 and the N3", "the N3 V1 the N2"),
        ("the N1 I1 and the N2 I2", "the N1 I2"),
        ("the N1 I1 and the N2 V1 the N3", "the N1 V1 the N3"),
        ("the N1 V1 the N2 and the N3 I1", "the N1 I1"),
    ],
    # subsequence: the hypothesis is one stretch of the premise, but not one of its clauses
    "se_conjunction": [
        ("the N1 V1 the N2 and the N3", "the N1 V1 the N2"),
        ("the N1 and the N2 V1 the N3", "the N2 V1 the N3"),
        ("the N1 and the N2 I1", "the N2 I1"),
        ("the N1 V1 the N2 and I1", "the N1 V1 the N2"),
        ("the N1 I1 and V1 the N2", "the N1 I1"),
    ],
    # only a noun without article keeps what is left in one stretch when its adjective goes
    "se_adjective": [
        ("A1 M1 V1 the N1", "M1 V1 the N1"),
        ("A1 M1 I1", "M1 I1"),
        ("A1 M1 I1 in the L1", "M1 I1 in the L1"),
        ("A1 M1 were V1 by the N1", "M1 were V1 by the N1"),
        ("A1 M1 U1 the K1", "M1 U1 the K1"),
        ("A1 M1 P1 the N1 I1", "M1 P1 the N1 I1"),
    ],
    "se_understood_object": [
        ("the N1 U1 the K1", "the N1 U1"),
        ("the A1 N1 U1 the K1", "the A1 N1 U1"),
        ("the N1 P1 the N2 U1 the K1", "the N1 P1 the N2 U1"),
        ("the N1 and the N2 U1 the K1", "the N1 and the N2 U1"),
        ("the N1 who I1 U1 the K1", "the N1 who I1 U1"),
        ("the N1 I1 and the N2 U1 the K1", "the N2 U1"),
    ],
    "se_relative_clause_on_obj": [
        ("the N1 V1 the N2 who V2 the N3", "the N1 V1 the N2"),
        ("the N1 V1 the N2 who the N3 V2", "the N1 V1 the N2"),
        ("the N1 V1 the N2 who I1", "the N1 V1 the N2"),
        ("the A1 N1 V1 the N2 who I1", "the A1 N1 V1 the N2"),
        ("the N1 and the N2 V1 the N3 who I1", "the N1 and the N2 V1 the N3"),
    ],
    "se_PP_on_obj": [
        ("the N1 V1 the N2 P1 the N3", "the N1 V1 the N2"),
        ("the A1 N1 V1 the N2 P1 the N3", "the A1 N1 V1 the N2"),
        ("the N1 V1 the A1 N2 P1 the N3", "the N1 V1 the A1 N2"),
        ("M1 V1 the N1 P1 the N2", "M1 V1 the N1"),
        ("the N1 who I1 V1 the N2 P1 the N3", "the N1 who I1 V1 the N2"),
    ],
    "sn_NP/S": [
        ("the N1 S1 the N2 I1", "the N1 S1 the N2"),
        ("the N1 S1 the N2 V1 the N3", "the N1 S1 the N2"),
        ("the N1 S1 the N2 Was2 V1 by the N3", "the N1 S1 the N2"),
        ("the A1 N1 S1 the N2 I1", "the A1 N1 S1 the N2"),
        ("the N1 S1 the A1 N2 I1", "the N1 S1 the A1 N2"),
        ("the N1 P1 the N2 S1 the N3 I1", "the N1 P1 the N2 S1 the N3"),
    ],
    "sn_PP_on_subject": [
        ("the N1 P1 the N2 V1 the N3", "the N2 V1 the N3"),
        ("the N1 P1 the N2 I1", "the N2 I1"),
        ("the N1 P1 the N2 I1 D1", "the N2 I1 D1"),
        ("the N1 P1 the A1 N2 I1", "the A1 N2 I1"),
        ("the N1 P1 the N2 U1 the K1", "the N2 U1 the K1"),
    ],
    "sn_relative_clause_on_subject": [
        ("the N1 who V1 the N2 V2 the N3", "the N2 V2 the N3"),
        ("the N1 who V1 the N2 I1", "the N2 I1"),
        ("the N1 who V1 the N2 I1 D1", "the N2 I1 D1"),
        ("the N1 who V1 the A1 N2 I1", "the A1 N2 I1"),
        ("the N1 who V1 the N2 U1 the K1", "the N2 U1 the K1"),
    ],
    "sn_past_participle": [
        ("the N1 E1 in the L1 I1", "the N1 E1 in the L1"),
        ("the N1 E1 in the L1 V1 the N2", "the N1 E1 in the L1"),
        ("the N1 V1 the N2 E1 in the L1", "the N2 E1 in the L1"),
        ("the A1 N1 E1 in the L1 I1", "the A1 N1 E1 in the L1"),
        ("the N1 Was1 V1 by the N2 E1 in the L1", "the N2 E1 in the L1"),
        ("the N1 E1 in the L1 U1 the K1", "the N1 E1 in the L1"),
    ],
    "sn_NP/Z": [
        ("While1 the N1 E1 the N2 I1", "the N1 E1 the N2"),
        ("While1 the N1 E1 the N2 V1 the N3", "the N1 E1 the N2"),
        ("While1 the N1 E1 the N2 Was2 V1 by the N3", "the N1 E1 the N2"),
        ("While1 the A1 N1 E1 the N2 I1", "the A1 N1 E1 the N2"),
        ("While1 the N1 E1 the A1 N2 I1", "the N1 E1 the A1 N2"),
        ("While1 the N1 E1 the N2 U1 the K1", "the N1 E1 the N2"),
    ],
    # constituent: the hypothesis is a clause of the premise
    "ce_embedded_under_since": [
        ("Since1 the N1 I1 , the N2 I2", "the N1 I1"),
        ("Since1 the N1 V1 the N2 , the N3 I1", "the N1 V1 the N2"),
        ("Since1 the N1 Was1 V1 by the N2 , the N3 I1", "the N1 Was1 V1 by the N2"),
        ("the N1 I1 Since1 the N2 I2", "the N2 I2"),
        ("the N1 I1 Since1 the N2 V1 the N3", "the N2 V1 the N3"),
        ("the N1 V1 the N2 Since1 the A1 N3 I1", "the A1 N3 I1"),
    ],
    "ce_after_since_clause": [
        ("Since1 the N1 I1 , the N2 I2", "the N2 I2"),
        ("Since1 the N1 V1 the N2 , the N3 I1", "the N3 I1"),
        ("Since1 the N1 I1 , the N2 V1 the N3", "the N2 V1 the N3"),
        ("Since1 the N1 I1 , the N2 Was2 V1 by the N3", "the N2 Was2 V1 by the N3"),
        ("Since1 the N1 I1 , the A1 N2 I2", "the A1 N2 I2"),
    ],
    "ce_embedded_under_verb": [
        ("the N1 F1 that the N2 I1", "the N2 I1"),
        ("the N1 F1 that the N2 V1 the N3", "the N2 V1 the N3"),
        ("the N1 F1 that the N2 Was2 V1 by the N3", "the N2 Was2 V1 by the N3"),
        ("the N1 F1 that the A1 N2 I1", "the A1 N2 I1"),
        ("the N1 P1 the N2 F1 that the N3 I1", "the N3 I1"),
        ("the N1 F1 that the N2 U1 the K1", "the N2 U1 the K1"),
    ],
    "ce_conjunction": [
        ("the N1 I1 and the N2 I2", "the N1 I1"),
        ("the N1 I1 and the N2 I2", "the N2 I2"),
        ("the N1 V1 the N2 and the N3 I1", "the N1 V1 the N2"),
        ("the N1 I1 and the N2 V1 the N3", "the N2 V1 the N3"),
        ("the N1 I1 and the N2 Was2 V1 by the N3", "the N2 Was2 V1 by the N3"),
        ("the A1 N1 I1 and the N2 I2", "the A1 N1 I1"),
    ],
    "ce_adverb": [
        ("Sure1 the N1 I1", "the N1 I1"),
        ("Sure1 the N1 V1 the N2", "the N1 V1 the N2"),
        ("Sure1 the N1 Was1 V1 by the N2", "the N1 Was1 V1 by the N2"),
        ("Sure1 the A1 N1 I1", "the A1 N1 I1"),
        ("Sure1 the N1 U1 the K1", "the N1 U1 the K1"),
        ("Sure1 the N1 P1 the N2 I1", "the N1 P1 the N2 I1"),
    ],
    "cn_embedded_under_if": [
        ("If1 the N1 I1 , the N2 I2", "the N1 I1"),
        ("If1 the N1 V1 the N2 , the N3 I1", "the N1 V1 the N2"),
        ("If1 the N1 Was1 V1 by the N2 , the N3 I1", "the N1 Was1 V1 by the N2"),
        ("the N1 I1 If1 the N2 I2", "the N2 I2"),
        ("the N1 I1 If1 the N2 V1 the N3", "the N2 V1 the N3"),
        ("the N1 V1 the N2 If1 the A1 N3 I1", "the A1 N3 I1"),
    ],
    "cn_after_if_clause": [
        ("If1 the N1 I1 , the N2 I2", "the N2 I2"),
        ("If1 the N1 V1 the N2 , the N3 I1", "the N3 I1"),
        ("If1 the N1 I1 , the N2 V1 the N3", "the N2 V1 the N3"),
        ("If1 the N1 I1 , the N2 Was2 V1 by the N3", "the N2 Was2 V1 by the N3"),
        ("If1 the N1 I1 , the A1 N2 I2", "the A1 N2 I2"),
    ],
    "cn_embedded_under_verb": [
        ("the N1 B1 that the N2 I1", "the N2 I1"),
        ("the N1 B1 that the N2 V1 the N3", "the N2 V1 the N3"),
        ("the N1 B1 that the N2 Was2 V1 by the N3", "the N2 Was2 V1 by the N3"),
        ("the N1 B1 that the A1 N2 I1", "the A1 N2 I1"),
        ("the N1 P1 the N2 B1 that the N3 I1", "the N3 I1"),
        ("the N1 B1 that the N2 U1 the K1", "the N2 U1 the K1"),
    ],
    "cn_disjunction": [
        ("the N1 I1 or the N2 I2", "the N1 I1"),
        ("the N1 I1 or the N2 I2", "the N2 I2"),
        ("the N1 V1 the N2 or the N3 I1", "the N1 V1 the N2"),
        ("the N1 I1 or the N2 V1 the N3", "the N2 V1 the N3"),
        ("the N1 I1 or the N2 Was2 V1 by the N3", "the N2 Was2 V1 by the N3"),
        ("the A1 N1 I1 or the N2 I2", "the A1 N1 I1"),
    ],
    "cn_adverb": [
        ("Maybe1 the N1 I1", "the N1 I1"),
        ("Maybe1 the N1 V1 the N2", "the N1 V1 the N2"),
        ("Maybe1 the N1 Was1 V1 by the N2", "the N1 Was1 V1 by the N2"),
        ("Maybe1 the A1 N1 I1", "the A1 N1 I1"),
        ("Maybe1 the N1 U1 the K1", "the N1 U1 the K1"),
        ("Maybe1 the N1 P1 the N2 I1", "the N1 P1 the N2 I1"),
    ],
}

TEMPLATES = {
    subcase: [Template(f"{subcase}.{place}", *pattern) for place, pattern in enumerate(_PATTERNS[subcase], 1)]
    for golds in schema.SUBCASES.values()
    for subcases in golds.values()
    for subcase in subcases
}
"""Subcase -> its templates, in the order of `schema.SUBCASES`."""
