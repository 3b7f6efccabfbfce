(** Vaults and meters: src/vault.rs, src/meter.rs.  A program releases from any of the vaults and
    meters that there are, in any order, splits them, sets caps aside, tosses coins of its own and
    chooses each step from all answers so far; a release may fail, and then nothing is released and
    the price is kept.  [vault_sound]: a program that type-checks is as private as the budget that its
    first vault was opened with, in every notion.  The proof is a potential: what all vaults and
    meters still hold, each in the notion of the promise, is what can still be lost.  So interleavings
    of split vaults and meters, also across notions, and prices chosen from answers (the privacy
    filter) need no argument of their own. *)

From Coq Require Import NArith ZArith Lia Psatz Bool Reals Lra List FunctionalExtensionality.
Import ListNotations.
From Privet Require Import Dist Power Notions Convert Exp Fraction Tiny Cost Ledger Mechanism.
Open Scope R_scope.

(** ** Programs *)

Section Programs.
  Context {row : Type} (X : Type).

  (** What a release gives: an answer; an error of the run (the generator failed, or there is no
      sampler in constant time); or, from a meter, a refusal. *)
  Inductive outcome (A : Type) := Answered (a : A) | Failed | Refused.
  Arguments Answered {A}. Arguments Failed {A}. Arguments Refused {A}.

  (** Places [v] and [j] are positions in the list of all vaults and meters that there are: what
      Rust's variables hold.  A vault that is consumed is replaced by the one that comes back.
      [fault] says how likely a run is to fail, given all that came before and the answer that would
      have been released: failures may depend on the data in no other way. *)
  Inductive program :=
  | Done (x : X)
  | Toss {A} (d : dist A) (k : A -> program)                                 (* the user's own randomness *)
  | Release (v : nat) {A} (m : mechanism row A) (fault : A -> dist bool) (k : outcome A -> program) (* Vault::release *)
  | Split (v : nat) (c : cost) (k : program)                                 (* Vault::split *)
  | Metered (v : nat) (cap : cost) (k : program)                             (* Vault::metered *)
  | Charge (j : nat) (c : cost) {A} (m : mechanism row A) (fault : A -> dist bool) (k : outcome A -> program). (* Meter::release *)

  Fixpoint set {T} (i : nat) (t : T) (l : list T) : list T :=
    match l, i with
    | [], _ => []
    | _ :: l, O => t :: l
    | a :: l, S i => a :: set i t l
    end.

  (** At run time a vault is nothing, and a meter is its cap and its ledger. *)
  Inductive thing := Vault | Meter (cap : cost) (spent : ledger).

  Fixpoint exec (p : program) (s : list thing) (x : table row) : dist X :=
    match p with
    | Done a => ret a
    | @Toss _ d k => bind d (fun a => exec (k a) s x)
    | @Release v _ m fault k => bind (run row m x) (fun a => bind (fault a) (fun failed =>
        exec (k (if failed : bool then Failed else Answered a)) s x))
    | Split v c k => exec k (Vault :: s) x
    | Metered v cap k => exec k (Meter cap empty :: s) x
    | @Charge j c _ m fault k =>
        match nth_error s j with
        | Some (Meter cap spent) =>
            match charge spent c cap with
            | Some spent => bind (run row m x) (fun a => bind (fault a) (fun failed =>
                exec (k (if failed : bool then Failed else Answered a)) (set j (Meter cap spent) s) x))
            | None => exec (k Refused) s x
            end
        | _ => exec (k Refused) s x
        end
    end.

  (** In types a vault has its budget, and a meter its cap.  A vault whose release failed is gone. *)
  Inductive type := TVault (b : cost) | TMeter (cap : cost) | TGone.

  Inductive wt (R : relation row) : list type -> program -> Prop :=
  | W_Done G x : wt R G (Done x)
  | W_Toss G A (d : dist A) k : (forall a, wt R G (k a)) -> wt R G (Toss d k)
  | W_Release G v b c l A (m : mechanism row A) fault k :
      nth_error G v = Some (TVault b) -> typed row R A m c -> left_of b c = Some l ->
      (forall a, wt R (set v (TVault l) G) (k (Answered a))) -> wt R (set v TGone G) (k Failed) ->
      wt R G (Release v m fault k)
  | W_Split G v b c l k :
      nth_error G v = Some (TVault b) -> well_formed c -> left_of b c = Some l ->
      wt R (TVault c :: set v (TVault l) G) k -> wt R G (Split v c k)
  | W_Metered G v b cap l k :
      nth_error G v = Some (TVault b) -> well_formed cap -> left_of b cap = Some l ->
      wt R (TMeter cap :: set v (TVault l) G) k -> wt R G (Metered v cap k)
  | W_Charge G j cap c A (m : mechanism row A) fault k :
      nth_error G j = Some (TMeter cap) -> typed row R A m c ->
      (forall o, wt R G (k o)) -> wt R G (Charge j c m fault k).

  (** ** What is left is what can still be lost *)

  Inductive cell := CVault (b : cost) | CMeter (cap : cost) (spent : ledger) | CGone.
  Definition type_of (c : cell) : type :=
    match c with CVault b => TVault b | CMeter cap _ => TMeter cap | CGone => TGone end.
  Definition thing_of (c : cell) : thing := match c with CMeter cap s => Meter cap s | _ => Vault end.

  Definition holds (n : notion) (c : cell) (u : R * R) : Prop :=
    nonneg u /\
    match c with
    | CVault b => well_formed b /\ worth n (notion_of b) (price b) = Some u
    | CMeter cap s => well_formed cap /\ sane s /\ below (total s) (price cap) /\
        worth n (notion_of cap) (sub (price cap) (total s)) = Some u
    | CGone => u = (0, 0)
    end.

  Inductive pot (n : notion) : list cell -> R * R -> Prop :=
  | Pot_nil : pot n [] (0, 0)
  | Pot_cons c u cs v : holds n c u -> pot n cs v -> pot n (c :: cs) (add u v).

  Lemma pot_nonneg n cs u : pot n cs u -> nonneg u.
  Proof. induction 1 as [|c u cs v [Nc _] P IH]; [split; simpl; lra | now apply add_nonneg]. Qed.

  Lemma map_set {S T} (f : S -> T) i a l : map f (set i a l) = set i (f a) (map f l).
  Proof. revert i; induction l; intros [|i]; simpl; auto; now rewrite IHl. Qed.

  Lemma pot_set n cs u i c : pot n cs u -> nth_error cs i = Some c ->
    exists w, holds n c w /\ forall c' w', holds n c' w' ->
      exists u', pot n (set i c' cs) u' /\ add w u' = add w' u.
  Proof.
    intros P; revert i; induction P as [|c0 u cs v Hc P IH]; intros [|i]; simpl; try discriminate.
    - intros [= ->]; exists u; split; auto. intros c' w' Hc'. exists (add w' v); split; [now constructor |].
      unfold add; simpl; f_equal; ring.
    - intros E; destruct (IH i E) as [w [Hw K]]; exists w; split; auto.
      intros c' w' Hc'; destruct (K c' w' Hc') as [u' [P' E']].
      exists (add u u'); split; [now constructor |].
      unfold add in *; simpl in *; injection E' as E1 E2; f_equal; lra.
  Qed.

  Lemma nth_types i cs b : nth_error (map type_of cs) i = Some (TVault b) -> nth_error cs i = Some (CVault b).
  Proof.
    rewrite nth_error_map; destruct (nth_error cs i) as [[]|]; simpl; intros [= ->]; auto.
  Qed.
  Lemma nth_meter i cs cap : nth_error (map type_of cs) i = Some (TMeter cap) ->
    exists s, nth_error cs i = Some (CMeter cap s).
  Proof.
    rewrite nth_error_map; destruct (nth_error cs i) as [[]|]; simpl; intros [= ->]; eauto.
  Qed.

  (** A budget divides: what is worth [u] in its own notion and is cut in two is worth the two. *)
  Lemma worth_sub n m u v w : nonneg v -> nonneg (sub u v) -> worth n m u = Some w ->
    exists a b, worth n m v = Some a /\ worth n m (sub u v) = Some b /\ nonneg a /\ nonneg b /\ below (add a b) w.
  Proof.
    intros [V1 V2] [S1 S2]; destruct n, m; simpl in *; intros [= <-]; eexists; eexists;
      (split; [reflexivity | split; [reflexivity |]]); repeat split; simpl in *; try lra; nra.
  Qed.
  Lemma worth_mono n m u v w : nonneg u -> below u v -> worth n m v = Some w ->
    exists w', worth n m u = Some w' /\ nonneg w' /\ below w' w.
  Proof.
    intros [] []; destruct n, m; simpl in *; intros [= <-]; eexists; (split; [reflexivity |]);
      repeat split; simpl in *; try lra; nra.
  Qed.

  (** Replacing a vault changes nothing at run time; a meter keeps its type. *)
  Lemma same_things cs v b c : nth_error cs v = Some (CVault b) -> thing_of c = Vault ->
    map thing_of (set v c cs) = map thing_of cs.
  Proof.
    intros E T; revert v E; induction cs as [|c0 cs IH]; intros [|v]; simpl; try discriminate.
    - intros [= ->]; now rewrite T.
    - intros E; f_equal; now apply IH.
  Qed.
  Lemma same_types cs j cap s s' : nth_error cs j = Some (CMeter cap s) ->
    map type_of (set j (CMeter cap s') cs) = map type_of cs.
  Proof.
    revert j; induction cs as [|c0 cs IH]; intros [|j]; simpl; try discriminate.
    - intros [= ->]; reflexivity.
    - intros E; f_equal; now apply IH.
  Qed.

  Lemma add_0_r u : add u (0, 0) = u.
  Proof. destruct u; unfold add; simpl; f_equal; ring. Qed.

  (** A vault pays [c] and keeps [l]: what is worth the potential splits in two. *)
  Lemma pays n cs u v b c l : pot n cs u -> nth_error cs v = Some (CVault b) -> well_formed c ->
    left_of b c = Some l ->
    exists uc u', worth n (notion_of c) (price c) = Some uc /\ nonneg uc /\
      pot n (set v (CVault l) cs) u' /\ below (add uc u') u.
  Proof.
    intros P Nth Wc L.
    destruct (pot_set n cs u v _ P Nth) as [w [[Nw [Wb Hw]] K]].
    destruct (left_sound b c l Wb Wc L) as [Wl Hl]. destruct (Hl n w Hw) as [uc [ul [Uc [Ul [Nc [Nl B]]]]]].
    destruct (K (CVault l) ul) as [u' [P' E']]; [split; auto |].
    exists uc, u'; repeat split; auto; try apply Nc;
      unfold add in *; destruct B; injection E' as E1 E2; simpl in *; lra.
  Qed.

  (** A vault that is gone is worth nothing. *)
  Lemma gone n cs u v c : pot n cs u -> nth_error cs v = Some c ->
    exists u', pot n (set v CGone cs) u' /\ below u' u.
  Proof.
    intros P Nth. destruct (pot_set n cs u v _ P Nth) as [w [[[N1 N2] _] K]].
    destruct (K CGone (0, 0)) as [u' [P' E']]; [split; [split; simpl; lra | reflexivity] |].
    exists u'; split; auto. unfold add in E'; injection E' as E1 E2; split; simpl in *; lra.
  Qed.

  Lemma nth_set {T} (cs : list T) v c c' : nth_error cs v = Some c -> nth_error (set v c' cs) v = Some c'.
  Proof. revert v; induction cs; intros [|v]; simpl; try discriminate; auto. Qed.
  Lemma set_set {T} (cs : list T) v c c' : set v c' (set v c cs) = set v c' cs.
  Proof. revert v; induction cs; intros [|v]; simpl; auto; now rewrite IHcs. Qed.

  Theorem program_sound R n p : symmetric row R -> forall G, wt R G p ->
    forall cs u, map type_of cs = G -> pot n cs u ->
    forall x y, R x y -> close n u (exec p (map thing_of cs) x) (exec p (map thing_of cs) y).
  Proof.
    intros Sy G W; induction W as [G a | G A d k Wk IH | G v b c l A m fault k Nth T L Wk IH Wf IHf
      | G v b c l k Nth Wc L Wk IH | G v b cap l k Nth Wc L Wk IH | G j cap c A m fault k Nth T Wk IH];
      intros cs u <- P x y XY; pose proof (pot_nonneg _ _ _ P) as Nu.
    - (* Done *) simpl. apply close_mono with (0, 0); [| apply close_refl]. destruct Nu; split; simpl; auto.
    - (* Toss *) cbn [exec]. rewrite <- (add_0_l u).
      apply close_bind; [exact Nu | apply close_refl | intros a; now apply IH].
    - (* Release *)
      apply nth_types in Nth. destruct (mechanism_sound row R A m c T Sy) as [Wc Hm].
      destruct (pays n cs u v b c l P Nth Wc L) as [uc [u' [Uc [Nc [P' B]]]]].
      cbn [exec]. apply close_mono with (add uc u'); auto. pose proof (pot_nonneg _ _ _ P') as Nu'.
      apply close_bind; auto.
      + apply (close_worth _ (notion_of c) (price c)); auto using price_nonneg; [apply Hm, XY | apply Hm, Sy, XY].
      + intros a. rewrite <- (add_0_l u'). apply close_bind; auto using close_refl. intros [].
        * (* failed *)
          destruct (gone n (set v (CVault l) cs) u' v (CVault l) P') as [u2 [P2 B2]].
          { now apply nth_set with (CVault b). }
          rewrite set_set in P2. apply close_mono with u2; auto.
          rewrite <- (same_things cs v b CGone Nth eq_refl). apply IHf; auto. now rewrite map_set.
        * rewrite <- (same_things cs v b (CVault l) Nth eq_refl). apply (IH a); auto. now rewrite map_set.
    - (* Split *)
      apply nth_types in Nth.
      destruct (pays n cs u v b c l P Nth Wc L) as [uc [u' [Uc [Nc [P' B]]]]].
      cbn [exec]. apply close_mono with (add uc u'); auto.
      rewrite <- (same_things cs v b (CVault l) Nth eq_refl).
      change (Vault :: map thing_of (set v (CVault l) cs)) with (map thing_of (CVault c :: set v (CVault l) cs)).
      apply IH; [simpl; now rewrite map_set | constructor; auto; split; auto | auto].
    - (* Metered *)
      apply nth_types in Nth.
      destruct (pays n cs u v b cap l P Nth Wc L) as [uc [u' [Uc [Nc [P' B]]]]].
      cbn [exec]. apply close_mono with (add uc u'); auto.
      rewrite <- (same_things cs v b (CVault l) Nth eq_refl).
      change (Meter cap empty :: map thing_of (set v (CVault l) cs))
        with (map thing_of (CMeter cap empty :: set v (CVault l) cs)).
      apply IH; [simpl; now rewrite map_set | | auto].
      constructor; auto. split; auto. split; auto. split; [split; reflexivity |].
      assert (Te : total empty = (0, 0)) by (unfold total; simpl; change (0, 1)%N with zero; now rewrite val_zero).
      rewrite Te. split; [apply price_nonneg; auto |].
      replace (sub (price cap) (0, 0)) with (price cap); auto.
      unfold sub; destruct (price cap); simpl; f_equal; ring.
    - (* Charge *)
      apply nth_meter in Nth as [s Nth]. destruct (mechanism_sound row R A m c T Sy) as [Wc Hm].
      destruct (pot_set n cs u j _ P Nth) as [w [[Nw [Wcap [Ss [Bs Hw]]]] K]].
      cbn [exec]. rewrite (map_nth_error thing_of j cs Nth). cbn [thing_of].
      destruct (charge s c cap) as [s'|] eqn:Ch; [| now apply IH].
      destruct (charge_sound s c cap s' Wc Wcap Ss Ch) as [Ss' [Bs' [q [Uq [Nq Bq]]]]].
      (* remaining = q + remaining' *)
      set (rem := sub (price cap) (total s)) in *.
      assert (Nr : nonneg (sub rem q)).
      { unfold rem; destruct Bs', Bq; split; simpl in *; lra. }
      destruct (worth_sub n (notion_of cap) rem q w Nq Nr Hw) as [a [b0 [Ha [Hb [Na [Nb Bab]]]]]].
      destruct (worth_mono n (notion_of cap) (sub (price cap) (total s')) (sub rem q) b0) as [b' [Hb' [Nb' Bb']]]; auto.
      { destruct Bs'; split; simpl in *; lra. }
      { unfold rem; destruct Bq; split; simpl in *; lra. }
      destruct (K (CMeter cap s') b') as [u' [P' E']]; [repeat split; auto; try apply Ss'; try apply Nb'; apply Bs' |].
      apply close_mono with (add a u').
      { unfold add in *; destruct Bab, Bb'; injection E' as E1 E2; split; simpl in *; lra. }
      pose proof (pot_nonneg _ _ _ P') as Nu'. apply close_bind; auto.
      + apply (close_worth _ (notion_of cap) q); auto;
          apply (close_worth _ (notion_of c) (price c)); auto using price_nonneg;
          solve [apply Hm, XY | apply Hm, Sy, XY].
      + intros z. rewrite <- (add_0_l u'). apply close_bind; auto using close_refl. intros failed.
        change (Meter cap s') with (thing_of (CMeter cap s')). rewrite <- map_set.
        apply (IH (if failed then Failed else Answered z)); auto.
        now apply same_types with s.
  Qed.

  (** The theorem: whatever was opened with the budget [B] keeps the promise of [B]. *)
  Theorem vault_sound R B p : symmetric row R -> well_formed B ->
    wt R [TVault B] p -> private row R B (exec p [Vault]).
  Proof.
    intros Sy W T x y XY.
    assert (P : pot (notion_of B) [CVault B] (add (price B) (0, 0))).
    { constructor; [| constructor]. split; [now apply price_nonneg |]. split; auto.
      destruct B; reflexivity. }
    assert (C := program_sound R (notion_of B) p Sy _ T [CVault B] _ eq_refl P x y XY).
    replace (add (price B) (0, 0)) with (price B) in C; [exact C |].
    unfold add; destruct (price B); simpl; f_equal; ring.
  Qed.
End Programs.
Arguments Answered {A}. Arguments Failed {A}. Arguments Refused {A}.
