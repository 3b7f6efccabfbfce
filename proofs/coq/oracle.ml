(* What the proved functions say of the rows of tests/arithmetic/generated.

     oracle fill < rows.rs    the same rows, each with its result
     oracle tables <dir>      the tables of digits and of constants, exhaustively, one file for each operation
     oracle edges <dir>       rows chosen at the edges, likewise

   A row is the arguments, " = ", the result: (a/b), true, false, or none where nothing compiles.  a/b/w is w + a/b. *)
open Proved

let rec pos i = if i = 1 then XH else if i land 1 = 0 then XO (pos (i / 2)) else XI (pos (i / 2))
let n i = if i = 0 then N0 else Npos (pos i)
let rec of_pos = function XH -> 1 | XO p -> 2 * of_pos p | XI p -> 2 * of_pos p + 1
let of_n = function N0 -> 0 | Npos p -> of_pos p

let pair (a, b) = (n a, n b)
let written (a, b) = if a <= 1024 then Printf.sprintf "%d/%d" a b else Printf.sprintf "%d/%d/%d" (a mod b) b (a / b)
let fraction = function None -> "none" | Some (a, b) -> "(" ^ written (of_n a, of_n b) ^ ")"

(* The range that a type checks before it computes. *)
let times k = 1 <= k && k <= 1024

type row =
  | Two of string * (int * int) * (int * int)
  | With of string * (int * int) * int
  | One of string * (int * int)
  | Three of string * (int * int) * (int * int) * int
  | Pairs of string * (int * int) * (int * int) * (int * int)

let result = function
  | Two ("sums", a, b) -> fraction (sum (pair a) (pair b))
  | Two ("debits", a, b) -> fraction (debit (pair a) (pair b))
  | Two ("compares", a, b) -> string_of_bool (le (pair a) (pair b))
  | With ("scales", a, k) -> fraction (scale (n k) (pair a))
  | With ("parts", a, k) -> if times k then fraction (part (n k) (pair a)) else "none"
  | One ("half_squares", a) -> fraction (half_square (pair a))
  | Pairs ("covers", e, r, d) -> string_of_bool (covers (pair e) (pair r) (pair d))
  | Two ("tiny_sums", a, b) -> fraction (tiny_sum (pair a) (pair b))
  | Two ("tiny_debits", a, b) -> fraction (tiny_debit (pair a) (pair b))
  | Two ("tiny_compares", a, b) -> string_of_bool (tiny_le (pair a) (pair b))
  | Three ("groups", a, e, k) -> if times k then fraction (tiny_group (pair a) (pair e) (n k)) else "none"
  | _ -> failwith "no such operation"

let arguments = function
  | Two (_, a, b) -> written a ^ " " ^ written b
  | With (_, a, k) -> Printf.sprintf "%s %d" (written a) k
  | One (_, a) -> written a
  | Three (_, a, b, k) -> Printf.sprintf "%s %s %d" (written a) (written b) k
  | Pairs (_, a, b, c) -> written a ^ " " ^ written b ^ " " ^ written c
let show row = Printf.sprintf "%s = %s;" (arguments row) (result row)

let number word = match List.map int_of_string (String.split_on_char '/' word) with
  | [ a; b; w ] -> ((w * b) + a, b)
  | [ a; b ] -> (a, b)
  | _ -> failwith word
let parse name text =
  let text = String.sub text 0 (min (String.index text ';') (Option.value (String.index_opt text '=') ~default:max_int)) in
  match name, String.split_on_char ' ' (String.trim text) with
  | ("scales" | "parts"), [ a; k ] -> With (name, number a, int_of_string k)
  | "half_squares", [ a ] -> One (name, number a)
  | "covers", [ e; r; d ] -> Pairs (name, number e, number r, number d)
  | "groups", [ a; e; k ] -> Three (name, number a, number e, int_of_string k)
  | _, [ a; b ] -> Two (name, number a, number b)
  | _ -> failwith text

let fill () =
  let name = ref "" in
  try
    while true do
      let line = input_line stdin in
      (match String.index_opt line '!' with Some i when line.[0] <> '/' -> name := String.sub line 0 i | _ -> ());
      print_endline (if String.length line > 0 && line.[String.length line - 1] = ';' then show (parse !name line) else line)
    done
  with End_of_file -> ()

(* ** Edges *)

(* SplitMix64, as in tests/arithmetic/rows.rs; its upper 62 bits. *)
let state = ref 2L
let next () =
  state := Int64.add !state 0x9e3779b97f4a7c15L;
  let mix z shift factor = Int64.mul (Int64.logxor z (Int64.shift_right_logical z shift)) factor in
  let z = mix (mix !state 30 0xbf58476d1ce4e5b9L) 27 0x94d049bb133111ebL in
  Int64.to_int (Int64.shift_right_logical (Int64.logxor z (Int64.shift_right_logical z 31)) 2)
