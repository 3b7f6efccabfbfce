(** Sensitivities: src/query/*.rs.  By how much the exact cells of a query move, in the L1 distance, when
    one record is added or removed, replaced, or all records of a person with at most k of them
    come or go: counts, clamped sums and histograms by public keys.  With Laplace.laplace_mechanism this
    takes a leaf from the table to its price ([laplace_leaf]); [scale_laplace_sound] is src/scale.rs. *)

From Coq Require Import NArith ZArith Lia Psatz Bool Reals Lra List.
Import ListNotations.
From Privet Require Import Dist Power Notions Convert Exp Fraction Tiny Cost Ledger Mechanism Laplace.

Section Sensitivity.
  Variable row : Type.
  Implicit Types x y : table row.

  (** A query has cells; [moves R q s]: on neighbours they are as many, and at most [s] apart. *)
  Definition moves (R : relation row) (q : table row -> list Z) (s : nat) : Prop :=
    forall x y, R x y -> length (q x) = length (q y) /\ (l1 (q x) (q y) <= s)%nat.

  Lemma l1_refl q : l1 q q = O.
  Proof. induction q; simpl; lia. Qed.
  Lemma l1_sym q : forall r, l1 q r = l1 r q.
  Proof. induction q as [|a q IH]; intros [|b r]; simpl; auto. rewrite IH. lia. Qed.
  Lemma l1_triangle p : forall q r, length p = length q -> length q = length r -> (l1 p r <= l1 p q + l1 q r)%nat.
  Proof.
    induction p as [|a p IH]; intros [|b q] [|c r]; simpl; intros H K; try lia.
    specialize (IH q r ltac:(lia) ltac:(lia)). lia.
  Qed.

  (** Sums over the records that are kept: [v] is what a record adds to each cell. *)
  Fixpoint adds_up (n : nat) (v : row -> nat -> Z) x : list Z :=
    match n with
    | O => []
    | S n => adds_up n v x ++ [fold_right (fun r s => v r n + s)%Z 0%Z x]
    end.
  Fixpoint weight_of (n : nat) (v : nat -> Z) : nat :=
    match n with O => O | S n => (weight_of n v + Z.abs_nat (v n))%nat end.

  Lemma adds_up_length n v x : length (adds_up n v x) = n.
  Proof. induction n; simpl; auto. rewrite app_length, IHn; simpl; lia. Qed.
  Lemma l1_app p : forall q r s, length p = length q -> l1 (p ++ r) (q ++ s) = (l1 p q + l1 r s)%nat.
  Proof. induction p as [|a p IH]; intros [|b q] r s; simpl; intros H; try lia. rewrite IH by lia. lia. Qed.
  Lemma fold_app (f : row -> Z) l r :
    fold_right (fun a s => f a + s)%Z 0%Z (l ++ r) =
      (fold_right (fun a s => f a + s) 0 l + fold_right (fun a s => f a + s) 0 r)%Z.
  Proof. induction l as [|a l IH]; simpl; lia. Qed.

  (** One record more moves the cells by what it adds. *)
  Lemma adds_up_step n v l r a : l1 (adds_up n v (l ++ r)) (adds_up n v (l ++ a :: r)) = weight_of n (v a).
  Proof.
    induction n as [|n IH]; simpl; auto. rewrite l1_app by (now rewrite !adds_up_length). rewrite IH; simpl.
    rewrite !(fold_app (fun r => v r n)); simpl. lia.
  Qed.
  (** A record replaced moves them by the difference. *)
  Lemma adds_up_replaced n v l r a b :
    l1 (adds_up n v (l ++ a :: r)) (adds_up n v (l ++ b :: r)) = weight_of n (fun i => v a i - v b i)%Z.
  Proof.
    induction n as [|n IH]; simpl; auto. rewrite l1_app by (now rewrite !adds_up_length). rewrite IH; simpl.
    rewrite !(fold_app (fun r => v r n)); simpl. lia.
  Qed.

  Theorem adds_up_moves n v s : (forall a, (weight_of n (v a) <= s)%nat) -> moves (add_remove row) (adds_up n v) s.
  Proof.
    intros H x y XY; split; [now rewrite !adds_up_length |].
    destruct XY; [| rewrite l1_sym]; rewrite adds_up_step; apply H.
  Qed.
  Theorem adds_up_moves_replaced n v s : (forall a b, (weight_of n (fun i => v a i - v b i)%Z <= s)%nat) ->
    moves (replace row) (adds_up n v) s.
  Proof. intros H x y []; split; [now rewrite !adds_up_length |]. rewrite adds_up_replaced; apply H. Qed.

  (** [Rows::count], of the records that a filter keeps. *)
  Definition count (keep : row -> bool) : table row -> list Z := adds_up 1 (fun r _ => if keep r then 1%Z else 0%Z).
  Theorem count_sensitivity keep : moves (add_remove row) (count keep) 1.
  Proof. apply adds_up_moves; intros a; simpl. destruct (keep a); lia. Qed.
  Theorem count_sensitivity_replaced keep : moves (replace row) (count keep) 1.
  Proof. apply adds_up_moves_replaced; intros a b; simpl. destruct (keep a), (keep b); lia. Qed.

  (** [Rows::sum], of values clamped to [low, high], in steps of their grid. *)
  Definition clamp (low high v : Z) : Z := Z.max low (Z.min high v).
  Definition clamped_sum (keep : row -> bool) (low high : Z) (v : row -> Z) : table row -> list Z :=
    adds_up 1 (fun r _ => if keep r then clamp low high (v r) else 0%Z).
  Theorem clamped_sum_sensitivity keep low high v : (low <= high)%Z ->
    moves (add_remove row) (clamped_sum keep low high v) (Nat.max (Z.abs_nat low) (Z.abs_nat high)).
  Proof. intros H; apply adds_up_moves; intros a; simpl. destruct (keep a); unfold clamp; lia. Qed.
  Theorem clamped_sum_sensitivity_replaced low high v : (low <= high)%Z ->
    moves (replace row) (clamped_sum (fun _ => true) low high v) (Z.abs_nat (high - low)).
  Proof. intros H; apply adds_up_moves_replaced; intros a b; simpl. unfold clamp; lia. Qed.

  (** [Rows::histogram]: counts by public keys; a record has at most one. *)
  Definition histogram (n : nat) (key : row -> option nat) : table row -> list Z :=
    adds_up n (fun r b => match key r with Some k => if Nat.eqb k b then 1%Z else 0%Z | None => 0%Z end).
  Lemma one_cell n k : (weight_of n (fun b => if Nat.eqb k b then 1 else 0)%Z <= if Nat.ltb k n then 1 else 0)%nat.
  Proof.
    induction n as [|n IH]; simpl; [lia |].
    destruct (Nat.eqb_spec k n), (Nat.ltb_spec k n), (Nat.ltb_spec k (S n)); subst; simpl in *; lia.
  Qed.
  Lemma no_cell n : weight_of n (fun _ => 0%Z) = O.
  Proof. induction n; simpl; lia. Qed.
  Lemma weight_apart n u v : (weight_of n (fun i => u i - v i)%Z <= weight_of n u + weight_of n v)%nat.
  Proof. induction n as [|n IH]; simpl; lia. Qed.
  Lemma histogram_cell n (key : row -> option nat) a :
    (weight_of n (fun b => match key a with Some k => if Nat.eqb k b then 1%Z else 0%Z | None => 0%Z end) <= 1)%nat.
  Proof.
    destruct (key a) as [k|]; [| rewrite no_cell; lia].
    pose proof (one_cell n k). destruct (Nat.ltb k n); lia.
  Qed.
  Theorem histogram_sensitivity n key : moves (add_remove row) (histogram n key) 1.
  Proof. apply adds_up_moves; intros a; apply histogram_cell. Qed.
  Theorem histogram_sensitivity_replaced n key : moves (replace row) (histogram n key) 2.
  Proof.
    apply adds_up_moves_replaced; intros a b. eapply Nat.le_trans; [apply weight_apart |].
    pose proof (histogram_cell n key a). pose proof (histogram_cell n key b). lia.
  Qed.

  (** Up to k steps, and so a person with up to k records: k times. *)
  Theorem moves_groups (R : relation row) q s k : moves R q s -> moves (groups row (N.of_nat k) R) q (k * s).
  Proof.
    intros H x y [j [Hj P]]. rewrite Nat2N.id in Hj.
    enough (K : length (q x) = length (q y) /\ (l1 (q x) (q y) <= j * s)%nat) by (split; [tauto | nia]).
    clear Hj; revert x P; induction j as [|j IH]; simpl; intros x P.
    - subst y. rewrite l1_refl; split; auto; lia.
    - destruct P as [z [XZ P]]. destruct (H x z XZ) as [L1 D1], (IH z P) as [L2 D2].
      split; [congruence |]. pose proof (l1_triangle (q x) (q z) (q y) L1 L2). lia.
  Qed.
  Theorem per_person_sensitivity q s k : moves (add_remove row) q s -> moves (per_person row k) q (k * s).
  Proof. intros H x y XY; apply (moves_groups _ q s k H), per_person_groups, XY. Qed.

  (** ** From the table to the price *)
  Open Scope R_scope.

  Definition laplace_leaf (q : table row -> list Z) (e : R) (He : 0 < e) : table row -> dist (list Z) :=
    fun x => laplace_cells e He (q x).
  Theorem laplace_leaf_private R q s c (Hc : 0 < val c) (Hs : (0 < s)%nat) (He : 0 < val c / INR s) : moves R q s ->
    private row R (Eps c) (laplace_leaf q (val c / INR s) He).
  Proof. intros M x y XY; now apply (laplace_mechanism R q s c Hc Hs He). Qed.
End Sensitivity.

(** [scale::laplace]: sensitivity [s] over price [c], cancelled across before it is multiplied.  [None]:
    it does not compile. *)
Open Scope N_scope.
Definition cancel (a b : N) : N * N := let g := N.gcd a b in (a / g, b / g).
Definition scale_laplace (s c : frac) : option frac :=
  let '((top, bottom), (down, up)) := (s, c) in
  if (down =? 0) || (up =? 0) || (bottom =? 0) then None else
  let (top, down) := cancel top down in
  let (up, bottom) := cancel up bottom in
  let (top, bottom) := cancel top bottom in
  let (up, down) := cancel up down in
  obind (checked (top * up)) (fun n => obind (checked (bottom * down)) (fun d =>
    if d <=? 2 ^ 64 - 1 then Some (n, d) else None)).

Lemma cancel_sound a b : 0 < b -> let (x, y) := cancel a b in 0 < y /\ exists g, 0 < g /\ a = x * g /\ b = y * g.
Proof.
  intros Hb; unfold cancel. assert (G : N.gcd a b <> 0) by (intros G; apply N.gcd_eq_0_r in G; lia).
  destruct (N.gcd_divide_l a b) as [u Hu], (N.gcd_divide_r a b) as [v Hv].
  set (g := N.gcd a b) in *. clearbody g.
  assert (Eu : a / g = u) by (rewrite Hu; now apply N.div_mul). assert (Ev : b / g = v) by (rewrite Hv; now apply N.div_mul).
  rewrite Eu, Ev. split; [nia |]. exists g; repeat split; auto; lia.
Qed.

Theorem scale_laplace_sound s c l : scale_laplace s c = Some l -> valid l /\ (val l = val s / val c)%R.
Proof.
  destruct s as [top bottom], c as [down up]; unfold scale_laplace.
  destruct (N.eqb_spec down 0) as [|D0]; [discriminate |]. destruct (N.eqb_spec up 0) as [|U0]; [discriminate |].
  destruct (N.eqb_spec bottom 0) as [|B0]; [discriminate |]. cbn [orb].
  pose proof (cancel_sound top down ltac:(lia)) as C1. destruct (cancel top down) as [t1 d1]. destruct C1 as [P1 [g1 [G1 [-> ->]]]].
  pose proof (cancel_sound up bottom ltac:(lia)) as C2. destruct (cancel up bottom) as [u1 b1]. destruct C2 as [P2 [g2 [G2 [-> ->]]]].
  pose proof (cancel_sound t1 b1 P2) as C3. destruct (cancel t1 b1) as [t2 b2]. destruct C3 as [P3 [g3 [G3 [-> ->]]]].
  pose proof (cancel_sound u1 d1 P1) as C4. destruct (cancel u1 d1) as [u2 d2]. destruct C4 as [P4 [g4 [G4 [-> ->]]]].
  intros H; peel. destruct (_ <=? _); [| discriminate]. injection H as <-.
  assert (0 < u2) by nia.
  unfold valid, val; cbn [fst snd]. split; [nia |].
  pose proof (real_pos g1 G1). pose proof (real_pos g2 G2). pose proof (real_pos g3 G3). pose proof (real_pos g4 G4).
  pose proof (real_pos b2 P3). pose proof (real_pos d2 P4). pose proof (real_pos u2 ltac:(auto)).
  rewrite !real_mul. field. repeat split; lra.
Qed.
