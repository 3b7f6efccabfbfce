(** What a meter has spent: src/cost/spent.rs.  Sums are exact while they fit in 128 bits and are
    rounded up to a grid when they do not; no product wraps ([no_wrap]); nothing is ever rounded in
    favour of the spender ([add_up_sound]).  A charge is accepted only if the sum after it is within
    the cap ([charge_sound]): these are the functions that the meter runs, and the filter of Vault.v
    is stated for them.  [None] is a charge that is refused. *)

From Coq Require Import NArith ZArith Lia Psatz Bool Reals Lra.
From Privet Require Import Dist Power Notions Convert Exp Fraction Tiny Cost.
Open Scope N_scope.

Definition MAX : N := 2 ^ 128 - 1.
Definition GRID : N := 10 ^ 18.
Definition checked (x : N) : option N := if x <=? MAX then Some x else None.

(** The loop: larger numerator over smaller denominator. *)
Fixpoint shrink (fuel : nat) (limit n d : N) : N * N :=
  match fuel with
  | O => (n, d)
  | S fuel => if limit <=? d then shrink fuel limit (n / 2 + 1) (d / 2) else (n, d)
  end.
Definition div_ceil (x y : N) : N := x / y + (if 0 <? x mod y then 1 else 0).
Definition round_up (x : frac) : option N :=
  match checked (fst x / snd x * GRID) with
  | None => None
  | Some whole =>
      let (n, d) := shrink 128 (MAX / GRID) (fst x mod snd x) (snd x) in
      match checked (N.min n d * GRID) with
      | None => None
      | Some y => checked (whole + div_ceil y d)
      end
  end.

Lemma shrink_sound fuel limit n0 d0 : 1 < limit -> forall n d, 0 < d -> n0 * d <= n * d0 ->
  let (n', d') := shrink fuel limit n d in 0 < d' /\ n0 * d' <= n' * d0.
Proof.
  intros L; induction fuel as [|fuel IH]; intros n d Hd I; cbn [shrink]; auto.
  destruct (N.leb_spec limit d); auto. apply IH.
  - apply N.div_str_pos; lia.
  - pose proof (N.div_mod n 2 ltac:(discriminate)). pose proof (N.mod_lt n 2 ltac:(discriminate)).
    pose proof (N.mul_div_le d 2 ltac:(discriminate)). nia.
Qed.

(** The loop ends below the limit: no product wraps. *)
Lemma shrink_small fuel limit : 0 < limit -> forall n d, d < limit * 2 ^ N.of_nat fuel ->
  snd (shrink fuel limit n d) < limit.
Proof.
  intros L; induction fuel as [|fuel IH]; intros n d H; cbn [shrink].
  - simpl in *; lia.
  - destruct (N.leb_spec limit d); auto. apply IH.
    apply N.div_lt_upper_bound; [discriminate |]. rewrite Nnat.Nat2N.inj_succ, N.pow_succ_r' in H. lia.
Qed.
Theorem no_wrap x : snd x <= MAX ->
  let (n, d) := shrink 128 (MAX / GRID) (fst x mod snd x) (snd x) in N.min n d * GRID <= MAX.
Proof.
  intros H. pose proof (shrink_small 128 (MAX / GRID) ltac:(reflexivity) (fst x mod snd x) (snd x)) as S.
  destruct (shrink 128 (MAX / GRID) (fst x mod snd x) (snd x)) as [n d]. cbn [snd] in S.
  assert (D : d < MAX / GRID).
  { apply S. eapply N.le_lt_trans; [exact H |]. reflexivity. }
  assert (MAX / GRID * GRID <= MAX) by (rewrite N.mul_comm; apply N.mul_div_le; discriminate).
  eapply N.le_trans; [| eassumption]. apply N.mul_le_mono_r. lia.
Qed.

