(** Fractions, digit by digit: src/number/natural.rs, round.rs, fraction.rs, table.rs.  The functions here work on
    lists of digits and follow the associated types of the same names: reading the table, long
    division, rounding ([Scan], [Round], [Fit]), greatest common divisors, one grid for two fractions.
    Each is shown to be the function on numbers of Fraction.v, so that what is proved there of sums,
    debits and the rest is proved of what the types compute from digits. *)

From Coq Require Import NArith ZArith Lia Psatz Bool List.
Import ListNotations.
From Privet Require Import Fraction Digits.
Open Scope N_scope.

(** ** The table, inwards and outwards *)

Fixpoint digits (fuel : nat) (n : N) : natural :=
  match fuel with
  | O => Nil
  | S fuel => if n =? 0 then Nil else Cons (digits fuel (n / 10)) (n mod 10)
  end.
Lemma digits_spec fuel : forall n, n < 10 ^ N.of_nat fuel -> value (digits fuel n) = n /\ proper (digits fuel n).
Proof.
  induction fuel as [|fuel IH]; intros n H; cbn [digits].
  - simpl in *; split; [lia | auto].
  - destruct (N.eqb_spec n 0) as [->|N0]; [simpl; auto |].
    rewrite Nnat.Nat2N.inj_succ, N.pow_succ_r' in H.
    assert (Q : n / 10 < 10 ^ N.of_nat fuel) by (apply N.div_lt_upper_bound; [discriminate | lia]).
    destruct (IH _ Q) as [V P]. pose proof (N.div_mod n 10 ltac:(discriminate)). pose proof (N.mod_lt n 10 ltac:(discriminate)).
    cbn [value proper]. rewrite V. split; [lia |]. repeat split; auto.
    intros E; rewrite E in V; cbn [value] in V. lia.
Qed.

(** [Natural::Read], [Numeral::Child]: a walk down the decimal tree; [None] is [Large]. *)
Definition in_table (v : N) : bool := top v || bottom v.
Fixpoint read (n : natural) : option N :=
  match n with
  | Nil => Some 0
  | Cons h d => match read h with
                | Some v => if in_table (10 * v + d) then Some (10 * v + d) else None
                | None => None
                end
  end.
Definition powers := [10000; 100000; 1000000; 10000000; 100000000; 1000000000].
Lemma in_table_inv v : in_table v = true <-> v <= 1024 \/ In v powers.
Proof.
  unfold in_table, top, bottom. rewrite !orb_true_iff, andb_true_iff, !N.leb_le, existsb_exists. split.
  - intros [H|[H|[z [I E]]]]; [left; lia | left; lia | right]. apply N.eqb_eq in E; subst; exact I.
  - intros [H|H]; [now left | right; right]. exists v; split; [exact H | apply N.eqb_refl].
Qed.
Lemma read_spec n : proper n -> read n = if in_table (value n) then Some (value n) else None.
Proof.
  induction n as [|h IH d]; intros P; [reflexivity |]. cbn [read value proper] in *. destruct P as [D [P Z]].
  rewrite (IH P). destruct (in_table (value h)) eqn:T; auto.
  destruct (in_table (10 * value h + d)) eqn:U; auto. exfalso.
  apply in_table_inv in U. assert (in_table (value h) = true); [| congruence]. apply in_table_inv.
  destruct U as [U|U]; [left; lia |]. unfold powers in *; cbn [In] in *; destruct U as [U|[U|[U|[U|[U|[U|[]]]]]]]; [left; lia | right ..]; lia.
Qed.

Definition top_of (n : natural) : bool := match read n with Some v => top v | None => false end.
Definition bottom_of (n : natural) : bool := match read n with Some v => bottom v | None => false end.
Lemma top_of_spec n : proper n -> top_of n = top (value n).
Proof.
  intros P; unfold top_of; rewrite read_spec by auto. destruct (in_table (value n)) eqn:T; auto.
  symmetry. unfold in_table in T. now apply orb_false_elim in T.
Qed.
Lemma bottom_of_spec n : proper n -> bottom_of n = bottom (value n).
Proof.
  intros P; unfold bottom_of; rewrite read_spec by auto. destruct (in_table (value n)) eqn:T; auto.
  symmetry. unfold in_table in T. now apply orb_false_elim in T.
Qed.

(** ** Lengths: [Positive], [Three], [Four] *)

Definition positive (n : natural) : bool := match n with Nil => false | _ => true end.
Definition init (n : natural) : natural := match n with Nil => Nil | Cons h _ => h end.
Definition units (n : natural) : N := match n with Nil => 0 | Cons _ d => d end.
Definition three (n : natural) : bool := positive (init (init n)).
Definition four (n : natural) : bool := positive (init (init (init n))).

Lemma positive_spec n : proper n -> positive n = (0 <? value n).
Proof.
  destruct n as [|h d]; intros P; [reflexivity |]. symmetry; apply N.ltb_lt. now apply proper_pos.
Qed.
Lemma init_spec n : proper n -> value (init n) = value n / 10 /\ units n = value n mod 10 /\ proper (init n).
Proof.
  destruct n as [|h d]; cbn [init units value proper]; intros P; [repeat split; reflexivity |]. destruct P as [D [P _]].
  repeat split; auto; [apply N.div_unique with d | apply N.mod_unique with (value h)]; lia.
Qed.
Lemma three_spec n : proper n -> three n = (100 <=? value n).
Proof.
  intros P; unfold three. destruct (init_spec n P) as [V [_ P1]], (init_spec _ P1) as [V2 [_ P2]].
  rewrite positive_spec, V2, V, N.div_div by (auto; discriminate). change (10 * 10) with 100.
  destruct (N.leb_spec 100 (value n)) as [L|L].
  - apply N.ltb_lt, N.div_str_pos; lia.
  - rewrite N.div_small; auto.
