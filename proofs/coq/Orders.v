(** rho to (eps, delta) at one order: src/number/convert.rs.

    The choice of the order needs no proof: the inequality implies the promise at every order ([Convert]). *)

From Coq Require Import NArith ZArith Lia Psatz Bool List Reals Lra.
From Privet Require Import Fraction Tiny OrderTables.
Import ListNotations.
Open Scope N_scope.

Definition at_table {A} (d : A) (l : list A) (i : N) : A := nth (N.to_nat i) l d.
Definition two_digits (n : N) : N * N * N := at_table (0, 0, 0) logarithms (n - 10).

(** 20 lg x, from its first two digits. *)
Fixpoint lg_lead (fuel : nat) (x k : N) : N :=
  match fuel with
  | O => 0
  | S fuel => if 100 <=? x then lg_lead fuel (x / 10) (k + 1) else snd (two_digits x) + 20 * k
  end.
Definition lg (x : N) : N := if x <? 10 then snd (two_digits (10 * x)) else lg_lead 12 x 1.

(** delta as d.dd * 10^-j: the three digits, and j. *)
Definition spelled (d : tiny) : N * N :=
  let '(a, k) := d in
  if 1000 <=? a then (a / 10, k - 3) else if 100 <=? a then (a, k - 2)
  else if 10 <=? a then (10 * a, k - 1) else (100 * a, k).
(** ln(1/delta) in thousandths, from above. *)
Definition log_inverse (x j : N) : N :=
  let '(l, s, _) := two_digits (x / 10) in at_table 0 tens j - (l + (x mod 10) * s / 10).
(** The entry of the table of orders. *)
Definition chosen (r : frac) (x j : N) : N :=
  let y := lg (snd r) + 80 - lg (fst r) in
  let key := 2 * (40 * j + 220 - 2 * snd (two_digits (x / 10)) - (y - 80)) / 10 in
  y + at_table 0 ratios key.

(** The inequality at one order. *)
Definition holds (o : N * N * N * N) (e r : frac) (l : N) : bool :=
  let '(u, t, v, h) := o in
  let '((a, b), (c, d)) := (e, r) in
  let unit := if u =? 3 then 1 else 100 in
  if h <=? l then b * (v * c + d * (unit * (l - h))) <=? d * (t * a)
  else b * (v * c) <=? d * (t * a + b * (unit * (h - l))).

(** [Covers] *)
Definition covers (e r : frac) (del : tiny) : bool :=
  if (fst del =? 0) || (40 <? snd del) then false
  else if fst r =? 0 then true
  else let '(x, j) := spelled del in
       match nth_error orders (N.to_nat (chosen r x j)) with
       | Some o => holds o e r (log_inverse x j)
       | None => false
       end.

Open Scope R_scope.

Lemma holds_sound u t v h e r l : valid e -> valid r -> order_ok (u, t, v, h) -> holds (u, t, v, h) e r l = true ->
  let g := real t / real (scale u) in
  0 < g /\ real l / 1000 <= g * (val e - (1 + g) * val r) + gain g.
