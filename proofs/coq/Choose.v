(** Choosing one of finitely many by weights: k-ary randomized response
    (src/mechanism/randomized_response.rs) and the exponential mechanism (src/mechanism/choose.rs), with
    proofs/randomized_response.md and proofs/choose.md.  [pick] chooses a place with probability
    proportional to its weight; what the odds change by is what the weights and their total do. *)

From Coq Require Import Reals Lra Lia Psatz ZArith Bool List FunctionalExtensionality.
Import ListNotations.
From Privet Require Import Dist Power Notions Convert Exp Laplace.
Open Scope R_scope.

(** ** Finite sums *)

Fixpoint total (n : nat) (w : nat -> R) : R :=
  match n with O => 0 | S n => total n w + w n end.

Lemma total_le n v w : (forall i, (i < n)%nat -> v i <= w i) -> total n v <= total n w.
Proof. induction n as [|n IH]; simpl; intros H; [lra |]. apply Rplus_le_compat; auto. Qed.
Lemma total_ext n v w : (forall i, (i < n)%nat -> v i = w i) -> total n v = total n w.
Proof. induction n as [|n IH]; simpl; intros H; auto. f_equal; auto. Qed.
Lemma total_scale n c w : total n (fun i => c * w i) = c * total n w.
Proof. induction n as [|n IH]; simpl; [ring | rewrite IH; ring]. Qed.
Lemma total_plus n v w : total n (fun i => v i + w i) = total n v + total n w.
Proof. induction n as [|n IH]; simpl; [ring | rewrite IH; ring]. Qed.
Lemma total_nonneg n w : (forall i, (i < n)%nat -> 0 <= w i) -> 0 <= total n w.
Proof. induction n as [|n IH]; simpl; intros H; [lra |]. apply Rplus_le_le_0_compat; auto. Qed.
Lemma total_pos n w : (0 < n)%nat -> (forall i, 0 < w i) -> 0 < total n w.
Proof.
  intros Hn H; destruct n as [|n]; [lia |]. simpl. pose proof (H n).
  pose proof (total_nonneg n w ltac:(intros; left; auto)). lra.
Qed.

(** ** A choice by weights *)

Section Pick.
  Variables (n : nat) (w : nat -> R).
  Hypothesis Hn : (0 < n)%nat.
  Hypothesis Hw : forall i, 0 < w i.
  Program Definition pick : dist nat := Dist nat (fun f => total n (fun i => w i * f i) / total n w) _ _ _ _.
  Next Obligation.
    pose proof (total_pos n w Hn Hw). apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; auto |].
    apply total_le; intros i _. apply Rmult_le_compat_l; [left; apply Hw | auto].
  Qed.
  Next Obligation.
    rewrite (total_ext n (fun i => w i * (f i + g i)) (fun i => w i * f i + w i * g i)) by (intros; ring).
    rewrite total_plus. pose proof (total_pos n w Hn Hw). field; lra.
  Qed.
  Next Obligation.
    rewrite (total_ext n (fun i => w i * (c * f i)) (fun i => c * (w i * f i))) by (intros; ring).
    rewrite total_scale. pose proof (total_pos n w Hn Hw). field; lra.
  Qed.
  Next Obligation.
    rewrite (total_ext n (fun i => w i * 1) w) by (intros; ring).
    pose proof (total_pos n w Hn Hw). field; lra.
  Qed.
End Pick.

(** The weights change by at most e^a each, and their total by at most e^b the other way. *)
Lemma pick_pure n Hn v Hv w Hw a b : (forall i, (i < n)%nat -> v i <= exp a * w i) -> total n w <= exp b * total n v ->
  pure (a + b) (pick n v Hn Hv) (pick n w Hn Hw).
Proof.
  intros Ha Hb f Hf; simpl. pose proof (total_pos n v Hn Hv) as V. pose proof (total_pos n w Hn Hw) as W.
  rewrite exp_plus. set (F := total n (fun i => w i * f i)).
  assert (L : total n (fun i => v i * f i) <= exp a * F).
  { unfold F; rewrite <- total_scale. apply total_le; intros i Hi. pose proof (bounded_pos _ Hf i).
    rewrite <- Rmult_assoc. apply Rmult_le_compat_r; auto. }
  assert (F0 : 0 <= F).
  { apply total_nonneg; intros i _. apply Rmult_le_pos; [left; apply Hw | now apply bounded_pos]. }
  pose proof (exp_pos a). pose proof (exp_pos b).
  apply Rmult_le_reg_r with (total n v * total n w); [nra |].
  replace (total n (fun i => v i * f i) / total n v * (total n v * total n w))
    with (total n (fun i => v i * f i) * total n w) by (field; lra).
  replace (exp a * exp b * (F / total n w) * (total n v * total n w))
    with ((exp a * F) * (exp b * total n v)) by (field; lra).
  assert (0 <= total n (fun i => v i * f i)).
  { apply total_nonneg; intros i _. apply Rmult_le_pos; [left; apply Hv | now apply bounded_pos]. }
  apply Rmult_le_compat; lra.
