(** Mechanisms that compare noisy counts and release places only: report noisy max
    (src/mechanism/noisy_max.rs) and above threshold (src/mechanism/above.rs), with proofs/noisy_max.md
    and proofs/above.md.  No exchange of expectations is needed: one noise is shifted where it
    stands, at the price of the shift, and all others are compared point by point. *)

From Coq Require Import Reals Lra Lia Psatz ZArith Bool List FunctionalExtensionality.
Import ListNotations.
From Privet Require Import Dist Power Notions Convert Exp Laplace Choose.
Open Scope R_scope.

(** ** Finitely many outcomes *)

Lemma bounded_total {A} n (c : nat -> R) (g : nat -> A -> R) :
  (forall i, 0 <= c i) -> (forall i, bounded (g i)) -> bounded (fun a => total n (fun i => c i * g i a)).
Proof.
  intros Hc Hg; induction n as [|n IH]; simpl; [apply bounded_const; lra |].
  apply (bounded_plus (fun a => total n (fun i => c i * g i a)) (fun a => c n * g n a)); auto.
  apply (bounded_scale (c n) (g n)); auto.
Qed.
Lemma E_total {A} (d : dist A) n (c : nat -> R) (g : nat -> A -> R) :
  (forall i, 0 <= c i) -> (forall i, bounded (g i)) ->
  E d (fun a => total n (fun i => c i * g i a)) = total n (fun i => c i * E d (g i)).
Proof.
  intros Hc Hg; induction n as [|n IH]; simpl; [apply E_const; lra |].
  rewrite (E_plus d (fun a => total n (fun i => c i * g i a)) (fun a => c n * g n a)).
  - rewrite IH, (E_scale d (c n) (g n)); auto.
  - now apply bounded_total.
  - apply (bounded_scale (c n) (g n)); auto.
Qed.

Definition split (n : nat) (f : nat -> R) (a : nat) : R := total n (fun k => f k * ind (Nat.eqb k) a).
Lemma split_value n f a : split n f a = if Nat.ltb a n then f a else 0.
Proof.
  unfold split; induction n as [|n IH]; simpl; [reflexivity |]. rewrite IH. unfold ind at 1.
  destruct (Nat.ltb_spec a n), (Nat.ltb_spec a (S n)), (Nat.eqb_spec n a); subst; try lia; ring.
Qed.
Lemma split_le n f a : bounded f -> split n f a <= f a.
Proof. intros H; rewrite split_value; destruct (Nat.ltb a n); [lra | now apply bounded_pos]. Qed.

Lemma pure_finite n e (P Q : dist nat) :
  (forall f, bounded f -> E P f <= E P (split n f)) ->
  (forall k, (k < n)%nat -> Pr P (Nat.eqb k) <= exp e * Pr Q (Nat.eqb k)) -> pure e P Q.
Proof.
  intros Hs H f Hf.
  assert (c0 : forall i, 0 <= f i) by (now apply bounded_pos).
  assert (Bi : forall i, bounded (ind (Nat.eqb i))) by (intros; apply bounded_ind).
  eapply Rle_trans; [apply Hs; auto |]. unfold split. rewrite E_total by auto.
  apply Rle_trans with (exp e * total n (fun i => f i * E Q (ind (Nat.eqb i)))).
  - rewrite <- total_scale. apply total_le; intros i Hi. specialize (H i Hi). unfold Pr in H.
    replace (exp e * (f i * E Q (ind (Nat.eqb i)))) with (f i * (exp e * E Q (ind (Nat.eqb i)))) by ring.
    apply Rmult_le_compat_l; auto.
  - apply Rmult_le_compat_l; [left; apply exp_pos |]. rewrite <- E_total by auto.
    apply E_mono; auto; [now apply bounded_total |]. intros a; now apply split_le.
Qed.

(** ** Noise on cells, compared point by point *)

Definition adds (u r : list Z) : list Z := map (fun p => fst p + snd p)%Z (combine u r).

