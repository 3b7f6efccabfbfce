(** Conversions between notions: proofs/conversions.md. *)

From Coq Require Import Reals Lra Psatz FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From Privet Require Import Dist Power Notions Exp.
Open Scope R_scope.

Lemma pure_approx {A} e d (P Q : dist A) : 0 <= d -> pure e P Q -> approx e d P Q.
Proof. intros Hd H f Hf; assert (L := H f ltac:(exists 1; assumption)); lra. Qed.

(** ** rho to (eps, delta) *)

Theorem zcdp_approx {A} rho eps del (P Q : dist A) :
  0 < rho -> rho < eps -> 0 < del -> 4 * rho * ln (1 / del) <= (eps - rho) * (eps - rho) ->
  zcdp rho P Q -> approx eps del P Q.
Proof.
  intros Hr He Hd Hc H f Hf.
  assert (Bf : bounded f) by (exists 1; assumption).
  set (g := (eps - rho) / (2 * rho)).
  assert (Hg : 0 < g) by (apply Rdiv_lt_0_compat; lra).
  pose proof (ratio_pos g Hg). pose proof (ratio_pos' g Hg).
  set (t := g / (1 + g)) in *. set (q := E Q f).
  assert (Hq : 0 <= q) by (now apply E_pos).
  assert (Ht1 : t < 1) by (unfold t; apply Rmult_lt_reg_r with (1 + g); [lra |]; field_simplify; lra).
  (* f^b <= f *)
  assert (L1 : E Q (fun a => pw (f a) ((1 + g) / g)) <= q).
  { apply E_mono; auto; [apply bounded_pw; auto; lra |].
    intros a; apply pw_le_self; auto.
    apply Rmult_le_reg_r with g; auto; field_simplify; lra. }
  assert (L2 := H g Hg f Bf). fold t in L2.
  assert (L3 : pw (E Q (fun a => pw (f a) ((1 + g) / g))) t <= pw q t).
  { apply pw_mono; [split; auto; apply E_pos, bounded_pw; auto; lra | lra]. }
  apply Rmult_le_compat_l with (r := exp (g * rho)) in L3; [| left; apply exp_pos].
  (* weighted means *)
  assert (Y := young (exp eps * q) del t ltac:(apply Rmult_le_pos; [left; apply exp_pos | lra]) ltac:(lra) ltac:(lra)).
  rewrite pw_mult, pw_exp in Y by (try (left; apply exp_pos); lra).
  assert (Z : exp (g * rho) <= exp (eps * t) * pw del (1 - t)).
  { rewrite pw_Rpower by auto; unfold Rpower; rewrite <- exp_plus; apply exp_le.
    unfold Rdiv in Hc; rewrite Rmult_1_l, ln_Rinv in Hc by auto.
    (* g (1+g) rho <= g eps - ln (1/del) *)
    apply Rmult_le_reg_r with (1 + g); [lra |].
    replace ((eps * t + (1 - t) * ln del) * (1 + g)) with (eps * g + ln del) by (unfold t; field; lra).
    assert (G : g * rho * (1 + g) = eps * g - (eps - rho) * (eps - rho) / (4 * rho)) by (unfold g; field; lra).
    rewrite G.
    assert (- ln del <= (eps - rho) * (eps - rho) / (4 * rho)).
    { apply Rmult_le_reg_l with (4 * rho); [lra |]. field_simplify; lra. }
    lra. }
  apply Rmult_le_compat_r with (r := pw q t) in Z; [| apply pw_pos].
  assert (0 <= exp eps * q) by (apply Rmult_le_pos; [left; apply exp_pos | lra]).
  assert (t * (exp eps * q) + (1 - t) * del <= exp eps * q + del) by nra.
  fold q. lra.
Qed.

(** The best that one order gives (Canonne, Kamath and Steinke 2020), with g = alpha - 1.  No calculus: for events,
    zCDP says P f <= e^(g rho) (Q f)^t with t = g/(1+g), and the weighted mean of two numbers bounds the power. *)
Theorem zcdp_approx_at {A} g rho eps (P Q : dist A) : 0 < g -> zcdp rho P Q ->
  approx eps (exp (g * ((1 + g) * rho - eps)) / g * pw (g / (1 + g)) (1 + g)) P Q.
Proof.
  intros Hg H f Hf.
  assert (Bf : bounded f) by (exists 1; assumption).
  pose proof (ratio_pos g Hg). pose proof (ratio_pos' g Hg).
  set (t := g / (1 + g)) in *. set (q := E Q f).
  assert (Hq : 0 <= q) by (now apply E_pos).
  assert (Ht1 : t < 1) by (unfold t; apply Rmult_lt_reg_r with (1 + g); [lra |]; field_simplify; lra).
  assert (L1 : E Q (fun a => pw (f a) ((1 + g) / g)) <= q).
  { apply E_mono; auto; [apply bounded_pw; auto; lra |].
    intros a; apply pw_le_self; auto.
    apply Rmult_le_reg_r with g; auto; field_simplify; lra. }
  assert (L2 := H g Hg f Bf). fold t in L2.
  assert (L3 : pw (E Q (fun a => pw (f a) ((1 + g) / g))) t <= pw q t).
  { apply pw_mono; [split; auto; apply E_pos, bounded_pw; auto; lra | lra]. }
  apply Rmult_le_compat_l with (r := exp (g * rho)) in L3; [| left; apply exp_pos].
  set (del := exp (g * ((1 + g) * rho - eps)) / g * pw t (1 + g)).
  assert (Hdel : 0 < del).
  { unfold del. apply Rmult_lt_0_compat; [apply Rdiv_lt_0_compat; [apply exp_pos | lra] | apply pw_gt0; lra]. }
  (* (e^eps q / t)^t (del / (1 - t))^(1 - t) = e^(g rho) q^t, and its weighted mean is e^eps q + del *)
  assert (Y := young (exp eps * q / t) (del / (1 - t)) t
    ltac:(apply Rmult_le_pos; [apply Rmult_le_pos; [left; apply exp_pos | lra] | left; apply Rinv_0_lt_compat; lra])
    ltac:(left; apply Rdiv_lt_0_compat; lra) ltac:(lra)).
  replace (t * (exp eps * q / t) + (1 - t) * (del / (1 - t))) with (exp eps * q + del) in Y by (field; lra).
  assert (Z : pw (exp eps * q / t) t * pw (del / (1 - t)) (1 - t) = exp (g * rho) * pw q t).
  { replace (exp eps * q / t) with (exp eps * / t * q) by (field; lra).
    rewrite pw_mult; [| apply Rmult_le_pos; [left; apply exp_pos | left; apply Rinv_0_lt_compat; lra] | lra].
    rewrite (Rmult_comm _ (pw q t)), Rmult_assoc, (Rmult_comm (exp (g * rho))). f_equal.
    assert (0 < / t) by (apply Rinv_0_lt_compat; lra).
    assert (0 < exp eps * / t) by (apply Rmult_lt_0_compat; [apply exp_pos | lra]).
    assert (0 < del / (1 - t)) by (apply Rdiv_lt_0_compat; lra).
    rewrite !pw_Rpower by auto. unfold Rpower. rewrite <- exp_plus. f_equal.
    assert (D : ln (del / (1 - t)) = g * ((1 + g) * rho - eps) + g * ln t).
    { (* g (1 - t) = t *)
      replace (del / (1 - t)) with (exp (g * ((1 + g) * rho - eps)) * exp (g * ln t)).
      2:{ unfold del. rewrite pw_Rpower by lra. unfold Rpower.
          replace ((1 + g) * ln t) with (g * ln t + ln t) by ring. rewrite (exp_plus (g * ln t)), (exp_ln t) by lra.
          unfold t; field. split; lra. }
      rewrite <- exp_plus, ln_exp. reflexivity. }
    rewrite D, ln_mult, ln_exp, ln_Rinv by (auto using exp_pos; lra).
    set (l := ln t). unfold t; field. lra. }
  fold q. lra.
Qed.

(** The same as a test, linear in eps and rho for each order. *)
Corollary zcdp_approx_order {A} g rho eps del (P Q : dist A) : 0 < g -> 0 < del ->
  ln (1 / del) <= g * (eps - (1 + g) * rho) + ln (1 + g) + g * ln (1 + 1 / g) ->
  zcdp rho P Q -> approx eps del P Q.
Proof.
  intros Hg Hd Hc H. eapply approx_mono; [apply Rle_refl | | exact (zcdp_approx_at g rho eps P Q Hg H)].
  assert (0 < g / (1 + g)) by (apply Rdiv_lt_0_compat; lra).
  rewrite pw_Rpower by auto. unfold Rpower.
  replace (1 + 1 / g) with ((1 + g) * / g) in Hc by (field; lra).
  assert (0 < / g) by (apply Rinv_0_lt_compat; lra).
  unfold Rdiv in Hc |- *. rewrite Rmult_1_l, ln_Rinv in Hc by auto. rewrite ln_mult, ln_Rinv in Hc by lra.
  rewrite (ln_mult g), ln_Rinv by (try apply Rinv_0_lt_compat; lra).
  rewrite <- (exp_ln (/ g)), ln_Rinv, <- !exp_plus by lra. rewrite <- (exp_ln del) by auto. apply exp_le.
  set (a := ln g) in *. set (b := ln (1 + g)) in *. set (c := ln del) in *. nra.
Qed.

(** ** Holder: from a Renyi bound to [zcdp] *)

Lemma holder {A} (Q : dist A) (p f : A -> R) g X : 0 < g -> 0 < X -> bounded p -> bounded f ->
  E Q (fun a => pw (p a) (1 + g)) <= X ->
  E Q (fun a => p a * f a) <= pw X (1 / (1 + g)) * pw (E Q (fun a => pw (f a) ((1 + g) / g))) (g / (1 + g)).
Proof.
  intros Hg HX Hp Hf HpX; set (b := (1 + g) / g). set (t := 1 / (1 + g)).
  assert (Hb : 0 < b) by (now apply ratio_pos).
  assert (Ht : 0 < t < 1).
  { unfold t; split; [apply Rdiv_lt_0_compat; lra |].
    apply Rmult_lt_reg_r with (1 + g); [lra |]; field_simplify; lra. }
  assert (E1 : g / (1 + g) = 1 - t) by (unfold t; field; lra). rewrite E1.
  assert (Bpf : bounded (fun a => p a * f a)).
  { destruct Hp as [M HM], Hf as [N HN]; exists (M * N); intros a; specialize (HM a); specialize (HN a).
    split; [apply Rmult_le_pos | apply Rmult_le_compat]; lra. }
  assert (Bp : bounded (fun a => pw (p a) (1 + g))) by (apply bounded_pw; auto; lra).
  assert (Bf : bounded (fun a => pw (f a) b)) by (apply bounded_pw; auto; lra).
  set (Y := E Q (fun a => pw (f a) b)).
  assert (HY : 0 <= Y) by (now apply E_pos).
  (* for every y > 0 *)
  assert (K : forall y, 0 < y -> E Q (fun a => p a * f a) <= pw X t * pw y (1 - t) * (t + (1 - t) * (Y / y))).
  { intros y Hy.
    assert (C : 0 < pw X t * pw y (1 - t)) by (apply Rmult_lt_0_compat; apply pw_gt0; lra).
    assert (Pt : forall a, p a * f a <=
      pw X t * pw y (1 - t) * (t / X) * pw (p a) (1 + g) + pw X t * pw y (1 - t) * ((1 - t) / y) * pw (f a) b).
    { intros a. pose proof (bounded_pos _ Hp a). pose proof (bounded_pos _ Hf a).
      assert (Yg := young (pw (p a) (1 + g) / X) (pw (f a) b / y) t
        ltac:(apply Rmult_le_pos; [apply pw_pos | left; apply Rinv_0_lt_compat; lra])
        ltac:(apply Rmult_le_pos; [apply pw_pos | left; apply Rinv_0_lt_compat; lra]) Ht).
      apply Rmult_le_compat_l with (r := pw X t * pw y (1 - t)) in Yg; [| lra].
      assert (Q1 : pw X t * pw (pw (p a) (1 + g) / X) t = p a).
      { rewrite <- pw_mult; [| lra | apply Rmult_le_pos; [apply pw_pos | left; apply Rinv_0_lt_compat; lra]].
        replace (X * (pw (p a) (1 + g) / X)) with (pw (p a) (1 + g)) by (field; lra).
        rewrite pw_pw by auto. replace ((1 + g) * t) with 1 by (unfold t; field; lra). now apply pw_1. }
      assert (Q2 : pw y (1 - t) * pw (pw (f a) b / y) (1 - t) = f a).
      { rewrite <- pw_mult; [| lra | apply Rmult_le_pos; [apply pw_pos | left; apply Rinv_0_lt_compat; lra]].
        replace (y * (pw (f a) b / y)) with (pw (f a) b) by (field; lra).
        rewrite pw_pw by auto. replace (b * (1 - t)) with 1 by (unfold b, t; field; lra). now apply pw_1. }
      replace (p a * f a) with (pw X t * pw y (1 - t) * (pw (pw (p a) (1 + g) / X) t * pw (pw (f a) b / y) (1 - t)))
        by (rewrite <- Q1 at 2; rewrite <- Q2 at 2; ring).
      eapply Rle_trans; [apply Yg | right; field; lra]. }
    set (c1 := pw X t * pw y (1 - t) * (t / X)) in *.
    set (c2 := pw X t * pw y (1 - t) * ((1 - t) / y)) in *.
    assert (0 <= c1) by (apply Rmult_le_pos; [lra | left; apply Rdiv_lt_0_compat; lra]).
    assert (0 <= c2) by (apply Rmult_le_pos; [lra | left; apply Rdiv_lt_0_compat; lra]).
    eapply Rle_trans; [apply E_mono; [exact Bpf | | exact Pt] |].
    { apply bounded_plus; now apply bounded_scale. }
    rewrite E_plus by (now apply bounded_scale). rewrite !E_scale by auto. fold Y.
    apply Rle_trans with (c1 * X + c2 * Y); [apply Rplus_le_compat_r, Rmult_le_compat_l; auto |].
    right; unfold c1, c2; field; lra. }
  destruct (Req_dec Y 0) as [Y0|Y0].
  - rewrite Y0, pw_0, Rmult_0_r.
    (* E <= t pw X t y^(1-t) for all y > 0 *)
    destruct (Rle_dec (E Q (fun a => p a * f a)) 0) as [|Hn]; auto. exfalso.
    set (e := E Q (fun a => p a * f a)) in *.
    assert (HpX0 : 0 < pw X t) by (apply pw_gt0; lra).
    assert (Hz : 0 < e / pw X t) by (apply Rdiv_lt_0_compat; lra).
    set (y := pw (e / pw X t) (1 / (1 - t))).
    assert (Hy : 0 < y) by (now apply pw_gt0).
    assert (L := K y Hy). rewrite Y0 in L.
    replace (pw y (1 - t)) with (e / pw X t) in L.
    2:{ unfold y; rewrite pw_pw by lra.
        replace (1 / (1 - t) * (1 - t)) with 1 by (field; lra). symmetry; apply pw_1; lra. }
    replace (pw X t * (e / pw X t) * (t + (1 - t) * (0 / y))) with (e * t) in L by (field; lra).
    nra.
  - assert (L := K Y ltac:(lra)).
    replace (t + (1 - t) * (Y / Y)) with 1 in L by (field; lra). lra.
Qed.

Theorem renyi_zcdp {A} rho (P Q : dist A) (p : A -> R) :
  bounded p -> (forall f, bounded f -> E P f = E Q (fun a => p a * f a)) ->
  (forall alpha, 1 < alpha -> E Q (fun a => pw (p a) alpha) <= exp (alpha * (alpha - 1) * rho)) ->
  zcdp rho P Q.
Proof.
  intros Hp HP H g Hg f Hf.
  rewrite HP by auto.
  eapply Rle_trans; [apply (holder Q p f g (exp ((1 + g) * g * rho))); auto; [apply exp_pos |] |].
  - replace ((1 + g) * g * rho) with ((1 + g) * ((1 + g) - 1) * rho) by ring. apply H; lra.
  - right; f_equal; rewrite pw_exp; f_equal; field; lra.
Qed.

(** ** eps to rho = eps^2 / 2 *)

(** tanh t <= t, as t cosh t - sinh t >= 0. *)
Lemma tanh_le t : 0 <= t -> exp t - exp (- t) <= t * (exp t + exp (- t)).
Proof.
  intros [Ht| <-]; [| rewrite Ropp_0, exp_0; lra].
  destruct (MVT_cor2 (fun t => t * (exp t + exp (- t)) - (exp t - exp (- t)))
    (fun t => t * (exp t - exp (- t))) 0 t Ht) as [c [Hc [c0 c1]]].
  { intros c _; apply is_derive_Reals; auto_derive; auto; ring. }
  rewrite Ropp_0, exp_0 in Hc.
  assert (exp (- c) <= exp c) by (apply exp_le; lra).
  assert (0 <= c * (exp c - exp (- c)) * (t - 0)) by (apply Rmult_le_pos; [apply Rmult_le_pos |]; lra).
  lra.
Qed.

(** cosh y / cosh x <= e^((y^2 - x^2)/2). *)
Lemma cosh_ratio x y : 0 <= x <= y ->
  (exp y + exp (- y)) * exp (- (y * y / 2)) <= (exp x + exp (- x)) * exp (- (x * x / 2)).
Proof.
  intros [Hx [Hxy| ->]]; [| lra].
  destruct (MVT_cor2 (fun t => (exp t + exp (- t)) * exp (- (t * t / 2)))
    (fun t => (exp t - exp (- t) - t * (exp t + exp (- t))) * exp (- (t * t / 2))) x y Hxy) as [c [Hc [c0 c1]]].
  { intros c _; apply is_derive_Reals; auto_derive; auto; unfold Rdiv; field. }
  assert (T := tanh_le c ltac:(lra)). pose proof (exp_pos (- (c * c / 2))).
  assert (0 <= (c * (exp c + exp (- c)) - (exp c - exp (- c))) * exp (- (c * c / 2)) * (y - x)).
  { apply Rmult_le_pos; [apply Rmult_le_pos |]; lra. }
  lra.
Qed.

Lemma response_renyi e alpha : 0 <= e -> 1 < alpha ->
  (exp (alpha * e) + exp ((1 - alpha) * e)) / (1 + exp e) <= exp (alpha * (alpha - 1) * (e * e / 2)).
Proof.
  intros He Ha; set (x := e / 2). set (y := (alpha - 1 / 2) * e).
  assert (C := cosh_ratio x y ltac:(unfold x, y; nra)).
  pose proof (exp_pos e). pose proof (exp_pos x).
  assert (P1 : exp (alpha * e) + exp ((1 - alpha) * e) = exp x * (exp y + exp (- y))).
  { rewrite Rmult_plus_distr_l, <- !exp_plus; f_equal; f_equal; unfold x, y; field. }
  assert (P2 : 1 + exp e = exp x * (exp x + exp (- x))).
  { rewrite Rmult_plus_distr_l, <- !exp_plus. replace (x + - x) with 0 by ring.
    replace (x + x) with e by (unfold x; field). rewrite exp_0; ring. }
  apply Rmult_le_reg_r with (1 + exp e); [lra |].
  replace ((exp (alpha * e) + exp ((1 - alpha) * e)) / (1 + exp e) * (1 + exp e))
    with (exp (alpha * e) + exp ((1 - alpha) * e)) by (field; lra).
  rewrite P1, P2. replace (alpha * (alpha - 1) * (e * e / 2)) with (y * y / 2 + - (x * x / 2)) by (unfold x, y; field).
  rewrite exp_plus.
  apply Rmult_le_compat_r with (r := exp x * exp (y * y / 2)) in C.
  2:{ apply Rmult_le_pos; left; apply exp_pos. }
  replace ((exp y + exp (- y)) * exp (- (y * y / 2)) * (exp x * exp (y * y / 2)))
    with (exp x * (exp y + exp (- y)) * (exp (- (y * y / 2)) * exp (y * y / 2))) in C by ring.
  rewrite <- exp_plus in C. replace (- (y * y / 2) + y * y / 2) with 0 in C by ring. rewrite exp_0 in C.
  lra.
Qed.

(** Two distributions that are eps-close in both directions are randomized response, post-processed:
    P = (c A + B) / (c + 1) and Q = (A + c B) / (c + 1) with c = e^eps. *)
Section Extremes.
  Context {A : Type} (P Q : dist A) (c : R) (Hc : 1 < c)
    (PQ : forall f, bounded f -> E P f <= c * E Q f).
  Program Definition extreme : dist A :=
    Dist A (fun f => (c * E Q f - E P f) / (c - 1)) _ _ _ _.
  Next Obligation.
    set (h := fun a => g a - f a).
    assert (Bh : bounded h).
    { apply bounded_le with g; auto; unfold h; intros a. pose proof (bounded_pos _ H a).
      specialize (H1 a); lra. }
    assert (Eg : forall d : dist A, E d g = E d f + E d h).
    { intros d; rewrite <- E_plus by auto; f_equal; apply functional_extensionality; intros; unfold h; ring. }
    rewrite (Eg P), (Eg Q). assert (L := PQ h Bh).
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | lra].
  Qed.
  Next Obligation. rewrite !E_plus by auto; field; lra. Qed.
  Next Obligation. rewrite !E_scale by auto; field; lra. Qed.
  Next Obligation. rewrite !E_one; field; lra. Qed.
End Extremes.

Lemma coin_ok c : 0 < c -> 0 <= c / (1 + c) <= 1.
Proof.
  intros; split; [left; apply Rdiv_lt_0_compat; lra |].
  apply Rmult_le_reg_r with (1 + c); [lra |]; field_simplify; lra.
Qed.
Lemma coin_ok' c : 0 < c -> 0 <= 1 / (1 + c) <= 1.
Proof.
  intros; split; [left; apply Rdiv_lt_0_compat; lra |].
  apply Rmult_le_reg_r with (1 + c); [lra |]; field_simplify; lra.
Qed.

Lemma response_zcdp e : 0 <= e ->
  zcdp (e * e / 2) (coin (exp e / (1 + exp e)) (coin_ok _ (exp_pos e)))
                   (coin (1 / (1 + exp e)) (coin_ok' _ (exp_pos e))).
Proof.
  intros He; pose proof (exp_pos e).
  apply renyi_zcdp with (p := fun b : bool => if b then exp e else exp (- e)).
  - exists (exp e); intros []; split; try (left; apply exp_pos); try lra; apply exp_le; lra.
  - intros f _; simpl. rewrite exp_Ropp; field; lra.
  - intros alpha Ha; simpl. rewrite !pw_exp.
    eapply Rle_trans; [| apply response_renyi; auto].
    right. replace (exp ((1 - alpha) * e)) with (exp e * exp (- e * alpha)) by (rewrite <- exp_plus; f_equal; ring).
    replace (alpha * e) with (e * alpha) by ring. field; lra.
Qed.

Theorem pure_zcdp {A} e (P Q : dist A) : 0 <= e ->
  pure e P Q -> pure e Q P -> zcdp (e * e / 2) P Q.
Proof.
  intros He PQ QP.
  destruct He as [He|He].
  2:{ subst e. replace (0 * 0 / 2) with 0 by field.
      intros g Hg f Hf. eapply Rle_trans; [apply (PQ f Hf) |]. rewrite exp_0, Rmult_1_l.
      apply (zcdp_refl Q g Hg f Hf). }
  assert (Hc : 1 < exp e) by (rewrite <- exp_0; now apply exp_increasing).
  set (c := exp e) in *.
  set (kern := fun b : bool => if b then extreme Q P c Hc QP else extreme P Q c Hc PQ).
  assert (Z := zcdp_bind (e * e / 2) 0 _ _ kern kern (response_zcdp e ltac:(lra)) (fun b => zcdp_refl (kern b))).
  rewrite Rplus_0_r in Z.
  intros g Hg f Hf. assert (L := Z g Hg f Hf).
  assert (EP : forall h, E (bind (coin (exp e / (1 + exp e)) (coin_ok _ (exp_pos e))) kern) h = E P h).
  { intros h; simpl; fold c; field; lra. }
  assert (EQ : forall h, E (bind (coin (1 / (1 + exp e)) (coin_ok' _ (exp_pos e))) kern) h = E Q h).
  { intros h; simpl; fold c; field; lra. }
  rewrite EP, EQ in L. exact L.
Qed.
