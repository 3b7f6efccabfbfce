(** The theorems, in one place.  Read this file against the promise of the crate; everything else is
    proof.  It states nothing new: each theorem is the one of the file that it names.

    What the words mean, in the order in which a reader should check them:
    - [Dist.dist]: a distribution is its expectation on bounded functions that are not negative;
    - [Notions.pure], [zcdp], [approx]: the three notions of privacy, for two distributions;
    - [Cost.promised]: what a price [c], as it stands in a type, says of two distributions;
    - [Mechanism.run] and [typed]: what a mechanism does, and what the compiler says that it costs;
    - [Vault.exec] and [wt]: what a program does, and that it compiles;
    - [Fraction], [Tiny], [Group]: the arithmetic of prices, as functions; [None] does not compile. *)

From Coq Require Import NArith ZArith Bool Reals List.
Import ListNotations.
From Privet Require Import Dist Power Notions Convert Exp Fraction Digits Natural Tiny Group Decimals Cost Ledger Mechanism Vault Laplace Sensitivity Response Choose Noisy Keys Readme.
Open Scope R_scope.

(** ** The promise

    A program that compiles, on a vault opened with the budget [B], answers on neighbouring tables
    with distributions for which the promise of [B] holds: whatever it asks, in whatever order, from
    whichever parts of the vault, with whatever it chooses from earlier answers, and whether or not
    some of its releases fail. *)
Theorem promise : forall (row X : Type) (R : relation row) (B : cost) (p : program X),
  symmetric row R -> well_formed B -> wt X R [TVault B] p ->
  forall x y, R x y -> promised B (exec X p [Vault] x) (exec X p [Vault] y).
Proof. exact (fun row X => vault_sound X). Qed.

(** In probabilities: no event is much likelier on one of two neighbouring tables. *)
Corollary promise_pure : forall (row X : Type) (R : relation row) (e : frac) (p : program X),
  symmetric row R -> valid e -> wt X R [TVault (Eps e)] p ->
  forall x y, R x y -> forall S, Pr (exec X p [Vault] x) S <= exp (val e) * Pr (exec X p [Vault] y) S.
Proof.
  intros row X R e p Sy V T x y XY S. apply pure_event. exact (promise row X R (Eps e) p Sy V T x y XY).
Qed.
Corollary promise_approx : forall (row X : Type) (R : relation row) (e : frac) (d : tiny) (p : program X),
  symmetric row R -> valid e -> wt X R [TVault (Approx e d)] p ->
  forall x y, R x y -> forall S, Pr (exec X p [Vault] x) S <= exp (val e) * Pr (exec X p [Vault] y) S + valT d.
Proof.
  intros row X R e d p Sy V T x y XY S. apply approx_event. exact (promise row X R (Approx e d) p Sy V T x y XY).
Qed.

(** ** Mechanisms: a price in a type is a price *)
Theorem mechanism_promise : forall (row : Type) (R : relation row) (A : Type) (m : mechanism row A) (c : cost),
  typed row R A m c -> symmetric row R -> well_formed c /\ private row R c (run row m).
Proof. exact mechanism_sound. Qed.

(** ** Notions *)

(** Composition adds, also where the second step is chosen from the first answer. *)
Theorem composition : forall A B e1 d1 e2 d2 r1 r2 (P Q : dist A) (k l : A -> dist B), 0 <= d2 ->
  (pure e1 P Q -> (forall a, pure e2 (k a) (l a)) -> pure (e1 + e2) (bind P k) (bind Q l)) /\
  (zcdp r1 P Q -> (forall a, zcdp r2 (k a) (l a)) -> zcdp (r1 + r2) (bind P k) (bind Q l)) /\
  (approx e1 d1 P Q -> (forall a, approx e2 d2 (k a) (l a)) -> approx (e1 + e2) (d1 + d2) (bind P k) (bind Q l)).
Proof. intros; split; [| split]; auto using pure_bind, zcdp_bind, approx_bind. Qed.