let below k = next () mod k
let among list = List.nth list (below (List.length list))

let rec power k = if k = 0 then 1 else 10 * power (k - 1)
let numerators = [ 0; 1; 2; 9; 10; 11; 99; 100; 101; 102; 512; 999; 1000; 1001; 1019; 1020; 1023; 1024 ]
let denominators =
  [ 1; 2; 3; 7; 9; 10; 11; 99; 100; 101; 102; 125; 512; 625; 997; 999; 1000; 1001; 1009; 1021; 1023; 1024 ]
  @ List.init 6 (fun k -> power (k + 4))
let short = List.filter (fun d -> d <= 1024) denominators
let wholes = [ 1; 2; 9; 10; 99; 100; 512; 999; 1000; 1001; 1022; 1023 ]
(* A whole part, and what is beside it. *)
let mixed () =
  let w = if below 2 = 0 then among wholes else 1 + below 1023 in
  let d = if below 2 = 0 then among short else 1 + below 1024 in
  ((w * d) + (match below 4 with 0 -> 0 | 1 -> d - 1 | _ -> below d), d)
let edge_fraction () = if below 4 = 0 then mixed () else (among numerators, among denominators)
let some_fraction () =
  if below 4 = 0 then mixed ()
  else
    ((if below 2 = 0 then among numerators else below 1025),
     if below 2 = 0 then among denominators else 1 + below 1024)
(* The largest numerator on a denominator. *)
let most d = if d > 1024 then 1024 else 1024 * d - 1
let edge_tiny () =
  let k = among [ 1; 2; 3; 4; 9; 10; 21; 28; 29; 30; 30; 30 ] in
  let a = among [ 0; 1; 2; 9; 10; 99; 100; 101; 999; 1000; 1001; 1023; 1024 ] in
  ((if k < 4 then a mod power k else a), k)

(* Of many candidates, those whose result is none next to one that is not: just too large, and just not. *)
let fits row = result row <> "none"
let rec boundary low high make = (* the largest i in [low, high) whose row fits, and the next *)
  if high - low <= 1 then [ make low; make high ]
  else
    let middle = (low + high) / 2 in
    if fits (make middle) then boundary middle high make else boundary low middle make
let around low high make = if fits (make low) && not (fits (make high)) then boundary low high make else []

let rec take count make = if count <= 0 then [] else let rows = make () in rows @ take (count - max 1 (List.length rows)) make

let chunk = 250
let write prefix dir name rows =
  let rows = List.sort_uniq compare (List.map show rows) in
  let out = open_out (Filename.concat dir (name ^ ".rs")) in
  Printf.fprintf out "// Written by `proofs/coq/check --write`.\n";
  List.iteri (fun i row ->
      if i mod chunk = 0 then Printf.fprintf out "%s%s! { %s_%s_%d:\n" (if i = 0 then "" else "}\n") name prefix name (i / chunk);
      Printf.fprintf out "%s\n" row)
    rows;
  Printf.fprintf out "}\n";
  close_out out

let range low high = List.init (high - low + 1) (fun i -> low + i)
let product xs ys = List.concat_map (fun x -> List.map (fun y -> (x, y)) ys) xs
let digits = product (range 0 9) (range 0 9)

(* All pairs of digits, without and with a carry from behind; each constant as a numerator and as a denominator. *)
let tables dir =
  let write = write "table" dir in
  write "sums"
    (List.concat_map (fun (a, b) -> [ Two ("sums", (a, 1), (b, 1)); Two ("sums", ((10 * a) + 5, 1), ((10 * b) + 5, 1)) ]) digits
    @ List.map (fun d -> Two ("sums", (0, 1), (1, d))) (range 2 1024 @ List.map power (range 4 9)));
  write "debits"
    (List.concat_map (fun (a, b) ->
         [ Two ("debits", (a, 1), (b, 1)); Two ("debits", ((10 * a) + 5, 1), ((10 * b) + 5, 1));
           Two ("debits", ((10 * a) + 4, 1), ((10 * b) + 5, 1)); Two ("debits", (100 + a, 1), (b, 1)) ])
       digits);
  write "scales"
    (List.map (fun v -> With ("scales", (v, 1), 1)) (range 0 1024)
    @ List.concat_map (fun (a, b) -> List.map (fun c -> With ("scales", ((10 * a) + c, 1), b)) (range 0 9)) digits);
  (* Each number of places against each. *)
  write "tiny_compares"
    (List.map (fun (k, j) -> Two ("tiny_compares", (1, k), (9, j))) (product (range 1 30) (range 1 30)))