Qed.
Lemma four_spec n : proper n -> four n = (1000 <=? value n).
Proof.
  intros P; unfold four. destruct (init_spec n P) as [V [_ P1]], (init_spec _ P1) as [V2 [_ P2]], (init_spec _ P2) as [V3 [_ P3]].
  rewrite positive_spec, V3, V2, V, !N.div_div by (auto; discriminate). change (10 * 10 * 10) with 1000.
  destruct (N.leb_spec 1000 (value n)) as [L|L].
  - apply N.ltb_lt, N.div_str_pos; lia.
  - rewrite N.div_small; auto.
Qed.

(** ** Rounding *)

(** [Fitting::Beside]: the literal [Frac<R, Y, Q>], or [Frac<Q, 1>]; [Numeral::Carries]. *)
Definition carries (w d : N) : bool := if w =? 0 then bottom d else (w <=? 1023) && short d.
Definition mixed_digits (q r y : natural) : option frac :=
  if positive r then
    match read q, read r, read y with
    | Some w, Some n, Some d => if carries w d && top n then Some (w * d + n, d) else None
    | _, _, _ => None
    end
  else match read q with Some w => if top w then Some (w, 1) else None | None => None end.
Lemma top_in_table v : top v = true -> in_table v = true.
Proof. unfold in_table; now intros ->. Qed.
Lemma mixed_digits_spec q r y : proper q -> proper r -> proper y -> short (value y) = true -> value r < value y ->
  mixed_digits q r y = mixed (value q) (value r) (value y).
Proof.
  intros Pq Pr Py S L; unfold mixed_digits, mixed. rewrite positive_spec by auto.
  pose proof S as S'. apply andb_prop in S' as [Ty By].
  assert (Tr : top (value r) = true) by (unfold top in *; apply N.leb_le in Ty; apply N.leb_le; lia).
  rewrite !read_spec, (top_in_table _ Tr), (top_in_table _ Ty) by auto.
  destruct (N.eqb_spec (value r) 0) as [E|E].
  - rewrite E; change (0 <? 0) with false; cbv iota. destruct (in_table (value q)) eqn:I; auto.
    unfold in_table in I. apply orb_false_elim in I as [-> _]; auto.
  - replace (0 <? value r) with true by (symmetry; apply N.ltb_lt; lia). cbv iota.
    destruct (in_table (value q)) eqn:I.
    + rewrite Tr, andb_true_r. unfold carries.
      destruct (N.eqb_spec (value q) 0) as [->|]; [now rewrite By |]. now rewrite S, andb_true_r.
    + replace (value q <=? 1023) with false; auto. symmetry; apply N.leb_gt.
      unfold in_table in I; apply orb_false_elim in I as [I _]; unfold top in I; apply N.leb_gt in I; lia.
Qed.

(** [LastThree]. *)
Definition last_three (n : natural) : natural := push (push (push Nil (units (init (init n)))) (units (init n))) (units n).
Lemma last_three_spec n : proper n -> value (init (init (init n))) = value n / 1000 /\ proper (init (init (init n))) /\
  value (last_three n) = value n mod 1000 /\ proper (last_three n).
Proof.
  intros P. destruct (init_spec n P) as [V1 [U1 P1]], (init_spec _ P1) as [V2 [U2 P2]], (init_spec _ P2) as [V3 [U3 P3]].
  assert (D1 : units n < 10) by (rewrite U1; apply N.mod_lt; discriminate).
  assert (D2 : units (init n) < 10) by (rewrite U2; apply N.mod_lt; discriminate).
  assert (D3 : units (init (init n)) < 10) by (rewrite U3; apply N.mod_lt; discriminate).
  assert (Q : value (init (init (init n))) = value n / 1000).
  { rewrite V3, V2, V1, !N.div_div by discriminate. reflexivity. }
  split; [exact Q |]. split; [exact P3 |]. split; [| unfold last_three; repeat apply push_proper; auto; exact I].
  unfold last_three; rewrite !push_value; cbn [value].
  apply N.mod_unique with (value n / 1000).
  - lia.
  - rewrite <- Q.
    pose proof (N.div_mod (value n) 10 ltac:(discriminate)) as E1. rewrite <- V1, <- U1 in E1.
    pose proof (N.div_mod (value (init n)) 10 ltac:(discriminate)) as E2. rewrite <- V2, <- U2 in E2.
    pose proof (N.div_mod (value (init (init n))) 10 ltac:(discriminate)) as E3. rewrite <- V3, <- U3 in E3. lia.
Qed.

Definition bumps (dir : direction) (left_over : bool) : bool := match dir with Up => left_over | Down => false end.
Definition over (a : natural) (k : N) : option frac :=
  match read a with Some v => if top v then Some (v, 10 ^ k) else None | None => None end.

(** [Natural::Into]: trailing zeros of the divisor only cut digits off the other number. *)
Fixpoint into (y x : natural) : natural * natural :=
  match y with
  | Nil => (Nil, Nil)
  | Cons h d => if 0 <? d then divide x (Cons h d) else let (q, r) := into h (init x) in (q, push r (units x))
  end.
Lemma into_spec y : forall x, proper x -> proper y -> 0 < value y ->
  let (q, r) := into y x in
  value q = value x / value y /\ value r = value x mod value y /\ proper q /\ proper r.
