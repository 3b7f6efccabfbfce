(** The arithmetic in types: src/number.rs, number/round.rs, number/fraction.rs.

    Each definition follows the Rust type of the same name, with numbers for lists of digits
    ([Digits.v] has the digits).  [None] is a type that is not a fraction: it does not compile. *)

From Coq Require Import NArith ZArith Lia Psatz Bool List Reals Lra.
Import ListNotations.
Open Scope N_scope.

Definition frac := (N * N)%type.              (* the numerator and denominator of Frac<NUM, DEN, WHOLE> *)
Inductive direction := Up | Down.

(** table.rs: [Numeral::Top], [Numeral::Bottom], [Short]. *)
Definition top (x : N) : bool := x <=? 1024.
Definition bottom (y : N) : bool :=
  ((1 <=? y) && (y <=? 1024)) || existsb (N.eqb y) [10000; 100000; 1000000; 10000000; 100000000; 1000000000].
Definition short (y : N) : bool := top y && bottom y.
Definition is_fraction (f : frac) : bool :=
  (top (fst f) && bottom (snd f)) || (short (snd f) && (fst f <=? 1023 * snd f + 1024)).

(** round.rs: [Direction::Bump]. *)
Definition bump (dir : direction) (left_over : bool) : N :=
  match dir with Up => if left_over then 1 else 0 | Down => 0 end.

(** round.rs: [Fitting::Beside], q + r/y. *)
Definition mixed (q r y : N) : option frac :=
  if r =? 0 then (if top q then Some (q, 1) else None)
  else if q <=? 1023 then Some (q * y + r, y) else None.
(** [Fitting::Done], a/10^k. *)
Definition done (a k : N) : option frac :=
  if top a then Some (a, 10 ^ k) else mixed (a / 1000) (a mod 1000) 1000.

(** [Scan], [Fitting::Long], [Fitting::Enough]. [q] and [r] are the quotient and the
    remainder by [m] so far, with [k] places behind the point. *)
Fixpoint scan (fuel : nat) (dir : direction) (m k q r : N) : option frac :=
  match fuel with
  | O => None
  | S fuel =>
      if (1000 <=? q) && (3 <? k) then scan fuel dir m (k - 1) (q / 10) (10 * r + q mod 10)
      else if ((100 <=? q) && (3 <=? k)) || (k =? 9) || negb ((0 <? q) || (0 <? r)) then
        done (q + bump dir (0 <? r)) k
      else scan fuel dir m (k + 1) (10 * q + 10 * r / m) ((10 * r) mod m)
  end.

(** natural.rs: [Natural::Round]. *)
Fixpoint round (fuel : nat) (dir : direction) (x y k : N) : option frac :=
  match fuel with
  | O => None
  | S fuel =>
      if y =? 0 then None
      else if negb (y mod 10 =? 0) || (k =? 9) then scan 40 dir y k (x / y) (x mod y)
      else round fuel dir x (y / 10) (k + 1)
  end.

(** round.rs: [Fit]. *)
Definition fit (dir : direction) (x y : N) : option frac :=
  if top x && bottom y then Some (x, y)
  else if short y then mixed (x / y) (x mod y) y
  else round 40 dir x y 0.

(** number.rs and fraction.rs. *)
Definition on_grid (a b : frac) : N * N * N :=
  let '((n, d), (p, q)) := (a, b) in
  if d =? q then (n, p, d)
  else let g := N.gcd d q in (q / g * n, d / g * p, q / g * d).

Definition sum (a b : frac) : option frac :=
  let '(x, y, d) := on_grid a b in fit Up (x + y) d.
Definition debit (b c : frac) : option frac :=
  let '(x, y, d) := on_grid b c in if y <=? x then fit Down (x - y) d else None.
Definition le (a b : frac) : bool := fst a * snd b <=? fst b * snd a.
Definition larger (a b : frac) : frac := if le a b then b else a.
Definition scale (k : N) (a : frac) : option frac := fit Up (k * fst a) (snd a).
(** [Share]: the largest part at hand, if [k] of it, rounded up as every product, are at most the whole;
    otherwise a part of the whole, rounded down. *)
Definition cut (a : frac) : option frac := round 40 Down (fst a) (snd a) 0.
Definition quotient (k : N) (a : frac) : option frac :=
  if fst a mod k =? 0 then fit Down (fst a / k) (snd a) else fit Down (fst a) (k * snd a).
