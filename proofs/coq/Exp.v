(** Bounds on e^x and on ln 10, by hand: no [interval] tactic, and so none of the axioms on machine
    integers that come with it.  [exp_upper] bounds the tail of the series by a geometric one; the
    tables of powers of e of src/number/tiny.rs are then checked by integer arithmetic, each power
    from the one below it; [ln10] is the 175/76 of [Covers]. *)

From Coq Require Import NArith ZArith Lia Psatz Reals Lra.
Open Scope R_scope.

Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof. intros [H| ->]; [left; now apply exp_increasing | lra]. Qed.

(** The n-th term of the series, and the sum up to it. *)
Definition term (x : R) (n : nat) : R := / INR (fact n) * x ^ n.
Definition partial (x : R) (n : nat) : R := sum_f_R0 (term x) n.

Lemma term_nonneg x n : 0 <= x -> 0 <= term x n.
Proof.
  intros; apply Rmult_le_pos; [left; apply Rinv_0_lt_compat, INR_fact_lt_0 | now apply pow_le].
Qed.

Lemma exp_partial x : Un_cv (partial x) (exp x).
Proof. unfold exp; destruct (exist_exp x) as [l Hl]; exact Hl. Qed.

Lemma exp_lower x n : 0 <= x -> partial x n <= exp x.
Proof. intros Hx; apply sum_incr; [apply exp_partial | intros k; now apply term_nonneg]. Qed.

Lemma term_step x n : 0 <= x -> term x (S n) <= x * term x n.
Proof.
  intros Hx; unfold term. pose proof (INR_fact_lt_0 n). pose proof (INR_fact_lt_0 (S n)).
  assert (L : / INR (fact (S n)) <= / INR (fact n)).
  { apply Rinv_le_contravar; auto. apply le_INR. simpl. pose proof (lt_O_fact n). nia. }
  apply Rmult_le_compat_r with (r := x * x ^ n) in L; [| apply Rmult_le_pos; [| apply pow_le]; lra].
  simpl pow. lra.
Qed.

Lemma term_far x n m : 0 <= x -> term x (n + m) <= x ^ m * term x n.
Proof.
  intros Hx; induction m as [|m IH]; [rewrite Nat.add_0_r; simpl; lra |].
  rewrite Nat.add_succ_r. eapply Rle_trans; [now apply term_step |].
  apply Rmult_le_compat_l with (r := x) in IH; auto. simpl pow; lra.
Qed.

(** The terms after the n-th are at most a geometric series. *)
Lemma partial_far x n m : 0 <= x < 1 -> partial x (n + m) <= partial x n + term x n * (x * (1 - x ^ m) / (1 - x)).
Proof.
  intros Hx; induction m as [|m IH].
  - rewrite Nat.add_0_r; simpl. unfold Rdiv; rewrite Rminus_diag_eq by reflexivity. lra.
  - rewrite Nat.add_succ_r; unfold partial in *; rewrite tech5.
    assert (T := term_far x n (S m) ltac:(lra)). rewrite Nat.add_succ_r in T.
    replace (x * (1 - x ^ S m) / (1 - x)) with (x * (1 - x ^ m) / (1 - x) + x ^ S m) by (simpl; field; lra).
    rewrite Rmult_plus_distr_l. lra.
Qed.

Lemma exp_upper x n : 0 <= x < 1 -> exp x <= partial x n + term x n * (x / (1 - x)).
Proof.
  intros Hx; set (b := partial x n + term x n * (x / (1 - x))).
  destruct (Rle_dec (exp x) b) as [|Hn]; auto. exfalso.
  destruct (exp_partial x (exp x - b) ltac:(lra)) as [N HN].
  specialize (HN (n + N)%nat ltac:(lia)). unfold R_dist in HN.
  assert (P := partial_far x n N Hx). pose proof (term_nonneg x n ltac:(lra)).
  assert (K : x * (1 - x ^ N) / (1 - x) <= x / (1 - x)).
  { apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra |].
    assert (0 <= x ^ N) by (apply pow_le; lra). nra. }
  apply Rmult_le_compat_l with (r := term x n) in K; auto.
  assert (exp x - partial x (n + N) <= Rabs (partial x (n + N) - exp x)).
  { rewrite Rabs_minus_sym. apply Rle_abs. }
  unfold b in *; lra.
Qed.

(** ** Powers, by integers *)

Lemma exp_INR x n : exp (INR n * x) = exp x ^ n.
Proof.
  induction n as [|n IH]; [simpl; rewrite Rmult_0_l; apply exp_0 |].
  rewrite S_INR; simpl pow; rewrite <- IH, <- exp_plus; f_equal; ring.
Qed.

(** If e^x is at most a/b, then e^(n x) is at most c/d, if a^n d <= c b^n. *)
Lemma exp_pow x a b n c d : (0 < b)%Z -> (0 < d)%Z -> (0 <= a)%Z -> exp x <= IZR a / IZR b ->
  (a ^ Z.of_nat n * d <= c * b ^ Z.of_nat n)%Z -> exp (INR n * x) <= IZR c / IZR d.
Proof.
  intros Hb Hd Ha H L. rewrite exp_INR.
  apply IZR_lt in Hb, Hd. apply IZR_le in L, Ha. rewrite !mult_IZR, <- !pow_IZR in L.
  assert (Q : 0 < IZR b ^ n) by (now apply pow_lt).
  apply Rle_trans with ((IZR a / IZR b) ^ n).
  - apply pow_incr; split; auto. left; apply exp_pos.
  - unfold Rdiv; rewrite Rpow_mult_distr, pow_inv.
    apply Rmult_le_reg_r with (IZR b ^ n * IZR d); [now apply Rmult_lt_0_compat |].
    replace (IZR a ^ n * / IZR b ^ n * (IZR b ^ n * IZR d)) with (IZR a ^ n * IZR d) by (field; lra).
    replace (IZR c * / IZR d * (IZR b ^ n * IZR d)) with (IZR c * IZR b ^ n) by (field; lra). exact L.
Qed.

(** e^(1/10), e and e^10 from above, with nine digits or more. *)
Lemma exp_tenth : exp (1 / 10) <= IZR 11051709183 / IZR 10000000000.
Proof.
  eapply Rle_trans; [apply (exp_upper (1 / 10) 6); lra |].
  unfold partial, term; simpl; lra.
Qed.
Lemma exp_one : exp 1 <= IZR 2718281835 / IZR 1000000000.
Proof.
  replace 1 with (INR 10 * (1 / 10)) by (simpl; field).
  eapply exp_pow; [.. | apply exp_tenth |]; lia.
Qed.
Lemma exp_ten : exp 10 <= IZR 220264665 / IZR 10000.
Proof.
  replace 10 with (INR 10 * 1) by (simpl; field).
  eapply exp_pow; [.. | apply exp_one |]; lia.
Qed.

(** ** ln 10 *)

Lemma ln10 : ln 10 <= 175 / 76.
Proof.
  (* e^(175/76) is the eighth power of e^(175/608), which is at least five terms of its series *)
  rewrite <- (ln_exp (175 / 76)). left. apply ln_increasing; [lra |].
  replace (175 / 76) with (INR 8 * (175 / 608)) by (simpl; field).
  rewrite exp_INR.
  assert (L := exp_lower (175 / 608) 5 ltac:(lra)).
  assert (Y : 10 < partial (175 / 608) 5 ^ 8) by (unfold partial, term; simpl; lra).
  eapply Rlt_le_trans; [apply Y |]. apply pow_incr; split; auto.
  apply cond_pos_sum; intros k; apply term_nonneg; lra.
Qed.
