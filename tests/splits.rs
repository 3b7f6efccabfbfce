//! `Split<K>` holds wherever a part exists: K of the part, as the types add them up, are at most the whole.

use privet::prelude::*;
use privet::{Cost, Price, Pure, Ratio};

fn value(price: Price) -> Ratio<u128> {
    price
        .epsilon()
        .or(price.rho())
        .expect("a cost of one number")
}

/// A part above zero, its product at most the whole, and what is lost: at most 2 %, and two units of the last place.
fn check<W: Cost, P: Cost, S: Cost>(k: u128) {
    let [whole, part, sum] = [W::price(), P::price(), S::price()].map(value);
    assert!(part > Ratio::from(0), "{whole} in {k} parts");
    assert!(sum <= whole, "{k} times {part} is {sum}, above {whole}");
    assert!(part * k <= sum, "{k} times {part} is more than {sum}");
    let lost = whole * Ratio::new(2, 100) + Ratio::new(2 * k, 1_000_000_000);
    assert!(part * k + lost >= whole, "{part} is too little of {whole}");
}

macro_rules! splits {
    ($name:ident, $notion:ty, $cost:ident<$a:literal>: $($d:literal $k:literal;)*) => {
        #[test]
        fn $name() {
            $(check::<
                $cost<$a, $d>,
                <$cost<$a, $d> as Split<$k, $notion>>::Part,
                <$cost<$a, $d> as Split<$k, $notion>>::Whole,
            >($k);)*
        }
    };
}

splits! { the_named_ones, Pure, Eps<1>: 64 64; 3 1024; 1024 1024; 7 1000; 1_000_000_000 1; 1_000_000 1000; }
splits! { exact_parts_whose_product_is_long, Pure, Eps<677>: 499 2; 7 100; 3 100; 1 1000; }
splits! { the_top_of_the_range, Pure, Eps<1024>: 1 3; 1 7; 3 7; 1_000_000_000 1023; 1_000_000_000 1024; }
splits! { in_zcdp, Zcdp, Rho<1>: 64 64; 3 7; 11 100; 1000 1024; }

// 200 random denominators and numbers of parts.
splits! {
    two_hundred_random_ones, Pure, Eps<1>:
    487 36; 675 69; 684 46; 148 50; 13 49; 496 37; 660 60; 709 78; 235 73; 3 86; 641 20; 1003 58; 378 22;
    349 28; 62 75; 840 27; 78 67; 705 45; 699 53; 819 13; 21 9; 841 86; 523 30; 95 56; 971 58; 117 86;
    435 19; 554 42; 905 81; 573 22; 1001 91; 908 8; 570 23; 521 12; 412 79; 430 87; 612 62; 490 79; 395 71;
    33 84; 745 12; 992 26; 1001 86; 269 47; 965 48; 888 90; 396 88; 319 16; 260 32; 345 48; 382 67; 588 99;
    514 24; 30 50; 844 57; 35 68; 28 30; 693 56; 46 51; 211 100; 623 15; 773 72; 227 24; 81 91; 282 6;
    445 37; 512 46; 618 83; 745 8; 528 60; 379 28; 349 38; 468 62; 715 63; 247 23; 477 72; 374 25; 195 100;
    768 30; 935 79; 8 36; 939 100; 822 45; 185 32; 816 3; 515 7; 255 81; 120 48; 1024 71; 517 21; 26 43;
    905 87; 853 37; 656 17; 237 69; 516 63; 503 82; 364 35; 702 58; 917 96; 168 59; 300 80; 896 7; 286 44;
    968 67; 657 91; 457 92; 813 29; 753 38; 535 34; 31 89; 5 90; 29 18; 573 36; 432 19; 249 27; 447 62;
    1004 9; 575 74; 641 94; 944 35; 780 7; 429 57; 604 13; 924 53; 810 27; 596 73; 357 49; 655 96; 396 74;
    166 4; 707 92; 161 5; 818 6; 921 11; 934 55; 549 27; 810 50; 813 14; 729 47; 195 41; 279 90; 705 71;
    505 81; 627 17; 219 70; 615 91; 697 52; 596 33; 75 54; 366 43; 86 89; 342 20; 705 13; 740 41; 320 91;
    186 99; 696 86; 654 57; 376 24; 32 28; 501 81; 456 64; 185 9; 685 78; 351 60; 246 43; 101 30; 9 48;
    377 37; 871 27; 706 57; 305 30; 530 20; 515 91; 342 22; 514 61; 400 79; 514 92; 257 60; 472 8; 853 100;
    234 54; 552 91; 781 52; 535 88; 452 86; 55 15; 569 75; 699 41; 360 99; 751 4; 331 65; 919 48; 649 41;
    176 19; 490 30; 822 71; 139 34; 508 7;
}

#[test]
fn short_parts_are_exact() {
    type Part<W, const K: usize> = <W as Split<K>>::Part;
    let part = |price: Price| value(price);
    assert_eq!(part(Part::<Eps<1, 3>, 2>::price()), Ratio::new(1, 6));
    assert_eq!(part(Part::<Eps<8, 3>, 4>::price()), Ratio::new(2, 3));
    // 1/4096 is not a cost, 0.000244 adds up to 0.0157, and 1/64 is 0.015625.
    let least = Ratio::new(243, 1_000_000);
    assert_eq!(part(Part::<Eps<1, 64>, 64>::price()), least);
}