Proof.
  induction y as [|h IH d]; intros x Px Py Y; [cbn in Y; lia |]. cbn [into].
  pose proof Py as Py'. cbn [proper] in Py'. destruct Py' as [D [Ph Z]].
  destruct (N.ltb_spec 0 d) as [D0|D0]; [now apply divide_spec |].
  assert (E : d = 0) by lia. subst d.
  destruct (init_spec x Px) as [Vi [Vu Pi]].
  assert (U : units x < 10) by (rewrite Vu; apply N.mod_lt; discriminate).
  cbn [value] in *. specialize (IH (init x) Pi Ph ltac:(lia)). destruct (into h (init x)) as [q r].
  destruct IH as [Vq [Vr [Pq Pr]]]. rewrite push_value.
  pose proof (N.div_mod (value x) 10 ltac:(discriminate)) as X. rewrite <- Vi, <- Vu in X.
  pose proof (N.div_mod (value (init x)) (value h) ltac:(lia)) as I. rewrite <- Vq, <- Vr in I.
  pose proof (N.mod_lt (value (init x)) (value h) ltac:(lia)) as L. rewrite <- Vr in L.
  assert (W : value x = (10 * value h + 0) * value q + (10 * value r + units x)) by nia.
  split; [apply N.div_unique with (10 * value r + units x); [lia | exact W] |].
  split; [apply N.mod_unique with (value q); [lia | exact W] |].
  split; [exact Pq | now apply push_proper].
Qed.

Definition thousand : natural := Cons (Cons (Cons (Cons Nil 1) 0) 0) 0.
Definition done_digits (a : natural) (k : N) : option frac :=
  if top_of a then over a k else mixed_digits (init (init (init a))) (last_three a) thousand.

Fixpoint scan_digits (fuel : nat) (dir : direction) (m m2 m4 : natural) (k : N) (q r : natural) : option frac :=
  match fuel with
  | O => None
  | S fuel =>
      if four q && (3 <? k) then scan_digits fuel dir m m2 m4 (k - 1) (init q) (push r (units q))
      else if (three q && (3 <=? k)) || (k =? 9) || negb (positive q || positive r) then
        done_digits (inc q (bumps dir (positive r))) k
      else let (q, r) := quote q (push r 0) m m2 m4 in scan_digits fuel dir m m2 m4 (k + 1) q r
  end.
Fixpoint round_digits (dir : direction) (x y : natural) (k : N) : option frac :=
  match y with
  | Nil => None
  | Cons h d =>
      if (0 <? d) || (k =? 9) then
        let m := Cons h d in let m2 := add m m false in
        let (q, r) := divmod x m m2 (add m2 m2 false) in scan_digits 40 dir m m2 (add m2 m2 false) k q r
      else round_digits dir x h (k + 1)
  end.
Definition fit_digits (dir : direction) (x y : natural) : option frac :=
  if top_of x && bottom_of y then Some (value x, value y)
  else if top_of y && bottom_of y then let (q, r) := into y x in mixed_digits q r y
  else round_digits dir x y 0.

Lemma over_spec a k : proper a -> over a k = if top (value a) then Some (value a, 10 ^ k) else None.
Proof.
  intros P; unfold over; rewrite read_spec by auto. destruct (in_table (value a)) eqn:T; auto.
  unfold in_table in T. apply orb_false_elim in T as [-> _]; auto.
Qed.

Lemma done_spec a k : proper a -> done_digits a k = done (value a) k.
Proof.
  intros P; unfold done_digits, done. rewrite top_of_spec, over_spec by auto. destruct (top (value a)); auto.
  destruct (last_three_spec a P) as [V [P3 [M L]]].
  rewrite mixed_digits_spec, V, M; auto.
  - cbn; repeat split; auto; try lia; discriminate.
  - rewrite M. change (value thousand) with 1000. apply N.mod_lt; discriminate.
Qed.

Lemma scan_spec fuel dir m m2 m4 : proper m -> proper m2 -> proper m4 -> 0 < value m ->
  value m2 = 2 * value m -> value m4 = 4 * value m -> forall k q r, proper q -> proper r ->
  (value r < value m \/ (100 <= value q /\ 3 <= k)) ->
  scan_digits fuel dir m m2 m4 k q r = scan fuel dir (value m) k (value q) (value r).