Proof.
  intros Ve Vr [Hn Hh] H g. apply andb_prop in Hn as [Ht Hv]. apply N.ltb_lt in Ht. apply N.leb_le in Hv.
  assert (Su : (0 < scale u)%N) by (unfold scale; destruct (u =? 3)%N; lia).
  pose proof (real_pos _ Su) as Rs. pose proof (real_pos _ Ht) as Rt.
  assert (Hg : 0 < g) by (apply Rdiv_lt_0_compat; auto). split; auto.
  destruct e as [a b], r as [c d]; unfold valid, val in *; cbn [fst snd] in *.
  pose proof (real_pos _ Ve) as Rb. pose proof (real_pos _ Vr) as Rd. pose proof (real_nonneg c) as Rc.
  (* both branches in one: b v c + unit (l - h) b d <= d t a *)
  set (n := if (u =? 3)%N then 1%N else 100%N).
  assert (Sn : real (scale u) = 1000 * real n).
  { unfold scale, n; destruct (u =? 3)%N; unfold real; simpl; lra. }
  assert (K : real b * (real v * real c) + real n * (real l - real h) * real b * real d <= real d * (real t * real a)).
  { unfold holds in H. fold n in H. destruct (N.leb_spec h l) as [L|L].
    - apply N.leb_le, real_le in H. rewrite !real_mul, real_add, !real_mul, real_sub in H by auto. nra.
    - apply N.leb_le, real_le in H. rewrite !real_mul, real_add, !real_mul, real_sub in H by lia. nra. }
  apply real_le in Hv. rewrite !real_mul, real_add in Hv.
  assert (G : g * (1 + g) <= real v / real (scale u)).
  { unfold g. apply Rmult_le_reg_r with (real (scale u) * real (scale u)); [nra |].
    replace (real t / real (scale u) * (1 + real t / real (scale u)) * (real (scale u) * real (scale u)))
      with (real t * (real (scale u) + real t)) by (field; lra).
    replace (real v / real (scale u) * (real (scale u) * real (scale u))) with (real v * real (scale u)) by (field; lra).
    exact Hv. }
  assert (X : real v / real (scale u) * (real c / real d) + (real l - real h) / 1000 <= g * (real a / real b)).
  { assert (Rn : 0 < real n) by lra.
    apply Rmult_le_reg_r with (real (scale u) * real b * real d); [repeat apply Rmult_lt_0_compat; auto |].
    unfold g. rewrite Sn in *.
    replace ((real v / (1000 * real n) * (real c / real d) + (real l - real h) / 1000) * (1000 * real n * real b * real d))
      with (real b * (real v * real c) + real n * (real l - real h) * real b * real d) by (field; lra).
    replace (real t / (1000 * real n) * (real a / real b) * (1000 * real n * real b * real d))
      with (real d * (real t * real a)) by (field; lra).
    exact K. }
  assert (0 <= real c / real d) by (apply Rmult_le_pos; [auto | left; now apply Rinv_0_lt_compat]).
  assert (g * (1 + g) * (real c / real d) <= real v / real (scale u) * (real c / real d)) by (apply Rmult_le_compat_r; auto).
  fold g in Hh. lra.
Qed.

(** ** ln(1/delta) *)

Lemma tens_at k ts i : tens_ok k ts -> (i < length ts)%nat -> INR (k + i) * ln 10 <= real (nth i ts 0%N) / 1000.
Proof.
  revert k i; induction ts as [|t ts IH]; intros k i; cbn [tens_ok length]; [lia |].
  intros [H T] L. destruct i as [|i]; [now rewrite Nat.add_0_r |].
  replace (k + S i)%nat with (S k + i)%nat by lia. apply IH; auto; lia.
Qed.
Lemma logarithm_at k es i d : all_ok k es -> (i < length es)%nat -> (d <= 9)%N ->
  logarithm_ok (k + i) (nth i es (0, 0, 0)%N) d.
Proof.
  revert k i; induction es as [|e es IH]; intros k i; cbn [all_ok length]; [lia |].
  intros [H T] L D. destruct i as [|i].
  - rewrite Nat.add_0_r. cbn [nth]. rewrite Forall_forall in H. apply H.
    destruct d as [|p]; [now left |]. simpl. assert (N.pos p = 1 \/ N.pos p = 2 \/ N.pos p = 3 \/ N.pos p = 4 \/ N.pos p = 5
      \/ N.pos p = 6 \/ N.pos p = 7 \/ N.pos p = 8 \/ N.pos p = 9)%N as C by lia.
    destruct C as [->|[->|[->|[->|[->|[->|[->|[->| ->]]]]]]]]; tauto.
  - replace (k + S i)%nat with (S k + i)%nat by lia. apply IH; auto; lia.
Qed.

Lemma ln_le x y : 0 < x -> x <= y -> ln x <= ln y.
Proof. intros Hx [H|<-]; [left; now apply ln_increasing | lra]. Qed.