Lemma div_ceil_ge x y : 0 < y -> x <= div_ceil x y * y.
Proof.
  intros Hy; unfold div_ceil. pose proof (N.div_mod x y ltac:(lia)). pose proof (N.mod_lt x y ltac:(lia)).
  destruct (0 <? x mod y) eqn:M; [| apply N.ltb_ge in M]; nia.
Qed.

Theorem round_up_sound x u : 0 < snd x -> round_up x = Some u -> fst x * GRID <= u * snd x.
Proof.
  intros Hd; unfold round_up, checked.
  destruct (_ <=? MAX); [| discriminate].
  pose proof (shrink_sound 128 (MAX / GRID) (fst x mod snd x) (snd x) ltac:(reflexivity)
    (fst x mod snd x) (snd x) Hd ltac:(lia)) as S.
  destruct (shrink 128 (MAX / GRID) (fst x mod snd x) (snd x)) as [n d]. destruct S as [D I].
  destruct (_ <=? MAX); [| discriminate]. destruct (_ <=? MAX); [| discriminate]. intros [= <-].
  pose proof (N.div_mod (fst x) (snd x) ltac:(lia)) as M. pose proof (N.mod_lt (fst x) (snd x) ltac:(lia)) as Lt.
  set (q := fst x / snd x) in *. set (r := fst x mod snd x) in *.
  pose proof (div_ceil_ge (N.min n d * GRID) d D) as C. set (c := div_ceil (N.min n d * GRID) d) in *.
  assert (K : r * d <= N.min n d * snd x) by (destruct (N.min_spec n d) as [[_ ->]|[_ ->]]; nia).
  (* r * GRID <= c * snd x *)
  assert (r * GRID <= c * snd x).
  { apply N.mul_le_mono_pos_r with d; auto. generalize dependent GRID; intros G; intros. nia. }
  rewrite M. generalize dependent GRID; intros G; intros. nia.
Qed.

(** ** Sums *)

(** [Ratio::new]: lowest terms. *)
Definition reduced (x : frac) : frac := let g := N.gcd (fst x) (snd x) in (fst x / g, snd x / g).

Definition exact_sum (a b : frac) : option frac :=
  let g := N.gcd (snd a) (snd b) in
  let (up_a, up_b) := (snd b / g, snd a / g) in
  obind (checked (fst a * up_a)) (fun x =>
  obind (checked (fst b * up_b)) (fun y =>
  obind (checked (x + y)) (fun n =>
  obind (checked (snd a * up_a)) (fun d => Some (reduced (n, d)))))).

Definition add_up (a b : frac) : option frac :=
  match exact_sum a b with
  | Some s => Some s
  | None =>
      obind (round_up a) (fun x => obind (round_up b) (fun y =>
      obind (checked (x + y)) (fun s => Some (reduced (s, GRID)))))
  end.

Lemma reduced_sound x : valid x -> valid (reduced x) /\ val (reduced x) = val x.
Proof.
  destruct x as [n d]; unfold valid, reduced, val; cbn [fst snd]; intros Hd.
  assert (G : N.gcd n d <> 0) by (intros G; apply N.gcd_eq_0_r in G; lia).
  destruct (N.gcd_divide_l n d) as [u Hu], (N.gcd_divide_r n d) as [v Hv].
  set (g := N.gcd n d) in *. clearbody g.
  assert (Eu : n / g = u) by (rewrite Hu; now apply N.div_mul).
  assert (Ev : d / g = v) by (rewrite Hv; now apply N.div_mul).
  rewrite Eu, Ev. assert (0 < v) by nia. split; auto.
  pose proof (real_pos v ltac:(auto)). pose proof (real_pos g ltac:(lia)).
  subst n d. rewrite !real_mul. field; lra.
Qed.

Lemma checked_inv x y : checked x = Some y -> y = x.
Proof. unfold checked; destruct (x <=? MAX); congruence. Qed.

Ltac peel := repeat match goal with
  | H : obind ?o _ = Some _ |- _ => let E := fresh "E" in destruct o eqn:E; [cbn [obind] in H | discriminate H]
  | H : checked _ = Some _ |- _ => apply checked_inv in H; subst
  end.

