(** Discrete Laplace noise: src/mechanism/laplace.rs, src/scale.rs, proofs/laplace.md.  The noise is
    a distribution on the integers with P(z) proportional to e^(-|z| e); added to every cell of an
    exact answer it is private at [e] times the L1 distance of the answers ([laplace_cells_private]),
    so at the price of the mechanism where the scale is sensitivity over price ([laplace_mechanism]).  Counts
    are released modulo 2^64 and other cells modulo 2^128: functions of what is released here, so
    [Map].  The sampler is not in this proof: that it draws from this distribution is argued in
    proofs/noise.md and tested. *)

From Coq Require Import Reals Lra Lia Psatz ZArith List FunctionalExtensionality.
Import ListNotations.
From Coquelicot Require Import Coquelicot.
From Privet Require Import Dist Power Notions Convert Exp Fraction Tiny Cost.
Open Scope R_scope.

(** ** Sums over the integers *)

Definition up (w : Z -> R) (n : nat) : R := w (Z.of_nat n).
Definition down (w : Z -> R) (n : nat) : R := w (- Z.of_nat (S n))%Z.
Definition summable (w : Z -> R) := ex_series (up w) /\ ex_series (down w).
Definition zsum (w : Z -> R) : R := Series (up w) + Series (down w).

Lemma summable_shift w : summable w -> summable (fun z => w (z + 1)%Z).
Proof.
  intros [U D]; split.
  - apply ex_series_ext with (fun n => up w (S n)); [intros n; unfold up; f_equal; lia |].
    now apply (ex_series_incr_1 (up w)).
  - apply (ex_series_incr_1 (down (fun z => w (z + 1)%Z))).
    apply ex_series_ext with (down w); auto. intros n; unfold down; f_equal; lia.
Qed.