Lemma three_digits x : (100 <= x)%N ->
  real (let '(l, s, _) := two_digits (x / 10) in l + (x mod 10) * s / 10) / 1000 <= ln (real x / 100).
Proof.
  intros Hx. pose proof (N.div_mod x 10 ltac:(discriminate)) as M. pose proof (N.mod_lt x 10 ltac:(discriminate)) as B.
  set (n := (x / 10)%N) in *. set (d := (x mod 10)%N) in *.
  unfold two_digits, at_table.
  destruct (Nat.lt_ge_cases (N.to_nat (n - 10)) (length logarithms)) as [L|L].
  - assert (H := logarithm_at 0 logarithms (N.to_nat (n - 10)) d logarithms_sound L ltac:(lia)).
    unfold logarithm_ok in H. destruct (nth _ _ _) as [[l s] q] eqn:E. cbn [Nat.add] in H.
    rewrite N2Nat.id in H. replace (10 * (10 + (n - 10)) + d)%N with x in H by lia. exact H.
  - rewrite nth_overflow by auto. rewrite N.mul_0_r. change (0 + 0 / 10)%N with 0%N.
    replace (real 0 / 1000) with 0 by (unfold real; simpl; lra). rewrite <- ln_1.
    apply ln_le; [lra |]. apply real_le in Hx. change (real 100) with 100 in Hx. lra.
Qed.

Lemma pow10_real k : real (10 ^ k) = exp (INR (N.to_nat k) * ln 10).
Proof.
  unfold real. rewrite N2Z.inj_pow. change (Z.of_N 10) with 10%Z.
  rewrite <- (Z2Nat.id (Z.of_N k)) by lia. rewrite <- pow_IZR, <- Rpower_pow by lra. unfold Rpower.
  replace (Z.to_nat (Z.of_N k)) with (N.to_nat k) by lia. reflexivity.
Qed.

Lemma spelled_sound a k x j : (1 <= a)%N -> spelled (a, k) = (x, j) ->
  (100 <= x)%N /\ (j <= k)%N /\ (1 <= valT (a, k) \/ real x / 100 <= valT (a, k) * real (10 ^ j)).
Proof.
  intros Ha H. unfold valT; cbn [fst snd].
  assert (P : forall i, 0 < real (10 ^ i)) by (intros; apply real_pos, pow10_pos).
  assert (S : forall i m, (i <= k)%N -> (100 * a = x * 10 ^ i \/ x * 10 ^ i <= 100 * a)%N -> m = (k - i)%N ->
    real x / 100 <= real a / real (10 ^ k) * real (10 ^ m)).
  { intros i m Hi Hx ->. assert (Hx' : (x * 10 ^ i <= 100 * a)%N) by (destruct Hx; lia).
    apply real_le in Hx'. rewrite !real_mul in Hx'. change (real 100) with 100 in Hx'.
    assert (E : real (10 ^ k) = real (10 ^ i) * real (10 ^ (k - i))).
    { rewrite <- real_mul, <- N.pow_add_r. f_equal. f_equal. lia. }
    pose proof (P i). pose proof (P (k - i)%N). rewrite E.
    apply Rmult_le_reg_r with (100 * real (10 ^ i)); [lra |].
    replace (real x / 100 * (100 * real (10 ^ i))) with (real x * real (10 ^ i)) by field.
    replace (real a / (real (10 ^ i) * real (10 ^ (k - i))) * real (10 ^ (k - i)) * (100 * real (10 ^ i)))
      with (100 * real a) by (field; lra). lra. }
  assert (T : forall i, (k <= i)%N -> (10 ^ i <= a)%N -> 1 <= real a / real (10 ^ k)).
  { intros i Hi Hb. assert (10 ^ k <= a)%N by (eapply N.le_trans; [apply N.pow_le_mono_r; [discriminate | exact Hi] | exact Hb]).
    apply real_le in H0. pose proof (P k). apply Rmult_le_reg_r with (real (10 ^ k)); auto.
    replace (real a / real (10 ^ k) * real (10 ^ k)) with (real a) by (field; lra). lra. }
  unfold spelled in H.
  destruct (N.leb_spec 1000 a); [| destruct (N.leb_spec 100 a); [| destruct (N.leb_spec 10 a)]];
    apply pair_equal_spec in H as [<- <-].
  - assert (M := N.mul_div_le a 10 ltac:(discriminate)).
    assert (100 <= a / 10)%N by (apply N.div_le_lower_bound; [discriminate | lia]).
    split; [lia | split; [lia |]]. destruct (N.le_gt_cases 3 k).
    + right; apply (S 3%N); auto. right. change (10 ^ 3)%N with 1000%N. lia.
    + left; apply (T 3%N); [lia | change (10 ^ 3)%N with 1000%N; lia].
  - split; [lia | split; [lia |]]. destruct (N.le_gt_cases 2 k).
    + right; apply (S 2%N); auto. left. change (10 ^ 2)%N with 100%N. lia.
    + left; apply (T 2%N); [lia | change (10 ^ 2)%N with 100%N; lia].
  - split; [lia | split; [lia |]]. destruct (N.le_gt_cases 1 k).
    + right; apply (S 1%N); auto. left. change (10 ^ 1)%N with 10%N. lia.
    + left; apply (T 1%N); [lia | change (10 ^ 1)%N with 10%N; lia].
  - split; [lia | split; [lia |]]. right; apply (S 0%N); [lia | | lia]. left. change (10 ^ 0)%N with 1%N. lia.
Qed.

Lemma log_inverse_sound a k x j : (1 <= a)%N -> (k <= 40)%N -> spelled (a, k) = (x, j) ->
  ln (1 / valT (a, k)) <= real (log_inverse x j) / 1000.
Proof.
  intros Ha Hk H. destruct (spelled_sound _ _ _ _ Ha H) as [Hx [Hj C]].
  assert (D : 0 < valT (a, k)) by (apply Rdiv_lt_0_compat; apply real_pos; [simpl; lia | apply pow10_pos]).
  unfold Rdiv at 1. rewrite Rmult_1_l, ln_Rinv by auto.
  destruct C as [C|C].
  - assert (0 <= ln (valT (a, k))) by (rewrite <- ln_1; apply ln_le; lra). pose proof (real_nonneg (log_inverse x j)). lra.
  - assert (T := three_digits x Hx).
    assert (U := tens_at 0 tens (N.to_nat j) tens_sound ltac:(change (length tens) with 41%nat; lia)). cbn [Nat.add] in U.
    assert (L : ln (real x / 100) <= ln (valT (a, k)) + INR (N.to_nat j) * ln 10).
    { rewrite <- (ln_exp (INR (N.to_nat j) * ln 10)), <- pow10_real, <- ln_mult; auto; [| apply real_pos, pow10_pos].
      apply ln_le; auto. apply real_le in Hx. change (real 100) with 100 in Hx. lra. }
    unfold log_inverse. destruct (two_digits (x / 10)) as [[l s] q]. unfold at_table.
    set (w := (l + x mod 10 * s / 10)%N) in *. set (v := nth (N.to_nat j) tens 0%N) in *.
    assert (W : real v - real w <= real (v - w)).
    { destruct (N.le_gt_cases w v) as [E|E]; [rewrite real_sub by auto; lra |].
      replace (v - w)%N with 0%N by lia. apply N.lt_le_incl, real_le in E. change (real 0) with 0. lra. }
    lra.
Qed.

(** ** The test *)

Theorem covers_sound e r a k : valid e -> valid r -> covers e r (a, k) = true ->
  (1 <= a)%N /\ (fst r = 0%N \/
    exists g, 0 < g /\ ln (1 / valT (a, k)) <= g * (val e - (1 + g) * val r) + ln (1 + g) + g * ln (1 + 1 / g)).
Proof.
  intros Ve Vr H. unfold covers in H. cbn [fst snd] in H.
  destruct ((a =? 0)%N || (40 <? k)%N) eqn:E; [discriminate |].
  apply orb_false_iff in E as [Ea Ek]. apply N.eqb_neq in Ea. apply N.ltb_ge in Ek. split; [lia |].
  destruct (N.eqb_spec (fst r) 0) as [|_]; [now left | right].
  destruct (spelled (a, k)) as [x j] eqn:S.
  destruct (nth_error orders _) as [[[[u t] v] h]|] eqn:O; [| discriminate].
  apply nth_error_In in O. assert (Ok := orders_sound). rewrite Forall_forall in Ok. specialize (Ok _ O).
  destruct (holds_sound u t v h e r _ Ve Vr Ok H) as [Hg L].
  exists (real t / real (scale u)). split; auto.
  assert (I := log_inverse_sound a k x j ltac:(lia) Ek S). unfold gain in L. lra.
Qed.
