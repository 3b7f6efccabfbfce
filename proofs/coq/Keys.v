(** Counts by keys that are not public: src/mechanism/frequent_keys.rs, proofs/frequent_keys.md.  Every text
    that occurs gets a noisy count, released if it reaches the threshold t.  [cs] are the counts of all
    texts that there could be, in their order.  (eps, delta)-private where e^(-eps (t - 1)) is at most
    delta ([frequent_keys_private]); that the threshold of src/scale.rs is such a t is on paper. *)

From Coq Require Import Reals Lra Lia Psatz ZArith Bool List FunctionalExtensionality.
Import ListNotations.
From Privet Require Import Dist Power Notions Convert Exp Laplace.
Open Scope R_scope.

Section Keys.
  Variable e : R.
  Hypothesis He : 0 < e.

  Definition reaches (n : Z) (z : Z) : bool := (n <=? z)%Z.

  (** One step further out, the tail is e^-eps times as large. *)
  Lemma tail_step n : Pr (noise e He) (reaches (Z.of_nat (S n))) = exp (- e) * Pr (noise e He) (reaches (Z.of_nat n)).
  Proof.
    unfold Pr, noise; cbn [E].
    assert (Sm : summable (fun z => weight e z * ind (reaches (Z.of_nat (S n))) z)) by (apply summable_weight; auto; apply bounded_ind).
    rewrite <- (zsum_shift _ Sm).
    replace (fun z => weight e (z + 1) * ind (reaches (Z.of_nat (S n))) (z + 1)%Z)
      with (fun z => exp (- e) * (weight e z * ind (reaches (Z.of_nat n)) z)).
    - rewrite zsum_scal; ring.
    - apply functional_extensionality; intros z. unfold ind, reaches.
      destruct (Z.leb_spec (Z.of_nat n) z), (Z.leb_spec (Z.of_nat (S n)) (z + 1)); try lia; [| ring].
      unfold weight. replace (Z.abs_nat (z + 1)) with (S (Z.abs_nat z)) by lia. simpl pow. ring.
  Qed.
  Lemma tail n : Pr (noise e He) (reaches (Z.of_nat n)) <= exp (- (INR n * e)).
  Proof.
    induction n as [|n IH].
    - simpl INR. rewrite Rmult_0_l, Ropp_0, exp_0. unfold Pr. apply E_le_const; [lra |].
      intros z; unfold ind; destruct (reaches _ z); lra.
    - rewrite tail_step, S_INR. replace (- ((INR n + 1) * e)) with (- e + - (INR n * e)) by ring. rewrite exp_plus.
      apply Rmult_le_compat_l; [left; apply exp_pos | exact IH].
  Qed.

  Variable t : nat.                     (* the threshold is t + 1 *)
  Definition shown (y : Z) : option Z := if (Z.of_nat t + 1 <=? y)%Z then Some y else None.
  Definition key (c : nat) : dist (option Z) :=
    match c with O => ret None | S _ => dmap shown (laplace e He (Z.of_nat c)) end.
  Fixpoint frequent_keys (cs : list nat) : dist (list (option Z)) :=
    match cs with
    | [] => ret []
    | c :: cs => bind (key c) (fun y => bind (frequent_keys cs) (fun ys => ret (y :: ys)))
    end.

  (** A text that only one of two tables has: nothing but the threshold hides it. *)
  Lemma appears f : (forall a, 0 <= f a <= 1) ->
    Rabs (E (key 1) f - f None) <= exp (- (INR t * e)).
  Proof.
    intros Hf. cbn [key]. unfold laplace; rewrite !E_dmap.
    set (g := fun z => f (shown (Z.of_nat 1 + z)%Z)). set (i := ind (reaches (Z.of_nat t))).
    assert (Bg : bounded g) by (exists 1; intros; apply Hf).
    assert (Bi : bounded i) by apply bounded_ind.
    assert (Tl := tail t). unfold Pr in Tl. fold i in Tl.
    assert (Bn : bounded (fun _ : Z => f None)) by (exists 1; intros; apply Hf).
    assert (H : forall z, g z <= f None + i z /\ f None <= g z + i z).
    { intros z; unfold g, i, ind, shown, reaches. pose proof (Hf None).
      destruct (Z.leb_spec (Z.of_nat t + 1) (Z.of_nat 1 + z)), (Z.leb_spec (Z.of_nat t) z); try lia; [| lra].
      pose proof (Hf (Some (Z.of_nat 1 + z)%Z)). lra. }
    assert (A : E (noise e He) g <= f None + E (noise e He) i).
    { rewrite <- (E_const (noise e He) (f None)) by apply Hf. rewrite <- E_plus by auto.
      apply E_mono; auto using bounded_plus. intros z; apply H. }
    assert (B : f None <= E (noise e He) g + E (noise e He) i).
    { rewrite <- (E_const (noise e He) (f None)) at 1 by apply Hf. rewrite <- E_plus by auto.
      apply E_mono; auto using bounded_plus. intros z; apply H. }
    apply Rabs_le; lra.
  Qed.

  Lemma key_private c d : exp (- (INR t * e)) <= d ->
    approx e d (key c) (key (S c)) /\ approx e d (key (S c)) (key c).
  Proof.
    intros Hd. assert (0 <= d) by (pose proof (exp_pos (- (INR t * e))); lra).
    assert (1 <= exp e) by (rewrite <- exp_0; apply exp_le; lra).
    destruct c as [|c].
    - assert (K : forall f, (forall a, 0 <= f a <= 1) -> 0 <= E (key 1) f /\ E (key 1) f <= f None + d /\ f None <= E (key 1) f + d).
      { intros f Hf. pose proof (appears f Hf) as A. apply Rle_trans with (r3 := d) in A; auto.
        pose proof (Rle_abs (E (key 1) f - f None)). pose proof (Rle_abs (- (E (key 1) f - f None))) as M.
        rewrite Rabs_Ropp in M. repeat split; try lra. apply E_pos; exists 1; exact Hf. }
      split; intros f Hf; destruct (K f Hf) as [K0 [K1 K2]]; change (E (key 0) f) with (f None); pose proof (Hf None); nra.
    - assert (B : forall f : option Z -> R, (forall a, 0 <= f a <= 1) -> bounded (fun y => f (shown y))).
      { intros f Hf; exists 1; intros; apply Hf. }
      destruct (laplace_step e He (Z.of_nat (S c))) as [U D].
      replace (Z.of_nat (S c) + 1)%Z with (Z.of_nat (S (S c))) in * by lia.
      split; intros f Hf; cbn [key]; rewrite !E_dmap.
      + pose proof (D _ (B f Hf)). simpl in *. lra.
      + pose proof (U _ (B f Hf)). simpl in *. lra.
  Qed.

  (** One record more or less moves one count by one. *)
  Theorem frequent_keys_private l c r d : exp (- (INR t * e)) <= d ->
    approx e d (frequent_keys (l ++ c :: r)) (frequent_keys (l ++ S c :: r)) /\
    approx e d (frequent_keys (l ++ S c :: r)) (frequent_keys (l ++ c :: r)).
  Proof.
    intros Hd; destruct (key_private c d Hd) as [U D]. induction l as [|a l [IU ID]]; cbn [app frequent_keys].
    - split; (apply approx_mono with (e + 0) (d + 0); [lra | lra |]);
        (apply approx_bind; [lra | assumption | intros; apply approx_refl]).
    - pose proof (exp_pos (- (INR t * e))).
      split; (apply approx_mono with (0 + (e + 0)) (0 + (d + 0)); [lra | lra |]);
        (apply approx_bind; [lra | apply approx_refl | intros y; apply approx_bind; [lra | assumption | intros; apply approx_refl]]).
  Qed.
End Keys.