let edges dir =
  let write = write "edge" dir in
  let two name make count = take count (fun () -> let a, b = make () in [ Two (name, a, b) ]) in
  let anything () = (edge_fraction (), some_fraction ()) in
  let same_grid () = let a, b = edge_fraction () in ((a, b), ((if below 2 = 0 then below 1025 else below (most b + 1)), b)) in
  let coarse () = among [ 1; 1; 2; 3; 7; 10 ] in
  write "sums"
    (two "sums" anything 1000 @ two "sums" same_grid 1500
    (* The last sum that fits and the first that does not. *)
    @ take 900 (fun () -> let a, d = (some_fraction (), coarse ()) in around 0 (most d) (fun c -> Two ("sums", a, (c, d)))));
  write "debits"
    (two "debits" anything 1500 @ two "debits" same_grid 1500
    (* The last cost that is within budget, and the first that is not. *)
    @ take 1500 (fun () -> let a, d = (edge_fraction (), among denominators) in around 0 (most d) (fun c -> Two ("debits", a, (c, d)))));
  write "compares"
    (two "compares" anything 2000 @ two "compares" same_grid 1000
    @ take 2500 (fun () ->
          let (a, b), d = (edge_fraction (), among denominators) in
          List.concat_map (fun c -> if 0 <= c && c <= most d then [ Two ("compares", (a, b), (c, d)); Two ("compares", (c, d), (a, b)) ] else [])
            (range ((a * d / b) - 1) ((a * d / b) + 1))));
  let counts = List.filter (fun k -> k > 0) numerators in
  write "scales"
    (take 1200 (fun () -> [ With ("scales", edge_fraction (), among counts) ])
    @ take 800 (fun () -> let a = some_fraction () in around 0 1024 (fun k -> With ("scales", a, k))));
  write "parts"
    (take 1000 (fun () -> [ With ("parts", some_fraction (), among counts) ])
    @ take 500 (fun () -> [ With ("parts", edge_fraction (), 1 + below 1024) ]));
  write "half_squares"
    (take 900 (fun () -> [ One ("half_squares", some_fraction ()) ])
    @ take 300 (fun () -> let d = 1 + below 100 in around 0 (most d) (fun c -> One ("half_squares", (c, d)))));
  let tops k = if k > 3 then 1024 else power k - 1 in
  let any_tiny () = let k = 1 + below 30 in (below (tops k + 1), k) in
  let some_tiny () = let a, k = if below 2 = 0 then edge_tiny () else any_tiny () in ((if a = 0 then 1 else a), k) in
  write "covers"
    (take 1600 (fun () ->
         let e, r, d = (among denominators, some_fraction (), some_tiny ()) in
         let holds c = result (Pairs ("covers", (c, e), r, d)) = "true" in
         let rec edge low high = if high - low <= 1 then [ low; high ] else
           let middle = (low + high) / 2 in if holds middle then edge low middle else edge middle high in
         if holds (most e) && not (holds 0) then List.map (fun c -> Pairs ("covers", (c, e), r, d)) (edge 0 (most e)) else [])
    @ take 300 (fun () -> [ Pairs ("covers", edge_fraction (), edge_fraction (), some_tiny ()) ]));
  write "tiny_sums"
    (take 2000 (fun () -> [ Two ("tiny_sums", edge_tiny (), edge_tiny ()) ])
    @ take 1000 (fun () -> [ Two ("tiny_sums", edge_tiny (), any_tiny ()) ])
    @ take 600 (fun () -> let a, k = (any_tiny (), among [ 1; 2; 3 ]) in around 0 (tops k) (fun c -> Two ("tiny_sums", a, (c, k)))));
  write "tiny_debits"
    (take 2000 (fun () -> [ Two ("tiny_debits", edge_tiny (), edge_tiny ()) ])
    @ take 1000 (fun () -> [ Two ("tiny_debits", edge_tiny (), any_tiny ()) ])
    @ take 1000 (fun () -> let a, k = (any_tiny (), 1 + below 30) in around 0 (tops k) (fun c -> Two ("tiny_debits", a, (c, k)))));
  write "tiny_compares" (take 2000 (fun () -> [ Two ("tiny_compares", edge_tiny (), any_tiny ()) ]));
  write "groups"
    (take 600 (fun () -> [ Three ("groups", edge_tiny (), edge_fraction (), 1 + below 40) ])
    @ take 500 (fun () -> let a, e = (edge_tiny (), edge_fraction ()) in around 1 1024 (fun k -> Three ("groups", a, e, k))))

let () = match Sys.argv with
  | [| _; "fill" |] -> fill ()
  | [| _; "tables"; dir |] -> tables dir
  | [| _; "edges"; dir |] -> edges dir
  | _ -> prerr_endline "oracle fill | oracle tables <dir> | oracle edges <dir>"; exit 2
