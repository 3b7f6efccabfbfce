(** Failure probabilities, A * 10^-K: src/number/tiny.rs. *)

From Coq Require Import NArith ZArith Lia Psatz Bool Reals Lra.
From Privet Require Import Fraction.
Open Scope N_scope.

Definition tiny := (N * N)%type.              (* Tiny<A, K> *)
Definition is_probability (t : tiny) : bool :=
  (fst t <=? 1024) && (1 <=? snd t) && (snd t <=? 30) && (fst t <? 10 ^ snd t).
Definition probability (t : tiny) : option tiny := if is_probability t then Some t else None.

(** [Trim], [Level::Drop]: [s] is positive if any dropped digit was. *)
Fixpoint trim (fuel : nat) (dir : direction) (x l s : N) : option tiny :=
  match fuel with
  | O => None
  | S fuel =>
      if (1000 <=? x) || (30 <? l) then
        if l =? 0 then None else trim fuel dir (x / 10) (l - 1) (10 * s + x mod 10)
      else probability (x + bump dir (0 <? s), l)
  end.
Definition fit_tiny (dir : direction) (x l : N) : option tiny :=
  if top x && (l <=? 30) then probability (x, l) else trim 60 dir x l 0.

Definition raised (a b : tiny) : N := fst a * 10 ^ (snd b - snd a).
Definition common (a b : tiny) : N := N.max (snd a) (snd b).
Definition tiny_sum (a b : tiny) : option tiny := fit_tiny Up (raised a b + raised b a) (common a b).
Definition tiny_debit (b c : tiny) : option tiny :=
  if raised c b <=? raised b c then fit_tiny Down (raised b c - raised c b) (common b c) else None.
Definition tiny_le (a b : tiny) : bool := raised a b <=? raised b a.
(** [Group] at eps = 0: the three powers of e are 1000 each. *)
Definition tiny_scale (k : N) (a : tiny) : option tiny := fit_tiny Up (fst a * k * 10 ^ 9) (snd a + 9).

Definition valT (t : tiny) : R := (real (fst t) / real (10 ^ snd t))%R.
Lemma valT_pos t : (0 <= valT t)%R.
Proof. apply Rmult_le_pos; [apply real_nonneg | left; apply Rinv_0_lt_compat, real_pos, pow10_pos]. Qed.

Definition favours_nobody_tiny (dir : direction) (x l : N) (t : tiny) :=
  match dir with
  | Up => (real x / real (10 ^ l) <= valT t)%R
  | Down => (valT t <= real x / real (10 ^ l))%R
  end.

Lemma probability_inv t u : probability t = Some u -> u = t.
Proof. unfold probability; destruct (is_probability t); congruence. Qed.

Lemma trim_sound fuel dir x l : forall q k s t, sticky x (10 ^ l) k q s ->
  trim fuel dir q k s = Some t -> favours_nobody_tiny dir x l t.
Proof.
  induction fuel as [|fuel IH]; intros q k s t St; [discriminate |]; cbn [trim].
  destruct ((1000 <=? q) || (30 <? k)).
  - destruct (k =? 0) eqn:K; [discriminate |]; apply N.eqb_neq in K.
    apply IH, sticky_shorter; auto using pow10_pos; lia.
  - intros P; apply probability_inv in P; subst t.
    destruct St as [[L U] Z]. pose proof (pow10_pos l). pose proof (pow10_pos k).
    unfold favours_nobody_tiny, valT; simpl fst; simpl snd; destruct dir; simpl bump.
    + apply div_le; try (now apply real_pos); rewrite <- !real_mul; apply real_le.
      destruct (0 <? s) eqn:S0; [nia |]. apply N.ltb_ge in S0; specialize (Z ltac:(lia)); nia.
    + apply div_le; try (now apply real_pos); rewrite <- !real_mul; apply real_le. nia.
Qed.

Theorem fit_tiny_sound dir x l t : fit_tiny dir x l = Some t -> favours_nobody_tiny dir x l t.
Proof.
  unfold fit_tiny; destruct (top x && (l <=? 30)).
  - intros P; apply probability_inv in P; subst t. destruct dir; unfold favours_nobody_tiny, valT; simpl; lra.
  - apply trim_sound. pose proof (pow10_pos l). split; [split; nia | reflexivity].
Qed.

Lemma raised_val a b : (real (raised a b) / real (10 ^ common a b) = valT a)%R.
Proof.
  unfold raised, common, valT. pose proof (real_pos _ (pow10_pos (snd a))).
  pose proof (real_pos _ (pow10_pos (snd b - snd a))).
  assert (Hm : 10 ^ N.max (snd a) (snd b) = 10 ^ snd a * 10 ^ (snd b - snd a))
    by (rewrite <- N.pow_add_r; f_equal; lia).
  rewrite Hm, !real_mul; field; lra.
Qed.
Lemma common_comm a b : common a b = common b a.
Proof. apply N.max_comm. Qed.

Lemma tiny_sum_comm a b : tiny_sum a b = tiny_sum b a.
Proof. unfold tiny_sum; now rewrite N.add_comm, common_comm. Qed.
Theorem tiny_sum_sound a b s : tiny_sum a b = Some s -> (valT a + valT b <= valT s)%R.
Proof.
  intros H; apply fit_tiny_sound in H; simpl in H.
  rewrite <- (raised_val a b), <- (raised_val b a), (common_comm b a).
  rewrite real_add in H. unfold Rdiv in *; lra.
Qed.
Theorem tiny_debit_sound b c l : tiny_debit b c = Some l -> (valT c + valT l <= valT b)%R.
Proof.
  unfold tiny_debit; destruct (_ <=? _) eqn:L; [| discriminate]; apply N.leb_le in L.
  intros H; apply fit_tiny_sound in H; simpl in H. rewrite real_sub in H by auto.
  rewrite <- (raised_val b c), <- (raised_val c b), (common_comm c b). unfold Rdiv in *; lra.
Qed.
Theorem tiny_le_sound a b : tiny_le a b = true -> (valT a <= valT b)%R.
Proof.
  intros H; apply N.leb_le, real_le in H.
  rewrite <- (raised_val a b), <- (raised_val b a), (common_comm b a).
  apply Rmult_le_compat_r; auto. left; apply Rinv_0_lt_compat, real_pos, pow10_pos.
Qed.
Lemma tiny_le_total a b : tiny_le a b = false -> tiny_le b a = true.
Proof. unfold tiny_le; intros H; apply N.leb_gt in H; apply N.leb_le; lia. Qed.
Theorem tiny_scale_sound k a s : tiny_scale k a = Some s -> (real k * valT a <= valT s)%R.
Proof.
  intros H; apply fit_tiny_sound in H; unfold favours_nobody_tiny in H. eapply Rle_trans; [| apply H]. right.
  unfold valT. rewrite N.pow_add_r, !real_mul.
  pose proof (real_pos _ (pow10_pos (snd a))). pose proof (real_pos _ (pow10_pos 9)). field; lra.
Qed.
