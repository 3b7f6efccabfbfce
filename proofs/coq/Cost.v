(** Costs and their laws: src/cost.rs, cost/*.rs. *)

From Coq Require Import NArith ZArith Lia Psatz Bool Reals Lra.
From Coquelicot Require Import Coquelicot.
From Privet Require Import Dist Power Notions Convert Exp Fraction Tiny Group Orders.
Open Scope R_scope.

Inductive notion := Pure | Zcdp | Approximate.
Inductive cost :=
| Eps (e : frac)
| Rho (r : frac)
| Approx (e : frac) (d : tiny).

Definition notion_of (c : cost) : notion :=
  match c with Eps _ => Pure | Rho _ => Zcdp | Approx _ _ => Approximate end.
Definition well_formed (c : cost) : Prop :=
  match c with Eps e => valid e | Rho r => valid r | Approx e _ => valid e end.

(** The price as a pair of real numbers: eps or rho, and delta. *)
Definition price (c : cost) : R * R :=
  match c with Eps e => (val e, 0) | Rho r => (val r, 0) | Approx e d => (val e, valT d) end.
Definition add (u v : R * R) : R * R := (fst u + fst v, snd u + snd v).
Definition below (u v : R * R) : Prop := fst u <= fst v /\ snd u <= snd v.
Definition nonneg (u : R * R) : Prop := 0 <= fst u /\ 0 <= snd u.

(** What a price promises about the answers on two neighbouring inputs. *)
Definition close {A} (n : notion) (u : R * R) (P Q : dist A) : Prop :=
  match n with
  | Pure => pure (fst u) P Q
  | Zcdp => zcdp (fst u) P Q
  | Approximate => approx (fst u) (snd u) P Q
  end.
Definition promised {A} (c : cost) (P Q : dist A) : Prop := close (notion_of c) (price c) P Q.

(** ** The laws, as functions. [None]: the program does not compile. *)

Definition omap {A B} (f : A -> B) (o : option A) := match o with Some a => Some (f a) | None => None end.
Definition obind {A B} (o : option A) (f : A -> option B) := match o with Some a => f a | None => None end.

(** [Plus] *)
Definition plus (c d : cost) : option cost :=
  match c, d with
  | Eps e, Eps f => omap Eps (sum e f)
  | Rho r, Rho s => omap Rho (sum r s)
  | Eps e, Rho r => obind (half_square e) (fun h => omap Rho (sum h r))
  | Rho r, Eps e => obind (half_square e) (fun h => omap Rho (sum r h))
  | Approx e d, Approx f g => obind (sum e f) (fun s => omap (Approx s) (tiny_sum d g))
  | Approx e d, Eps f | Eps e, Approx f d => omap (fun s => Approx s d) (sum e f)
  | _, _ => None
  end.
(** [Times] *)
Definition times (k : N) (c : cost) : option cost :=
  match c with
  | Eps e => omap Eps (scale k e)
  | Rho r => omap Rho (scale k r)
  | Approx e d => obind (scale k e) (fun s => omap (Approx s) (tiny_scale k d))
  end.
(** [AtMost], [Passes] *)
Definition passes (c d : cost) : bool :=
  match c, d with
  | Eps e, Eps f => le e f
  | Rho r, Rho s => le r s
  | Eps e, Rho r => match half_square e with Some h => le h r | None => false end
  | Eps e, Approx f _ => le e f
  | Approx e d, Approx f g => le e f && tiny_le d g
  | Rho r, Approx e d => covers e r d
  | _, _ => false
  end.
(** [PaidFrom], [Debits]: what is left of [b] when [c] was paid. *)
Definition left_of (b c : cost) : option cost :=
  match b, c with
  | Eps b, Eps c => omap Eps (debit b c)
  | Rho b, Rho c => omap Rho (debit b c)
  | Rho b, Eps c => obind (half_square c) (fun h => omap Rho (debit b h))
  | Approx b d, Approx c g => obind (debit b c) (fun l => omap (Approx l) (tiny_debit d g))
  | Approx b d, Eps c => omap (fun l => Approx l d) (debit b c)
  | _, _ => None
  end.
(** [Dearer] *)
Definition dearer (c d : cost) : option cost :=
  match c, d with
  | Eps e, Eps f => Some (Eps (larger e f))
  | Rho e, Rho f => Some (Rho (larger e f))
  | Approx e d, Approx f g => Some (Approx (larger e f) (if tiny_le d g then g else d))
  | _, _ => None
  end.
(** [ForGroups] *)
Definition group (k : N) (c : cost) : option cost :=
  match c with
  | Eps e => omap Eps (scale k e)
  | Rho r => obind (scale k r) (fun s => omap Rho (scale k s))
  | Approx e d => obind (scale k e) (fun s => omap (Approx s) (tiny_group d e k))
  end.

(** ** What a price of one notion is worth in another *)

Definition worth (n m : notion) (u : R * R) : option (R * R) :=
  match m, n with
  | Pure, Pure => Some (fst u, 0)
  | Pure, Zcdp => Some (fst u * fst u / 2, 0)
  | Pure, Approximate => Some (fst u, 0)
  | Zcdp, Zcdp => Some (fst u, 0)
  | Approximate, Approximate => Some u
  | _, _ => None
  end.

Section Laws.
  Context {A : Type}.
  Implicit Types P Q : dist A.

  Lemma close_refl n P : close n (0, 0) P P.
  Proof. destruct n; simpl; auto using pure_refl, zcdp_refl, approx_refl. Qed.

  Lemma close_mono n u v P Q : below u v -> close n u P Q -> close n v P Q.
  Proof. intros [H K]; destruct n; simpl; eauto using pure_mono, zcdp_mono, approx_mono. Qed.

  Lemma close_worth n m u v P Q : nonneg u -> worth n m u = Some v ->
    close m u P Q -> close m u Q P -> close n v P Q.
  Proof.
    intros [H K]; destruct n, m; simpl; intros [= <-] PQ QP; simpl; auto using pure_zcdp.
    apply pure_approx; auto; lra.
  Qed.
End Laws.

Lemma close_bind {A B} n u v (P Q : dist A) (k l : A -> dist B) : nonneg v ->
  close n u P Q -> (forall a, close n v (k a) (l a)) -> close n (add u v) (bind P k) (bind Q l).
Proof.
  intros [_ Hv]; destruct n; simpl; intros; auto using pure_bind, zcdp_bind, approx_bind.
Qed.

Lemma price_nonneg c : well_formed c -> nonneg (price c).
Proof. destruct c; simpl; split; simpl; auto using val_pos, valT_pos; lra. Qed.

Lemma add_0_l u : add (0, 0) u = u.
Proof. destruct u; unfold add; simpl; f_equal; ring. Qed.
Lemma add_nonneg u v : nonneg u -> nonneg v -> nonneg (add u v).
Proof. intros [] []; split; simpl; lra. Qed.
Lemma below_refl u : below u u.
Proof. split; lra. Qed.
Lemma below_trans u v w : below u v -> below v w -> below u w.
Proof. intros [] []; split; lra. Qed.

Ltac some := repeat match goal with
  | H : omap _ ?o = Some _ |- _ => destruct o eqn:?; [injection H as <- | discriminate H]; simpl
  | H : obind ?o _ = Some _ |- _ => destruct o eqn:?; [simpl in H | discriminate H]
  end.
Ltac arith := repeat match goal with
  | H : sum _ _ = Some _ |- _ => apply sum_sound in H as [? ?]; [| assumption | assumption]
  | H : debit _ _ = Some _ |- _ => apply debit_sound in H as [? ?]; [| assumption | assumption]
  | H : scale _ _ = Some _ |- _ => apply scale_sound in H as [? ?]; [| assumption]
  | H : half_square _ = Some _ |- _ => apply half_square_sound in H as [? ?]; [| assumption]
  | H : tiny_sum _ _ = Some _ |- _ => apply tiny_sum_sound in H
  | H : tiny_debit _ _ = Some _ |- _ => apply tiny_debit_sound in H
  | H : tiny_scale _ _ = Some _ |- _ => apply tiny_scale_sound in H
  end.

(** A sum is worth at least what its parts are, in its own notion. *)
Lemma plus_sound c d s : well_formed c -> well_formed d -> plus c d = Some s ->
  well_formed s /\ exists u v, worth (notion_of s) (notion_of c) (price c) = Some u /\
    worth (notion_of s) (notion_of d) (price d) = Some v /\ nonneg v /\ below (add u v) (price s).
Proof.
  intros Wc Wd H; pose proof (price_nonneg _ Wc) as [? ?]; pose proof (price_nonneg _ Wd) as [? ?].
  destruct c, d; simpl in *; try discriminate; some; arith; split; auto;
    eexists; eexists; (split; [reflexivity | split; [reflexivity |]]);
    repeat split; simpl in *; try lra; nra.
Qed.

Lemma plus_comm c d : plus c d = plus d c.
Proof.
  destruct c, d; simpl; auto; rewrite ?(sum_comm e), ?(sum_comm r); auto.
  - destruct (half_square e) as [h|]; simpl; auto. now rewrite sum_comm.
  - destruct (half_square e) as [h|]; simpl; auto. now rewrite sum_comm.
  - destruct (sum _ _); simpl; auto. now rewrite tiny_sum_comm.
Qed.

(** What is left and what was paid are worth at most what was there, in every notion that the
    budget has a worth in. *)
Lemma left_sound b c l : well_formed b -> well_formed c -> left_of b c = Some l ->
  well_formed l /\ forall n ub, worth n (notion_of b) (price b) = Some ub ->
    exists uc ul, worth n (notion_of c) (price c) = Some uc /\ worth n (notion_of l) (price l) = Some ul /\
      nonneg uc /\ nonneg ul /\ below (add uc ul) ub.
Proof.
  intros Wb Wc H; pose proof (price_nonneg _ Wb) as [? ?]; pose proof (price_nonneg _ Wc) as [? ?].
  destruct b, c; simpl in *; try discriminate; some; arith; (split; [assumption |]); intros n ub W;
    destruct n; simpl in W; try discriminate W; injection W as <-;
    repeat match goal with V : valid ?f |- _ => assert (0 <= val f) by (apply val_pos, V); revert V end; intros;
    repeat match goal with |- context [valT ?d] => lazymatch goal with
      | _ : 0 <= valT d |- _ => fail | _ => pose proof (valT_pos d) end end;
    eexists; eexists; (split; [reflexivity | split; [reflexivity |]]);
    repeat split; simpl in *; try lra; nra.
Qed.

Lemma passes_sound {A} c d (P Q : dist A) : well_formed c -> well_formed d -> passes c d = true ->
  promised c P Q -> promised c Q P -> promised d P Q.
Proof.
  intros Wc Wd H PQ QP; pose proof (price_nonneg _ Wc) as [? ?].
  destruct c as [e|r|e dl], d as [f|s|f g]; simpl in *; try discriminate; unfold promised in *; simpl in *.
  - eapply pure_mono; eauto. now apply le_sound.
  - destruct (half_square e) as [h|] eqn:Hh; [| discriminate].
    apply half_square_sound in Hh as [Vh Hh]; auto. apply le_sound in H; auto.
    apply zcdp_mono with (val e * val e / 2); [lra | apply pure_zcdp; auto].
  - apply approx_mono with (val e) 0; [now apply le_sound | apply valT_pos |]. apply pure_approx; auto; lra.
  - eapply zcdp_mono; eauto. now apply le_sound.
  - destruct g as [a k]; apply covers_sound in H as [Ha H]; auto.
    assert (R0 : fst r = 0%N -> val r = 0) by (intros R0; unfold val; rewrite R0; unfold real; simpl; lra).
    destruct H as [Z|[g [Hg Hc]]]; [specialize (R0 Z) |].
    { (* rho = 0: every event has the same probability *)
      intros t Ht.
      assert (Bt : bounded t) by (exists 1; assumption).
      assert (E P t <= E Q t).
      { rewrite R0 in PQ.
        (* limit g -> 0 of pw (E Q (pw t ((1+g)/g))) (g/(1+g)): use the large g instead *)
        apply Rnot_lt_le; intros Lt.
        assert (Hq : 0 <= E Q t) by (now apply E_pos).
        assert (Hq1 : E Q t <= 1) by (apply E_le_const; auto; lra).
        assert (B : forall g, 0 < g -> E P t <= pw (E Q t) (g / (1 + g))).
        { intros g Hg. eapply Rle_trans; [apply (PQ g Hg t Bt) |].
          rewrite Rmult_0_r, exp_0, Rmult_1_l.
          pose proof (ratio_pos g Hg). pose proof (ratio_pos' g Hg).
          apply pw_mono; [split; [apply E_pos, bounded_pw; auto; lra |] | lra].
          apply E_mono; auto; [apply bounded_pw; auto; lra |].
          intros x; apply pw_le_self; auto. apply Rmult_le_reg_r with g; auto; field_simplify; lra. }
        destruct (Req_dec (E Q t) 0) as [Q0|Q0].
        { specialize (B 1 ltac:(lra)); rewrite Q0, pw_0 in B; lra. }
        (* q^(g/(1+g)) = q * q^(-1/(1+g)) *)
        set (q := E Q t) in *. set (p := E P t) in *.
        assert (Hlnq : ln q <= 0) by (destruct (Req_dec q 1) as [->|]; [rewrite ln_1; lra | left; rewrite <- ln_1; apply ln_increasing; lra]).
        assert (Hd : 0 < ln p - ln q) by (assert (ln q < ln p) by (apply ln_increasing; lra); lra).
        set (gam := (1 - ln q) / (ln p - ln q)).
        assert (Hgam : 0 < gam) by (apply Rdiv_lt_0_compat; lra).
        specialize (B gam Hgam). rewrite pw_Rpower in B by lra. unfold Rpower in B.
        assert (LB : ln p <= gam / (1 + gam) * ln q).
        { rewrite <- (ln_exp (gam / (1 + gam) * ln q)).
          destruct B as [B|B]; [left; apply ln_increasing; lra | right; now rewrite <- B]. }
        apply Rmult_le_compat_r with (r := 1 + gam) in LB; [| lra].
        replace (gam / (1 + gam) * ln q * (1 + gam)) with (gam * ln q) in LB by (field; lra).
        assert (gam * (ln p - ln q) = 1 - ln q) by (unfold gam; field; lra).
        assert (ln p <= 0 \/ 0 < ln p) as [|] by lra; nra. }
      assert (1 <= exp (val f)).
      { rewrite <- exp_0; apply exp_le, val_pos; auto. }
      assert (0 <= E Q t) by (now apply E_pos). pose proof (valT_pos (a, k)). nra. }
    apply (zcdp_approx_order g (val r)); auto.
    apply Rdiv_lt_0_compat; apply real_pos; [simpl; lia | apply pow10_pos].
  - apply andb_prop in H as [He Hd]. eapply approx_mono; [| | eauto]; [now apply le_sound | now apply tiny_le_sound].
Qed.

Lemma times_sound k c s : well_formed c -> times k c = Some s ->
  well_formed s /\ notion_of s = notion_of c /\
  below (real k * fst (price c), real k * snd (price c)) (price s).
Proof.
  intros W H; destruct c; simpl in *; some; arith; repeat split; simpl; auto; lra.
Qed.

Lemma geometric_mono q i j : 0 <= q -> (i <= j)%nat -> geometric q i <= geometric q j.
Proof.
  intros Hq; revert j; induction i as [|i IH]; intros [|j] H; simpl; try lia; try lra.
  - assert (0 <= geometric q j) by (clear - Hq; induction j; simpl; nra). nra.
  - specialize (IH j ltac:(lia)). nra.
Qed.

Lemma group_sound k c d : well_formed c -> group k c = Some d -> (0 < k)%N ->
  well_formed d /\ forall A (P Q : dist A) j, (j <= N.to_nat k)%nat -> path (promised c) j P Q -> promised d P Q.
Proof.
  intros W H Hk.
  assert (RK : forall j, (j <= N.to_nat k)%nat -> 0 <= INR j <= real k).
  { intros j Hj; split; [apply pos_INR |]. apply le_INR in Hj. rewrite <- (real_nat (N.to_nat k)), N2Nat.id in Hj. exact Hj. }
  destruct c; simpl in *; some; arith; (split; [assumption |]);
    intros A P Q j Hj L; unfold promised in *; simpl in *; specialize (RK j Hj).
  - apply pure_group in L. eapply pure_mono; [| exact L]. pose proof (val_pos e W). nra.
  - pose proof (val_pos r W). destruct j as [|j].
    + simpl in L; subst Q. eapply zcdp_mono; [| apply zcdp_refl]. apply val_pos; assumption.
    + apply zcdp_group in L; [| lia]. eapply zcdp_mono; [| exact L].
      assert (INR (S j) * val r <= real k * val r) by nra.
      assert (INR (S j) * (INR (S j) * val r) <= real k * (real k * val r)) by (apply Rmult_le_compat; nra). nra.
  - apply approx_group in L.
    match goal with G : tiny_group _ _ _ = Some _ |- _ => apply tiny_group_sound in G; auto end.
    pose proof (val_pos e W).
    eapply approx_mono; [| | exact L]; [nra |].
    eapply Rle_trans; [| eassumption].
    destruct (N.to_nat k) as [|n] eqn:Kn; [lia |].
    assert (Rk : real k = INR (S n)) by (rewrite <- Kn, <- real_nat, N2Nat.id; reflexivity).
    assert (Rk1 : real (k - 1) = INR n) by (rewrite <- real_nat; f_equal; lia).
    rewrite Rk, Rk1.
    assert (1 <= exp (val e)) by (rewrite <- exp_0; apply exp_le; assumption).
    pose proof (geometric_le (exp (val e)) n ltac:(assumption)) as G.
    pose proof (geometric_mono (exp (val e)) j (S n) ltac:(lra) ltac:(lia)) as G'.
    assert (Ex : exp (val e) ^ n = exp (INR n * val e)).
    { clear. induction n as [|n IH]; [simpl; rewrite Rmult_0_l, exp_0; reflexivity |].
      rewrite S_INR; simpl pow. rewrite IH, <- exp_plus; f_equal; ring. }
    rewrite Ex in G.
    assert (F : geometric (exp (val e)) j <= INR (S n) * exp (INR n * val e)) by (eapply Rle_trans; eassumption).
    apply Rmult_le_compat_l with (r := valT d0) in F; [| apply valT_pos]. lra.
Qed.

(** The larger of two prices: each passes as it ([Dearer], [either]). *)
Lemma le_total a b : valid a -> valid b -> le a b = false -> le b a = true.
Proof.
  intros Ha Hb H; apply le_sound; auto. destruct (Rle_dec (val a) (val b)) as [L|L]; [| lra].
  apply le_sound in L; auto. congruence.
Qed.
Theorem dearer_sound c d m : well_formed c -> well_formed d -> dearer c d = Some m ->
  well_formed m /\ forall A (P Q : dist A), (promised c P Q \/ promised d P Q) -> promised m P Q.
Proof.
  intros Wc Wd; destruct c as [e|r|e x], d as [f|s|f y]; simpl in *; try discriminate; intros [= <-];
    (split; [simpl; unfold larger; destruct (le _ _); assumption |]); intros A P Q [H|H];
    unfold promised in *; simpl in *; unfold larger;
    repeat match goal with |- context [le ?a ?b] => destruct (le a b) eqn:? end;
    repeat match goal with |- context [tiny_le ?a ?b] => destruct (tiny_le a b) eqn:? end;
    repeat match goal with
      | L : le _ _ = true |- _ => apply le_sound in L; [| assumption | assumption]
      | L : le _ _ = false |- _ => apply le_total in L; [apply le_sound in L; [| assumption | assumption] | assumption | assumption]
      | L : tiny_le _ _ = true |- _ => apply tiny_le_sound in L
      | L : tiny_le _ _ = false |- _ => apply tiny_le_total in L; apply tiny_le_sound in L
      end;
    eauto using pure_mono, zcdp_mono, approx_mono, Rle_refl;
    (eapply approx_mono; [| | exact H]; lra).
Qed.

(** A cost in [k] parts ([Split]): [k] of the part pass as the whole. *)
Definition part_of (k : N) (c : cost) : option cost :=
  match c with Eps e => omap Eps (part k e) | Rho r => omap Rho (part k r) | Approx _ _ => None end.
Theorem part_of_sound k c p : (0 < k)%N -> well_formed c -> part_of k c = Some p ->
  well_formed p /\ notion_of p = notion_of c /\ real k * fst (price p) <= fst (price c).
Proof.
  intros Hk W H; destruct c; simpl in *; try discriminate; some;
    match goal with G : part _ _ = Some _ |- _ => apply part_sound in G as [V G]; auto end.
Qed.