Proof.
  intros Pm P2 P4 M V2 V4; induction fuel as [|fuel IH]; intros k q r Pq Pr I; [reflexivity |]. cbn [scan_digits scan].
  rewrite four_spec, three_spec, !positive_spec by auto.
  destruct ((1000 <=? value q) && (3 <? k)) eqn:Long.
  - apply andb_prop in Long as [L K]; apply N.leb_le in L; apply N.ltb_lt in K.
    destruct (init_spec q Pq) as [Vi [Vu Pi]].
    assert (U : units q < 10) by (rewrite Vu; apply N.mod_lt; discriminate).
    rewrite IH; auto using push_proper.
    + rewrite push_value, Vi, Vu. reflexivity.
    + right. split; [| lia]. rewrite Vi. change 100 with (1000 / 10). apply N.div_le_mono; lia.
  - destruct (((100 <=? value q) && (3 <=? k)) || (k =? 9) || negb ((0 <? value q) || (0 <? value r))) eqn:Enough.
    + destruct (inc_spec q (bumps dir (0 <? value r)) Pq) as [Vi Pi]. rewrite done_spec by auto. rewrite Vi.
      destruct dir; simpl; destruct (0 <? value r); reflexivity.
    + apply orb_false_elim in Enough as [Enough _]; apply orb_false_elim in Enough as [Q _].
      assert (R : value r < value m).
      { destruct I as [|[Q1 K1]]; [auto | exfalso]. apply andb_false_iff in Q as [Q|Q]; apply N.leb_gt in Q; lia. }
      assert (Pp : proper (push r 0)) by (apply push_proper; auto; lia).
      pose proof (quote_spec q (push r 0) m m2 m4 Pq Pp Pm P2 P4 M V2 V4) as S. rewrite push_value in S.
      specialize (S ltac:(lia)). destruct (quote q (push r 0) m m2 m4) as [q' r'].
      destruct S as [t [A [B [C [D E]]]]]. rewrite IH by auto.
      assert (T : 10 * value r / value m = t) by (symmetry; apply N.div_unique with (value r'); lia).
      assert (T' : (10 * value r) mod value m = value r') by (symmetry; apply N.mod_unique with t; lia).
      rewrite T, T', A. reflexivity.
Qed.

Fixpoint size (n : natural) : nat := match n with Nil => O | Cons h _ => S (size h) end.
Lemma round_spec dir x : proper x -> forall y k fuel, proper y -> (size y < fuel)%nat ->
  round_digits dir x y k = round fuel dir (value x) (value y) k.
Proof.
  intros Px; induction y as [|h IH d]; intros k fuel Py F; (destruct fuel as [|fuel]; [cbn in F; lia |]); [reflexivity |].
  pose proof (proper_pos h d Py) as Pos. cbn [round_digits round].
  assert (Y0 : value (Cons h d) =? 0 = false) by (apply N.eqb_neq; lia). rewrite Y0.
  pose proof Py as Py'. cbn [proper] in Py'. destruct Py' as [D [Ph Z]].
  assert (Md : value (Cons h d) mod 10 = d) by (symmetry; cbn [value]; apply N.mod_unique with (value h); lia).
  rewrite Md. replace (negb (d =? 0)) with (0 <? d) by (destruct (N.eqb_spec d 0), (N.ltb_spec 0 d); auto; lia).
  destruct ((0 <? d) || (k =? 9)) eqn:S.
  - pose proof (divide_spec x (Cons h d) Px Py Pos) as Dv. unfold divide in Dv.
    destruct (add_spec (Cons h d) (Cons h d) false Py Py) as [V2 P2]. set (m := Cons h d) in *.
    destruct (add_spec (add m m false) (add m m false) false P2 P2) as [V4 P4].
    destruct (divmod x m (add m m false) (add (add m m false) (add m m false) false)) as [q r].
    destruct Dv as [Vq [Vr [Pq Pr]]]. cbn [b2n] in *. rewrite scan_spec; auto; try lia.
    + rewrite Vq, Vr; reflexivity.
    + left. rewrite Vr. apply N.mod_lt; lia.
  - assert (Dz : value (Cons h d) / 10 = value h) by (symmetry; cbn [value]; apply N.div_unique with d; lia).
    rewrite Dz. apply IH; auto. cbn [size] in F; lia.
Qed.

(** The rounding of the types is the rounding of the proof. *)
Theorem fit_digits_spec dir x y : proper x -> proper y -> (size y < 40)%nat ->
  fit_digits dir x y = fit dir (value x) (value y).
Proof.
  intros Px Py F; unfold fit_digits, fit. rewrite !top_of_spec, bottom_of_spec by auto.
  destruct (top (value x) && bottom (value y)); auto. fold (short (value y)).
  destruct (short (value y)) eqn:S; [| now apply round_spec].
  assert (Y : 0 < value y) by (apply andb_prop in S as [_ B]; now apply bottom_pos).
  pose proof (into_spec y x Px Py Y) as D. destruct (into y x) as [q r]. destruct D as [Vq [Vr [Pq Pr]]].
  rewrite mixed_digits_spec, Vq, Vr; auto. rewrite Vr; apply N.mod_lt; lia.
Qed.

(** ** Two fractions on one grid *)

(** [Natural::Same]: the same digits; proper lists have the same value only if they are the same. *)
Fixpoint same (a b : natural) : bool :=
  match a, b with
  | Nil, Nil => true
  | Cons h d, Cons h' d' => (d =? d') && same h h'
  | _, _ => false
  end.
Lemma same_spec a : forall b, proper a -> proper b -> same a b = (value a =? value b).
Proof.
  induction a as [|h IH d]; intros [|h' d'] Pa Pb; cbn [same].
  - reflexivity.
  - symmetry; apply N.eqb_neq. pose proof (proper_pos _ _ Pb). change (value Nil) with 0. lia.
  - symmetry; apply N.eqb_neq. pose proof (proper_pos _ _ Pa). change (value Nil) with 0. lia.
  - cbn [proper value] in *. destruct Pa as [D [P _]], Pb as [D' [P' _]]. rewrite (IH h' P P').
    destruct (N.eqb_spec d d'), (N.eqb_spec (value h) (value h')), (N.eqb_spec (10 * value h + d) (10 * value h' + d')); auto; lia.
Qed.

Lemma same_eq a : forall b, same a b = true -> a = b.
Proof.
  induction a as [|h IH d]; intros [|h' d'] H; cbn [same] in H; try discriminate; auto.
  apply andb_prop in H as [D H]. apply N.eqb_eq in D; subst. f_equal; auto.
Qed.
(** The numerator of [Frac<NUM, DEN, WHOLE>] is computed, and is that of the number. *)
Lemma numerator_spec n d w : n < 10 ^ 10 -> d < 10 ^ 10 -> w < 10 ^ 10 -> w * d + n < 10 ^ 10 ->
  add (mul (digits 10 w) (digits 10 d)) (digits 10 n) false = digits 10 (w * d + n).
Proof.
  intros N1 D W L. change (10 ^ 10) with (10 ^ N.of_nat 10) in *.
  destruct (digits_spec 10 n N1) as [Vn Pn], (digits_spec 10 d D) as [Vd Pd], (digits_spec 10 w W) as [Vw Pw].
  destruct (digits_spec 10 _ L) as [V P]. destruct (mul_spec _ _ Pw Pd) as [Vm Pm].
  destruct (add_spec _ (digits 10 n) false Pm Pn) as [Va Pa].
  apply same_eq. rewrite same_spec by auto. apply N.eqb_eq. rewrite Va, V, Vm, Vn, Vd, Vw. cbn [b2n]. lia.
Qed.

(** [Natural::GcdOf], [Paths::GcdOf]: Euclid, which stops at one. *)
Definition is_one (n : natural) : bool := match n with Cons Nil 1 => true | _ => false end.
Fixpoint gcd_digits (fuel : nat) (a b : natural) : natural :=
  match fuel with
  | O => a
  | S fuel =>
      match b with
      | Nil => a
      | _ => if is_one b then b else gcd_digits fuel b (snd (divide a b))
      end
  end.
Lemma is_one_value n : is_one n = true -> value n = 1.
Proof. destruct n as [|[|] d]; try discriminate. destruct d as [|[| |]]; try discriminate. reflexivity. Qed.

(** Two steps halve the smaller number. *)
Lemma gcd_spec n : forall a b, proper a -> proper b -> value b < 2 ^ N.of_nat n ->
  value (gcd_digits (2 * n + 1) a b) = N.gcd (value a) (value b) /\ proper (gcd_digits (2 * n + 1) a b).
Proof.
  induction n as [|n IH]; intros a b Pa Pb L.
  - assert (B0 : value b = 0) by (simpl in L; lia).
    destruct b as [|h d]; [| pose proof (proper_pos _ _ Pb); lia]. cbn. rewrite N.gcd_0_r; auto.
  - replace (2 * S n + 1)%nat with (S (S (2 * n + 1))) by lia. cbn [gcd_digits].
    destruct b as [|h d]; [cbn [value]; rewrite N.gcd_0_r; auto |].
    pose proof (proper_pos _ _ Pb) as B. set (m := Cons h d) in *.
    destruct (is_one m) eqn:O1; [apply is_one_value in O1; rewrite O1, N.gcd_1_r; auto |].
    pose proof (divide_spec a m Pa Pb B) as D1. destruct (divide a m) as [q r]; cbn [snd].
    destruct D1 as [_ [Vr [_ Pr]]].
    assert (G1 : N.gcd (value a) (value m) = N.gcd (value m) (value r)).
    { rewrite Vr. rewrite N.gcd_comm, <- (N.gcd_mod (value a) (value m)) by lia. now rewrite N.gcd_comm. }
    assert (R1 : value r < value m) by (rewrite Vr; apply N.mod_lt; lia).
    rewrite G1. destruct r as [|h' d']; [cbn [value]; rewrite N.gcd_0_r; auto |].
    pose proof (proper_pos _ _ Pr) as R. set (r := Cons h' d') in *.
    destruct (is_one r) eqn:O2; [apply is_one_value in O2; rewrite O2, N.gcd_1_r; auto |].
    pose proof (divide_spec m r Pb Pr R) as D2. destruct (divide m r) as [q2 s]; cbn [snd].
    destruct D2 as [_ [Vs [_ Ps]]].
    assert (G2 : N.gcd (value m) (value r) = N.gcd (value r) (value s)).
    { rewrite Vs. rewrite N.gcd_comm, <- (N.gcd_mod (value m) (value r)) by lia. now rewrite N.gcd_comm. }
    rewrite G2. apply IH; auto.
    (* s = m mod r is below half of m *)
    rewrite Nnat.Nat2N.inj_succ, N.pow_succ_r' in L.
    pose proof (N.div_mod (value m) (value r) ltac:(lia)) as DM. pose proof (N.mod_lt (value m) (value r) ltac:(lia)).
    assert (1 <= value m / value r) by (apply N.div_le_lower_bound; lia). rewrite <- Vs in *. nia.
Qed.

(** Denominators up to 10^9: below 2^30, so 61 steps are enough. *)
Definition grid_digits (n d p q : natural) : natural * natural * natural :=
  if same d q then (n, p, d)
  else let g := gcd_digits 61 d q in
       let (l, r) := (fst (divide q g), fst (divide d g)) in (mul l n, mul r p, mul l d).
Lemma grid_spec n d p q : proper n -> proper d -> proper p -> proper q ->
  0 < value d -> 0 < value q -> value q < 2 ^ 30 ->
  let '(x, y, z) := grid_digits n d p q in
  proper x /\ proper y /\ proper z /\
  on_grid (value n, value d) (value p, value q) = (value x, value y, value z).
Proof.
  intros Pn Pd Pp Pq D Q L; unfold grid_digits, on_grid. rewrite same_spec by auto.
  destruct (value d =? value q); [auto |].
  destruct (gcd_spec 30 d q Pd Pq L) as [G Pg]. change (2 * 30 + 1)%nat with 61%nat in *.
  set (g := gcd_digits 61 d q) in *. clearbody g.
  assert (G0 : 0 < value g).
  { rewrite G. destruct (N.eq_dec (N.gcd (value d) (value q)) 0) as [E|]; [apply N.gcd_eq_0_l in E; lia | lia]. }
  pose proof (divide_spec q g Pq Pg G0) as A. pose proof (divide_spec d g Pd Pg G0) as B.
  destruct (divide q g) as [l l'], (divide d g) as [r r']; cbn [fst].
  destruct A as [Vl [_ [Pl _]]], B as [Vr [_ [Pr _]]].
  destruct (mul_spec l n Pl Pn) as [V1 P1], (mul_spec r p Pr Pp) as [V2 P2], (mul_spec l d Pl Pd) as [V3 P3].
  repeat split; auto. rewrite V1, V2, V3, Vl, Vr, G. reflexivity.
Qed.

(** [Sum] and [Debit], from the digits of the constants to the constants. *)
Definition sum_digits (a b : frac) : option frac :=
  let '(x, y, z) := grid_digits (digits 10 (fst a)) (digits 10 (snd a)) (digits 10 (fst b)) (digits 10 (snd b)) in
  fit_digits Up (add x y false) z.
Definition debit_digits (a b : frac) : option frac :=
  let '(x, y, z) := grid_digits (digits 10 (fst a)) (digits 10 (snd a)) (digits 10 (fst b)) (digits 10 (snd b)) in
  match Digits.sub x y false with Some d => fit_digits Down d z | None => None end.

Definition in_range (f : frac) : Prop := fst f <= 10 ^ 9 /\ 0 < snd f <= 10 ^ 9.
Lemma size_value h : forall d, proper (Cons h d) -> 10 ^ N.of_nat (size h) <= value (Cons h d).
Proof.
  induction h as [|h' IH d']; intros d [D [P Z]].
  - specialize (Z eq_refl). cbn. lia.
  - specialize (IH d' P). change (size (Cons h' d')) with (S (size h')).
    rewrite Nnat.Nat2N.inj_succ, N.pow_succ_r'. change (value (Cons (Cons h' d') d)) with (10 * value (Cons h' d') + d). lia.
