(** The program of the README: two releases type-check, a third does not. *)
From Coq Require Import NArith ZArith Lia Reals Lra List.
Import ListNotations.
From Privet Require Import Dist Notions Exp Fraction Tiny Cost Mechanism Vault.
Open Scope N_scope.

Section Readme.
  Variable patient : Type.
  Variable R : relation patient.
  Variable older_smokers : table patient -> dist Z.
  Variable billed : table patient -> dist Z.
  Hypothesis H1 : private patient R (Eps (1, 4)) older_smokers.
  Hypothesis H2 : private patient R (Eps (1, 2)) billed.

  Definition report : mechanism patient Z :=
    Map patient (Then patient (Leaf patient older_smokers)
      (fun n => if (100 <? n)%Z then Leaf patient billed else Constant patient 0%Z)) (fun p => ret (snd p)).

  Lemma report_typed : typed patient R Z report (Eps (3, 4)).
  Proof.
    apply T_Map. eapply T_Then with (c := Eps (1, 4)) (d := Eps (1, 2)).
    - apply T_Leaf; [reflexivity | exact H1].
    - intros n; destruct (100 <? n)%Z.
      + apply T_Leaf; [reflexivity | exact H2].
      + eapply T_At_most; [apply T_Constant | reflexivity | reflexivity].
    - reflexivity.
    - reflexivity.
  Qed.

  (** What the program makes of its answers, and what it does when a release fails, is its own. *)
  Variable X : Type.
  Variable both : outcome Z -> outcome Z -> X.
  Variable alone : X.
  Variable fault : Z -> dist bool.

  Definition main : program (row := patient) X :=
    Release X 0 report fault (fun a =>
      match a with
      | Answered _ => Release X 0 (Leaf patient older_smokers) fault (fun b => Done X (both a b))
      | _ => Done X alone
      end).

  Lemma main_typed : wt X R [TVault (Eps (1, 1))] main.
  Proof.
    apply W_Release with (b := Eps (1, 1)) (c := Eps (3, 4)) (l := Eps (1, 4)); auto using report_typed; [| constructor].
    intros a. apply W_Release with (b := Eps (1, 4)) (c := Eps (1, 4)) (l := Eps (0, 4)); auto; [| intros; constructor | constructor].
    apply T_Leaf; [reflexivity | exact H1].
  Qed.

  (** Whatever is paid for the third, there must be nothing to pay: only free mechanisms fit. *)
  Lemma nothing_left c l : well_formed c -> left_of (Eps (0, 4)) c = Some l -> fst (price c) = 0%R.
  Proof.
    intros W L. destruct (left_sound (Eps (0, 4)) c l ltac:(reflexivity) W L) as [_ K].
    destruct (K Pure _ eq_refl) as [uc [ul [U [V [Nc [Nl B]]]]]].
    destruct c; simpl in U; try discriminate; injection U as <-. destruct Nc, Nl, B; simpl in *.
    assert (Z0 : val (0, 4) = 0%R) by (unfold val, real; simpl; lra). rewrite Z0 in *. lra.
  Qed.
End Readme.