Lemma exact_sum_sound a b s : valid a -> valid b -> exact_sum a b = Some s ->
  valid s /\ (val a + val b = val s)%R.
Proof.
  destruct a as [n p], b as [m q]; unfold valid, exact_sum; cbn [fst snd]; intros Hp Hq H.
  peel. injection H as <-.
  assert (G : N.gcd p q <> 0) by (intros G; apply N.gcd_eq_0_l in G; lia).
  destruct (N.gcd_divide_l p q) as [u Hu], (N.gcd_divide_r p q) as [v Hv].
  set (g := N.gcd p q) in *. clearbody g.
  assert (Eu : p / g = u) by (rewrite Hu; now apply N.div_mul).
  assert (Ev : q / g = v) by (rewrite Hv; now apply N.div_mul).
  rewrite Eu, Ev. assert (0 < u) by nia. assert (0 < v) by nia. assert (0 < g) by lia.
  destruct (reduced_sound (n * v + m * u, p * v)) as [V E]; [unfold valid; cbn [snd]; nia |].
  split; auto. rewrite E. unfold val; cbn [fst snd].
  pose proof (real_pos u ltac:(auto)). pose proof (real_pos v ltac:(auto)). pose proof (real_pos g ltac:(auto)).
  subst p q. rewrite !real_add, !real_mul. field; lra.
Qed.

Theorem add_up_sound a b s : valid a -> valid b -> add_up a b = Some s ->
  valid s /\ (val a + val b <= val s)%R.
