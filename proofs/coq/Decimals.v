(** Probabilities, digit by digit: src/number/tiny.rs.  The functions here
    work on lists of digits and on levels (numbers of decimal places, up to 40) and follow the
    associated types of the same names.  Each is shown to be the function on numbers of Fraction.v,
    Tiny.v or Group.v, so that what is proved there is proved of what the types compute from digits. *)

From Coq Require Import NArith ZArith Lia Psatz Bool List.
From Privet Require Import Fraction Digits Natural Tiny Group.
Open Scope N_scope.

(** ** Levels: [N<0>] to [N<40>] *)

Definition next (l : nat) : nat := if Nat.eqb l 40 then 40 else S l.
Definition nine (l : nat) : nat := if Nat.leb l 31 then l + 9 else 40.
Definition deep (l : nat) : bool := Nat.leb 31 l.
Fixpoint shift (a : natural) (l : nat) : natural := match l with O => a | S l => shift (push a 0) l end.
Fixpoint raise (a : natural) (l m : nat) : natural :=
  match l, m with O, m => shift a m | S _, O => a | S l, S m => raise a l m end.
Fixpoint level_max (l m : nat) : nat :=
  match l, m with O, m => m | S l, O => next l | S l, S m => next (level_max l m) end.
Fixpoint less (l m : nat) : nat :=
  match l, m with O, _ => O | S l, O => next l | S l, S m => less l m end.

Lemma next_spec l : (l < 40)%nat -> next l = S l.
Proof. unfold next; destruct (Nat.eqb_spec l 40); lia. Qed.
Lemma shift_spec l : forall a, proper a -> value (shift a l) = value a * 10 ^ N.of_nat l /\ proper (shift a l).
Proof.
  induction l as [|l IH]; intros a P; cbn [shift]; [change (N.of_nat 0) with 0; rewrite N.pow_0_r; split; [lia | auto] |].
  destruct (IH (push a 0)) as [V W]; [apply push_proper; auto; lia |]. split; auto.
  rewrite V, push_value, Nnat.Nat2N.inj_succ, N.pow_succ_r'. lia.
Qed.
Lemma raise_spec l : forall m a, proper a ->
  value (raise a l m) = value a * 10 ^ (N.of_nat m - N.of_nat l) /\ proper (raise a l m).
Proof.
  induction l as [|l IH]; intros [|m] a P; cbn [raise].
  - apply (shift_spec 0); auto.
  - replace (N.of_nat (S m) - N.of_nat 0) with (N.of_nat (S m)) by lia. now apply shift_spec.
  - replace (N.of_nat 0 - N.of_nat (S l)) with 0 by lia. rewrite N.pow_0_r, N.mul_1_r; auto.
  - replace (N.of_nat (S m) - N.of_nat (S l)) with (N.of_nat m - N.of_nat l) by lia. now apply IH.
Qed.
Lemma level_max_spec l : forall m, (l <= 40)%nat -> (m <= 40)%nat -> level_max l m = Nat.max l m.
Proof.
  induction l as [|l IH]; intros [|m] L M; cbn [level_max]; auto.
  - rewrite next_spec by lia. reflexivity.
  - rewrite IH, next_spec by lia. reflexivity.
Qed.
Lemma less_spec l : forall m, (l <= 40)%nat -> less l m = (l - m)%nat.
Proof. induction l as [|l IH]; intros [|m] L; cbn [less]; auto; [apply next_spec; lia | rewrite IH; lia]. Qed.
Lemma nine_spec l : (l <= 30)%nat -> nine l = (l + 9)%nat.
Proof. unfold nine; destruct (Nat.leb_spec l 31); lia. Qed.
Lemma deep_spec l : deep l = (30 <? N.of_nat l).
Proof. unfold deep; destruct (Nat.leb_spec 31 l); symmetry; [apply N.ltb_lt | apply N.ltb_ge]; lia. Qed.

(** ** Probabilities *)

(** [Level::Below]: is a * 10^-l below one? *)
Definition two (n : natural) : bool := positive (init n).
Definition below_one (l : nat) (a : natural) : bool :=
  match l with 0%nat => false | 1%nat => negb (two a) | 2%nat => negb (three a) | 3%nat => negb (four a) | _ => true end.
(** [Numeral::Tiny] and the bounds of [Probability]. *)
Definition probability_digits (a : natural) (l : nat) : option tiny :=
  match read a with
  | Some v => if top v && negb (deep l) && below_one l (constant v) then Some (v, N.of_nat l) else None
  | None => None
  end.