Qed.

(** ** Randomized response among k values *)

Definition says (e : R) (v i : nat) : R := if Nat.eqb i v then exp e else 1.
Lemma says_pos e v i : 0 < says e v i.
Proof. unfold says; destruct (Nat.eqb i v); [apply exp_pos | lra]. Qed.
Lemma says_total e v n : (v < n)%nat -> total n (says e v) = exp e + INR n - 1.
Proof.
  assert (K : forall m, (m <= v)%nat -> total m (says e v) = INR m).
  { induction m as [|m IH]; intros H; [reflexivity |]. rewrite S_INR; simpl. rewrite IH by lia.
    unfold says; replace (Nat.eqb m v) with false by (symmetry; apply Nat.eqb_neq; lia). ring. }
  induction n as [|n IH]; intros H; [lia |]. rewrite S_INR; simpl. unfold says at 2.
  destruct (Nat.eqb_spec n v) as [->|]; [rewrite (K v) by lia; ring | rewrite IH by lia; ring].
Qed.
Definition respond_among (e : R) (k : nat) (Hk : (0 < k)%nat) (v : nat) : dist nat :=
  pick k (says e v) Hk (says_pos e v).
Theorem respond_among_private e k Hk v v' : 0 <= e -> (v < k)%nat -> (v' < k)%nat ->
  pure e (respond_among e k Hk v) (respond_among e k Hk v').
Proof.
  intros He Hv Hv'. replace e with (e + 0) at 1 by ring. apply pick_pure.
  - intros i _; unfold says. assert (1 <= exp e) by (rewrite <- exp_0; now apply exp_le).
    destruct (Nat.eqb i v), (Nat.eqb i v'); nra.
  - rewrite exp_0, !says_total by auto. lra.
Qed.

(** ** The exponential mechanism *)

(** Counts [u] and [u'] differ by [d]; what counts is by how much two cells can move apart, which is
    at most the L1 distance (proofs/choose.md). *)
Definition spread (n : nat) (u u' : nat -> R) (w : R) : Prop :=
  forall i j, (i < n)%nat -> (j < n)%nat -> (u i - u' i) - (u j - u' j) <= w.
Lemma exp_weight_pos h (u : nat -> R) i : 0 < exp (h * u i).
Proof. apply exp_pos. Qed.
Definition choose (h : R) (n : nat) (Hn : (0 < n)%nat) (u : nat -> R) : dist nat :=
  pick n (fun i => exp (h * u i)) Hn (exp_weight_pos h u).

Lemma least n (d : nat -> R) : (0 < n)%nat -> exists j, (j < n)%nat /\ forall i, (i < n)%nat -> d j <= d i.
Proof.
  induction n as [|n IH]; [lia |]. intros _. destruct n as [|n].
  { exists 0%nat; split; [lia |]. intros i Hi; replace i with 0%nat by lia; lra. }
  destruct (IH ltac:(lia)) as [j [Hj H]]. destruct (Rle_dec (d j) (d (S n))) as [L|L].
  - exists j; split; [lia |]. intros i Hi. destruct (Nat.eq_dec i (S n)) as [->|]; auto. apply H; lia.
  - exists (S n); split; [lia |]. intros i Hi. destruct (Nat.eq_dec i (S n)) as [->|]; [lra |].
    specialize (H i ltac:(lia)); lra.
Qed.

Theorem choose_private h n Hn u u' w : 0 <= h -> spread n u u' w ->
  pure (h * w) (choose h n Hn u) (choose h n Hn u').
Proof.
  intros Hh S. destruct (least n (fun i => u i - u' i) Hn) as [j [Hj Least]].
  set (m := u j - u' j) in *.
  replace (h * w) with (h * (w + m) + h * - m) by ring. apply pick_pure.
  - intros i Hi. rewrite <- exp_plus; apply exp_le. specialize (S i j Hi Hj). fold m in S. nra.
  - rewrite <- total_scale. apply total_le; intros i Hi. rewrite <- exp_plus; apply exp_le.
    specialize (Least i Hi). nra.
Qed.