(** Conversions: eps-DP in both directions is eps^2/2-zCDP; rho-zCDP is (eps, delta)-DP. *)
Theorem pure_to_zcdp : forall A e (P Q : dist A), 0 <= e -> pure e P Q -> pure e Q P -> zcdp (e * e / 2) P Q.
Proof. exact @pure_zcdp. Qed.
Theorem zcdp_to_approx : forall A rho eps del (P Q : dist A),
  0 < rho -> rho < eps -> 0 < del -> 4 * rho * ln (1 / del) <= (eps - rho) * (eps - rho) ->
  zcdp rho P Q -> approx eps del P Q.
Proof. exact @zcdp_approx. Qed.

(** The conversion at the order alpha = 1 + g, which the types use. *)
Theorem zcdp_to_approx_at_order : forall A g rho eps del (P Q : dist A), 0 < g -> 0 < del ->
  ln (1 / del) <= g * (eps - (1 + g) * rho) + ln (1 + g) + g * ln (1 + 1 / g) ->
  zcdp rho P Q -> approx eps del P Q.
Proof. exact @zcdp_approx_order. Qed.

(** The form of zCDP used here is the usual one, where there is a density. *)
Theorem zcdp_is_renyi : forall A rho (P Q : dist A) (p : A -> R),
  bounded p -> (forall f, bounded f -> E P f = E Q (fun a => p a * f a)) ->
  (zcdp rho P Q <-> forall alpha, 1 < alpha -> E Q (fun a => pw (p a) alpha) <= exp (alpha * (alpha - 1) * rho)).
Proof. intros A rho P Q p Hp HP; split; [now apply zcdp_renyi | now apply renyi_zcdp]. Qed.

(** Groups of up to k. *)
Theorem groups_pay : forall k c d, well_formed c -> group k c = Some d -> (0 < k)%N ->
  well_formed d /\ forall A (P Q : dist A) j, (j <= N.to_nat k)%nat -> path (promised c) j P Q -> promised d P Q.
Proof. exact group_sound. Qed.

(** ** Arithmetic: never in favour of the spender *)

(** A result that does not fit is rounded in the stated direction, by less than one unit of its last
    place; sums and scalings go up, what is left and parts go down, comparisons are exact. *)
Theorem rounding : forall dir x y f, fit dir x y = Some f -> favours_nobody dir x y f.
Proof. exact fit_sound. Qed.
(** The same from the digits of the constants, as the types compute it. *)
Theorem digit_by_digit : forall a b k, in_range a -> in_range b -> (0 < k <= 10 ^ 9)%N ->
  sum_digits a b = sum a b /\ debit_digits a b = debit a b /\ le_digits a b = le a b /\
  scale_digits k a = scale k a /\ part_digits k a = part k a /\ half_square_digits a = half_square a.
Proof.
  intros a b k Ha Hb [K0 K]. split; [now apply sum_digits_spec |]. split; [now apply debit_digits_spec |].
  split; [now apply le_digits_spec |]. split; [now apply scale_digits_spec |].
  split; [now apply part_digits_spec | now apply half_square_digits_spec].
Qed.
Theorem digit_by_digit_probabilities : forall a b e k, small a -> small b -> in_range e -> (0 < k <= 10 ^ 9)%N ->
  tiny_sum_digits a b = tiny_sum a b /\ tiny_debit_digits a b = tiny_debit a b /\ tiny_le_digits a b = tiny_le a b /\
  tiny_group_digits a e k = tiny_group a e k.
Proof.
  intros a b e k Ha Hb He K. split; [now apply tiny_sum_digits_spec |]. split; [now apply tiny_debit_digits_spec |].
  split; [now apply tiny_le_digits_spec |]. now apply tiny_group_digits_spec.
Qed.
Theorem sums_up : forall a b s, valid a -> valid b -> sum a b = Some s -> valid s /\ val a + val b <= val s.
Proof. exact sum_sound. Qed.
Theorem debits_down : forall b c l, valid b -> valid c -> debit b c = Some l -> valid l /\ val c + val l <= val b.
Proof. exact debit_sound. Qed.
Theorem comparisons_exact : forall a b, valid a -> valid b -> (le a b = true <-> val a <= val b).
Proof. exact le_sound. Qed.
Theorem parts_down : forall k a p, (0 < k)%N -> valid a -> part k a = Some p -> valid p /\ real k * val p <= val a.
Proof. exact part_sound. Qed.
Theorem tiny_sums_up : forall a b s, tiny_sum a b = Some s -> valT a + valT b <= valT s.
Proof. exact tiny_sum_sound. Qed.
Theorem tiny_debits_down : forall b c l, tiny_debit b c = Some l -> valT c + valT l <= valT b.
Proof. exact tiny_debit_sound. Qed.
Theorem group_deltas_up : forall a e k t, (0 < k)%N -> valid e -> tiny_group a e k = Some t ->
  real k * exp (real (k - 1) * val e) * valT a <= valT t.