(** [Trim], [Level::Drop], [Fit]. *)
Fixpoint trim_digits (dir : direction) (x : natural) (l : nat) (s : bool) : option tiny :=
  if four x || deep l then
    match l with O => None | S l => trim_digits dir (init x) l ((0 <? units x) || s) end
  else probability_digits (inc x (bumps dir s)) l.
Definition fit_tiny_digits (dir : direction) (x : natural) (l : nat) : option tiny :=
  if top_of x && negb (deep l) then probability_digits x l else trim_digits dir x l false.

Lemma two_spec n : proper n -> two n = (10 <=? value n).
Proof.
  intros P; unfold two. destruct (init_spec n P) as [V [_ P1]]. rewrite positive_spec, V by auto.
  destruct (N.leb_spec 10 (value n)); [apply N.ltb_lt, N.div_str_pos; lia | rewrite N.div_small; auto].
Qed.
Lemma below_one_spec l a : proper a -> value a <= 1024 -> below_one l a = (1 <=? N.of_nat l) && (value a <? 10 ^ N.of_nat l).
Proof.
  intros P V. destruct l as [|[|[|[|l]]]]; cbn [below_one]; [reflexivity | | | |].
  - rewrite two_spec by auto. symmetry; apply N.ltb_antisym.
  - rewrite three_spec by auto. symmetry; apply N.ltb_antisym.
  - rewrite four_spec by auto. symmetry; apply N.ltb_antisym.
  - symmetry; apply andb_true_intro; split; [apply N.leb_le; lia | apply N.ltb_lt].
    apply N.lt_le_trans with (10 ^ 4); [apply N.le_lt_trans with 1024; [exact V | reflexivity] |].
    apply N.pow_le_mono_r; lia.
Qed.
Lemma probability_digits_spec a l : proper a -> probability_digits a l = probability (value a, N.of_nat l).
Proof.
  intros P; unfold probability_digits, probability, is_probability; cbn [fst snd]. rewrite read_spec, deep_spec by auto.
  fold (top (value a)). destruct (top (value a)) eqn:T.
  - unfold in_table; rewrite T; cbn [orb]; rewrite T. cbn [andb]. unfold top in T; apply N.leb_le in T.
    destruct (constant_spec (value a)) as [V W]; [eapply N.le_trans; [exact T | now apply N.leb_le] |].
    rewrite below_one_spec, V, <- N.leb_antisym by (auto; now rewrite V).
    destruct (N.of_nat l <=? 30), (1 <=? N.of_nat l), (value a <? 10 ^ N.of_nat l); reflexivity.
  - cbn [andb]. destruct (in_table (value a)); [now rewrite T | reflexivity].
Qed.
Lemma trim_digits_spec dir : forall l fuel x s n, proper x -> (l < fuel)%nat -> s = (0 <? n) ->
  trim_digits dir x l s = trim fuel dir (value x) (N.of_nat l) n.
Proof.
  induction l as [|l IH]; intros [|fuel] x s n P F ->; try lia; cbn [trim_digits trim]; rewrite four_spec, deep_spec by auto;
    (destruct ((1000 <=? value x) || (30 <? N.of_nat _)) eqn:Long;
     [| destruct (inc_spec x (bumps dir (0 <? n)) P) as [V W]; rewrite probability_digits_spec, V by auto;
        destruct dir; cbn [bumps bump b2n]; destruct (0 <? n); reflexivity]).
  - reflexivity.
  - destruct (init_spec x P) as [V [U Pi]]. replace (N.of_nat (S l) =? 0) with false by (symmetry; apply N.eqb_neq; lia).
    rewrite (IH fuel _ _ (10 * n + value x mod 10)); auto; [| lia |].
    + rewrite V. f_equal; lia.
    + rewrite U. set (u := value x mod 10). destruct (N.ltb_spec 0 u), (N.ltb_spec 0 n); cbn [orb];
        symmetry; try (apply N.ltb_lt; lia). apply N.ltb_ge; lia.
Qed.
Theorem fit_tiny_digits_spec dir x l : proper x -> (l < 60)%nat ->
  fit_tiny_digits dir x l = fit_tiny dir (value x) (N.of_nat l).
Proof.
  intros P L; unfold fit_tiny_digits, fit_tiny. rewrite top_of_spec, deep_spec, <- N.leb_antisym by auto.
  destruct (top (value x) && (N.of_nat l <=? 30)); [now apply probability_digits_spec | now apply trim_digits_spec].
Qed.

Definition raised_digits (a b : tiny) : natural := raise (constant (fst a)) (N.to_nat (snd a)) (N.to_nat (snd b)).
Definition common_level (a b : tiny) : nat := level_max (N.to_nat (snd a)) (N.to_nat (snd b)).
Definition tiny_sum_digits (a b : tiny) : option tiny :=
  fit_tiny_digits Up (add (raised_digits a b) (raised_digits b a) false) (common_level a b).