Qed.
Lemma size_small n : proper n -> value n <= 10 ^ 30 -> (size n < 40)%nat.
Proof.
  destruct n as [|h d]; intros P V; [cbn; lia |]. pose proof (size_value h d P) as S.
  assert (H : 10 ^ N.of_nat (size h) <= 10 ^ 30) by lia.
  apply N.pow_le_mono_r_iff in H; [| reflexivity]. cbn [size]. lia.
Qed.
Lemma on_grid_size a b x y z : in_range a -> in_range b -> on_grid a b = (x, y, z) -> z <= 10 ^ 30.
Proof.
  destruct a as [n d], b as [p q]; unfold in_range, on_grid; cbn [fst snd]; intros [_ Hd] [_ Hq].
  destruct (d =? q); intros [= <- <- <-]; [lia |].
  assert (H : q / N.gcd d q <= q) by (apply N.div_le_upper_bound; [intros E; apply N.gcd_eq_0_r in E; lia |];
    assert (N.gcd d q <> 0) by (intros E; apply N.gcd_eq_0_r in E; lia); nia).
  apply N.le_trans with (10 ^ 9 * 10 ^ 9); [| now apply N.leb_le].
  apply N.mul_le_mono; [apply (N.le_trans _ q); [exact H | apply Hq] | apply Hd].