Definition part (k : N) (a : frac) : option frac :=
  match quotient k a with
  | Some p => match scale k p with
              | Some s => if le s a then Some p else match cut a with Some c => quotient k c | None => None end
              | None => None
              end
  | None => None
  end.
Definition half_square (a : frac) : option frac := fit Up (fst a * fst a) (2 * (snd a * snd a)).

(** ** Never in favour of the spender *)

(** [q] is the floor of x * 10^k / y, and [r] says whether anything is left over. *)
Definition sticky (x y k q r : N) := q * y <= x * 10 ^ k < (q + 1) * y /\ (r = 0 -> q * y = x * 10 ^ k).
Definition exact (x m j k q r : N) := x * 10 ^ k = (q * m + r) * 10 ^ j /\ r < m.

Lemma pow10_pos k : 0 < 10 ^ k.
Proof. apply N.neq_0_lt_0, N.pow_nonzero; discriminate. Qed.

Lemma exact_sticky x m j k q r : exact x m j k q r -> sticky x (m * 10 ^ j) k q r.
Proof. intros [H R]; pose proof (pow10_pos j); unfold sticky; rewrite H; split; [split; nia | intros ->; lia]. Qed.

Lemma sticky_shorter x y k q r : 0 < y -> 0 < k -> sticky x y k q r ->
  sticky x y (k - 1) (q / 10) (10 * r + q mod 10).