Definition tiny_debit_digits (b c : tiny) : option tiny :=
  match Digits.sub (raised_digits b c) (raised_digits c b) false with
  | Some x => fit_tiny_digits Down x (common_level b c)
  | None => None
  end.
Definition tiny_le_digits (a b : tiny) : bool := at_most (raised_digits a b) (raised_digits b a).

Definition small (t : tiny) : Prop := fst t <= 1024 /\ snd t <= 30.
Lemma probability_small t : is_probability t = true -> small t.
Proof. unfold is_probability, small; rewrite !andb_true_iff, !N.leb_le; tauto. Qed.
Lemma raised_digits_spec a b : small a -> small b -> value (raised_digits a b) = raised a b /\ proper (raised_digits a b).
Proof.
  intros [Na _] _. destruct (constant_spec (fst a)) as [V P]; [eapply N.le_trans; [exact Na | now apply N.leb_le] |].
  unfold raised_digits, raised. destruct (raise_spec (N.to_nat (snd a)) (N.to_nat (snd b)) _ P) as [W Q].
  rewrite W, V, !Nnat.N2Nat.id; auto.
Qed.
Lemma common_level_spec a b : small a -> small b -> N.of_nat (common_level a b) = common a b /\ (common_level a b < 60)%nat.
Proof. intros [_ A] [_ B]; unfold common_level, common; rewrite level_max_spec by lia. split; lia. Qed.

Theorem tiny_sum_digits_spec a b : small a -> small b -> tiny_sum_digits a b = tiny_sum a b.
Proof.
  intros A B; unfold tiny_sum_digits, tiny_sum.
  destruct (raised_digits_spec a b A B) as [V P], (raised_digits_spec b a B A) as [W Q], (common_level_spec a b A B) as [L F].
  destruct (add_spec _ _ false P Q) as [S R]. rewrite fit_tiny_digits_spec, S, V, W, L by auto.
  cbn [b2n]. now rewrite N.add_0_r.
Qed.
Theorem tiny_debit_digits_spec b c : small b -> small c -> tiny_debit_digits b c = tiny_debit b c.
Proof.
  intros A B; unfold tiny_debit_digits, tiny_debit.
  destruct (raised_digits_spec b c A B) as [V P], (raised_digits_spec c b B A) as [W Q], (common_level_spec b c A B) as [L F].
  pose proof (sub_spec _ _ false P Q) as S. rewrite V, W in S.
  destruct (Digits.sub _ _ false) as [x|]; cbn [b2n] in S.
  - destruct S as [E R]. replace (raised c b <=? raised b c) with true by (symmetry; apply N.leb_le; lia).
    rewrite fit_tiny_digits_spec, L by auto. f_equal. lia.
  - replace (raised c b <=? raised b c) with false by (symmetry; apply N.leb_gt; lia). reflexivity.
Qed.
Theorem tiny_le_digits_spec a b : small a -> small b -> tiny_le_digits a b = tiny_le a b.
Proof.
  intros A B; unfold tiny_le_digits, tiny_le.
  destruct (raised_digits_spec a b A B) as [V P], (raised_digits_spec b a B A) as [W Q].
  now rewrite at_most_spec, V, W.
Qed.

(** ** [Group] *)

Definition ceiling_digits (x y : natural) : natural := let (q, r) := divide x y in inc q (positive r).
Definition tenths_digits (e : frac) (k : natural) : natural :=
  let less := match dec k true with Some x => x | None => Nil end in
  ceiling_digits (push (mul (constant (fst e)) less) 0) (constant (snd e)).
(** [Grow], [GrownBy]: the tables of [Exp] hold the digits of those of Group.v. *)
Definition tiny_group_digits (a : tiny) (e : frac) (k : N) : option tiny :=
  let t := tenths_digits e (constant k) in
  if two (init (init t)) then None
  else
    let (u, s) := one (units (init t)) in
    let (v, r) := ten (units (init (init t))) in
    fit_tiny_digits Up
      (mul (mul (constant (fst a)) (constant k)) (mul (constant (tenth (units t))) (mul (constant u) (constant v))))
      (less (less (nine (N.to_nat (snd a))) (N.to_nat s)) (N.to_nat r)).

Lemma ceiling_digits_spec x y : proper x -> proper y -> 0 < value y ->
  value (ceiling_digits x y) = ceiling (value x) (value y) /\ proper (ceiling_digits x y).
