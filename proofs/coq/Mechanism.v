(** Mechanisms: src/mechanism.rs, src/compose.rs and its modules.  A mechanism is a tree of leaves
    (noise on exact answers) put together by the combinators; [run] is what it does to a table, and
    [typed R A m c] is the compiler's judgement that it costs [c] for neighbours in [R].  Terms carry
    no costs: prices exist in types only.  [mechanism_sound]: what is typed [c] keeps the promise of
    [c].  Combinators that need no constructor of their own ([and], [repeat], [all], [each],
    [either]) are defined from the others as Rust defines them, each with its typing rule. *)

From Coq Require Import NArith ZArith Lia Psatz Bool Reals Lra List FunctionalExtensionality.
Import ListNotations.
From Privet Require Import Dist Power Notions Convert Exp Fraction Tiny Cost.
Open Scope R_scope.

Section Mechanisms.
  Variable row : Type.
  Definition table := list row.
  Definition relation := table -> table -> Prop.

  (** ** What mechanisms are and do *)

  Inductive mechanism : Type -> Type :=
  | Leaf {A} (m : table -> dist A) : mechanism A
  | Constant {A} (a : A) : mechanism A
  | Map {A B} (m : mechanism A) (f : A -> dist B) : mechanism B
  | Then {A B} (m : mechanism A) (next : A -> mechanism B) : mechanism (A * B)
  | Iterate {A} (t : nat) (start : A) (step : A -> nat -> mechanism A) : mechanism A
  | In_turn {A} (key : row -> option nat) (blocks : nat) (start : A) (step : A -> nat -> mechanism A) : mechanism A.

  Definition block (key : row -> option nat) (b : nat) (x : table) : table :=
    filter (fun r => match key r with Some k => Nat.eqb k b | None => false end) x.

  (** [rounds run a [i; j; ..]]: run a i, then run on its answer with j, and so on. *)
  Fixpoint rounds {A} (run : A -> nat -> dist A) (a : A) (is : list nat) : dist A :=
    match is with [] => ret a | i :: is => bind (run a i) (fun a => rounds run a is) end.

  Fixpoint run {A} (m : mechanism A) (x : table) : dist A :=
    match m with
    | @Leaf _ m => m x
    | @Constant _ a => ret a
    | @Map _ _ m f => bind (run m x) f
    | @Then _ _ m next => bind (run m x) (fun a => bind (run (next a) x) (fun b => ret (a, b)))
    | @Iterate _ t start step => rounds (fun a i => run (step a i) x) start (seq 0 t)
    | @In_turn _ key blocks start step => rounds (fun a b => run (step a b) (block key b x)) start (seq 0 blocks)
    end.

  (** ** Neighbours *)

  (** [Domain::AddRemove]: one record more or less. *)
  Inductive add_remove : relation :=
  | Added l r a : add_remove (l ++ r) (l ++ a :: r)
  | Removed l r a : add_remove (l ++ a :: r) (l ++ r).

  (** [Groups<K>]: up to [k] steps.  Up to, not exactly: see [add_remove_parity]. *)
  Definition groups (k : N) (R : relation) : relation := fun x y => exists j, (j <= N.to_nat k)%nat /\ path R j x y.


  (** [Replace]: one record has other values; it is removed and added. *)
  Inductive replace : relation := Replaced l r a b : replace (l ++ a :: r) (l ++ b :: r).

  (** [PerPerson]: all records of one person are added or removed, and a person has at most [k].
      [with_rows n x y]: y is x with n more rows, anywhere. *)
  Inductive with_rows : nat -> relation :=
  | Same x : with_rows 0 x x
  | More n x l r a : with_rows n x (l ++ r) -> with_rows (S n) x (l ++ a :: r).
  Inductive per_person (k : nat) : relation :=
  | Joined n x y : (n <= k)%nat -> with_rows n x y -> per_person k x y
  | Left_ n x y : (n <= k)%nat -> with_rows n x y -> per_person k y x.

  Definition symmetric (R : relation) := forall x y, R x y -> R y x.
  Definition private (R : relation) {A} (c : cost) (m : table -> dist A) : Prop :=
    forall x y, R x y -> promised c (m x) (m y).

  (** ** What the compiler checks *)

  Inductive typed : relation -> forall A, mechanism A -> cost -> Prop :=
  | T_Leaf R A c (m : table -> dist A) :
      well_formed c -> private R c m -> typed R A (Leaf m) c
  | T_Constant R A (a : A) : typed R A (Constant a) (Eps (0, 1)%N)
  | T_Map R A B c (m : mechanism A) (f : A -> dist B) :
      typed R A m c -> typed R B (Map m f) c
  | T_Then R A B c d s (m : mechanism A) (next : A -> mechanism B) :
      typed R A m c -> (forall a, typed R B (next a) d) -> well_formed d -> plus d c = Some s ->
      typed R (A * B) (Then m next) s
  | T_Iterate R A c s t (start : A) step :
      (forall a i, typed R A (step a i) c) -> well_formed c -> times (N.of_nat t) c = Some s ->
      typed R A (Iterate t start step) s
  | T_At_most R A c d (m : mechanism A) :
      typed R A m c -> well_formed d -> passes c d = true -> typed R A m d
  | T_For_groups R A c d k (m : mechanism A) : (0 < k)%N -> symmetric R ->
      typed R A m c -> group k c = Some d -> typed (groups k R) A m d
  | T_Fewer (R R' : relation) A c (m : mechanism A) : symmetric R -> (forall x y, R' x y -> R x y) ->
      typed R A m c -> typed R' A m c
  | T_In_turn A c key blocks (start : A) step :
      (forall a b, typed add_remove A (step a b) c) -> well_formed c ->
      typed add_remove A (In_turn key blocks start step) c.

  (** ** Soundness of mechanisms *)

  Lemma path_snoc (R : relation) n : forall x y z, path R n x y -> R y z -> path R (S n) x z.
  Proof.
    induction n; simpl; intros x y z.
    - intros ->; eauto.
    - intros [w [H K]] L; exists w; split; auto. apply (IHn w y z); auto.
  Qed.
  Lemma groups_symmetric k R : symmetric R -> symmetric (groups k R).
  Proof.
    intros S x y [j [Hj P]]; exists j; split; auto. clear Hj; revert x y P; induction j as [|n IH]; simpl; intros x y.
    - auto.
    - intros [z [H K]]. apply (path_snoc R n y z x); auto.
  Qed.
  Lemma add_remove_symmetric : symmetric add_remove.
  Proof. intros x y []; constructor. Qed.

  Lemma replace_groups x y : replace x y -> groups 2 add_remove x y.
  Proof.
    intros []; exists 2%nat; split; [simpl; lia |].
    exists (l ++ r); split; [constructor |]. exists (l ++ b :: r); split; [constructor | reflexivity].
  Qed.

  Lemma with_rows_groups n x y : with_rows n x y -> path add_remove n x y.
  Proof.
    induction 1 as [x | n x l r a W IH]; [reflexivity |].
    apply path_snoc with (l ++ r); [exact IH | constructor].
  Qed.
  Lemma per_person_groups k x y : per_person k x y -> groups (N.of_nat k) add_remove x y.
  Proof.
    intros [n x' y' L W | n x' y' L W]; apply with_rows_groups in W.
    - exists n; split; auto. now rewrite Nat2N.id.
    - destruct (groups_symmetric (N.of_nat k) add_remove add_remove_symmetric x' y') as [j [Lj P]].
      + exists n; split; auto. now rewrite Nat2N.id.
      + exists j; auto.
  Qed.
  Lemma per_person_symmetric k : symmetric (per_person k).
  Proof. intros x y []; [eapply Left_ | eapply Joined]; eauto. Qed.
  Lemma replace_symmetric : symmetric replace.
  Proof. intros x y []; constructor. Qed.

  (** Each step changes the number of records by one, so tables that differ by one record are not two
      steps apart: a promise to groups of exactly two would say nothing of them. *)
  Lemma add_remove_parity n : forall x y, path add_remove n x y ->
    exists k, (length x + n = length y + 2 * k)%nat.
  Proof.
    induction n as [|n IH]; simpl; intros x y.
    - intros ->; exists 0%nat; lia.
    - intros [z [H K]]. apply IH in K as [k E].
      destruct H; rewrite !app_length in *; simpl in *; [exists k | exists (S k)]; lia.
  Qed.

  Lemma rounds_close {A} n u (f g : A -> nat -> dist A) : nonneg u -> forall is a,
    (forall a i, close n u (f a i) (g a i)) ->
    close n (INR (length is) * fst u, INR (length is) * snd u) (rounds f a is) (rounds g a is).
  Proof.
    intros [Hu Hv]; induction is as [|i is IH]; intros a H.
    - simpl; rewrite !Rmult_0_l; apply close_refl.
    - cbn [rounds length]. rewrite S_INR.
      eapply close_mono; [| apply close_bind; [| apply H | intros b; apply IH, H]].
      + split; simpl; lra.
      + pose proof (pos_INR (length is)); split; simpl; apply Rmult_le_pos; lra.
  Qed.

  (** Neighbours differ in one block. *)
  Lemma block_neighbours key x y : add_remove x y ->
    exists k, (forall b, Some b <> k -> block key b x = block key b y) /\
              (forall b, Some b = k -> add_remove (block key b x) (block key b y)).
  Proof.
    intros []; exists (key a); split; intros b Hb; unfold block; rewrite !filter_app; simpl.
    all: destruct (key a) as [j|]; try discriminate.
    all: try (destruct (Nat.eqb_spec j b); [congruence || idtac | ]); auto; try congruence.
    all: constructor.
  Qed.

  Lemma in_turn_close {A} n u key (f : A -> nat -> table -> dist A) x y : nonneg u ->
    (forall a b x y, add_remove x y -> close n u (f a b x) (f a b y)) -> add_remove x y ->
    forall is a, NoDup is ->
    close n u (rounds (fun a b => f a b (block key b x)) a is) (rounds (fun a b => f a b (block key b y)) a is).
  Proof.
    intros Hu H XY. destruct (block_neighbours key x y XY) as [k [Same Diff]].
    (* blocks that are not k cost nothing *)
    assert (Free : forall is a, (forall b, In b is -> Some b <> k) ->
      rounds (fun a b => f a b (block key b x)) a is = rounds (fun a b => f a b (block key b y)) a is).
    { induction is as [|i is IH]; intros a N; cbn [rounds]; auto.
      rewrite (Same i) by (apply N; now left). f_equal. apply functional_extensionality; intros b.
      apply IH; intros c Hc; apply N; now right. }
    induction is as [|i is IH]; intros a ND.
    - simpl; eapply close_mono; [| apply close_refl]. destruct Hu; split; simpl; auto.
    - inversion ND as [|? ? Ni ND']; subst. cbn [rounds].
      destruct k as [j|]; [destruct (Nat.eq_dec i j) as [->|Ne] |].
      + (* the block that differs; all later ones are the same *)
        eapply close_mono; [| apply close_bind with (v := (0, 0));
          [split; simpl; lra | apply H, Diff; reflexivity | intros b; rewrite Free; [apply close_refl |]]].
        * unfold add; destruct u; split; simpl; lra.
        * intros c Hc E; injection E as ->; contradiction.
      + rewrite (Same i) by congruence.
        eapply close_mono; [| apply close_bind with (u := (0, 0)) (v := u);
          [auto | apply close_refl | intros b; apply IH, ND']].
        unfold add; split; simpl; lra.
      + rewrite (Same i) by discriminate.
        eapply close_mono; [| apply close_bind with (u := (0, 0)) (v := u);
          [auto | apply close_refl | intros b; apply IH, ND']].
        unfold add; split; simpl; lra.
  Qed.

  Lemma path_map {A} (R : relation) (S : dist A -> dist A -> Prop) (m : table -> dist A) :
    (forall x y, R x y -> S (m x) (m y)) -> forall n x y, path R n x y -> path S n (m x) (m y).
  Proof.
    intros H n; induction n; simpl; intros x y.
    - now intros ->.
    - intros [z [K L]]; exists (m z); auto.
  Qed.

  Theorem mechanism_sound R A m c : typed R A m c -> symmetric R ->
    well_formed c /\ private R c (run m).
  Proof.
    induction 1 as [R A c m W H | R A a | R A B c m f T IH | R A B c d s m next T IH TK IHK Wd P
      | R A c s t start step T IH W P | R A c d m T IH W P | R A c d k m K SyR T IH P
      | R R' A c m SyR Sub T IH | A c key blocks start step T IH W]; intros Sy.
    - (* Leaf *) split; auto.
    - (* Constant *) split; [reflexivity |]. intros x y _; simpl.
      unfold promised; simpl. replace (val (0, 1)%N) with 0 by (unfold val, real; simpl; field). apply pure_refl.
    - (* Map *) destruct (IH Sy) as [W H]; split; auto. intros x y XY; simpl.
      unfold promised; eapply close_mono; [| apply close_bind with (v := (0, 0));
        [split; simpl; lra | apply H, XY | intros a; apply close_refl]].
      unfold add; split; simpl; lra.
    - (* Then *) destruct (IH Sy) as [W H].
      assert (WK : forall a, well_formed d /\ private R d (run (next a))) by (intros a; now apply IHK).
      rewrite plus_comm in P. destruct (plus_sound c d s W Wd P) as [Ws [u [v [U [V [Nv Le]]]]]]; split; auto.
      intros x y XY; simpl; unfold promised.
      eapply close_mono; [apply Le |]. apply close_bind; auto.
      + apply (close_worth _ (notion_of c) (price c)); auto using price_nonneg; [apply H, XY | apply H, Sy, XY].
      + intros a; destruct (WK a) as [_ Ha].
        eapply close_mono; [| apply close_bind with (u := v) (v := (0, 0)); [split; simpl; lra | | intros b; apply close_refl]].
        * unfold add; destruct v; split; simpl; lra.
        * apply (close_worth _ (notion_of d) (price d)); auto using price_nonneg; [apply Ha, XY | apply Ha, Sy, XY].
    - (* Iterate *) destruct (times_sound _ _ _ W P) as [Ws [Nn B]]; split; auto.
      intros x y XY; simpl run; unfold promised; rewrite Nn.
      eapply close_mono; [| apply (rounds_close (notion_of c) (price c)
        (fun a i => run (step a i) x) (fun a i => run (step a i) y)); [now apply price_nonneg |]].
      + rewrite seq_length; rewrite real_nat in B; exact B.
      + intros a i; now apply IH.
    - (* At most *) destruct (IH Sy) as [Wc H]; split; auto. intros x y XY.
      eapply passes_sound; [apply Wc | auto | eauto | apply H, XY | apply H, Sy, XY].
    - (* For groups *) destruct (IH SyR) as [Wc H].
      destruct (group_sound k c d Wc P K) as [Wd Hd]; split; auto.
      intros x y [j [Hj XY]]; apply (Hd A _ _ j Hj). eapply path_map; [| exact XY]. exact H.
    - (* Fewer neighbours *) destruct (IH SyR) as [Wc H]; split; auto. intros x y XY; apply H, Sub, XY.
    - (* In turn *) split; auto. intros x y XY; simpl; unfold promised.
      apply (in_turn_close (notion_of c) (price c) key (fun a b x => run (step a b) x) x y);
        auto using price_nonneg, seq_NoDup.
      intros a b x' y' XY'; now apply IH.
  Qed.

  (** ** The other combinators *)

  (** [Mechanism::and]: the second is chosen without a look at the first answer. *)
  Definition and {A B} (m : mechanism A) (other : mechanism B) : mechanism (A * B) := Then m (fun _ => other).
  Theorem T_And R A B c d s (m : mechanism A) (other : mechanism B) :
    typed R A m c -> typed R B other d -> well_formed d -> plus d c = Some s -> typed R (A * B) (and m other) s.
  Proof. intros; eapply T_Then; eauto. Qed.

  (** [Mechanism::either]: a choice by something public, at the larger price. *)
  Definition either {A} (first : bool) (this that : mechanism A) : mechanism A := if first then this else that.
  Lemma passes_dearer c d m : well_formed c -> well_formed d -> dearer d c = Some m ->
    passes c m = true /\ passes d m = true /\ well_formed m.
  Proof.
    assert (F : forall a b, valid a -> valid b ->
      le a (larger b a) = true /\ le b (larger b a) = true /\ valid (larger b a)).
    { intros a b Ha Hb; unfold larger; destruct (le b a) eqn:L; repeat split; auto;
        try (apply le_sound; auto; lra). now apply le_total. }
    assert (T : forall a b, tiny_le a (if tiny_le b a then a else b) = true /\
                            tiny_le b (if tiny_le b a then a else b) = true).
    { intros a b; destruct (tiny_le b a) eqn:L; split; auto using tiny_le_total;
        unfold tiny_le; apply N.leb_refl. }
    intros Wc Wd; destruct c as [e|r|e x], d as [f|s|f y]; simpl in *; try discriminate; intros [= <-]; simpl.
    - destruct (F e f Wc Wd) as [H1 [H2 H3]]; auto.
    - destruct (F r s Wc Wd) as [H1 [H2 H3]]; auto.
    - destruct (F e f Wc Wd) as [H1 [H2 H3]], (T x y) as [H4 H5]. rewrite H1, H2, H4, H5; auto.
  Qed.
  Theorem T_Either R A c d m first (this that : mechanism A) :
    typed R A this c -> typed R A that d -> well_formed c -> well_formed d -> dearer d c = Some m ->
    typed R A (either first this that) m.
  Proof.
    intros T U Wc Wd D; destruct (passes_dearer c d m Wc Wd D) as [P [Q W]].
    destruct first; eapply T_At_most; eauto.
  Qed.

  (** [Mechanism::all] and [Mechanism::repeat]: one after the other; [times] the price.  (A tuple is
      an array of a sum type.) *)
  Definition collect {A} (m : mechanism A) (l : list A) : mechanism (list A) := Map m (fun a => ret (l ++ [a])).
  Definition all {A} (fallback : mechanism A) (ms : list (mechanism A)) : mechanism (list A) :=
    Iterate (length ms) [] (fun l i => collect (nth i ms fallback) l).
  Definition repeat {A} (k : nat) (m : mechanism A) : mechanism (list A) :=
    Iterate k [] (fun l _ => collect m l).
  Theorem T_All R A c s (m : mechanism A) ms : typed R A m c -> (forall m, In m ms -> typed R A m c) ->
    well_formed c -> times (N.of_nat (length ms)) c = Some s -> typed R (list A) (all m ms) s.
  Proof.
    intros D T W S; eapply T_Iterate; eauto. intros l i; apply T_Map.
    destruct (nth_in_or_default i ms m) as [H| ->]; auto.
  Qed.
  Theorem T_Repeat R A c s k (m : mechanism A) : typed R A m c -> well_formed c ->
    times (N.of_nat k) c = Some s -> typed R (list A) (repeat k m) s.
  Proof. intros T W S; eapply T_Iterate; eauto. intros l i; now apply T_Map. Qed.

  (** [Blocks::each]: one mechanism for each block, at the price of one. *)
  Definition each {A} (key : row -> option nat) (blocks : nat) (f : nat -> mechanism A) : mechanism (list A) :=
    In_turn key blocks [] (fun l b => collect (f b) l).
  Theorem T_Each A c key blocks (f : nat -> mechanism A) : (forall b, typed add_remove A (f b) c) ->
    well_formed c -> typed add_remove (list A) (each key blocks f) c.
  Proof. intros T W; apply T_In_turn; auto. intros l b; now apply T_Map. Qed.

  (** The same for records that are replaced, and per person: at the price of a group. *)
  Theorem T_In_turn_replace A c d key blocks (start : A) step :
    (forall a b, typed add_remove A (step a b) c) -> well_formed c -> group 2 c = Some d ->
    typed replace A (In_turn key blocks start step) d.
  Proof.
    intros T W G; apply T_Fewer with (groups 2 add_remove).
    - apply groups_symmetric, add_remove_symmetric.
    - exact replace_groups.
    - apply T_For_groups with c; auto using add_remove_symmetric; [reflexivity |]. now apply T_In_turn.
  Qed.
  Theorem T_In_turn_per_person A c d k key blocks (start : A) step : (0 < k)%nat ->
    (forall a b, typed add_remove A (step a b) c) -> well_formed c -> group (N.of_nat k) c = Some d ->
    typed (per_person k) A (In_turn key blocks start step) d.
  Proof.
    intros K T W G; apply T_Fewer with (groups (N.of_nat k) add_remove).
    - apply groups_symmetric, add_remove_symmetric.
    - apply per_person_groups.
    - apply T_For_groups with c; auto using add_remove_symmetric; [lia |]. now apply T_In_turn.
  Qed.

  (** A price in [k] parts ([Split]) pays for [k] rounds. *)
  Theorem T_Split R A c p s t (start : A) step : part_of (N.of_nat t) c = Some p -> well_formed c -> (0 < t)%nat ->
    (forall a i, typed R A (step a i) p) -> times (N.of_nat t) p = Some s -> passes s c = true ->
    typed R A (Iterate t start step) c.
  Proof.
    intros P W K T S L. destruct (part_of_sound (N.of_nat t) c p ltac:(lia) W P) as [Wp _].
    eapply T_At_most; [eapply T_Iterate; eauto | auto | auto].
  Qed.
End Mechanisms.
