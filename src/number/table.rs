//! The numbers that may be written in a type, and the way back from digits to them.
//!
//! Reading walks down a decimal tree: `N<12>` with the digit 3 is `N<123>`. A number outside the tree is [`Large`].

use typenum::{B0, B1};

use super::digits::*;
use super::natural::{Natural, Nil, list};
use super::tiny::Level;
use super::{Frac, TooLarge};

/// A number of the table: 0 to 1024, or a power of ten up to 10^9.
pub struct N<const V: usize>;

/// A number as it is written in a type.
// Not proved: not a law; it spells a number.
pub trait Written: Sized {
    /// The fraction `self / B`.
    type Over<B: ?Sized + Written>;
    /// The fraction `A / self`.
    type Under<const A: usize>;
    /// The fraction `self + A / B`.
    type Beside<A: ?Sized + Written, B: ?Sized + Written>;
    /// The fraction `W + self / B`.
    type After<const W: usize, B: ?Sized + Written>;
    /// The fraction `W + A / self`.
    type Below<const W: usize, const A: usize>;
    /// The number `self * 10^-L`.
    type Tiny<L: ?Sized + Level>;
}

impl<const V: usize> Written for N<V> {
    type Over<B: ?Sized + Written> = B::Under<V>;
    type Under<const A: usize> = Frac<A, V>;
    type Beside<A: ?Sized + Written, B: ?Sized + Written> = A::After<V, B>;
    type After<const W: usize, B: ?Sized + Written> = B::Below<W, V>;
    type Below<const W: usize, const A: usize> = Frac<A, V, W>;
    type Tiny<L: ?Sized + Level> = L::Show<V>;
}

impl Written for Large {
    type Over<B: ?Sized + Written> = TooLarge;
    type Under<const A: usize> = TooLarge;
    type Beside<A: ?Sized + Written, B: ?Sized + Written> = TooLarge;
    type After<const W: usize, B: ?Sized + Written> = TooLarge;
    type Below<const W: usize, const A: usize> = TooLarge;
    type Tiny<L: ?Sized + Level> = TooLarge;
}

/// Any number outside the table.
pub struct Large;

/// A number of the table, or [`Large`].
// Not proved: a table; every entry is compared with the proof's in tests/arithmetic/tables.
pub trait Numeral: Written {
    /// Its digits. [`Large`] has none, and nothing asks for them.
    type Digits: Natural;
    /// May it be a numerator?
    type Top: Truth;
    /// May it be a denominator?
    type Bottom: Truth;
    /// May `B` be the denominator of what is beside this whole part?
    type Carries<B: ?Sized + Numeral>: Truth;
    /// The number with one more digit.
    type Child<D: ?Sized + Digit>: Numeral;
}

impl Numeral for Large {
    type Digits = Nil;
    type Top = B0;
    type Bottom = B0;
    type Carries<B: ?Sized + Numeral> = B0;
    type Child<D: ?Sized + Digit> = Large;
}

/// Is `B` 1 to 1024?
pub type Short<B> = <<B as Numeral>::Top as Truth>::And<<B as Numeral>::Bottom>;

macro_rules! numeral {
    ($v:literal, $digits:ty, $top:ident $bottom:ident, |$d:ident| $child:ty) => {
        numeral! { $v, $digits, $top $bottom, |B| Short<B>, |$d| $child }
    };
    ($v:literal, $digits:ty, $top:ident $bottom:ident, |$b:ident| $carries:ty, |$d:ident| $child:ty) => {
        impl Numeral for N<$v> {
            type Digits = $digits;
            type Top = $top;
            type Bottom = $bottom;
            type Carries<$b: ?Sized + Numeral> = $carries;
            type Child<$d: ?Sized + Digit> = $child;
        }
    };
}

/// The ten numbers below one in the tree.
// Not proved: a table; every entry is compared with the proof's in tests/arithmetic/tables.
pub trait Row: Sized {
    /// With a zero.
    type T0: Numeral;
    /// With a one.
    type T1: Numeral;
    /// With a two.
    type T2: Numeral;
    /// With a three.
    type T3: Numeral;
    /// With a four.
    type T4: Numeral;
    /// With a five.
    type T5: Numeral;
    /// With a six.
    type T6: Numeral;
    /// With a seven.
    type T7: Numeral;
    /// With an eight.
    type T8: Numeral;
    /// With a nine.
    type T9: Numeral;
}

