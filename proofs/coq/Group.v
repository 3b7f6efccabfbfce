(** The delta of a group: number/tiny.rs, [Group], and its tables of powers of e. *)

From Coq Require Import NArith ZArith Lia Psatz Bool Reals Lra List.
Import ListNotations.
From Privet Require Import Dist Power Notions Exp Fraction Tiny.
Open Scope N_scope.

(** [powers_of_e!]: four digits, and how many were cut off behind them. *)
Definition tenth (d : N) : N := nth (N.to_nat d) [1000; 1106; 1222; 1350; 1492; 1649; 1823; 2014; 2226; 2460] 0.
Definition one (d : N) : N * N :=
  nth (N.to_nat d) [(1000, 0); (2719, 0); (7390, 0); (2009, 1); (5460, 1); (1485, 2); (4035, 2); (1097, 3); (2981, 3); (8104, 3)] (0, 0).
Definition ten (d : N) : N * N :=
  nth (N.to_nat d) [(1000, 0); (2203, 4); (4852, 8); (1069, 13); (2354, 17); (5185, 21); (1143, 26); (2516, 30); (5541, 34); (1221, 39)] (0, 0).

Definition ceiling (x y : N) : N := x / y + (if 0 <? x mod y then 1 else 0).
Definition tenths (e : frac) (k : N) : N := ceiling (10 * (fst e * (k - 1))) (snd e).
Definition tiny_group (a : tiny) (e : frac) (k : N) : option tiny :=
  let t := tenths e k in
  if 1000 <=? t then None
  else
    let (u, s) := one (t / 10 mod 10) in
    let (v, r) := ten (t / 100 mod 10) in
    fit_tiny Up (fst a * k * (tenth (t mod 10) * (u * v))) (snd a + 9 - s - r).

Open Scope R_scope.

(** The tables, each entry from the power below it. *)
Ltac digit H d := assert (C : (d = 0 \/ d = 1 \/ d = 2 \/ d = 3 \/ d = 4 \/ d = 5 \/ d = 6 \/ d = 7 \/ d = 8 \/ d = 9)%N) by lia;
  repeat (destruct C as [->|C]); [.. | subst d].

Lemma scaled x c d : (0 < d)%Z -> exp x <= IZR c / IZR d -> IZR d * exp x <= IZR c.
Proof.
  intros Hd H; apply IZR_lt in Hd. apply Rmult_le_compat_l with (r := IZR d) in H; [| lra].
  replace (IZR d * (IZR c / IZR d)) with (IZR c) in H by (field; lra). exact H.
Qed.

Lemma tenth_sound d : (d < 10)%N -> 1000 * exp (real d / 10) <= real (tenth d).
Proof.
  intros H; replace (real d / 10) with (INR (N.to_nat d) * (1 / 10))
    by (rewrite <- real_nat, N2Nat.id; field).
  apply scaled; [lia |]. eapply exp_pow; [.. | apply exp_tenth |]; try lia.
  digit H d; vm_compute; discriminate.
Qed.
Lemma one_sound d : (d < 10)%N -> 1000 * exp (real d) <= real (fst (one d)) * real (10 ^ snd (one d)).
Proof.
  intros H; replace (real d) with (INR (N.to_nat d) * 1) by (rewrite <- real_nat, N2Nat.id; field).
  rewrite <- real_mul; apply scaled; [lia |]. eapply exp_pow; [.. | apply exp_one |]; try lia.
  digit H d; vm_compute; discriminate.
Qed.
Lemma ten_sound d : (d < 10)%N -> 1000 * exp (10 * real d) <= real (fst (ten d)) * real (10 ^ snd (ten d)).
Proof.
  intros H; replace (10 * real d) with (INR (N.to_nat d) * 10) by (rewrite <- real_nat, N2Nat.id; field).
  rewrite <- real_mul; apply scaled; [lia |]. eapply exp_pow; [.. | apply exp_ten |]; try lia.
  digit H d; vm_compute; discriminate.
Qed.

Lemma fit_tiny_0 dir x : fit_tiny dir x 0 = None.
Proof.
  unfold fit_tiny. replace (0 <=? 30)%N with true by reflexivity. rewrite andb_true_r.
  destruct (top x) eqn:T.
  - unfold probability, is_probability; cbn [fst snd]. rewrite andb_false_r. reflexivity.
  - unfold top in T; apply N.leb_gt in T. cbn [trim].
    replace (1000 <=? x)%N with true by (symmetry; apply N.leb_le; lia). reflexivity.
Qed.

Lemma ceiling_sound x y : (0 < y)%N -> real x / real y <= real (ceiling x y).
Proof.
  intros Hy; pose proof (real_pos _ Hy). apply Rmult_le_reg_r with (real y); auto.
  replace (real x / real y * real y) with (real x) by (field; lra).
  rewrite <- real_mul; apply real_le; unfold ceiling.
  pose proof (N.div_mod x y ltac:(lia)). pose proof (N.mod_lt x y ltac:(lia)).
  destruct (0 <? x mod y)%N eqn:M; [| apply N.ltb_ge in M]; nia.
Qed.

Theorem tiny_group_sound a e k t : (0 < k)%N -> valid e -> tiny_group a e k = Some t ->
  real k * exp (real (k - 1) * val e) * valT a <= valT t.
