(** The program of the README, from the table to the promise: nothing is assumed of its mechanisms.
    [readme_promise]: two releases, the second chosen whatever the first said, keep the promise of
    epsilon = 1, on tables that differ in one patient.  [nothing_left]: there is no third release,
    unless it costs nothing.  [across_notions]: a pure part split off a zCDP vault, used between
    releases from the rest of it. *)

From Coq Require Import NArith ZArith Lia Reals Lra List.
Import ListNotations.
From Privet Require Import Dist Notions Exp Fraction Tiny Cost Ledger Mechanism Vault Laplace Sensitivity.
Open Scope N_scope.

(** A bill is in steps of its grid, [steps] to the unit. *)
Record patient := Patient { age : Z; bill : Z; smoker : bool }.

Section Readme.
  Variable steps : nat.
  Hypothesis Hsteps : (0 < steps)%nat.
  Definition quarter : frac := (1, 4).
  Definition half : frac := (1, 2).

  Lemma quarter_pos : (0 < val quarter)%R.
  Proof. unfold val, real; simpl; lra. Qed.
  Lemma half_pos : (0 < val half)%R.
  Proof. unfold val, real; simpl; lra. Qed.
  Definition highest : nat := (100 * (100 * steps))%nat.
  Lemma highest_pos : (0 < highest)%nat.
  Proof. unfold highest; lia. Qed.
  Lemma count_scale : (0 < val quarter / INR 1)%R.
  Proof. pose proof quarter_pos; simpl; lra. Qed.
  Lemma bill_scale : (0 < val half / INR highest)%R.
  Proof. apply Rdiv_lt_0_compat; [apply half_pos | apply lt_0_INR, highest_pos]. Qed.

  (** [fn older_smokers], [fn billed], [fn report]. *)
  Definition older (p : patient) : bool := (smoker p && (40 <? age p)%Z)%bool.
  Definition bills : table patient -> list Z := clamped_sum patient (fun _ => true) 0 (Z.of_nat highest) bill.
  Definition first_cell (cells : list Z) : dist Z := ret (hd 0%Z cells).
  Definition older_smokers : mechanism patient Z :=
    Map patient (Leaf patient (laplace_leaf patient (count patient older) _ count_scale)) first_cell.
  Definition billed : mechanism patient Z :=
    Map patient (Leaf patient (laplace_leaf patient bills _ bill_scale)) first_cell.
  (** The ratio is what user code makes of the two numbers: any function of them. *)
  Variable ratio : Z * Z -> dist R.
  Definition report : mechanism patient R :=
    Map patient (Then patient older_smokers (fun n => if (100 <? n)%Z then billed else Constant patient 0%Z)) ratio.

  Lemma older_smokers_typed : typed patient (add_remove patient) Z older_smokers (Eps quarter).
  Proof.
    apply T_Map, T_Leaf; [reflexivity |].
    apply laplace_leaf_private; [apply quarter_pos | lia | apply count_sensitivity].
  Qed.
  Lemma billed_typed : typed patient (add_remove patient) Z billed (Eps half).
  Proof.
    apply T_Map, T_Leaf; [reflexivity |].
    apply laplace_leaf_private; [apply half_pos | apply highest_pos |].
    pose proof (clamped_sum_sensitivity patient (fun _ => true) 0 (Z.of_nat highest) bill ltac:(lia)) as M.
    replace (Nat.max (Z.abs_nat 0) (Z.abs_nat (Z.of_nat highest))) with highest in M by lia. exact M.
  Qed.
  Lemma report_typed : typed patient (add_remove patient) R report (Eps (3, 4)).
  Proof.
    apply T_Map. eapply T_Then with (c := Eps quarter) (d := Eps half).
    - apply older_smokers_typed.
    - intros n; destruct (100 <? n)%Z; [apply billed_typed |].
      eapply T_At_most; [apply T_Constant | reflexivity | reflexivity].
    - reflexivity.
    - reflexivity.
  Qed.

  (** [fn main], up to the release that does not compile. What it makes of its answers, and what it
      does when a release fails, is its own. *)
  Variable X : Type.
  Variable done : outcome R -> outcome Z -> X.
  Variable fault : R -> dist bool.
  Variable fault' : Z -> dist bool.
  Definition main : program (row := patient) X :=
    Release X 0 report fault (fun a =>
      match a with
      | Answered _ => Release X 0 older_smokers fault' (fun b => Done X (done a b))
      | _ => Done X (done a Refused)
      end).

  Lemma main_typed : wt X (add_remove patient) [TVault (Eps (1, 1))] main.
  Proof.
    apply W_Release with (b := Eps (1, 1)) (c := Eps (3, 4)) (l := Eps (1, 4)); auto using report_typed; [| constructor].
    intros a. apply W_Release with (b := Eps (1, 4)) (c := Eps (1, 4)) (l := Eps (0, 4));
      auto using older_smokers_typed; [intros; constructor | constructor].
  Qed.

  Theorem readme_promise x y : add_remove patient x y ->
    forall S, (Pr (exec X main [Vault] x) S <= exp 1 * Pr (exec X main [Vault] y) S)%R.
  Proof.
    intros XY S. apply pure_event.
    assert (P := vault_sound X (add_remove patient) (Eps (1, 1)) main (add_remove_symmetric patient) eq_refl main_typed x y XY).
    unfold promised in P; cbn in P. replace 1%R with (val (1, 1)); [exact P |]. unfold val, real; simpl; field.
  Qed.

  (** Whatever is paid for the third, there must be nothing to pay: only free mechanisms fit. *)
  Theorem nothing_left c l : well_formed c -> left_of (Eps (0, 4)) c = Some l -> fst (price c) = 0%R.
  Proof.
    intros W L. destruct (left_sound (Eps (0, 4)) c l ltac:(reflexivity) W L) as [_ K].
    destruct (K Pure _ eq_refl) as [uc [ul [U [V [Nc [Nl B]]]]]].
    destruct c; simpl in U; try discriminate; injection U as <-. destruct Nc, Nl, B; simpl in *.
    assert (Z0 : val (0, 4) = 0%R) by (unfold val, real; simpl; lra). rewrite Z0 in *. lra.
  Qed.

  (** A vault of rho = 1/8: epsilon = 1/4, worth 1/32, is split off; then a release from the rest, one
      from the part, and one from the rest again. *)
  Variable gaussian : table patient -> dist Z.
  Hypothesis gaussian_private : private patient (add_remove patient) (Rho (1, 32)) gaussian.
  Definition interleaved (k : program X) : program (row := patient) X :=
    Split X 0 (Eps quarter)
      (Release X 1 (Leaf patient gaussian) fault' (fun _ =>
        Release X 0 older_smokers fault' (fun _ => k))).
  Theorem across_notions (x0 : X) x y : add_remove patient x y ->
    promised (Rho (1, 8)) (exec X (interleaved (Done X x0)) [Vault] x) (exec X (interleaved (Done X x0)) [Vault] y).
  Proof.
    intros XY. apply vault_sound with (R := add_remove patient); auto using add_remove_symmetric; [reflexivity |].
    apply W_Split with (b := Rho (1, 8)) (l := Rho (3, 32)); try reflexivity.
    apply W_Release with (b := Rho (3, 32)) (c := Rho (1, 32)) (l := Rho (2, 32)); try reflexivity.
    - apply T_Leaf; [reflexivity | exact gaussian_private].
    - intros a. apply W_Release with (b := Eps quarter) (c := Eps quarter) (l := Eps (0, 4)); try reflexivity;
        auto using older_smokers_typed; [intros |]; constructor.
    - apply W_Release with (b := Eps quarter) (c := Eps quarter) (l := Eps (0, 4)); try reflexivity;
        auto using older_smokers_typed; [intros |]; constructor.
  Qed.
End Readme.