Qed.

Theorem sum_digits_spec a b : in_range a -> in_range b -> sum_digits a b = sum a b.
Proof.
  intros Ra Rb. pose proof Ra as [Na [Da Da']]. pose proof Rb as [Nb [Db Db']].
  assert (T : 10 ^ 9 < 10 ^ N.of_nat 10) by reflexivity.
  destruct (digits_spec 10 (fst a) ltac:(lia)) as [Vn Pn], (digits_spec 10 (snd a) ltac:(lia)) as [Vd Pd].
  destruct (digits_spec 10 (fst b) ltac:(lia)) as [Vp Pp], (digits_spec 10 (snd b) ltac:(lia)) as [Vq Pq].
  unfold sum_digits, sum.
  assert (G := grid_spec _ _ _ _ Pn Pd Pp Pq ltac:(lia) ltac:(lia) ltac:(eapply N.le_lt_trans; [rewrite Vq; apply Db' | reflexivity])).
  rewrite Vn, Vd, Vp, Vq in G. rewrite <- !surjective_pairing in G.
  destruct (grid_digits _ _ _ _) as [[x y] z]. destruct G as [Px [Py [Pz E]]]. rewrite E.
  destruct (add_spec x y false Px Py) as [V P]. rewrite fit_digits_spec; auto.
  - rewrite V; cbn [b2n]; now rewrite N.add_0_r.
  - apply (on_grid_size a b) in E; auto using size_small.
Qed.
Theorem debit_digits_spec a b : in_range a -> in_range b -> debit_digits a b = debit a b.
Proof.
  intros Ra Rb. pose proof Ra as [Na [Da Da']]. pose proof Rb as [Nb [Db Db']].
  assert (T : 10 ^ 9 < 10 ^ N.of_nat 10) by reflexivity.
  destruct (digits_spec 10 (fst a) ltac:(lia)) as [Vn Pn], (digits_spec 10 (snd a) ltac:(lia)) as [Vd Pd].
  destruct (digits_spec 10 (fst b) ltac:(lia)) as [Vp Pp], (digits_spec 10 (snd b) ltac:(lia)) as [Vq Pq].
  unfold debit_digits, debit.
  assert (G := grid_spec _ _ _ _ Pn Pd Pp Pq ltac:(lia) ltac:(lia) ltac:(eapply N.le_lt_trans; [rewrite Vq; apply Db' | reflexivity])).
  rewrite Vn, Vd, Vp, Vq in G. rewrite <- !surjective_pairing in G.
  destruct (grid_digits _ _ _ _) as [[x y] z]. destruct G as [Px [Py [Pz E]]]. rewrite E.
  pose proof (sub_spec x y false Px Py) as S. destruct (Digits.sub x y false) as [d|]; cbn [b2n] in S.
  - destruct S as [V P]. replace (value y <=? value x) with true by (symmetry; apply N.leb_le; lia).
    rewrite fit_digits_spec; auto; [f_equal; lia |].
    apply (on_grid_size a b) in E; auto using size_small.
  - replace (value y <=? value x) with false by (symmetry; apply N.leb_gt; lia). reflexivity.
Qed.

(** ** The other operations *)

Definition constant (v : N) : natural := digits 10 v.
Lemma constant_spec v : v <= 10 ^ 9 -> value (constant v) = v /\ proper (constant v).
Proof. intros H; apply digits_spec. eapply N.le_lt_trans; [exact H | reflexivity]. Qed.
Definition at_most (a b : natural) : bool := match Digits.sub b a false with Some _ => true | None => false end.
Lemma at_most_spec a b : proper a -> proper b -> at_most a b = (value a <=? value b).
Proof.
  intros Pa Pb; unfold at_most. pose proof (sub_spec b a false Pb Pa) as S.
  destruct (Digits.sub b a false); cbn [b2n] in S; symmetry; [apply N.leb_le | apply N.leb_gt]; lia.
Qed.

Definition le_digits (a b : frac) : bool :=
  let '(n, d, p, q) := (constant (fst a), constant (snd a), constant (fst b), constant (snd b)) in
  if same d q then at_most n p else at_most (mul n q) (mul p d).
Definition scale_digits (k : N) (a : frac) : option frac :=
  fit_digits Up (mul (constant k) (constant (fst a))) (constant (snd a)).
Definition quotient_digits (k : N) (a : frac) : option frac :=
  let '(n, d, m) := (constant (fst a), constant (snd a), constant k) in
  let (q, r) := divide n m in
  if positive r then fit_digits Down n (mul m d) else fit_digits Down q d.
Definition cut_digits (a : frac) : option frac := round_digits Down (constant (fst a)) (constant (snd a)) 0.
Definition part_digits (k : N) (a : frac) : option frac :=
  match quotient_digits k a with
  | Some p => match scale_digits k p with
              | Some s => if le_digits s a then Some p
                          else match cut_digits a with Some c => quotient_digits k c | None => None end
              | None => None
              end
  | None => None
  end.
Definition half_square_digits (a : frac) : option frac :=
  let (n, d) := (constant (fst a), constant (snd a)) in
  fit_digits Up (mul n n) (mul (Cons Nil 2) (mul d d)).

Theorem le_digits_spec a b : in_range a -> in_range b -> le_digits a b = le a b.
Proof.
  intros [Na [Da Da']] [Nb [Db Db']]; unfold le_digits, le.
  destruct (constant_spec _ Na) as [Vn Pn], (constant_spec _ Da') as [Vd Pd], (constant_spec _ Nb) as [Vp Pp], (constant_spec _ Db') as [Vq Pq].
  rewrite same_spec, Vd, Vq by auto. destruct (N.eqb_spec (snd a) (snd b)) as [E|].
  - rewrite at_most_spec, Vn, Vp, E by auto.
    destruct (N.leb_spec (fst a) (fst b)), (N.leb_spec (fst a * snd b) (fst b * snd b)); auto; nia.
  - destruct (mul_spec _ _ Pn Pq) as [V1 P1], (mul_spec _ _ Pp Pd) as [V2 P2].
    rewrite at_most_spec, V1, V2, Vn, Vp, Vd, Vq by auto. reflexivity.
Qed.
Lemma ranged v : v <= 10 ^ 9 -> v <= 10 ^ 30.
Proof. intros; eapply N.le_trans; [eassumption | now apply N.leb_le]. Qed.
Theorem scale_digits_spec k a : k <= 10 ^ 9 -> in_range a -> scale_digits k a = scale k a.
Proof.
  intros K [Na [Da Da']]; unfold scale_digits, scale.
  destruct (constant_spec _ Na) as [Vn Pn], (constant_spec _ Da') as [Vd Pd], (constant_spec _ K) as [Vk Pk].
  destruct (mul_spec _ _ Pk Pn) as [V P]. rewrite fit_digits_spec; auto.
  - now rewrite V, Vk, Vn, Vd.
  - apply size_small; auto. rewrite Vd; now apply ranged.
Qed.
Lemma products a b : a <= 10 ^ 9 -> b <= 10 ^ 9 -> a * b <= 10 ^ 18.
Proof. intros; change (10 ^ 18) with (10 ^ 9 * 10 ^ 9). now apply N.mul_le_mono. Qed.
Lemma quotient_digits_spec k a : 0 < k <= 10 ^ 9 -> in_range a -> quotient_digits k a = quotient k a.
Proof.
  intros [K0 K] [Na [Da Da']]; unfold quotient_digits, quotient.
  destruct (constant_spec _ Na) as [Vn Pn], (constant_spec _ Da') as [Vd Pd], (constant_spec _ K) as [Vk Pk].
  pose proof (divide_spec _ _ Pn Pk ltac:(lia)) as D. destruct (divide (constant (fst a)) (constant k)) as [q r].
  destruct D as [Vq [Vr [Pq Pr]]]. rewrite Vn, Vk in Vq, Vr. rewrite positive_spec, Vr by auto.
  destruct (mul_spec _ _ Pk Pd) as [V P]. rewrite Vk, Vd in V.
  destruct (N.eqb_spec (fst a mod k) 0) as [E|E].
  - rewrite E. change (0 <? 0) with false. cbv iota. rewrite fit_digits_spec; auto; [now rewrite Vq, Vd |].
    apply size_small; auto. rewrite Vd; now apply ranged.
  - replace (0 <? fst a mod k) with true by (symmetry; apply N.ltb_lt; lia). cbv iota.
    rewrite fit_digits_spec; auto; [now rewrite V, Vn |].
    apply size_small; auto. rewrite V. eapply N.le_trans; [now apply products | now apply N.leb_le].
Qed.
Lemma cut_digits_spec a : in_range a -> cut_digits a = cut a.
Proof.
  intros [Na [Da Da']]; unfold cut_digits, cut.
  destruct (constant_spec _ Na) as [Vn Pn], (constant_spec _ Da') as [Vd Pd].
  assert (S : (size (constant (snd a)) < 40)%nat) by (apply size_small; [exact Pd | rewrite Vd; now apply ranged]).
  rewrite (round_spec Down _ Pn _ _ 40 Pd S), Vn, Vd. reflexivity.
Qed.

(** What is rounded is in range again. *)
Lemma top_range a : top a = true -> a <= 10 ^ 9.
Proof. unfold top; intros H; apply N.leb_le in H. eapply N.le_trans; [exact H | now apply N.leb_le]. Qed.
Lemma bottom_range b : bottom b = true -> 0 < b <= 10 ^ 9.
Proof.
  intros H. assert (T : in_table b = true) by (unfold in_table; rewrite H; apply orb_true_r).
  apply in_table_inv in T as [T|T].
  - split; [| eapply N.le_trans; [exact T | now apply N.leb_le]].
    destruct (N.eq_dec b 0) as [->|]; [discriminate H | lia].
  - unfold powers in T; cbn [In] in T.
    destruct T as [<-|[<-|[<-|[<-|[<-|[<-|[]]]]]]]; (split; [reflexivity | now apply N.leb_le]).
Qed.
Lemma mixed_range q r y f : 0 < y <= 1024 -> r < y -> mixed q r y = Some f -> in_range f.
Proof.
  unfold mixed; intros Y R. destruct (r =? 0).
  - destruct (top q) eqn:T; [| discriminate]. intros [= <-]; split; cbn [fst snd]; [now apply top_range |].
    split; [reflexivity | now apply N.leb_le].
  - destruct (N.leb_spec q 1023); [| discriminate]. intros [= <-]; split; cbn [fst snd].
    + apply N.le_trans with (1023 * 1024 + 1024); [nia | now apply N.leb_le].
    + split; [apply Y | apply N.le_trans with 1024; [apply Y | now apply N.leb_le]].
Qed.
Lemma done_range a k f : k <= 9 -> done a k = Some f -> in_range f.
Proof.
  unfold done; intros K. destruct (top a) eqn:T.
  - intros [= <-]. split; cbn [fst snd]; [now apply top_range |].
    split; [apply pow10_pos | apply N.pow_le_mono_r; [discriminate | exact K]].
  - apply mixed_range; [lia | apply N.mod_lt; discriminate].
Qed.
Lemma scan_range fuel dir m : forall k q r f, k <= 9 -> scan fuel dir m k q r = Some f -> in_range f.
Proof.
  induction fuel as [|fuel IH]; intros k q r f K; cbn [scan]; [discriminate |].
  destruct ((1000 <=? q) && (3 <? k)); [apply IH; lia |].
  destruct (((100 <=? q) && (3 <=? k)) || (k =? 9) || negb ((0 <? q) || (0 <? r))) eqn:Enough.
  - now apply done_range.
  - apply orb_false_elim in Enough as [Enough _]; apply orb_false_elim in Enough as [_ K9]; apply N.eqb_neq in K9.
    apply IH; lia.
Qed.
Lemma round_range fuel dir x : forall y k f, k <= 9 -> round fuel dir x y k = Some f -> in_range f.
Proof.
  induction fuel as [|fuel IH]; intros y k f K; cbn [round]; [discriminate |].
  destruct (y =? 0); [discriminate |]. destruct (negb (y mod 10 =? 0) || (k =? 9)) eqn:S; [now apply scan_range |].
  apply orb_false_elim in S as [_ K9]; apply N.eqb_neq in K9. apply IH; lia.
Qed.
Lemma fit_range dir x y f : fit dir x y = Some f -> in_range f.
Proof.
  unfold fit; destruct (top x && bottom y) eqn:T; [| destruct (short y) eqn:S; [| apply round_range; lia]].
  - apply andb_prop in T as [T B]. intros [= <-]; split; cbn [fst snd]; [now apply top_range | now apply bottom_range].
  - apply andb_prop in S as [S B]. pose proof (bottom_pos _ B) as P. unfold top in S; apply N.leb_le in S.
    apply mixed_range; [lia | apply N.mod_lt; lia].
Qed.
Theorem part_digits_spec k a : 0 < k <= 10 ^ 9 -> in_range a -> part_digits k a = part k a.
Proof.
  intros K Ha; unfold part_digits, part. rewrite quotient_digits_spec by auto.
  destruct (quotient k a) as [p|] eqn:Q; auto.
  assert (Rp : in_range p) by (unfold quotient in Q; destruct (_ =? 0) in Q; eapply fit_range; exact Q).
  rewrite scale_digits_spec by (auto; apply K). destruct (scale k p) as [s|] eqn:S; auto.
  apply fit_range in S. rewrite le_digits_spec, cut_digits_spec by auto. destruct (le s a); auto.
  destruct (cut a) as [c|] eqn:C; auto. apply quotient_digits_spec; auto.
  eapply round_range; [| exact C]; lia.
Qed.
Theorem half_square_digits_spec a : in_range a -> half_square_digits a = half_square a.
Proof.
  intros [Na [Da Da']]; unfold half_square_digits, half_square.
  destruct (constant_spec _ Na) as [Vn Pn], (constant_spec _ Da') as [Vd Pd].
  destruct (mul_spec _ _ Pn Pn) as [V1 P1], (mul_spec _ _ Pd Pd) as [V2 P2].
  assert (P0 : proper (Cons Nil 2)) by (cbn; repeat split; auto; lia).
  destruct (mul_spec _ _ P0 P2) as [V3 P3]. rewrite V2, Vd in V3. change (value (Cons Nil 2)) with 2 in V3.
  rewrite fit_digits_spec; auto; [now rewrite V1, V3, Vn |].
  apply size_small; auto. rewrite V3. pose proof (products _ _ Da' Da').
  apply N.le_trans with (2 * 10 ^ 18); [lia | now apply N.leb_le].
Qed.