Proof.
  intros Hk He; unfold tiny_group. set (T := tenths e k).
  destruct (1000 <=? T)%N eqn:Big; [discriminate |]; apply N.leb_gt in Big.
  set (d := (T mod 10)%N). set (u := (T / 10 mod 10)%N). set (h := (T / 100 mod 10)%N).
  assert (Td : T = (100 * h + 10 * u + d)%N).
  { unfold h, u, d. assert (T / 100 = T / 10 / 10)%N by (rewrite N.div_div; [reflexivity | discriminate | discriminate]).
    rewrite H. pose proof (N.div_mod T 10 ltac:(discriminate)).
    pose proof (N.div_mod (T / 10) 10 ltac:(discriminate)).
    pose proof (N.div_mod (T / 10 / 10) 10 ltac:(discriminate)).
    assert (T / 10 / 10 / 10 = 0)%N.
    { rewrite !N.div_div by discriminate. apply N.div_small; exact Big. }
    lia. }
  assert (Hd : (d < 10)%N) by (apply N.mod_lt; discriminate).
  assert (Hu : (u < 10)%N) by (apply N.mod_lt; discriminate).
  assert (Hh : (h < 10)%N) by (apply N.mod_lt; discriminate).
  pose proof (tenth_sound d Hd) as S1. pose proof (one_sound u Hu) as S2. pose proof (ten_sound h Hh) as S3.
  destruct (one u) as [ou os] eqn:Ou, (ten h) as [tv ts] eqn:Tv. cbn [fst snd] in S2, S3.
  intros F.
  destruct (N.le_gt_cases (os + ts) (snd a + 9)) as [Lv|Lv].
  2:{ replace (snd a + 9 - os - ts)%N with 0%N in F by lia. rewrite fit_tiny_0 in F; discriminate. }
  apply fit_tiny_sound in F; unfold favours_nobody_tiny in F.
  eapply Rle_trans; [| exact F]. clear F.
  (* the exponent *)
  assert (X : exp (real (k - 1) * val e) <= exp (real d / 10) * exp (real u) * exp (10 * real h)).
  { rewrite <- !exp_plus. apply exp_le.
    assert (C := ceiling_sound (10 * (fst e * (k - 1))) (snd e) He). fold (tenths e k) in C; fold T in C.
    rewrite Td in C. rewrite !real_add, !real_mul in C.
    change (real 10) with 10 in C; change (real 100) with 100 in C.
    pose proof (real_pos _ He). unfold val.
    replace (10 * (real (fst e) * real (k - 1)) / real (snd e))
      with (10 * (real (k - 1) * (real (fst e) / real (snd e)))) in C by (field; lra). lra. }
  set (l := (snd a + 9 - os - ts)%N).
  assert (Pl : real (10 ^ l) * (real (10 ^ os) * real (10 ^ ts)) = real (10 ^ snd a) * 1000000000).
  { change 1000000000 with (real (10 ^ 9)). rewrite <- !real_mul, <- !N.pow_add_r. f_equal; f_equal; unfold l; lia. }
  pose proof (real_pos _ (pow10_pos l)) as L0. pose proof (real_pos _ (pow10_pos os)) as L1.
  pose proof (real_pos _ (pow10_pos ts)) as L2. pose proof (real_pos _ (pow10_pos (snd a))) as L3.
  assert (Y : 1000 * exp (real d / 10) * (1000 * exp (real u) * (1000 * exp (10 * real h))) <=
              real (tenth d) * (real ou * real (10 ^ os) * (real tv * real (10 ^ ts)))).
  { assert (forall z, 0 <= 1000 * exp z) by (intros z; pose proof (exp_pos z); lra).
    apply Rmult_le_compat; auto; [apply Rmult_le_pos; auto |]. apply Rmult_le_compat; auto. }
  rewrite !real_mul. unfold valT.
  apply Rmult_le_reg_r with (real (10 ^ l) * (real (10 ^ os) * real (10 ^ ts))).
  { repeat apply Rmult_lt_0_compat; auto. }
  replace (real (fst a) * real k * (real (tenth d) * (real ou * real tv)) / real (10 ^ l) *
    (real (10 ^ l) * (real (10 ^ os) * real (10 ^ ts))))
    with (real (fst a) * real k * (real (tenth d) * (real ou * real (10 ^ os) * (real tv * real (10 ^ ts)))))
    by (field; lra).
  rewrite Pl.
  replace (real k * exp (real (k - 1) * val e) * (real (fst a) / real (10 ^ snd a)) * (real (10 ^ snd a) * 1000000000))
    with (real (fst a) * real k * (1000000000 * exp (real (k - 1) * val e))) by (field; lra).
  apply Rmult_le_compat_l; [apply Rmult_le_pos; apply real_nonneg |]. lra.
Qed.

(** [Times] for (eps, delta) asks for the group at eps = 0: k times delta. *)
Lemma tiny_scale_group k a : tiny_scale k a = tiny_group a (0, 1)%N k.
Proof.
  unfold tiny_group, tenths, tiny_scale; cbn [fst snd]. rewrite N.mul_0_l, N.mul_0_r. cbn.
  rewrite !N.sub_0_r. reflexivity.
Qed.

(** 1 + q + ... + q^(n-1) <= n q^(n-1) for q >= 1. *)
Lemma geometric_le q n : 1 <= q -> geometric q (S n) <= INR (S n) * q ^ n.
Proof.
  intros Hq; induction n as [|n IH]; [simpl; lra |].
  change (geometric q (S (S n))) with (1 + q * geometric q (S n)). rewrite S_INR.
  assert (1 <= q ^ S n) by (apply pow_R1_Rle; lra).
  apply Rmult_le_compat_l with (r := q) in IH; [| lra]. simpl pow in *. lra.
Qed.
