(** The three notions of privacy between two distributions, and their laws. *)

From Coq Require Import Reals Lra Psatz FunctionalExtensionality.
From Privet Require Import Dist Power Exp.
Open Scope R_scope.

(** Pure: every event, and hence every expectation, grows by a factor of at most e^eps. *)
Definition pure {A} (eps : R) (P Q : dist A) : Prop :=
  forall f, bounded f -> E P f <= exp eps * E Q f.

(** Approximate: but for delta. *)
Definition approx {A} (eps del : R) (P Q : dist A) : Prop :=
  forall f, (forall a, 0 <= f a <= 1) -> E P f <= exp eps * E Q f + del.

(** zCDP, in its dual form: with alpha = 1 + g, the Renyi bound
      E_Q[(dP/dQ)^alpha] <= e^(alpha (alpha - 1) rho)
    says that dP/dQ has norm at most e^(g rho) in L^alpha(Q), that is, that
      E_P[f] <= e^(g rho) ||f||  in  L^(alpha/(alpha-1))(Q)  for all f >= 0.
    No densities, so no assumption that there are any. See [zcdp_renyi] for the way back. *)
Definition zcdp {A} (rho : R) (P Q : dist A) : Prop :=
  forall g, 0 < g -> forall f, bounded f ->
    E P f <= exp (g * rho) * pw (E Q (fun a => pw (f a) ((1 + g) / g))) (g / (1 + g)).

(** What the definitions mean for events. *)
Lemma pure_event {A} eps (P Q : dist A) : pure eps P Q -> forall S, Pr P S <= exp eps * Pr Q S.
Proof. intros H S; apply H, bounded_ind. Qed.

Lemma approx_event {A} eps del (P Q : dist A) :
  approx eps del P Q -> forall S, Pr P S <= exp eps * Pr Q S + del.
Proof. intros H S; apply H; intros a; unfold ind; destruct (S a); lra. Qed.

(** Renyi divergence: if P has the bounded density p with respect to Q, then
    E_Q[p^alpha] <= e^(alpha (alpha - 1) rho) for all alpha > 1. *)
Lemma ratio_pos g : 0 < g -> 0 < (1 + g) / g.
Proof. intros; apply Rdiv_lt_0_compat; lra. Qed.
Lemma ratio_pos' g : 0 < g -> 0 < g / (1 + g).
Proof. intros; apply Rdiv_lt_0_compat; lra. Qed.

Theorem zcdp_renyi {A} rho (P Q : dist A) (p : A -> R) :
  bounded p -> (forall f, bounded f -> E P f = E Q (fun a => p a * f a)) ->
  zcdp rho P Q -> forall alpha, 1 < alpha ->
  E Q (fun a => pw (p a) alpha) <= exp (alpha * (alpha - 1) * rho).
Proof.
  intros Hp HP H alpha Ha; set (g := alpha - 1).
  assert (Hg : 0 < g) by (unfold g; lra).
  assert (L := H g Hg (fun a => pw (p a) g) ltac:(apply bounded_pw; auto; lra)).
  rewrite HP in L by (apply bounded_pw; auto; lra).
  set (S := E Q (fun a => pw (p a) alpha)).
  replace (E Q (fun a => p a * pw (p a) g)) with S in L.
  2:{ unfold S; f_equal; apply functional_extensionality; intros a.
      pose proof (bounded_pos _ Hp a). replace alpha with (1 + g) by (unfold g; ring).
      rewrite pw_plus, pw_1; auto. }
  replace (E Q (fun a => pw (pw (p a) g) ((1 + g) / g))) with S in L.
  2:{ unfold S; f_equal; apply functional_extensionality; intros a.
      pose proof (bounded_pos _ Hp a). rewrite pw_pw by auto; f_equal; unfold g; field; lra. }
  assert (HS : 0 <= S) by (apply E_pos, bounded_pw; auto; lra).
  destruct (Req_dec S 0) as [->|HS0]; [left; apply exp_pos |].
  (* S = S^(g/alpha) S^(1/alpha), so S^(1/alpha) <= e^(g rho) *)
  assert (K : pw S (1 / alpha) <= exp (g * rho)).
  { apply Rmult_le_reg_r with (pw S (g / (1 + g))); [apply pw_gt0; lra |].
    rewrite <- pw_plus by lra.
    replace (1 / alpha + g / (1 + g)) with 1 by (unfold g; field; lra). now rewrite pw_1. }
  replace S with (pw (pw S (1 / alpha)) alpha).
  2:{ rewrite pw_pw by auto; replace (1 / alpha * alpha) with 1 by (field; lra); now apply pw_1. }
  eapply Rle_trans; [apply pw_mono; [split; [apply pw_pos | apply K] | lra] |].
  rewrite pw_exp; right; f_equal; unfold g; ring.
