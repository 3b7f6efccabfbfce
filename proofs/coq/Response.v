(** Randomized response: src/mechanism/randomized_response.rs, proofs/randomized_response.md.  The
    data is one person's value and any two values are neighbours.  [respond] is the binary form; the
    one with k values is [Choose.respond_among]. *)

From Coq Require Import Reals Lra Lia Psatz List FunctionalExtensionality.
Import ListNotations.
From Privet Require Import Dist Power Notions Convert Exp.
Open Scope R_scope.

(** ** Two values *)

Definition respond (e : R) (b : bool) : dist bool :=
  dmap (fun t : bool => if t then b else negb b) (coin (exp e / (1 + exp e)) (coin_ok (exp e) (exp_pos e))).

Theorem respond_private e : 0 <= e -> forall b b', pure e (respond e b) (respond e b').
Proof.
  intros He b b' f Hf. pose proof (exp_pos e).
  assert (1 <= exp e) by (rewrite <- exp_0; now apply exp_le).
  pose proof (bounded_pos _ Hf true). pose proof (bounded_pos _ Hf false).
  unfold respond; rewrite !E_dmap; simpl.
  set (q := 1 / (1 + exp e)). assert (0 < q) by (apply Rdiv_lt_0_compat; lra).
  replace (1 - exp e / (1 + exp e)) with q by (unfold q; field; lra).
  replace (exp e / (1 + exp e)) with (exp e * q) by (unfold q; field; lra).
  clearbody q. assert (Q : q <= exp e * (exp e * q)).
  { assert (q <= exp e * q) by nra. nra. }
  assert (K : forall u v, 0 <= u -> 0 <= v -> exp e * q * u + q * v <= exp e * (q * u + exp e * q * v)).
  { intros u v Hu Hv. apply Rmult_le_compat_r with (r := v) in Q; auto. lra. }
  assert (S : forall x, 0 <= x -> x <= exp e * x) by (intros; nra).
  destruct b, b'; simpl.
  - apply S; repeat apply Rplus_le_le_0_compat; repeat apply Rmult_le_pos; lra.
  - eapply Rle_trans; [apply K; auto | right; ring].
  - eapply Rle_trans; [apply K; auto | right; ring].
  - apply S; repeat apply Rplus_le_le_0_compat; repeat apply Rmult_le_pos; lra.
Qed.