Proof.
  intros Hy Hk [[L U] Z].
  assert (K : 10 ^ k = 10 * 10 ^ (k - 1)) by (rewrite <- N.pow_succ_r'; f_equal; lia).
  rewrite K in *. pose proof (N.div_mod q 10 ltac:(discriminate)).
  pose proof (N.mod_lt q 10 ltac:(discriminate)).
  set (q' := q / 10) in *; set (d := q mod 10) in *.
  split; [split |].
  - nia.
  - nia.
  - intros R; assert (r = 0) by lia; assert (d = 0) by lia. specialize (Z H1). nia.
Qed.

Lemma exact_bring x m j k q r : 0 < m -> exact x m j k q r ->
  exact x m j (k + 1) (10 * q + 10 * r / m) ((10 * r) mod m).
Proof.
  intros Hm [H R]; split; [| apply N.mod_lt; lia].
  rewrite N.add_1_r, N.pow_succ_r'. pose proof (N.div_mod (10 * r) m ltac:(lia)). nia.
Qed.

Definition favours_nobody (dir : direction) (x y : N) (f : frac) :=
  0 < snd f /\ match dir with
  | Up => x * snd f <= fst f * y /\ fst f * y <= x * snd f + y     (* x/y <= f <= x/y + 1/den *)
  | Down => fst f * y <= x * snd f /\ x * snd f <= fst f * y + y   (* f <= x/y <= f + 1/den *)
  end.

(** The same number on a coarser grid. *)
Lemma favours_same dir x y a b f : 0 < b -> favours_nobody dir x y (a, b) ->
  0 < snd f -> snd f <= b -> fst f * b = a * snd f -> favours_nobody dir x y f.
Proof.
  destruct f as [n d]; unfold favours_nobody; cbn [fst snd]; intros B [_ F] D L E; split; auto.
  destruct dir; destruct F as [F G]; split; apply (N.mul_le_mono_pos_l _ _ b); auto.
  - replace (b * (n * y)) with (d * (a * y)) by (rewrite (N.mul_assoc d), (N.mul_comm d), <- E; lia).
    replace (b * (x * d)) with (d * (x * b)) by lia. now apply N.mul_le_mono_l.
  - replace (b * (n * y)) with (d * (a * y)) by (rewrite (N.mul_assoc d), (N.mul_comm d), <- E; lia).
    apply N.le_trans with (d * (x * b + y)); [now apply N.mul_le_mono_l |].
    apply N.le_trans with (d * (x * b) + b * y); [| lia]. rewrite N.mul_add_distr_l. apply N.add_le_mono_l, N.mul_le_mono_r, L.
  - replace (b * (n * y)) with (d * (a * y)) by (rewrite (N.mul_assoc d), (N.mul_comm d), <- E; lia).
    replace (b * (x * d)) with (d * (x * b)) by lia. now apply N.mul_le_mono_l.
  - replace (b * (x * d)) with (d * (x * b)) by lia.
    replace (b * (n * y + y)) with (d * (a * y) + b * y).
    2: rewrite N.mul_add_distr_l; f_equal; rewrite (N.mul_assoc d), (N.mul_comm d), <- E; lia.
    apply N.le_trans with (d * (a * y + y)); [now apply N.mul_le_mono_l |].
    rewrite N.mul_add_distr_l. apply N.add_le_mono_l, N.mul_le_mono_r, L.
Qed.
Lemma mixed_same q r y f : 0 < y -> mixed q r y = Some f ->
  0 < snd f /\ snd f <= y /\ fst f * y = (q * y + r) * snd f.
Proof.
  unfold mixed; intros Y. destruct (N.eqb_spec r 0) as [->|].
  - destruct (top q); [| discriminate]. intros [= <-]; cbn [fst snd]. lia.
  - destruct (q <=? 1023); [| discriminate]. intros [= <-]; cbn [fst snd]. lia.
Qed.
Lemma done_sound dir x y a k f : favours_nobody dir x y (a, 10 ^ k) -> (a <= 1024 \/ k = 3) ->
  done a k = Some f -> favours_nobody dir x y f.
Proof.
  unfold done; intros F K. destruct (top a) eqn:T; [now intros [= <-] |].
  unfold top in T; apply N.leb_gt in T. destruct K as [K| ->]; [lia |]. change (10 ^ 3) with 1000 in F.
  intros M; apply mixed_same in M as [P [L E]]; [| reflexivity].
  apply favours_same with a 1000; auto; [reflexivity |].
  now rewrite E, (N.mul_comm (a / 1000)), <- N.div_mod by discriminate.
Qed.

Lemma scan_sound fuel dir x m j : 0 < m -> forall k q r f,
  (exact x m j k q r \/ (sticky x (m * 10 ^ j) k q r /\ 100 <= q /\ 3 <= k)) ->
  scan fuel dir m k q r = Some f -> favours_nobody dir x (m * 10 ^ j) f.
Proof.
  intros Hm; induction fuel as [|fuel IH]; intros k q r f; [discriminate |].
  intros Inv; cbn [scan]. pose proof (pow10_pos j).
  assert (Hy : 0 < m * 10 ^ j) by nia.
  assert (St : sticky x (m * 10 ^ j) k q r) by (destruct Inv as [Ex|[St _]]; auto using exact_sticky).
  destruct ((1000 <=? q) && (3 <? k)) eqn:Long.
  - apply andb_prop in Long as [Q K]; apply N.leb_le in Q; apply N.ltb_lt in K.
    apply IH; right; split; [apply sticky_shorter; auto; lia | split; [| lia]].
    change 100 with (1000 / 10); apply N.div_le_mono; lia.
  - destruct (((100 <=? q) && (3 <=? k)) || (k =? 9) || negb ((0 <? q) || (0 <? r))) eqn:Enough.
    + apply done_sound.
      * destruct St as [[L U] Z]; pose proof (pow10_pos k).
        split; simpl fst; simpl snd; auto.
        destruct dir; simpl bump.
        -- destruct (0 <? r) eqn:R.
           ++ nia.
           ++ apply N.ltb_ge in R; specialize (Z ltac:(lia)); nia.
        -- nia.
      * (* More than 1024 only with three places. *)
        assert (B : bump dir (0 <? r) <= 1) by (destruct dir; simpl; [destruct (0 <? r) |]; lia).
        destruct (N.ltb_spec q 1000) as [Q|Q]; [left; lia | right].
        replace (1000 <=? q) with true in Long by (symmetry; now apply N.leb_le). cbn [andb] in Long; apply N.ltb_ge in Long.
        replace (0 <? q) with true in Enough by (symmetry; apply N.ltb_lt; lia). cbn [orb negb] in Enough.
        rewrite orb_false_r in Enough. apply orb_prop in Enough as [E|E].
        -- apply andb_prop in E as [_ E]; apply N.leb_le in E; lia.
        -- apply N.eqb_eq in E; lia.
    + apply IH; left; apply exact_bring; auto.
      destruct Inv as [Ex|[_ [Q K]]]; auto. exfalso.
      apply orb_false_elim in Enough as [Enough _]; apply orb_false_elim in Enough as [Enough _].
      apply andb_false_iff in Enough as [E|E]; apply N.leb_gt in E; lia.
Qed.

Lemma round_sound fuel dir x : forall y k f,
  round fuel dir x y k = Some f -> favours_nobody dir x (y * 10 ^ k) f.
Proof.
  induction fuel as [|fuel IH]; intros y k f; [discriminate |]; cbn [round].
  destruct (y =? 0) eqn:Y0; [discriminate |]; apply N.eqb_neq in Y0.
  destruct (negb (y mod 10 =? 0) || (k =? 9)) eqn:Short.
  - apply scan_sound; [lia | left]. split; [| apply N.mod_lt; lia].
    rewrite (N.mul_comm (x / y)), <- N.div_mod by lia; reflexivity.
  - apply orb_false_elim in Short as [S _]; apply negb_false_iff, N.eqb_eq in S.
    intros H; apply IH in H. rewrite N.add_1_r, N.pow_succ_r' in H.
    replace (y * 10 ^ k) with (y / 10 * (10 * 10 ^ k)); auto.
    pose proof (N.div_mod y 10 ltac:(discriminate)). nia.
Qed.

Lemma bottom_pos y : bottom y = true -> 0 < y.
Proof.
  unfold bottom; intros B; apply orb_prop in B as [B|B].
  - apply andb_prop in B as [B _]; apply N.leb_le in B; lia.
  - apply existsb_exists in B as [z [I Ez]]; apply N.eqb_eq in Ez; subst z.
    simpl in I; intuition; subst; reflexivity.
Qed.
Theorem fit_sound dir x y f : fit dir x y = Some f -> favours_nobody dir x y f.
Proof.
  assert (Same : 0 < y -> favours_nobody dir x y (x, y)) by (intros; split; simpl; auto; destruct dir; lia).
  unfold fit; destruct (top x && bottom y) eqn:T; [| destruct (short y) eqn:S].
  - intros [= <-]; apply andb_prop in T as [_ B]. apply Same, bottom_pos, B.
  - apply andb_prop in S as [_ B]; apply bottom_pos in B. intros M; apply mixed_same in M as [P [L E]]; auto.
    apply favours_same with x y; auto. now rewrite E, (N.mul_comm (x / y)), <- N.div_mod by lia.
  - intros H; apply round_sound in H; rewrite N.pow_0_r, N.mul_1_r in H; auto.
Qed.

(** ** As real numbers *)

Definition real (n : N) : R := IZR (Z.of_N n).
Definition val (f : frac) : R := (real (fst f) / real (snd f))%R.
Definition valid (f : frac) : Prop := 0 < snd f.

Lemma real_mul a b : real (a * b) = (real a * real b)%R.
Proof. unfold real; now rewrite N2Z.inj_mul, mult_IZR. Qed.
Lemma real_add a b : real (a + b) = (real a + real b)%R.
Proof. unfold real; now rewrite N2Z.inj_add, plus_IZR. Qed.
Lemma real_sub a b : b <= a -> real (a - b) = (real a - real b)%R.
Proof. intros; unfold real; now rewrite N2Z.inj_sub, minus_IZR by auto. Qed.
Lemma real_le a b : a <= b -> (real a <= real b)%R.
Proof. intros; apply IZR_le; lia. Qed.
Lemma real_le_inv a b : (real a <= real b)%R -> a <= b.
Proof. intros H; apply le_IZR in H; lia. Qed.
Lemma real_pos a : 0 < a -> (0 < real a)%R.
Proof. intros; apply (IZR_lt 0); lia. Qed.
Lemma real_nonneg a : (0 <= real a)%R.
Proof. apply (IZR_le 0); lia. Qed.

Lemma real_nat n : real (N.of_nat n) = INR n.
Proof. unfold real; rewrite nat_N_Z, INR_IZR_INZ; reflexivity. Qed.

Lemma div_le a b c d : (0 < b -> 0 < d -> a * d <= c * b -> a / b <= c / d)%R.
Proof.
  intros Hb Hd H; apply Rmult_le_reg_r with (b * d)%R; [nra |].
  replace (a / b * (b * d))%R with (a * d)%R by (field; lra).
  replace (c / d * (b * d))%R with (c * b)%R by (field; lra). auto.
Qed.

Lemma val_pos f : valid f -> (0 <= val f)%R.
Proof.
  intros H; apply Rmult_le_pos; [apply real_nonneg | left; apply Rinv_0_lt_compat, real_pos, H].
Qed.

Lemma fit_up x y f : 0 < y -> fit Up x y = Some f -> valid f /\ (real x / real y <= val f)%R.
Proof.
  intros Hy H; apply fit_sound in H as [V [H _]]; split; auto.
  apply div_le; try (now apply real_pos). rewrite <- !real_mul; now apply real_le.
Qed.
Lemma fit_down x y f : 0 < y -> fit Down x y = Some f -> valid f /\ (val f <= real x / real y)%R.
Proof.
  intros Hy H; apply fit_sound in H as [V [H _]]; split; auto.
  apply div_le; try (now apply real_pos). rewrite <- !real_mul; now apply real_le.
Qed.

Lemma on_grid_sound a b x y d : valid a -> valid b -> on_grid a b = (x, y, d) ->
  0 < d /\ (real x / real d = val a /\ real y / real d = val b)%R.
Proof.
  destruct a as [n p], b as [m q]; unfold valid, on_grid; simpl; intros Hp Hq.
  destruct (p =? q) eqn:E.
  - apply N.eqb_eq in E; subst q; intros [= <- <- <-]; auto.
  - intros [= <- <- <-].
    assert (G : N.gcd p q <> 0) by (intros G; apply N.gcd_eq_0_l in G; lia).
    destruct (N.gcd_divide_l p q) as [u Hu], (N.gcd_divide_r p q) as [v Hv].
    set (g := N.gcd p q) in *.
    assert (Eu : p / g = u) by (rewrite Hu; now apply N.div_mul).
    assert (Ev : q / g = v) by (rewrite Hv; now apply N.div_mul).
    rewrite Eu, Ev; unfold val; simpl.
    assert (0 < u) by nia. assert (0 < v) by nia. assert (0 < g) by lia.
    pose proof (real_pos u ltac:(auto)). pose proof (real_pos v ltac:(auto)). pose proof (real_pos g ltac:(auto)).
    split; [nia |]. clearbody g; clear E Eu Ev; subst p q; rewrite !real_mul. split; field; lra.
Qed.

(** The order of the two does not matter. *)
Lemma on_grid_comm a b : on_grid b a = let '(x, y, d) := on_grid a b in (y, x, d).
Proof.
  destruct a as [n d], b as [p q]; unfold on_grid.
  rewrite (N.eqb_sym q d). destruct (N.eqb_spec d q) as [->|]; auto.
  rewrite (N.gcd_comm q d). f_equal.
  destruct (N.gcd_divide_l d q) as [u Hu], (N.gcd_divide_r d q) as [v Hv].
  destruct (N.eq_dec (N.gcd d q) 0) as [G|G]; [apply N.gcd_eq_0 in G as [-> ->]; reflexivity |].
  set (g := N.gcd d q) in *. clearbody g. rewrite Hu, Hv, !N.div_mul by auto. lia.
Qed.
Lemma sum_comm a b : sum a b = sum b a.
Proof.
  unfold sum; rewrite (on_grid_comm a b); destruct (on_grid a b) as [[x y] d]. now rewrite N.add_comm.
Qed.

(** Sums are rounded up. *)
Theorem sum_sound a b s : valid a -> valid b -> sum a b = Some s -> valid s /\ (val a + val b <= val s)%R.
Proof.
  intros Ha Hb; unfold sum; destruct (on_grid a b) as [[x y] d] eqn:G.
  apply on_grid_sound in G as [D [X Y]]; auto.
  intros F; apply fit_up in F as [V F]; auto; split; auto.
  rewrite <- X, <- Y; rewrite real_add in F. pose proof (real_pos d D).
  replace (real x / real d + real y / real d)%R with ((real x + real y) / real d)%R by (field; lra). auto.
Qed.

(** Remainders are rounded down: what was paid and what is left are at most what was there. *)
Theorem debit_sound b c l : valid b -> valid c -> debit b c = Some l -> valid l /\ (val c + val l <= val b)%R.
Proof.
  intros Hb Hc; unfold debit; destruct (on_grid b c) as [[x y] d] eqn:G.
  apply on_grid_sound in G as [D [X Y]]; auto.
  destruct (y <=? x) eqn:L; [| discriminate]; apply N.leb_le in L.
  intros F; apply fit_down in F as [V F]; auto; split; auto.
  rewrite real_sub in F by auto. rewrite <- X, <- Y. pose proof (real_pos d D).
  replace ((real x - real y) / real d)%R with (real x / real d - real y / real d)%R in F by (field; lra). lra.
Qed.

(** Comparisons are exact. *)
Theorem le_sound a b : valid a -> valid b -> (le a b = true <-> (val a <= val b)%R).
Proof.
  intros Ha Hb; unfold le; rewrite N.leb_le; unfold val.
  pose proof (real_pos _ Ha). pose proof (real_pos _ Hb). split; intros H1.
  - apply div_le; auto. rewrite <- !real_mul; now apply real_le.
  - apply real_le_inv; rewrite !real_mul.
    apply Rmult_le_compat_r with (r := (real (snd a) * real (snd b))%R) in H1; [| nra].
    replace (real (fst a) / real (snd a) * (real (snd a) * real (snd b)))%R
      with (real (fst a) * real (snd b))%R in H1 by (field; lra).
    replace (real (fst b) / real (snd b) * (real (snd a) * real (snd b)))%R
      with (real (fst b) * real (snd a))%R in H1 by (field; lra). auto.
Qed.

Theorem scale_sound k a s : valid a -> scale k a = Some s -> valid s /\ (real k * val a <= val s)%R.
Proof.
  intros Ha H; apply fit_up in H as [V H]; auto; split; auto. rewrite real_mul in H.
  pose proof (real_pos _ Ha). unfold val at 1.
  replace (real k * (real (fst a) / real (snd a)))%R with (real k * real (fst a) / real (snd a))%R by (field; lra).
  auto.
Qed.

(** Parts are rounded down: [k] of them are at most the whole. *)
Lemma quotient_sound k a p : 0 < k -> valid a -> quotient k a = Some p -> valid p /\ (real k * val p <= val a)%R.
Proof.
  intros Hk Ha; unfold quotient; pose proof (real_pos _ Ha); pose proof (real_pos _ Hk).
  destruct (fst a mod k =? 0) eqn:M; intros F.
  - apply fit_down in F as [V F]; auto; split; auto.
    apply N.eqb_eq in M. pose proof (N.div_mod (fst a) k ltac:(lia)) as DM. rewrite M, N.add_0_r in DM.
    unfold val at 2; rewrite DM, real_mul.
    replace (real k * real (fst a / k) / real (snd a))%R with (real k * (real (fst a / k) / real (snd a)))%R
      by (field; lra).
    apply Rmult_le_compat_l; lra.
  - assert (0 < k * snd a) by (unfold valid in Ha; nia).
    apply fit_down in F as [V F]; auto; split; auto. rewrite real_mul in F.
    apply Rmult_le_compat_l with (r := real k) in F; [| lra].
    eapply Rle_trans; [apply F |]. right; unfold val; field; lra.
Qed.

Lemma cut_sound a c : valid a -> cut a = Some c -> valid c /\ (val c <= val a)%R.
Proof.
  intros Ha H; apply round_sound in H as [V [H _]]; split; auto. rewrite N.pow_0_r, N.mul_1_r in H.
  apply div_le; try (now apply real_pos). rewrite <- !real_mul; now apply real_le.
Qed.
Theorem part_sound k a p : 0 < k -> valid a -> part k a = Some p -> valid p /\ (real k * val p <= val a)%R.
Proof.
  intros Hk Ha; unfold part. destruct (quotient k a) as [q|] eqn:Q; [| discriminate].
  destruct (scale k q) as [s|]; [| discriminate]. destruct (le s a).
  - intros [= <-]; now apply quotient_sound in Q.
  - destruct (cut a) as [c|] eqn:C; [| discriminate]. apply cut_sound in C as [Vc C]; auto.
    intros P; apply quotient_sound in P as [V P]; auto. split; auto; lra.
Qed.

Theorem half_square_sound a s : valid a -> half_square a = Some s ->
  valid s /\ (val a * val a / 2 <= val s)%R.
Proof.
  intros Ha H; pose proof (real_pos _ Ha).
  apply fit_up in H as [V H]; [| unfold valid in Ha; nia]; split; auto.
  rewrite !real_mul in H. change (real 2) with 2%R in H.
  eapply Rle_trans; [| apply H]. right; unfold val; field; lra.
Qed.
