(** The oracle: the functions of Fraction.v, Tiny.v, Group.v and Orders.v as OCaml.  oracle.ml applies them to the
    rows of tests/arithmetic/generated, and the tests compare the Rust types with what they say. *)

From Privet Require Import Fraction Tiny Group Orders.
Require Extraction.
Require Import ExtrOcamlBasic.
Extraction Language OCaml.
Extraction "proved.ml" sum debit le larger scale part half_square covers tiny_sum tiny_debit tiny_le tiny_group.