/// The row below `V`.
pub struct Children<const V: usize>;

macro_rules! children {
    ($v:literal: $($c:ty)*) => { children! { @ $v: T0 T1 T2 T3 T4 T5 T6 T7 T8 T9, $($c)* } };
    (@ $v:literal: $($t:ident)*, $($c:ty)*) => { impl Row for Children<$v> { $(type $t = $c;)* } };
}

/// A number with longer ones below it in the tree.
macro_rules! branches {
    ($($v:literal $($d:ident)*: $($c:literal)*;)*) => { $(
        numeral! { $v, list!($($d)*), B1 B1, |D| D::Pick<Children<$v>> }
        children! { $v: $(N<$c>)* }
    )* };
}

/// Ten numbers with none below them.
macro_rules! leaves {
    ($($h:ident)*: $($v:literal)*) => { leaves! { @ [$($h)*] $($v)*, D0 D1 D2 D3 D4 D5 D6 D7 D8 D9 } };
    (@ [$($h:ident)*] $v:literal $($vs:literal)*, $d:ident $($ds:ident)*) => {
        numeral! { $v, list!($($h)* $d), B1 B1, |_D| Large }
        leaves! { @ [$($h)*] $($vs)*, $($ds)* }
    };
    (@ [$($h:ident)*], $($ds:ident)*) => {};
}

/// Powers of ten: only zeros may follow.
macro_rules! powers {
    (|$b:ident| $carries:ty; $($v:literal $($d:ident)*: $top:ident, $next:ty;)*) => { $(
        numeral! { $v, list!($($d)*), $top B1, |$b| $carries, |D| D::Pick<Children<$v>> }
        children! { $v: $next Large Large Large Large Large Large Large Large Large }
    )* };
}