Section Noisy.
  Variable e : R.
  Hypothesis He : 0 < e.

  Lemma cells_le u : forall v g h, length u = length v -> bounded g -> bounded h ->
    (forall r, length r = length u -> g (adds u r) <= h (adds v r)) ->
    E (laplace_cells e He u) g <= E (laplace_cells e He v) h.
  Proof.
    induction u as [|c u IH]; intros [|c' v] g h L Bg Bh H; try discriminate L.
    - exact (H [] eq_refl).
    - cbn [laplace_cells]. rewrite !E_bind. unfold laplace; rewrite !E_dmap.
      assert (B : forall (x : Z) f, bounded f -> bounded (fun ys : list Z => f (x :: ys))).
      { intros x f [M HM]; exists M; intros; apply HM. }
      apply E_mono.
      + destruct Bg as [M HM].
        apply (bounded_E (fun _ => laplace_cells e He u) (fun z ys => g (c + z :: ys)%Z) M); intros; apply HM.
      + destruct Bh as [M HM].
        apply (bounded_E (fun _ => laplace_cells e He v) (fun z ys => h (c' + z :: ys)%Z) M); intros; apply HM.
      + intros z. rewrite !E_bind.
        apply (IH v (fun ys => g (c + z :: ys)%Z) (fun ys => h (c' + z :: ys)%Z)); auto.
        intros r Hr. apply (H (z :: r)); simpl; now f_equal.
  Qed.

  (** *** Report noisy max *)

  (** The first place of the largest. *)
  Fixpoint first_largest (y : list Z) : nat :=
    match y with
    | [] => O
    | z :: y => match y with [] => O | _ => if (nth (first_largest y) y 0 <=? z)%Z then O else S (first_largest y) end
    end.
  Definition wins (y : list Z) (i : nat) : Prop :=
    (i < length y)%nat /\ (forall j, (j < i)%nat -> (nth j y 0 < nth i y 0)%Z) /\
    (forall j, (i < j < length y)%nat -> (nth j y 0 <= nth i y 0)%Z).
  Lemma first_largest_wins y : y <> [] -> wins y (first_largest y).
  Proof.
    induction y as [|z y IH]; [congruence |]. intros _. cbn [first_largest].
    destruct y as [|z' y']; [repeat split; simpl; intros; lia |].
    set (y := z' :: y') in *. destruct (IH ltac:(discriminate)) as [L [B A]]. set (i := first_largest y) in *. clearbody i y.
    destruct (Z.leb_spec (nth i y 0%Z) z) as [Le|Lt].
    - repeat split; [simpl; lia | intros; lia |]. intros [|j] Hj; [lia |]. cbn [nth length] in *.
      destruct (Nat.lt_trichotomy j i) as [J|[->|J]]; [specialize (B j J); lia | lia | specialize (A j ltac:(lia)); lia].
    - repeat split; [simpl; lia | |]; intros [|j] Hj; cbn [nth length] in *; try lia.
      + apply B; lia.
      + apply A; lia.
  Qed.
  Lemma wins_unique y i j : wins y i -> wins y j -> i = j.
  Proof.
    intros [L [B A]] [L' [B' A']]. destruct (Nat.lt_trichotomy i j) as [J|[->|J]]; auto; exfalso.
    - specialize (B' i J). specialize (A j ltac:(lia)). lia.
    - specialize (B j J). specialize (A' i ltac:(lia)). lia.
  Qed.

  Definition noisy_max (u : list Z) : dist nat := dmap first_largest (laplace_cells e He u).

  Lemma nth_adds u : forall r i, length r = length u -> (i < length u)%nat ->
    nth i (adds u r) 0%Z = (nth i u 0 + nth i r 0)%Z.
  Proof.
    unfold adds; induction u as [|c u IH]; intros [|z r] [|i] L Hi; simpl in *; try lia; auto.
    apply IH; lia.
  Qed.
  Lemma length_adds u : forall r, length r = length u -> length (adds u r) = length u.
  Proof. intros r L; unfold adds. rewrite map_length, combine_length; lia. Qed.

  Fixpoint set_at (i : nat) (z : Z) (u : list Z) : list Z :=
    match u, i with [], _ => [] | _ :: u, O => z :: u | c :: u, S i => c :: set_at i z u end.
  Lemma length_set i z u : length (set_at i z u) = length u.
  Proof. revert i; induction u; intros [|i]; simpl; auto. Qed.
  Lemma nth_set_at i z u : (i < length u)%nat -> forall j,
    nth j (set_at i z u) 0%Z = if Nat.eqb j i then z else nth j u 0%Z.
  Proof. revert i; induction u as [|c u IH]; intros [|i] L [|j]; simpl in *; try lia; auto. apply IH; lia. Qed.
  Lemma l1_set i z u : (i < length u)%nat -> l1 (set_at i z u) u = Z.abs_nat (z - nth i u 0%Z).
  Proof.
    assert (Z0 : forall v, l1 v v = O) by (induction v; simpl; rewrite ?IHv; lia).
    revert i; induction u as [|c u IH]; intros [|i] L; cbn [set_at l1 nth length] in *; try lia.
    - rewrite Z0; lia.
    - rewrite IH by lia. lia.
  Qed.

  Lemma most n (d : nat -> Z) : (0 < n)%nat -> exists j, (j < n)%nat /\ forall i, (i < n)%nat -> (d i <= d j)%Z.
  Proof.
    induction n as [|n IH]; [lia |]. intros _. destruct n as [|n].
    { exists 0%nat; split; [lia |]. intros i Hi; replace i with 0%nat by lia; lia. }
    destruct (IH ltac:(lia)) as [j [Hj H]]. destruct (Z_le_gt_dec (d (S n)) (d j)) as [L|L].
    - exists j; split; [lia |]. intros i Hi. destruct (Nat.eq_dec i (S n)) as [->|]; auto. apply H; lia.
    - exists (S n); split; [lia |]. intros i Hi. destruct (Nat.eq_dec i (S n)) as [->|]; [lia |].
      specialize (H i ltac:(lia)); lia.
  Qed.

  (** Two cells move apart by at most [w]: the place is private at [w] steps of the noise. *)
  Theorem noisy_max_private u u' w : u <> [] -> length u = length u' ->
    (forall i j, (i < length u)%nat -> (j < length u)%nat ->
      (nth i u' 0 - nth i u 0) - (nth j u' 0 - nth j u 0) <= Z.of_nat w)%Z ->
    pure (INR w * e) (noisy_max u) (noisy_max u').
  Proof.
    intros Ne L Sp.
    assert (Hn : (0 < length u)%nat) by (destruct u; [congruence | simpl; lia]).
    destruct (most (length u) (fun j => nth j u' 0 - nth j u 0)%Z Hn) as [t [Ht Most]].
    set (M := (nth t u' 0 - nth t u 0)%Z) in *.
    assert (Bmap : forall f : nat -> R, bounded f -> bounded (fun y => f (first_largest y))).
    { intros f [B HB]; exists B; intros; apply HB. }
    assert (NotNil : forall v r, length v = length u -> length r = length v -> adds v r <> []).
    { intros v r H1 H2 H3. apply length_adds in H2. rewrite H3 in H2. simpl in H2; lia. }
    apply (pure_finite (length u)).
    - intros f Hf. unfold noisy_max; rewrite !E_dmap. apply cells_le; auto.
      + apply Bmap. unfold split. apply bounded_total; [now apply bounded_pos | intros; apply bounded_ind].
      + intros r Hr. rewrite split_value.
        destruct (first_largest_wins (adds u r) (NotNil u r eq_refl Hr)) as [Lt _]. rewrite length_adds in Lt by auto.
        apply Nat.ltb_lt in Lt; rewrite Lt; lra.
    - intros i Hi. set (v := set_at i (nth i u 0 + M)%Z u').
      assert (Lv : length v = length u) by (unfold v; rewrite length_set; auto).
      unfold Pr, noisy_max; rewrite !E_dmap.
      apply Rle_trans with (E (laplace_cells e He v) (fun y => ind (Nat.eqb i) (first_largest y))).
      + apply cells_le; auto; try (apply Bmap, bounded_ind).
        intros r Hr. unfold ind at 1. destruct (Nat.eqb_spec i (first_largest (adds u r))) as [Ei|_].
        2:{ unfold ind; destruct (Nat.eqb _ _); lra. }
        assert (W := first_largest_wins (adds u r) (NotNil u r eq_refl Hr)). rewrite <- Ei in W.
        assert (Wv : wins (adds v r) i).
        { destruct W as [W1 [W2 W3]]. rewrite length_adds in W1, W3 by auto.
          assert (Vi : nth i v 0%Z = (nth i u 0 + M)%Z) by (unfold v; rewrite nth_set_at, Nat.eqb_refl by lia; auto).
          assert (Vj : forall j, (j < length u)%nat -> j <> i -> (nth j v 0 <= nth j u 0 + M)%Z).
          { intros j Hj Nj. unfold v; rewrite nth_set_at by lia.
            replace (Nat.eqb j i) with false by (symmetry; now apply Nat.eqb_neq). specialize (Most j Hj). lia. }
          unfold wins. rewrite length_adds by lia. split; [lia |]. split; intros j Hj.
          - rewrite !nth_adds, Vi by lia. specialize (W2 j Hj). rewrite !nth_adds in W2 by lia.
            specialize (Vj j ltac:(lia) ltac:(lia)). lia.
          - rewrite !nth_adds, Vi by lia. specialize (W3 j ltac:(lia)). rewrite !nth_adds in W3 by lia.
            specialize (Vj j ltac:(lia) ltac:(lia)). lia. }
        assert (Ev : first_largest (adds v r) = i).
        { apply wins_unique with (adds v r); auto. apply first_largest_wins, NotNil; lia. }
        rewrite Ev. unfold ind; rewrite Nat.eqb_refl; lra.
      + assert (P := laplace_cells_private e He v u' ltac:(lia)).
        assert (C : (l1 v u' <= w)%nat).
        { unfold v; rewrite l1_set by lia. specialize (Most i Hi). specialize (Sp t i Ht Hi). fold M in Sp. lia. }
        apply (pure_mono _ (INR w * e)) in P; [| apply Rmult_le_compat_r; [lra | now apply le_INR]].
        apply P, Bmap, bounded_ind.
  Qed.
End Noisy.

(** ** Above threshold *)

Section Above.
  Variables (e : R) (s : nat).                       (* eps, and the sensitivity of each answer *)
  Hypothesis He : 0 < e.
  Hypothesis Hs : (0 < s)%nat.
  Lemma threshold_scale : 0 < e / (2 * INR s).
  Proof. apply Rdiv_lt_0_compat; auto. pose proof (lt_0_INR s Hs). lra. Qed.
  Lemma answer_scale : 0 < e / (4 * INR s).
  Proof. apply Rdiv_lt_0_compat; auto. pose proof (lt_0_INR s Hs). lra. Qed.

  (** The first place whose noisy answer reaches the noisy threshold; the number of answers if none. *)
  Fixpoint search (bar : Z) (i : nat) (q : list Z) : dist nat :=
    match q with
    | [] => ret i
    | a :: q => bind (laplace _ answer_scale a) (fun y => if (bar <=? y)%Z then ret i else search bar (S i) q)
    end.
  Definition first_above (threshold : Z) (q : list Z) : dist nat :=
    bind (laplace _ threshold_scale threshold) (fun bar => search bar 0 q).

  Definition near (q q' : list Z) : Prop := Forall2 (fun a b => (Z.abs (a - b) <= Z.of_nat s)%Z) q q'.

  Lemma search_from bar q : forall i k, (k < i)%nat -> Pr (search bar i q) (Nat.eqb k) = 0.
  Proof.
    induction q as [|a q IH]; intros i k K; unfold Pr; cbn [search].
    - rewrite E_ret; unfold ind. replace (Nat.eqb k i) with false by (symmetry; apply Nat.eqb_neq; lia). auto.
    - rewrite E_bind. transitivity (E (laplace _ answer_scale a) (fun _ => 0)); [| apply E_const; lra].
      f_equal; apply functional_extensionality; intros y. destruct (bar <=? y)%Z.
      + rewrite E_ret; unfold ind. replace (Nat.eqb k i) with false by (symmetry; apply Nat.eqb_neq; lia). auto.
      + apply IH; lia.
  Qed.

  (** On the neighbour, with the threshold raised by the sensitivity: only the place found costs. *)
  Lemma search_private q q' : near q q' -> forall bar i k,
    Pr (search bar i q) (Nat.eqb k) <= exp (e / 2) * Pr (search (bar + Z.of_nat s) i q') (Nat.eqb k).
  Proof.
    assert (1 <= exp (e / 2)) as X1 by (rewrite <- exp_0; apply exp_le; lra).
    induction 1 as [|a b q q' AB H IH]; intros bar i k.
    - unfold Pr; simpl. assert (0 <= ind (Nat.eqb k) i) by (unfold ind; destruct (Nat.eqb k i); lra). nra.
    - assert (Bk : forall (m : Z -> dist nat), bounded (fun y => E (m y) (ind (Nat.eqb k)))).
      { intros m; apply bounded_at, bounded_ind. }
      unfold Pr; cbn [search]; rewrite !E_bind. destruct (Nat.lt_trichotomy k i) as [K|[->|K]].
      + change (Pr (search bar i (a :: q)) (Nat.eqb k) <= exp (e / 2) * Pr (search (bar + Z.of_nat s) i (b :: q')) (Nat.eqb k)).
        rewrite !search_from by auto. lra.
      + (* the place found: noise is shifted by twice the sensitivity *)
        set (hit := fun t y => if (t <=? y)%Z then 1 else 0 : R).
        assert (Eq : forall t c r, E (laplace _ answer_scale c)
            (fun y => E (if (t <=? y)%Z then ret i else search t (S i) r) (ind (Nat.eqb i))) =
          E (laplace _ answer_scale c) (hit t)).
        { intros t c r; f_equal; apply functional_extensionality; intros y; unfold hit. destruct (t <=? y)%Z.
          - rewrite E_ret; unfold ind; now rewrite Nat.eqb_refl.
          - change (Pr (search t (S i) r) (Nat.eqb i) = 0). apply search_from; lia. }
        rewrite !Eq.
        assert (Bh : forall t, bounded (hit t)) by (intros t; exists 1; intros y; unfold hit; destruct (t <=? y)%Z; lra).
        assert (P := laplace_private _ answer_scale (b + 2 * Z.of_nat s) b).
        replace (b + 2 * Z.of_nat s - b)%Z with (2 * Z.of_nat s)%Z in P by ring.
        replace (Z.abs_nat (2 * Z.of_nat s)) with (2 * s)%nat in P by lia.
        replace (INR (2 * s) * (e / (4 * INR s))) with (e / 2) in P.
        2:{ rewrite mult_INR; change (INR 2) with 2. pose proof (lt_0_INR s Hs). field; lra. }
        eapply Rle_trans; [| apply P; auto]. unfold laplace; rewrite !E_dmap. apply E_mono.
        * destruct (Bh bar) as [M HM]; exists M; intros; apply HM.
        * destruct (Bh (bar + Z.of_nat s)%Z) as [M HM]; exists M; intros; apply HM.
        * intros z; unfold hit.
          destruct (Z.leb_spec bar (a + z)), (Z.leb_spec (bar + Z.of_nat s) (b + 2 * Z.of_nat s + z)); try lra. lia.
      + (* not yet: what is below stays below *)
        rewrite <- E_scale by (try apply Bk; lra). unfold laplace; rewrite !E_dmap.
        assert (Bc : forall c (m : Z -> dist nat), bounded (fun z => E (m (c + z)%Z) (ind (Nat.eqb k)))).
        { intros c m; apply (Bk (fun z => m (c + z)%Z)). }
        set (f := fun y => E (if (bar <=? y)%Z then ret i else search bar (S i) q) (ind (Nat.eqb k))).
        set (g := fun y => E (if (bar + Z.of_nat s <=? y)%Z then ret i else search (bar + Z.of_nat s) (S i) q') (ind (Nat.eqb k))).
        assert (F0 : forall y, f y <= exp (e / 2) * Pr (search (bar + Z.of_nat s) (S i) q') (Nat.eqb k)).
        { intros y; unfold f; destruct (bar <=? y)%Z; [| apply IH].
          rewrite E_ret; unfold ind. replace (Nat.eqb k i) with false by (symmetry; apply Nat.eqb_neq; lia).
          apply Rmult_le_pos; [lra | apply E_pos, bounded_ind]. }
        apply E_mono.
        * apply (Bc a (fun y => if (bar <=? y)%Z then ret i else search bar (S i) q)).
        * apply bounded_scale; [lra |]. apply (Bc b (fun y => if (bar + Z.of_nat s <=? y)%Z then ret i else search (bar + Z.of_nat s) (S i) q')).
        * intros z. change (f (a + z)%Z <= exp (e / 2) * g (b + z)%Z). unfold g.
          destruct (Z.leb_spec (bar + Z.of_nat s) (b + z)); [| apply F0].
          unfold f. destruct (Z.leb_spec bar (a + z)); [| lia]. rewrite !E_ret; unfold ind.
          replace (Nat.eqb k i) with false by (symmetry; apply Nat.eqb_neq; lia). lra.
  Qed.

  Lemma search_support f q : bounded f -> forall bar i,
    E (search bar i q) f <= E (search bar i q) (split (S (i + length q)) f).
  Proof.
    intros Hf; induction q as [|a q IH]; intros bar i; cbn [search length].
    - rewrite !E_ret, split_value. replace (Nat.ltb i (S (i + 0))) with true by (symmetry; apply Nat.ltb_lt; lia). lra.
    - assert (Bs : bounded (split (S (i + S (length q))) f)).
      { unfold split; apply bounded_total; [now apply bounded_pos | intros; apply bounded_ind]. }
      rewrite !E_bind. apply E_mono; try (now apply bounded_at). intros y. destruct (bar <=? y)%Z.
      + rewrite !E_ret, split_value. replace (Nat.ltb i (S (i + S (length q)))) with true by (symmetry; apply Nat.ltb_lt; lia). lra.
      + replace (i + S (length q))%nat with (S i + length q)%nat by lia. apply IH.
  Qed.

  Theorem first_above_private threshold q q' : near q q' ->
    pure e (first_above threshold q) (first_above threshold q').
  Proof.
    intros N. apply (pure_finite (S (length q))).
    - intros f Hf. unfold first_above; rewrite !E_bind.
      apply E_mono; [now apply bounded_at | apply bounded_at; unfold split; apply bounded_total; [now apply bounded_pos | intros; apply bounded_ind] |].
      intros bar. apply (search_support f q Hf bar 0).
    - intros k _. unfold first_above, Pr; rewrite !E_bind.
      set (h := fun bar => E (search bar 0 q') (ind (Nat.eqb k))).
      assert (Bh : bounded h) by (apply bounded_at, bounded_ind).
      assert (P := laplace_private _ threshold_scale (threshold + Z.of_nat s) threshold).
      replace (threshold + Z.of_nat s - threshold)%Z with (Z.of_nat s) in P by ring.
      rewrite Zabs2Nat.id in P.
      replace (INR s * (e / (2 * INR s))) with (e / 2) in P by (pose proof (lt_0_INR s Hs); field; lra).
      specialize (P h Bh).
      apply Rle_trans with (exp (e / 2) * E (laplace _ threshold_scale (threshold + Z.of_nat s)) h).
      + rewrite <- E_scale by (auto; left; apply exp_pos). unfold laplace; rewrite !E_dmap. apply E_mono.
        * apply (bounded_at (fun z => search (threshold + z) 0 q)), bounded_ind.
        * apply bounded_scale; [left; apply exp_pos |]. destruct Bh as [M HM]; exists M; intros; apply HM.
        * intros z. eapply Rle_trans; [apply (search_private q q' N) |]. right. unfold h. replace (threshold + Z.of_nat s + z)%Z with (threshold + z + Z.of_nat s)%Z by ring. reflexivity.
      + assert (X : exp e = exp (e / 2) * exp (e / 2)) by (rewrite <- exp_plus; f_equal; field). rewrite X, Rmult_assoc.
        apply Rmult_le_compat_l; [left; apply exp_pos | exact P].
  Qed.
End Above.