Proof.
  intros Ha Hb; unfold add_up; destruct (exact_sum a b) as [t|] eqn:Ex.
  - intros [= <-]; apply exact_sum_sound in Ex as [V E]; auto; split; auto; lra.
  - intros H; peel. injection H as <-.
    destruct (reduced_sound (n + n0, GRID)) as [V E']; [reflexivity |]. split; auto. rewrite E'.
    apply round_up_sound in E, E0; auto. apply real_le in E, E0. rewrite !real_mul in E, E0.
    pose proof (real_pos _ Ha). pose proof (real_pos _ Hb). pose proof (real_pos GRID ltac:(reflexivity)) as G.
    unfold val; cbn [fst snd]. rewrite real_add. generalize dependent (real GRID); intros g E E0 G.
    assert (forall x y z, (0 < y -> 0 < g -> x * g <= z * y -> x / y <= z / g)%R) as D by (intros; now apply div_le).
    pose proof (D _ _ _ H G E). pose proof (D _ _ _ H0 G E0).
    replace ((real n + real n0) / g)%R with (real n / g + real n0 / g)%R by (field; lra). lra.
Qed.

(** ** Charges *)

Open Scope R_scope.

Record ledger := Ledger { main : frac; delta : frac }.
Definition empty : ledger := Ledger (0, 1)%N (0, 1)%N.
Definition zero : frac := (0, 1)%N.
Definition of_tiny (t : tiny) : frac := (fst t, 10 ^ snd t)%N.

(** A pure price in a zCDP cap. *)
Definition halved_square (e : frac) : frac := reduced (fst e * fst e, 2 * (snd e * snd e))%N.
Lemma halved_square_sound e : valid e -> valid (halved_square e) /\ val (halved_square e) = val e * val e / 2.
Proof.
  unfold halved_square; intros W; pose proof (real_pos _ W).
  destruct (reduced_sound (fst e * fst e, 2 * (snd e * snd e))%N) as [V E]; [unfold valid in *; cbn [snd]; nia |].
  split; auto. rewrite E. unfold val; cbn [fst snd]. rewrite !real_mul. change (real 2) with 2. field; lra.
Qed.

(** [amounts]: a price in the notion of the cap. *)
Definition amounts (c cap : cost) : option ledger :=
  match c, cap with
  | Rho r, Rho _ => Some (Ledger r zero)
  | Eps e, Rho _ =>
      obind (checked (fst e * fst e)) (fun _ => obind (checked (2 * (snd e * snd e))) (fun _ =>
      Some (Ledger (halved_square e) zero)))
  | Eps e, Eps _ | Eps e, Approx _ _ => Some (Ledger e zero)
  | Approx e d, Approx _ _ => Some (Ledger e (of_tiny d))
  | _, _ => None
  end.
Definition within (s : ledger) (cap : cost) : bool :=
  match amounts cap cap with Some m => le (main s) (main m) && le (delta s) (delta m) | None => false end.
Definition charge (s : ledger) (c cap : cost) : option ledger :=
  match amounts c cap with
  | Some m =>
      obind (add_up (main s) (main m)) (fun x => obind (add_up (delta s) (delta m)) (fun y =>
      let s := Ledger x y in if within s cap then Some s else None))
  | None => None
  end.

Definition sane (s : ledger) := valid (main s) /\ valid (delta s).
Definition total (s : ledger) : R * R := (val (main s), val (delta s)).
Definition sub (u v : R * R) : R * R := (fst u - fst v, snd u - snd v).

Lemma val_zero : val zero = 0.
Proof. unfold val, zero, real; simpl; field. Qed.
Lemma val_of_tiny t : val (of_tiny t) = valT t.
Proof. reflexivity. Qed.

Lemma amounts_sound c cap m : well_formed c -> amounts c cap = Some m ->
  sane m /\ worth (notion_of cap) (notion_of c) (price c) = Some (total m).
Proof.
  intros W; destruct c as [e| |], cap; cbn [amounts]; intros A; try discriminate A; peel; injection A as <-;
    unfold sane, total; cbn [main delta price notion_of worth fst snd well_formed] in *;
    rewrite ?val_zero, ?val_of_tiny; (split; [split |]);
    try reflexivity; try assumption; try apply pow10_pos; try now apply halved_square_sound.
  destruct (halved_square_sound e W) as [_ ->]; reflexivity.
Qed.

Lemma amounts_self cap m : amounts cap cap = Some m -> total m = price cap.
Proof. destruct cap; simpl; intros [= <-]; unfold total; simpl; rewrite ?val_zero; reflexivity. Qed.

Lemma within_sound s cap : well_formed cap -> sane s -> within s cap = true -> below (total s) (price cap).
Proof.
  unfold within; intros W [V1 V2]; destruct (amounts cap cap) as [m|] eqn:A; [| discriminate].
  intros H; apply andb_prop in H as [H1 H2]. rewrite <- (amounts_self _ _ A).
  apply amounts_sound in A as [[M1 M2] _]; auto. apply le_sound in H1, H2; auto. split; auto.
Qed.

(** What is spent is never below the truth, and never above the cap. *)
Theorem charge_sound s c cap s' : well_formed c -> well_formed cap -> sane s ->
  charge s c cap = Some s' -> sane s' /\ below (total s') (price cap) /\
  exists u, worth (notion_of cap) (notion_of c) (price c) = Some u /\ nonneg u /\ below (add (total s) u) (total s').
Proof.
  unfold charge; intros Wc Wcap [S1 S2]; destruct (amounts c cap) as [m|] eqn:A; [| discriminate].
  apply amounts_sound in A as [[M1 M2] U]; auto. intros C.
  destruct (add_up (main s) (main m)) as [x|] eqn:X; [cbn [obind] in C | discriminate].
  destruct (add_up (delta s) (delta m)) as [y|] eqn:Y; [cbn [obind] in C | discriminate].
  destruct (add_up_sound _ _ _ S1 M1 X) as [A1 B1]. destruct (add_up_sound _ _ _ S2 M2 Y) as [A2 B2].
  destruct (within _ cap) eqn:I; [| discriminate]. injection C as <-.
  assert (San : sane {| main := x; delta := y |}) by (split; auto).
  split; auto. split; [now apply within_sound |].
  exists (total m); repeat split; auto; simpl; auto using val_pos.
Qed.