Proof. exact tiny_group_sound. Qed.

(** What is left and what was paid are worth at most the budget, in every notion that it has a
    worth in: so a pure part split off a zCDP budget may be spent next to zCDP releases. *)
Theorem debits_in_every_notion : forall b c l, well_formed b -> well_formed c -> left_of b c = Some l ->
  well_formed l /\ forall n ub, worth n (notion_of b) (price b) = Some ub ->
    exists uc ul, worth n (notion_of c) (price c) = Some uc /\ worth n (notion_of l) (price l) = Some ul /\
      nonneg uc /\ nonneg ul /\ below (add uc ul) ub.
Proof. exact left_sound. Qed.

(** The ledger of a meter, in 128 bits. *)
Theorem meters_never_understate : forall s c cap s', well_formed c -> well_formed cap -> sane s ->
  charge s c cap = Some s' -> sane s' /\ below (Ledger.total s') (price cap) /\
  exists u, worth (notion_of cap) (notion_of c) (price c) = Some u /\ nonneg u /\ below (add (Ledger.total s) u) (Ledger.total s').
Proof. exact charge_sound. Qed.

(** ** The program of the README, from the table to the promise: nothing is assumed of its parts *)
Theorem readme : forall (steps : nat) (Hsteps : (0 < steps)%nat) ratio X done fault fault' x y,
  add_remove patient x y -> forall S,
  Pr (exec X (main steps Hsteps ratio X done fault fault') [Vault] x) S <=
    exp 1 * Pr (exec X (main steps Hsteps ratio X done fault fault') [Vault] y) S.
Proof. exact readme_promise. Qed.

(** ** Leaves *)
Theorem randomized_response : forall e k Hk v v', 0 <= e -> (v < k)%nat -> (v' < k)%nat ->
  pure e (respond_among e k Hk v) (respond_among e k Hk v').
Proof. exact respond_among_private. Qed.
Theorem exponential_mechanism : forall h n Hn u u' w, 0 <= h -> spread n u u' w ->
  pure (h * w) (choose h n Hn u) (choose h n Hn u').
Proof. exact choose_private. Qed.
Theorem report_noisy_max : forall e He u u' w, u <> [] -> length u = length u' ->
  (forall i j, (i < length u)%nat -> (j < length u)%nat ->
    ((nth i u' 0 - nth i u 0) - (nth j u' 0 - nth j u 0) <= Z.of_nat w)%Z) ->
  pure (INR w * e) (noisy_max e He u) (noisy_max e He u').
Proof. exact noisy_max_private. Qed.
Theorem above_threshold : forall e s He Hs threshold q q', near s q q' ->
  pure e (first_above e s He Hs threshold q) (first_above e s He Hs threshold q').
Proof. exact first_above_private. Qed.
Theorem laplace : forall (D : Type) (R : D -> D -> Prop) (q : D -> list Z) (s : nat) (c : frac)
  (Hc : 0 < val c) (Hs : (0 < s)%nat) (He : 0 < val c / INR s),
  (forall x y, R x y -> length (q x) = length (q y) /\ (l1 (q x) (q y) <= s)%nat) ->
  forall x y, R x y -> promised (Eps c) (laplace_cells (val c / INR s) He (q x)) (laplace_cells (val c / INR s) He (q y)).
Proof. exact @laplace_mechanism. Qed.
Theorem keys_that_are_not_public : forall e He t l c r d, exp (- (INR t * e)) <= d ->
  approx e d (frequent_keys e He t (l ++ c :: r)) (frequent_keys e He t (l ++ S c :: r)) /\
  approx e d (frequent_keys e He t (l ++ S c :: r)) (frequent_keys e He t (l ++ c :: r)).
Proof. exact frequent_keys_private. Qed.