Qed.

(** ** Free, and dearer *)

Lemma pure_refl {A} (P : dist A) : pure 0 P P.
Proof. intros f _; rewrite exp_0; lra. Qed.
Lemma approx_refl {A} (P : dist A) : approx 0 0 P P.
Proof. intros f _; rewrite exp_0; lra. Qed.
Lemma zcdp_refl {A} (P : dist A) : zcdp 0 P P.
Proof.
  intros g Hg f Hf; rewrite Rmult_0_r, exp_0, Rmult_1_l.
  pose proof (ratio_pos g Hg). pose proof (ratio_pos' g Hg).
  replace (E P f) with (pw (pw (E P f) ((1 + g) / g)) (g / (1 + g))).
  - apply pw_mono; [split; [apply pw_pos |] | lra].
    apply jensen; auto. apply Rmult_le_reg_r with g; auto; field_simplify; lra.
  - rewrite pw_pw by (now apply E_pos).
    replace ((1 + g) / g * (g / (1 + g))) with 1 by (field; lra). apply pw_1, E_pos; auto.
Qed.

Lemma pure_mono {A} e e' (P Q : dist A) : e <= e' -> pure e P Q -> pure e' P Q.
Proof.
  intros He H f Hf; eapply Rle_trans; [apply H; assumption |].
  apply Rmult_le_compat_r; [now apply E_pos | now apply exp_le].
Qed.
Lemma approx_mono {A} e e' d d' (P Q : dist A) :
  e <= e' -> d <= d' -> approx e d P Q -> approx e' d' P Q.
Proof.
  intros He Hd H f Hf; eapply Rle_trans; [apply H; assumption |].
  apply Rplus_le_compat; auto.
  apply Rmult_le_compat_r; [apply E_pos; exists 1; assumption | now apply exp_le].
Qed.
Lemma zcdp_mono {A} r r' (P Q : dist A) : r <= r' -> zcdp r P Q -> zcdp r' P Q.
Proof.
  intros Hr H g Hg f Hf; eapply Rle_trans; [apply (H g Hg f Hf) |].
  apply Rmult_le_compat_r; [apply pw_pos | apply exp_le, Rmult_le_compat_l; lra].
Qed.

(** ** Adaptive composition: the second step may be any function of the first answer *)

Lemma pure_bind {A B} e1 e2 (P Q : dist A) (k l : A -> dist B) :
  pure e1 P Q -> (forall a, pure e2 (k a) (l a)) -> pure (e1 + e2) (bind P k) (bind Q l).
Proof.
  intros H K f Hf; rewrite !E_bind, exp_plus.
  assert (B2 := bounded_at l f Hf). pose proof (exp_pos e2).
  eapply Rle_trans; [apply E_mono; [now apply bounded_at | | intros a; now apply K] |].
  - now apply bounded_scale; [lra |].
  - rewrite E_scale by (auto; lra).
    replace (exp e1 * exp e2 * E Q (fun a => E (l a) f))
      with (exp e2 * (exp e1 * E Q (fun a => E (l a) f))) by ring.
    apply Rmult_le_compat_l; [lra | now apply H].
Qed.

Lemma approx_bind {A B} e1 d1 e2 d2 (P Q : dist A) (k l : A -> dist B) : 0 <= d2 ->
  approx e1 d1 P Q -> (forall a, approx e2 d2 (k a) (l a)) ->
  approx (e1 + e2) (d1 + d2) (bind P k) (bind Q l).
Proof.
  intros Hd H K f Hf; rewrite !E_bind, exp_plus.
  assert (Bf : bounded f) by (exists 1; assumption). pose proof (exp_pos e2).
  set (m := fun a => Rmin 1 (exp e2 * E (l a) f)).
  assert (Hl : forall a, 0 <= exp e2 * E (l a) f).
  { intros a; apply Rmult_le_pos; [lra | now apply E_pos]. }
  assert (Hm : forall a, 0 <= m a <= 1).
  { intros a; unfold m; split; [apply Rmin_glb; [lra | apply Hl] | apply Rmin_l]. }
  assert (Bm : bounded m) by (exists 1; assumption).
  assert (L1 : E P (fun a => E (k a) f) <= E P m + d2).
  { rewrite <- (E_const P d2) by auto. rewrite <- E_plus by (auto using bounded_const).
    apply E_mono; [now apply bounded_at | apply bounded_plus; auto using bounded_const |].
    intros a; unfold m, Rmin; destruct Rle_dec.
    - assert (E (k a) f <= 1) by (apply E_le_const; [lra | auto]). lra.
    - now apply K. }
  assert (L2 := H m Hm).
  assert (L3 : E Q m <= exp e2 * E Q (fun a => E (l a) f)).
  { rewrite <- E_scale; [| lra | now apply bounded_at].
    apply E_mono; auto; [apply bounded_scale; [lra | now apply bounded_at] |].
    intros a; apply Rmin_r. }
  apply Rmult_le_compat_l with (r := exp e1) in L3; [| left; apply exp_pos].
  lra.
Qed.

Lemma zcdp_bind {A B} r1 r2 (P Q : dist A) (k l : A -> dist B) :
  zcdp r1 P Q -> (forall a, zcdp r2 (k a) (l a)) -> zcdp (r1 + r2) (bind P k) (bind Q l).
Proof.
  intros H K g Hg f Hf; rewrite !E_bind, Rmult_plus_distr_l, exp_plus.
  pose proof (ratio_pos g Hg). pose proof (ratio_pos' g Hg). pose proof (exp_pos (g * r2)).
  set (n := fun a => pw (E (l a) (fun b => pw (f b) ((1 + g) / g))) (g / (1 + g))).
  assert (Bp : bounded (fun b => pw (f b) ((1 + g) / g))) by (apply bounded_pw; auto; lra).
  assert (Bn : bounded n).
  { apply (bounded_pw (fun a => E (l a) (fun b => pw (f b) ((1 + g) / g)))); [lra | now apply bounded_at]. }
  eapply Rle_trans; [apply E_mono; [now apply bounded_at | | intros a; apply (K a g Hg f Hf)] |].
  - apply bounded_scale; [lra | exact Bn].
  - fold (n). change (fun a => exp (g * r2) * pw _ _) with (fun a => exp (g * r2) * n a).
    rewrite E_scale by (auto; lra).
    assert (L := H g Hg n Bn).
    replace (E Q (fun a => pw (n a) ((1 + g) / g))) with
      (E Q (fun a => E (l a) (fun b => pw (f b) ((1 + g) / g)))) in L.
    2:{ f_equal; apply functional_extensionality; intros a; unfold n.
        rewrite pw_pw by (now apply E_pos).
        replace (g / (1 + g) * ((1 + g) / g)) with 1 by (field; lra).
        symmetry; apply pw_1, E_pos; auto. }
    apply Rmult_le_compat_l with (r := exp (g * r2)) in L; [| lra]. lra.
Qed.

(** ** Groups: K neighbours in a row *)

Fixpoint path {A} (R : A -> A -> Prop) (n : nat) (x y : A) : Prop :=
  match n with O => x = y | S n => exists z, R x z /\ path R n z y end.

Lemma pure_trans {A} e1 e2 (P Q S : dist A) : pure e1 P Q -> pure e2 Q S -> pure (e1 + e2) P S.
Proof.
  intros H K f Hf; rewrite exp_plus; eapply Rle_trans; [apply H; assumption |].
  rewrite Rmult_assoc; apply Rmult_le_compat_l; [left; apply exp_pos | now apply K].
Qed.

Lemma pure_group {A} e n (P Q : dist A) : path (pure e) n P Q -> pure (INR n * e) P Q.
Proof.
  revert P; induction n as [|n IH]; intros P.
  - simpl; intros ->; rewrite Rmult_0_l; apply pure_refl.
  - intros [Z [H K]]; rewrite S_INR; replace ((INR n + 1) * e) with (e + INR n * e) by ring.
    eapply pure_trans; eauto.
Qed.

(** For (eps, delta): delta * (1 + e^eps + ... + e^((K-1) eps)). *)
Fixpoint geometric (q : R) (n : nat) : R :=
  match n with O => 0 | S n => 1 + q * geometric q n end.

Lemma approx_group {A} e d n (P Q : dist A) :
  path (approx e d) n P Q -> approx (INR n * e) (d * geometric (exp e) n) P Q.
Proof.
  revert P; induction n as [|n IH]; intros P.
  - simpl; intros ->; rewrite Rmult_0_l, Rmult_0_r; apply approx_refl.
  - intros [Z [H K]] f Hf; rewrite S_INR; simpl geometric.
    assert (L := IH _ K f Hf). assert (M := H f Hf).
    replace ((INR n + 1) * e) with (e + INR n * e) by ring; rewrite exp_plus.
    apply Rmult_le_compat_l with (r := exp e) in L; [| left; apply exp_pos]. lra.
Qed.

(** For rho: K^2 rho, by Holder steps whose exponents telescope. *)
Lemma zcdp_path {A} r (K : R) (g : R) : 0 < K -> 0 < g -> forall n (P Q : dist A),
  path (zcdp r) n P Q -> forall (h0 : R), h0 = K * g -> forall j, 0 <= j -> forall f, bounded f ->
  E P (fun a => pw (f a) ((h0 + j) / h0)) <=
    pw (exp (r * h0 * INR n) * pw (E Q (fun a => pw (f a) ((h0 + j + INR n) / h0))) (h0 / (h0 + j + INR n)))
       ((h0 + j) / h0).
Proof.
  intros HK Hg n; induction n as [|n IH]; intros P Q HPQ h0 Eh j Hj f Hf;
    assert (Hh : 0 < h0) by (subst; apply Rmult_lt_0_compat; lra).
  - simpl in *; subst Q; rewrite Rmult_0_r, exp_0, Rmult_1_l, Rplus_0_r.
    assert (0 < (h0 + j) / h0) by (apply Rdiv_lt_0_compat; lra).
    rewrite pw_pw by (apply E_pos, bounded_pw; auto; lra).
    replace (h0 / (h0 + j) * ((h0 + j) / h0)) with 1 by (field; lra).
    rewrite pw_1; [lra | apply E_pos, bounded_pw; auto; lra].
  - destruct HPQ as [Z [H HZ]].
    assert (b0 : 0 < (h0 + j) / h0) by (apply Rdiv_lt_0_compat; lra).
    assert (b1 : 0 < (h0 + j + 1) / h0) by (apply Rdiv_lt_0_compat; lra).
    pose proof (pos_INR n).
    (* one step, with g' = h0 + j *)
    assert (L := H (h0 + j) ltac:(lra) (fun a => pw (f a) ((h0 + j) / h0)) ltac:(apply bounded_pw; auto; lra)).
    cbv beta in L; replace (E Z (fun a => pw (pw (f a) ((h0 + j) / h0)) ((1 + (h0 + j)) / (h0 + j))))
      with (E Z (fun a => pw (f a) ((h0 + (j + 1)) / h0))) in L.
    2:{ f_equal; apply functional_extensionality; intros a.
        rewrite pw_pw by (now apply bounded_pos). f_equal; field; lra. }
    eapply Rle_trans; [apply L |].
    assert (M := IH Z Q HZ h0 Eh (j + 1) ltac:(lra) f Hf).
    replace (h0 + (j + 1) + INR n) with (h0 + j + INR (S n)) in M by (rewrite S_INR; ring).
    set (T := pw (E Q (fun a => pw (f a) ((h0 + j + INR (S n)) / h0))) (h0 / (h0 + j + INR (S n)))) in *.
    assert (HT : 0 <= T) by apply pw_pos.
    eapply Rle_trans.
    + apply Rmult_le_compat_l; [left; apply exp_pos |]. apply pw_mono; [split; [| apply M] |].
      * apply E_pos, bounded_pw; auto. rewrite <- Rplus_assoc; lra.
      * left; apply Rdiv_lt_0_compat; lra.
    + pose proof (exp_pos (r * h0 * INR n)).
      rewrite pw_pw by (apply Rmult_le_pos; lra).
      replace ((h0 + (j + 1)) / h0 * ((h0 + j) / (1 + (h0 + j)))) with ((h0 + j) / h0) by (field; lra).
      rewrite !pw_mult by (solve [exact HT | left; apply exp_pos]).
      rewrite !pw_exp, <- Rmult_assoc, <- exp_plus.
      right; f_equal; f_equal; rewrite S_INR; field; lra.
Qed.

Theorem zcdp_group {A} r n (P Q : dist A) : (0 < n)%nat ->
  path (zcdp r) n P Q -> zcdp (INR n * INR n * r) P Q.
Proof.
  intros Hn HPQ g Hg f Hf.
  assert (HN : 0 < INR n) by (now apply lt_0_INR).
  set (h0 := INR n * g). assert (Hh : 0 < h0) by (apply Rmult_lt_0_compat; lra).
  assert (L := zcdp_path r (INR n) g HN Hg n P Q HPQ h0 eq_refl 0 ltac:(lra) f Hf).
  rewrite !Rplus_0_r in L.
  replace (h0 / h0) with 1 in L by (field; lra); cbv beta in L.
  replace (E P (fun a => pw (f a) 1)) with (E P f) in L
    by (f_equal; apply functional_extensionality; intros; symmetry; apply pw_1, bounded_pos; auto).
  rewrite (pw_1 (exp _ * _)) in L by (apply Rmult_le_pos; [left; apply exp_pos | apply pw_pos]).
  replace (r * h0 * INR n) with (g * (INR n * INR n * r)) in L by (unfold h0; ring).
  replace ((h0 + INR n) / h0) with ((1 + g) / g) in L by (unfold h0; field; lra).
  replace (h0 / (h0 + INR n)) with (g / (1 + g)) in L by (unfold h0; field; repeat split; nra).
  exact L.
Qed.