numeral! { 0, Nil, B1 B0, |B| B::Bottom, |D| D::Pick<Children<0>> }
children! { 0: N<0> N<1> N<2> N<3> N<4> N<5> N<6> N<7> N<8> N<9> }
numeral! { 102, list!(D1 D0 D2), B1 B1, |D| D::Pick<Children<102>> }
children! { 102: N<1020> N<1021> N<1022> N<1023> N<1024> Large Large Large Large Large }
powers! {
    |B| Short<B>;
    1000 D1 D0 D0 D0: B1, N<10000>;
}
powers! {
    |_B| B0;
    10000 D1 D0 D0 D0 D0: B0, N<100000>;
    100000 D1 D0 D0 D0 D0 D0: B0, N<1000000>;
    1000000 D1 D0 D0 D0 D0 D0 D0: B0, N<10000000>;
    10000000 D1 D0 D0 D0 D0 D0 D0 D0: B0, N<100000000>;
    100000000 D1 D0 D0 D0 D0 D0 D0 D0 D0: B0, N<1000000000>;
    1000000000 D1 D0 D0 D0 D0 D0 D0 D0 D0 D0: B0, Large;
}
branches! {
    1 D1: 10 11 12 13 14 15 16 17 18 19;
    2 D2: 20 21 22 23 24 25 26 27 28 29;
    3 D3: 30 31 32 33 34 35 36 37 38 39;
    4 D4: 40 41 42 43 44 45 46 47 48 49;
    5 D5: 50 51 52 53 54 55 56 57 58 59;
    6 D6: 60 61 62 63 64 65 66 67 68 69;
    7 D7: 70 71 72 73 74 75 76 77 78 79;
    8 D8: 80 81 82 83 84 85 86 87 88 89;
    9 D9: 90 91 92 93 94 95 96 97 98 99;
    10 D1 D0: 100 101 102 103 104 105 106 107 108 109;
    11 D1 D1: 110 111 112 113 114 115 116 117 118 119;
    12 D1 D2: 120 121 122 123 124 125 126 127 128 129;
    13 D1 D3: 130 131 132 133 134 135 136 137 138 139;
    14 D1 D4: 140 141 142 143 144 145 146 147 148 149;
    15 D1 D5: 150 151 152 153 154 155 156 157 158 159;
    16 D1 D6: 160 161 162 163 164 165 166 167 168 169;
    17 D1 D7: 170 171 172 173 174 175 176 177 178 179;
    18 D1 D8: 180 181 182 183 184 185 186 187 188 189;
    19 D1 D9: 190 191 192 193 194 195 196 197 198 199;
    20 D2 D0: 200 201 202 203 204 205 206 207 208 209;
    21 D2 D1: 210 211 212 213 214 215 216 217 218 219;
    22 D2 D2: 220 221 222 223 224 225 226 227 228 229;
    23 D2 D3: 230 231 232 233 234 235 236 237 238 239;
    24 D2 D4: 240 241 242 243 244 245 246 247 248 249;
    25 D2 D5: 250 251 252 253 254 255 256 257 258 259;
    26 D2 D6: 260 261 262 263 264 265 266 267 268 269;
    27 D2 D7: 270 271 272 273 274 275 276 277 278 279;
    28 D2 D8: 280 281 282 283 284 285 286 287 288 289;
    29 D2 D9: 290 291 292 293 294 295 296 297 298 299;
    30 D3 D0: 300 301 302 303 304 305 306 307 308 309;
    31 D3 D1: 310 311 312 313 314 315 316 317 318 319;
    32 D3 D2: 320 321 322 323 324 325 326 327 328 329;
    33 D3 D3: 330 331 332 333 334 335 336 337 338 339;
    34 D3 D4: 340 341 342 343 344 345 346 347 348 349;
    35 D3 D5: 350 351 352 353 354 355 356 357 358 359;
    36 D3 D6: 360 361 362 363 364 365 366 367 368 369;
    37 D3 D7: 370 371 372 373 374 375 376 377 378 379;
    38 D3 D8: 380 381 382 383 384 385 386 387 388 389;
    39 D3 D9: 390 391 392 393 394 395 396 397 398 399;
    40 D4 D0: 400 401 402 403 404 405 406 407 408 409;
    41 D4 D1: 410 411 412 413 414 415 416 417 418 419;
    42 D4 D2: 420 421 422 423 424 425 426 427 428 429;
    43 D4 D3: 430 431 432 433 434 435 436 437 438 439;
    44 D4 D4: 440 441 442 443 444 445 446 447 448 449;
    45 D4 D5: 450 451 452 453 454 455 456 457 458 459;
    46 D4 D6: 460 461 462 463 464 465 466 467 468 469;
    47 D4 D7: 470 471 472 473 474 475 476 477 478 479;
    48 D4 D8: 480 481 482 483 484 485 486 487 488 489;
    49 D4 D9: 490 491 492 493 494 495 496 497 498 499;
    50 D5 D0: 500 501 502 503 504 505 506 507 508 509;
    51 D5 D1: 510 511 512 513 514 515 516 517 518 519;
    52 D5 D2: 520 521 522 523 524 525 526 527 528 529;
    53 D5 D3: 530 531 532 533 534 535 536 537 538 539;
    54 D5 D4: 540 541 542 543 544 545 546 547 548 549;
    55 D5 D5: 550 551 552 553 554 555 556 557 558 559;
    56 D5 D6: 560 561 562 563 564 565 566 567 568 569;
    57 D5 D7: 570 571 572 573 574 575 576 577 578 579;
    58 D5 D8: 580 581 582 583 584 585 586 587 588 589;
    59 D5 D9: 590 591 592 593 594 595 596 597 598 599;
    60 D6 D0: 600 601 602 603 604 605 606 607 608 609;
    61 D6 D1: 610 611 612 613 614 615 616 617 618 619;
    62 D6 D2: 620 621 622 623 624 625 626 627 628 629;
    63 D6 D3: 630 631 632 633 634 635 636 637 638 639;
    64 D6 D4: 640 641 642 643 644 645 646 647 648 649;
    65 D6 D5: 650 651 652 653 654 655 656 657 658 659;
    66 D6 D6: 660 661 662 663 664 665 666 667 668 669;
    67 D6 D7: 670 671 672 673 674 675 676 677 678 679;
    68 D6 D8: 680 681 682 683 684 685 686 687 688 689;
    69 D6 D9: 690 691 692 693 694 695 696 697 698 699;
    70 D7 D0: 700 701 702 703 704 705 706 707 708 709;
    71 D7 D1: 710 711 712 713 714 715 716 717 718 719;
    72 D7 D2: 720 721 722 723 724 725 726 727 728 729;
    73 D7 D3: 730 731 732 733 734 735 736 737 738 739;
    74 D7 D4: 740 741 742 743 744 745 746 747 748 749;
    75 D7 D5: 750 751 752 753 754 755 756 757 758 759;
    76 D7 D6: 760 761 762 763 764 765 766 767 768 769;
    77 D7 D7: 770 771 772 773 774 775 776 777 778 779;
    78 D7 D8: 780 781 782 783 784 785 786 787 788 789;
    79 D7 D9: 790 791 792 793 794 795 796 797 798 799;
    80 D8 D0: 800 801 802 803 804 805 806 807 808 809;
    81 D8 D1: 810 811 812 813 814 815 816 817 818 819;
    82 D8 D2: 820 821 822 823 824 825 826 827 828 829;
    83 D8 D3: 830 831 832 833 834 835 836 837 838 839;
    84 D8 D4: 840 841 842 843 844 845 846 847 848 849;
    85 D8 D5: 850 851 852 853 854 855 856 857 858 859;
    86 D8 D6: 860 861 862 863 864 865 866 867 868 869;
    87 D8 D7: 870 871 872 873 874 875 876 877 878 879;
    88 D8 D8: 880 881 882 883 884 885 886 887 888 889;
    89 D8 D9: 890 891 892 893 894 895 896 897 898 899;
    90 D9 D0: 900 901 902 903 904 905 906 907 908 909;
    91 D9 D1: 910 911 912 913 914 915 916 917 918 919;
    92 D9 D2: 920 921 922 923 924 925 926 927 928 929;
    93 D9 D3: 930 931 932 933 934 935 936 937 938 939;
    94 D9 D4: 940 941 942 943 944 945 946 947 948 949;
    95 D9 D5: 950 951 952 953 954 955 956 957 958 959;
    96 D9 D6: 960 961 962 963 964 965 966 967 968 969;
    97 D9 D7: 970 971 972 973 974 975 976 977 978 979;
    98 D9 D8: 980 981 982 983 984 985 986 987 988 989;
    99 D9 D9: 990 991 992 993 994 995 996 997 998 999;
    100 D1 D0 D0: 1000 1001 1002 1003 1004 1005 1006 1007 1008 1009;
    101 D1 D0 D1: 1010 1011 1012 1013 1014 1015 1016 1017 1018 1019;
}
numeral! { 103, list!(D1 D0 D3), B1 B1, |_D| Large }
numeral! { 104, list!(D1 D0 D4), B1 B1, |_D| Large }
numeral! { 105, list!(D1 D0 D5), B1 B1, |_D| Large }
numeral! { 106, list!(D1 D0 D6), B1 B1, |_D| Large }
numeral! { 107, list!(D1 D0 D7), B1 B1, |_D| Large }
numeral! { 108, list!(D1 D0 D8), B1 B1, |_D| Large }
numeral! { 109, list!(D1 D0 D9), B1 B1, |_D| Large }
numeral! { 1001, list!(D1 D0 D0 D1), B1 B1, |_D| Large }
numeral! { 1002, list!(D1 D0 D0 D2), B1 B1, |_D| Large }
numeral! { 1003, list!(D1 D0 D0 D3), B1 B1, |_D| Large }
numeral! { 1004, list!(D1 D0 D0 D4), B1 B1, |_D| Large }
numeral! { 1005, list!(D1 D0 D0 D5), B1 B1, |_D| Large }
numeral! { 1006, list!(D1 D0 D0 D6), B1 B1, |_D| Large }
numeral! { 1007, list!(D1 D0 D0 D7), B1 B1, |_D| Large }
numeral! { 1008, list!(D1 D0 D0 D8), B1 B1, |_D| Large }
numeral! { 1009, list!(D1 D0 D0 D9), B1 B1, |_D| Large }
leaves! { D1 D1: 110 111 112 113 114 115 116 117 118 119 }
leaves! { D1 D2: 120 121 122 123 124 125 126 127 128 129 }
leaves! { D1 D3: 130 131 132 133 134 135 136 137 138 139 }
leaves! { D1 D4: 140 141 142 143 144 145 146 147 148 149 }
leaves! { D1 D5: 150 151 152 153 154 155 156 157 158 159 }
leaves! { D1 D6: 160 161 162 163 164 165 166 167 168 169 }
leaves! { D1 D7: 170 171 172 173 174 175 176 177 178 179 }
leaves! { D1 D8: 180 181 182 183 184 185 186 187 188 189 }
leaves! { D1 D9: 190 191 192 193 194 195 196 197 198 199 }
leaves! { D2 D0: 200 201 202 203 204 205 206 207 208 209 }
leaves! { D2 D1: 210 211 212 213 214 215 216 217 218 219 }
leaves! { D2 D2: 220 221 222 223 224 225 226 227 228 229 }
leaves! { D2 D3: 230 231 232 233 234 235 236 237 238 239 }
leaves! { D2 D4: 240 241 242 243 244 245 246 247 248 249 }
leaves! { D2 D5: 250 251 252 253 254 255 256 257 258 259 }
leaves! { D2 D6: 260 261 262 263 264 265 266 267 268 269 }
leaves! { D2 D7: 270 271 272 273 274 275 276 277 278 279 }
leaves! { D2 D8: 280 281 282 283 284 285 286 287 288 289 }
leaves! { D2 D9: 290 291 292 293 294 295 296 297 298 299 }
leaves! { D3 D0: 300 301 302 303 304 305 306 307 308 309 }
leaves! { D3 D1: 310 311 312 313 314 315 316 317 318 319 }
leaves! { D3 D2: 320 321 322 323 324 325 326 327 328 329 }
leaves! { D3 D3: 330 331 332 333 334 335 336 337 338 339 }
leaves! { D3 D4: 340 341 342 343 344 345 346 347 348 349 }
leaves! { D3 D5: 350 351 352 353 354 355 356 357 358 359 }
leaves! { D3 D6: 360 361 362 363 364 365 366 367 368 369 }
leaves! { D3 D7: 370 371 372 373 374 375 376 377 378 379 }
leaves! { D3 D8: 380 381 382 383 384 385 386 387 388 389 }
leaves! { D3 D9: 390 391 392 393 394 395 396 397 398 399 }
leaves! { D4 D0: 400 401 402 403 404 405 406 407 408 409 }
leaves! { D4 D1: 410 411 412 413 414 415 416 417 418 419 }
leaves! { D4 D2: 420 421 422 423 424 425 426 427 428 429 }
leaves! { D4 D3: 430 431 432 433 434 435 436 437 438 439 }
leaves! { D4 D4: 440 441 442 443 444 445 446 447 448 449 }
leaves! { D4 D5: 450 451 452 453 454 455 456 457 458 459 }
leaves! { D4 D6: 460 461 462 463 464 465 466 467 468 469 }
leaves! { D4 D7: 470 471 472 473 474 475 476 477 478 479 }
leaves! { D4 D8: 480 481 482 483 484 485 486 487 488 489 }
leaves! { D4 D9: 490 491 492 493 494 495 496 497 498 499 }
leaves! { D5 D0: 500 501 502 503 504 505 506 507 508 509 }
leaves! { D5 D1: 510 511 512 513 514 515 516 517 518 519 }
leaves! { D5 D2: 520 521 522 523 524 525 526 527 528 529 }
leaves! { D5 D3: 530 531 532 533 534 535 536 537 538 539 }
leaves! { D5 D4: 540 541 542 543 544 545 546 547 548 549 }
leaves! { D5 D5: 550 551 552 553 554 555 556 557 558 559 }
leaves! { D5 D6: 560 561 562 563 564 565 566 567 568 569 }
leaves! { D5 D7: 570 571 572 573 574 575 576 577 578 579 }
leaves! { D5 D8: 580 581 582 583 584 585 586 587 588 589 }
leaves! { D5 D9: 590 591 592 593 594 595 596 597 598 599 }
leaves! { D6 D0: 600 601 602 603 604 605 606 607 608 609 }
leaves! { D6 D1: 610 611 612 613 614 615 616 617 618 619 }
leaves! { D6 D2: 620 621 622 623 624 625 626 627 628 629 }
leaves! { D6 D3: 630 631 632 633 634 635 636 637 638 639 }
leaves! { D6 D4: 640 641 642 643 644 645 646 647 648 649 }
leaves! { D6 D5: 650 651 652 653 654 655 656 657 658 659 }
leaves! { D6 D6: 660 661 662 663 664 665 666 667 668 669 }
leaves! { D6 D7: 670 671 672 673 674 675 676 677 678 679 }
leaves! { D6 D8: 680 681 682 683 684 685 686 687 688 689 }
leaves! { D6 D9: 690 691 692 693 694 695 696 697 698 699 }
leaves! { D7 D0: 700 701 702 703 704 705 706 707 708 709 }
leaves! { D7 D1: 710 711 712 713 714 715 716 717 718 719 }
leaves! { D7 D2: 720 721 722 723 724 725 726 727 728 729 }
leaves! { D7 D3: 730 731 732 733 734 735 736 737 738 739 }
leaves! { D7 D4: 740 741 742 743 744 745 746 747 748 749 }
leaves! { D7 D5: 750 751 752 753 754 755 756 757 758 759 }
leaves! { D7 D6: 760 761 762 763 764 765 766 767 768 769 }
leaves! { D7 D7: 770 771 772 773 774 775 776 777 778 779 }
leaves! { D7 D8: 780 781 782 783 784 785 786 787 788 789 }
leaves! { D7 D9: 790 791 792 793 794 795 796 797 798 799 }
leaves! { D8 D0: 800 801 802 803 804 805 806 807 808 809 }
leaves! { D8 D1: 810 811 812 813 814 815 816 817 818 819 }
leaves! { D8 D2: 820 821 822 823 824 825 826 827 828 829 }
leaves! { D8 D3: 830 831 832 833 834 835 836 837 838 839 }
leaves! { D8 D4: 840 841 842 843 844 845 846 847 848 849 }
leaves! { D8 D5: 850 851 852 853 854 855 856 857 858 859 }
leaves! { D8 D6: 860 861 862 863 864 865 866 867 868 869 }
leaves! { D8 D7: 870 871 872 873 874 875 876 877 878 879 }
leaves! { D8 D8: 880 881 882 883 884 885 886 887 888 889 }
leaves! { D8 D9: 890 891 892 893 894 895 896 897 898 899 }
leaves! { D9 D0: 900 901 902 903 904 905 906 907 908 909 }
leaves! { D9 D1: 910 911 912 913 914 915 916 917 918 919 }
leaves! { D9 D2: 920 921 922 923 924 925 926 927 928 929 }
leaves! { D9 D3: 930 931 932 933 934 935 936 937 938 939 }
leaves! { D9 D4: 940 941 942 943 944 945 946 947 948 949 }
leaves! { D9 D5: 950 951 952 953 954 955 956 957 958 959 }
leaves! { D9 D6: 960 961 962 963 964 965 966 967 968 969 }
leaves! { D9 D7: 970 971 972 973 974 975 976 977 978 979 }
leaves! { D9 D8: 980 981 982 983 984 985 986 987 988 989 }
leaves! { D9 D9: 990 991 992 993 994 995 996 997 998 999 }
leaves! { D1 D0 D1: 1010 1011 1012 1013 1014 1015 1016 1017 1018 1019 }
leaves! { D1 D0 D2: 1020 1021 1022 1023 }
// It is the largest: nothing may be beside it.
numeral! { 1024, list!(D1 D0 D2 D4), B1 B1, |_B| B0, |_D| Large }