Lemma zsum_shift w : summable w -> zsum (fun z => w (z + 1)%Z) = zsum w.
Proof.
  intros S; destruct (summable_shift w S) as [_ D']; destruct S as [U D]; unfold zsum.
  rewrite (Series_incr_1 (up w) U), (Series_incr_1 _ D').
  replace (Series (up (fun z => w (z + 1)%Z))) with (Series (fun n => up w (S n)))
    by (apply Series_ext; intros n; unfold up; f_equal; lia).
  replace (Series (fun n => down (fun z => w (z + 1)%Z) (S n))) with (Series (down w))
    by (apply Series_ext; intros n; unfold down; f_equal; lia).
  replace (down (fun z => w (z + 1)%Z) 0) with (up w 0) by (unfold up, down; f_equal; lia). ring.
Qed.

Lemma zsum_le v w : (forall z, 0 <= v z <= w z) -> summable w -> zsum v <= zsum w.
Proof. intros H [U D]; apply Rplus_le_compat; apply Series_le; auto; intros n; apply H. Qed.

Lemma summable_le v w : (forall z, 0 <= v z <= w z) -> summable w -> summable v.
Proof.
  intros H [U D]; split; [apply (@ex_series_le R_AbsRing R_CompleteNormedModule _ (up w)) |
    apply (@ex_series_le R_AbsRing R_CompleteNormedModule _ (down w))]; auto;
    intros n; change norm with Rabs; rewrite Rabs_pos_eq; apply H.
Qed.

Lemma zsum_scal c w : zsum (fun z => c * w z) = c * zsum w.
Proof.
  unfold zsum. change (up (fun z => c * w z)) with (fun n => c * up w n).
  change (down (fun z => c * w z)) with (fun n => c * down w n). rewrite !Series_scal_l; ring.
Qed.
Lemma summable_scal c w : summable w -> summable (fun z => c * w z).
Proof. intros [U D]; split; [apply (ex_series_scal_l c (up w)) | apply (ex_series_scal_l c (down w))]; auto. Qed.

Lemma abs_opp_nat n : Z.abs_nat (- Z.of_nat n) = n.
Proof. lia. Qed.

Section Laplace.
  Variable e : R.                       (* eps / Delta: the loss per unit *)
  Hypothesis He : 0 < e.
  Let r := exp (- e).

  Lemma r_bounds : 0 < r < 1.
  Proof. unfold r; split; [apply exp_pos | rewrite <- exp_0; apply exp_increasing; lra]. Qed.

  Definition weight (z : Z) : R := r ^ Z.abs_nat z.
  Lemma weight_pos z : 0 < weight z.
  Proof. apply pow_lt, r_bounds. Qed.

  Lemma summable_weight f : bounded f -> summable (fun z => weight z * f z).
  Proof.
    intros [M H]; pose proof r_bounds.
    assert (G : ex_series (fun n => M * r ^ n)).
    { apply (ex_series_scal_l M (fun n => r ^ n)). apply ex_series_geom. rewrite Rabs_pos_eq; lra. }
    assert (HM : 0 <= M) by (specialize (H 0%Z); lra).
    split; apply (@ex_series_le R_AbsRing R_CompleteNormedModule _ (fun n => M * r ^ n)); auto; intros n; unfold up, down, weight.
    - change norm with Rabs; rewrite Rabs_pos_eq.
      + rewrite Zabs2Nat.id, Rmult_comm. apply Rmult_le_compat_r; [apply pow_le; lra | apply H].
      + apply Rmult_le_pos; [apply pow_le; lra | apply H].
    - change norm with Rabs; rewrite Rabs_pos_eq.
      + rewrite abs_opp_nat, Rmult_comm. simpl pow.
        apply Rmult_le_compat; [apply H | apply Rmult_le_pos; [lra | apply pow_le; lra] | apply H |].
        pose proof (pow_le r n ltac:(lra)). nra.
      + apply Rmult_le_pos; [apply pow_le; lra | apply H].
  Qed.

  Program Definition noise : dist Z :=
    Dist Z (fun f => (1 - r) / (1 + r) * zsum (fun z => weight z * f z)) _ _ _ _.
  Next Obligation.
    pose proof r_bounds. apply Rmult_le_compat_l; [left; apply Rdiv_lt_0_compat; lra |].
    apply zsum_le; [| now apply summable_weight].
    intros z; pose proof (weight_pos z). pose proof (bounded_pos _ H z). split; [apply Rmult_le_pos; lra |].
    apply Rmult_le_compat_l; [lra | auto].
  Qed.
  Next Obligation.
    destruct (summable_weight f H) as [U D], (summable_weight g H0) as [U' D'].
    rewrite <- Rmult_plus_distr_l; f_equal; unfold zsum.
    replace (up (fun z => weight z * (f z + g z))) with
      (fun n => up (fun z => weight z * f z) n + up (fun z => weight z * g z) n)
      by (apply functional_extensionality; intros n; unfold up; ring).
    replace (down (fun z => weight z * (f z + g z))) with
      (fun n => down (fun z => weight z * f z) n + down (fun z => weight z * g z) n)
      by (apply functional_extensionality; intros n; unfold down; ring).
    rewrite !Series_plus by auto; ring.
  Qed.
  Next Obligation.
    replace (fun z => weight z * (c * f z)) with (fun z => c * (weight z * f z))
      by (apply functional_extensionality; intros; ring).
    rewrite zsum_scal; ring.
  Qed.
  Next Obligation.
    pose proof r_bounds. unfold zsum.
    replace (up (fun z => weight z * 1)) with (fun n => r ^ n)
      by (apply functional_extensionality; intros n; unfold up, weight; rewrite Zabs2Nat.id; ring).
    replace (down (fun z => weight z * 1)) with (fun n => r * r ^ n)
      by (apply functional_extensionality; intros n; unfold down, weight;
          rewrite abs_opp_nat; simpl; ring).
    rewrite (Series_scal_l r (fun n => r ^ n)), (Series_geom r) by (rewrite Rabs_pos_eq; lra). field; lra.
  Qed.

  (** One cell: the exact answer [c] plus noise. *)
  Definition laplace (c : Z) : dist Z := dmap (fun z => c + z)%Z noise.

  Lemma weight_step z : weight (z - 1) <= exp e * weight z /\ weight (z + 1) <= exp e * weight z.
  Proof.
    pose proof r_bounds as [R0 R1]. unfold weight.
    assert (X : exp e * r = 1) by (unfold r; rewrite <- exp_plus; replace (e + - e) with 0 by ring; apply exp_0).
    assert (S1 : forall n, r ^ n <= exp e * r ^ S n) by (intros n; simpl; rewrite <- Rmult_assoc, X; lra).
    assert (S2 : forall n, r ^ S n <= exp e * r ^ n).
    { intros n; simpl. pose proof (pow_lt r n R0). pose proof (exp_pos e).
      assert (1 < exp e) by (rewrite <- exp_0; apply exp_increasing; lra). nra. }
    split; [destruct (Z_le_gt_dec 1 z) | destruct (Z_le_gt_dec 0 z)].
    - replace (Z.abs_nat z) with (S (Z.abs_nat (z - 1))) by lia; auto.
    - replace (Z.abs_nat (z - 1)) with (S (Z.abs_nat z)) by lia; auto.
    - replace (Z.abs_nat (z + 1)) with (S (Z.abs_nat z)) by lia; auto.
    - replace (Z.abs_nat z) with (S (Z.abs_nat (z + 1))) by lia; auto.
  Qed.

  Lemma laplace_step c : pure e (laplace (c + 1)) (laplace c) /\ pure e (laplace c) (laplace (c + 1)).
  Proof.
    pose proof r_bounds.
    assert (K : 0 <= (1 - r) / (1 + r)) by (left; apply Rdiv_lt_0_compat; lra).
    split; intros f Hf; unfold laplace; rewrite !E_dmap; simpl.
    - assert (B : bounded (fun z => f (c + z)%Z)) by (destruct Hf as [M HM]; exists M; auto).
      set (w := fun z => weight (z - 1) * f (c + z)%Z).
      assert (Dom : forall z, 0 <= w z <= exp e * (weight z * f (c + z)%Z)).
      { intros z; unfold w. pose proof (bounded_pos _ B z). pose proof (weight_pos (z - 1)).
        pose proof (weight_step z) as [L _]. split; [apply Rmult_le_pos; lra |].
        rewrite <- Rmult_assoc; apply Rmult_le_compat_r; auto. }
      assert (Sw : summable w).
      { eapply summable_le; [apply Dom |]. now apply summable_scal, summable_weight. }
      replace (zsum (fun z => weight z * f (c + 1 + z)%Z)) with (zsum w).
      2:{ rewrite <- (zsum_shift w Sw); f_equal; apply functional_extensionality; intros z; unfold w.
          f_equal; f_equal; lia. }
      replace (exp e * ((1 - r) / (1 + r) * zsum (fun z => weight z * f (c + z)%Z)))
        with ((1 - r) / (1 + r) * (exp e * zsum (fun z => weight z * f (c + z)%Z))) by ring.
      apply Rmult_le_compat_l; auto. rewrite <- zsum_scal. apply zsum_le; auto.
      now apply summable_scal, summable_weight.
    - assert (B : bounded (fun z => f (c + z)%Z)) by (destruct Hf as [M HM]; exists M; auto).
      assert (B' : bounded (fun z => f (c + 1 + z)%Z)) by (destruct Hf as [M HM]; exists M; auto).
      rewrite <- (zsum_shift (fun z => weight z * f (c + z)%Z)) by (now apply summable_weight).
      replace (exp e * ((1 - r) / (1 + r) * zsum (fun z => weight z * f (c + 1 + z)%Z)))
        with ((1 - r) / (1 + r) * (exp e * zsum (fun z => weight z * f (c + 1 + z)%Z))) by ring.
      apply Rmult_le_compat_l; auto. rewrite <- zsum_scal. apply zsum_le; [| now apply summable_scal, summable_weight].
      intros z. replace (c + (z + 1))%Z with (c + 1 + z)%Z by lia.
      pose proof (bounded_pos _ B' z). simpl in *. pose proof (weight_pos (z + 1)). pose proof (weight_step z) as [_ L].
      split; [apply Rmult_le_pos; lra |]. rewrite <- Rmult_assoc; apply Rmult_le_compat_r; auto.
  Qed.

  Lemma laplace_far n : forall c, pure (INR n * e) (laplace (c + Z.of_nat n)) (laplace c) /\
                                  pure (INR n * e) (laplace c) (laplace (c + Z.of_nat n)).
  Proof.
    induction n as [|n IH]; intros c.
    - simpl; rewrite Z.add_0_r, Rmult_0_l; split; apply pure_refl.
    - rewrite S_INR. replace (c + Z.of_nat (S n))%Z with (c + 1 + Z.of_nat n)%Z by lia.
      destruct (IH (c + 1)%Z) as [U D], (laplace_step c) as [U' D']. split.
      + replace ((INR n + 1) * e) with (INR n * e + e) by ring. eapply pure_trans; eauto.
      + replace ((INR n + 1) * e) with (e + INR n * e) by ring. eapply pure_trans; eauto.
  Qed.

  Theorem laplace_private c c' : pure (INR (Z.abs_nat (c - c')) * e) (laplace c) (laplace c').
  Proof.
    destruct (Z_le_gt_dec c' c).
    - replace c with (c' + Z.of_nat (Z.abs_nat (c - c')))%Z at 2 by lia. apply laplace_far.
    - replace c' with (c + Z.of_nat (Z.abs_nat (c - c')))%Z at 2 by lia. apply laplace_far.
  Qed.

  (** Many cells, with independent noise: the loss is the L1 distance. *)
  Fixpoint laplace_cells (q : list Z) : dist (list Z) :=
    match q with
    | [] => ret []
    | c :: q => bind (laplace c) (fun y => bind (laplace_cells q) (fun ys => ret (y :: ys)))
    end.
  Fixpoint l1 (q q' : list Z) : nat :=
    match q, q' with c :: q, c' :: q' => Z.abs_nat (c - c') + l1 q q' | _, _ => O end.

  Theorem laplace_cells_private q : forall q', length q = length q' ->
    pure (INR (l1 q q') * e) (laplace_cells q) (laplace_cells q').
  Proof.
    induction q as [|c q IH]; intros [|c' q'] L; try discriminate L; cbn [laplace_cells l1].
    - simpl; rewrite Rmult_0_l; apply pure_refl.
    - rewrite plus_INR, Rmult_plus_distr_r. apply pure_bind; [apply laplace_private |].
      intros y. replace (INR (l1 q q') * e) with (INR (l1 q q') * e + 0) by ring.
      apply pure_bind; [apply IH; now injection L | intros; apply pure_refl].
  Qed.
End Laplace.

(** The mechanism: sensitivity [s], price [c], scale s/c. *)
Theorem laplace_mechanism {D : Type} (R : D -> D -> Prop) (q : D -> list Z) (s : nat) (c : frac)
  (Hc : 0 < val c) (Hs : (0 < s)%nat) (He : 0 < val c / INR s) :
  (forall x y, R x y -> length (q x) = length (q y) /\ (l1 (q x) (q y) <= s)%nat) ->
  forall x y, R x y -> promised (Eps c) (laplace_cells (val c / INR s) He (q x)) (laplace_cells (val c / INR s) He (q y)).
Proof.
  intros H x y XY; destruct (H x y XY) as [L N]; unfold promised; cbn [close notion_of price fst].
  eapply pure_mono; [| apply laplace_cells_private; auto].
  apply le_INR in N. assert (0 < INR s) by (apply lt_0_INR; auto).
  apply Rmult_le_compat_r with (r := val c / INR s) in N; [| lra].
  replace (INR s * (val c / INR s)) with (val c) in N by (field; lra). exact N.
Qed.