Proof.
  intros Px Py Y; unfold ceiling_digits, ceiling. pose proof (divide_spec x y Px Py Y) as D.
  destruct (divide x y) as [q r]; destruct D as [Vq [Vr [Pq Pr]]].
  destruct (inc_spec q (positive r) Pq) as [V P]. split; auto. rewrite V, Vq, positive_spec, Vr by auto.
  unfold b2n. reflexivity.
Qed.
Lemma tenths_digits_spec e k : in_range e -> 0 < k <= 10 ^ 9 ->
  value (tenths_digits e (constant k)) = tenths e k /\ proper (tenths_digits e (constant k)).
Proof.
  intros [Ne [De De']] [K0 K]; unfold tenths_digits, tenths.
  destruct (constant_spec _ Ne) as [Vn Pn], (constant_spec _ De') as [Vd Pd], (constant_spec _ K) as [Vk Pk].
  pose proof (dec_spec _ true Pk) as D. rewrite Vk in D. destruct (dec (constant k) true) as [x|]; cbn [b2n] in D; [| lia].
  destruct D as [Vx Px]. destruct (mul_spec _ _ Pn Px) as [V P].
  destruct (ceiling_digits_spec (push (mul (constant (fst e)) x) 0) (constant (snd e))) as [W Q];
    [apply push_proper; auto; lia | auto | lia |].
  split; auto. rewrite W, push_value, V, Vn, Vd. f_equal. replace (k - 1) with (value x) by lia. lia.
Qed.
Lemma tables_small d : d < 10 -> tenth d <= 10 ^ 9 /\ fst (one d) <= 10 ^ 9 /\ fst (ten d) <= 10 ^ 9.
Proof. intros H; digit H d; repeat split; now apply N.leb_le. Qed.

Theorem tiny_group_digits_spec a e k : small a -> in_range e -> 0 < k <= 10 ^ 9 ->
  tiny_group_digits a e k = tiny_group a e k.
Proof.
  intros [Na La] Re K; unfold tiny_group_digits, tiny_group.
  destruct (tenths_digits_spec e k Re K) as [V P]. set (t := tenths_digits e (constant k)) in *. clearbody t.
  destruct (init_spec t P) as [V1 [U0 P1]], (init_spec _ P1) as [V2 [U1 P2]]. pose proof (init_spec _ P2) as [_ [U2 _]].
  rewrite two_spec, V2, V1, V by auto. rewrite N.div_div by discriminate. change (10 * 10) with 100.
  rewrite U2, U1, U0, V2, V1, V. rewrite (N.div_div _ 10 10) by discriminate. change (10 * 10) with 100.
  set (T := tenths e k). assert (B : (10 <=? T / 100) = (1000 <=? T)).
  { destruct (N.leb_spec 1000 T); [apply N.leb_le, N.div_le_lower_bound; lia | apply N.leb_gt, N.div_lt_upper_bound; lia]. }
  rewrite B. destruct (1000 <=? T); auto.
  assert (M : forall x, x mod 10 < 10) by (intros; apply N.mod_lt; discriminate).
  destruct (tables_small _ (M T)) as [S1 _], (tables_small _ (M (T / 10))) as [_ [S2 _]], (tables_small _ (M (T / 100))) as [_ [_ S3]].
  destruct (one (T / 10 mod 10)) as [u s], (ten (T / 100 mod 10)) as [v r]; cbn [fst] in *.
  destruct K as [K0 K]. assert (A9 : fst a <= 10 ^ 9) by (eapply N.le_trans; [exact Na | now apply N.leb_le]).
  destruct (constant_spec _ A9) as [Va Pa], (constant_spec _ K) as [Vk Pk], (constant_spec _ S1) as [Vt Pt],
    (constant_spec _ S2) as [Vu Pu], (constant_spec _ S3) as [Vv Pv].
  destruct (mul_spec _ _ Pa Pk) as [W1 Q1], (mul_spec _ _ Pu Pv) as [W2 Q2].
  destruct (mul_spec _ _ Pt Q2) as [W3 Q3]. destruct (mul_spec _ _ Q1 Q3) as [W4 Q4].
  assert (L : N.of_nat (less (less (nine (N.to_nat (snd a))) (N.to_nat s)) (N.to_nat r)) = snd a + 9 - s - r).
  { rewrite nine_spec by lia. rewrite (less_spec (N.to_nat (snd a) + 9)) by lia. rewrite less_spec by lia. lia. }
  rewrite fit_tiny_digits_spec; [| auto | lia]. rewrite L, W4, W3, W2, W1, Va, Vk, Vt, Vu, Vv. reflexivity.
Qed.
