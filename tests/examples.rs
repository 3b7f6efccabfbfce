//! Every example runs, and its key figures are what they should be.
//!
//! Noise cannot be seeded, so figures are bounded with room: `FAR` scales of Laplace noise are
//! exceeded with probability e^−25 = 1.4e-11, and every other bound says why it is as safe.
#![forbid(unsafe_code)]
#![allow(clippy::duplicate_mod)] // every example brings its own `common`

/// In scales of Laplace noise.
const FAR: f64 = 25.0;

#[allow(dead_code)]
#[path = "../examples/attacks.rs"]
mod attacks;
#[allow(dead_code)]
#[path = "../examples/bernoulli_mean.rs"]
mod bernoulli_mean;
#[allow(dead_code)]
#[path = "../examples/cdf.rs"]
mod cdf;
#[allow(dead_code)]
#[path = "../examples/coin_flip_count.rs"]
mod coin_flip_count;
#[allow(dead_code)]
#[path = "../examples/exam_survey.rs"]
mod exam_survey;
#[allow(dead_code)]
#[path = "../examples/follow_up.rs"]
mod follow_up;
#[allow(dead_code)]
#[path = "../examples/groups.rs"]
mod groups;
#[allow(dead_code)]
#[path = "../examples/hospital.rs"]
mod hospital;
#[allow(dead_code)]
#[path = "../examples/laplace_accuracy.rs"]
mod laplace_accuracy;
#[allow(dead_code)]
#[path = "../examples/local_model.rs"]
mod local_model;
#[allow(dead_code)]
#[path = "../examples/logistic_regression.rs"]
mod logistic_regression;
#[allow(dead_code)]
#[path = "../examples/mwem.rs"]
mod mwem;
#[allow(dead_code)]
#[path = "../examples/naive_bayes.rs"]
mod naive_bayes;
#[allow(dead_code)]
#[path = "../examples/name_and_shame.rs"]
mod name_and_shame;
#[allow(dead_code)]
#[path = "../examples/popular_words.rs"]
mod popular_words;
#[allow(dead_code)]
#[path = "../examples/posterior.rs"]
mod posterior;
#[allow(dead_code)]
#[path = "../examples/prefix_sums.rs"]
mod prefix_sums;
#[allow(dead_code)]
#[path = "../examples/private_lloyd.rs"]
mod private_lloyd;
#[allow(dead_code)]
#[path = "../examples/replicability.rs"]
mod replicability;
#[allow(dead_code)]
#[cfg(feature = "ledger")]
#[path = "../examples/restart.rs"]
mod restart;
#[allow(dead_code)]
#[path = "../examples/salaries.rs"]
mod salaries;
#[allow(dead_code)]
#[path = "../examples/two_hospitals.rs"]
mod two_hospitals;

fn near(noisy: f64, exact: f64, off: f64) {
    assert!(
        (noisy - exact).abs() <= off,
        "{noisy} is not {exact} ± {off}"
    );
}

#[test]
fn hospital() {
    let figures = hospital::run().unwrap();
    let count = |(noisy, exact): (i64, i64)| near(noisy as f64, exact as f64, FAR * 10.0);
    count(figures.count);
    count(figures.smokers);
    figures.wards.into_iter().for_each(count);
    // The sum's scale is 10,000/0.1, the count's is 10 and moves the mean by 1 % of it.
    let (mean, exact) = figures.mean;
    near(mean.value, exact, FAR * (1e5 + 10.0 * exact) / 3e5 * 1.1);
    // Over 3,000 patients have each age near the median; it is off by 10·(25 + ln 121) at most.
    near(figures.median.0 as f64, figures.median.1 as f64, 1.0);
    let (mean, exact) = figures.follow_up.expect("thousands of older smokers");
    near(mean.value, exact, FAR * (1e5 + 10.0 * exact) / 6e4 * 1.1);
}

#[test]
fn private_lloyd() {
    let figures = private_lloyd::run().unwrap();
    // 30 scales of 16 move a centre of 5,000 shops by 0.15 at most; twice that under `Replace`.
    assert!(figures.exact < 0.0105);
    near(figures.noisy, figures.exact, 0.05);
    near(figures.averaged, figures.exact, 0.05);
    near(figures.replace, figures.exact, 0.2);
}

#[test]
fn two_hospitals() {
    let figures = two_hospitals::run().unwrap();
    for noisy in [figures.shared, figures.apart] {
        near(noisy.0 as f64, figures.exact.0 as f64, FAR * 4.0);
        near(noisy.1 as f64, figures.exact.1 as f64, FAR * 4.0);
    }
}

#[test]
fn follow_up() {
    let figures = follow_up::run().unwrap();
    for (n, _, exact) in [figures.calm, figures.outbreak] {
        near(n as f64, exact as f64, FAR * 8.0);
    }
    // Hundreds away from the threshold on either side.
    assert_eq!((figures.calm.1, figures.outbreak.1), (2, 10));
}

#[test]
fn salaries() {
    let figures = salaries::run().unwrap();
    for (_, noisy, scale) in figures.noisy {
        near(noisy, figures.exact, FAR * scale);
    }
}

/// Seeded: the tosses are public.
#[test]
fn bernoulli_mean() {
    for (epsilon, measured, bound) in bernoulli_mean::run().unwrap().errors {
        assert!(measured <= 1.05 * bound, "ε = {epsilon}");
        assert!(measured >= 0.9 * bound, "ε = {epsilon}");
    }
}

/// Seeded: the visits are public.
#[test]
fn laplace_accuracy() {
    for (beta, note, ours, exceeded) in laplace_accuracy::run().unwrap().tails {
        assert!(exceeded <= beta + 4.0 * (beta / 20_000.0).sqrt());
        near(ours, note, 1.0);
    }
}

#[test]
fn groups() {
    let figures = groups::run().unwrap();
    let exact = figures.exact as f64;
    near(figures.answers.0 as f64, exact, FAR * 4.0);
    near(figures.answers.1 as f64, exact, FAR * 4.0);
    near(figures.intervals.0, figures.intervals.1, 0.0);
    let group = |i: usize| figures.prices[i].1.to_string();
    assert_eq!(group(0), "ε = 1");
    assert_eq!(group(1), "ρ = 1/2");
    // 4·e^(3/4)·δ = 8.47e-9, rounded up.
    assert_eq!(group(2), "ε = 1, δ = 891e-11");
}

/// Seeded: the patients are public.
#[test]
fn posterior() {
    let figures = posterior::run().unwrap();
    assert!(figures.largest <= figures.bound);
    assert!(figures.largest >= 0.9 * figures.bound.sqrt());
}

#[test]
fn attacks() {
    let figures = attacks::run().unwrap();
    assert!(figures.linked > 0.95);
    assert_eq!(figures.solutions, 31);
    // At ε = 1 no belief is more than e^3 times another: 95 % need more than 29 % of the triples.
    assert!(figures.left[2] > 100_000);
    // At ε = 100 a sum 20 away is e^8 times less likely.
    assert!(figures.left[0] < 20_000);
    assert!(figures.guessed > 0.5 && figures.guessed < figures.limit);
}

/// Seeded: the samples are public.
#[test]
fn replicability() {
    let figures = replicability::run().unwrap();
    assert!(figures.exact < 0.01 && figures.noisy < 0.01);
    assert!(figures.rounded > 0.9 && figures.private_and_rounded > 0.9);
    near(figures.leaky, 1.0, 0.0);
}

#[test]
fn cdf() {
    let figures = cdf::run().unwrap();
    // A hundred squares of deviation 141, and a walk of a hundred steps of deviation 1.4.
    assert!(figures.one_by_one > 30.0 && figures.one_by_one < FAR * 100.0);
    assert!(figures.partitioned < 150.0);
    assert!(figures.monotone < 150.0);
}

/// Seeded: the visits are public.
#[test]
fn prefix_sums() {
    let figures = prefix_sums::run().unwrap();
    assert!(figures.tree < figures.flat / 2.0);
}

#[test]
fn mwem() {
    let figures = mwem::run().unwrap();
    // A measurement has scale 24 of 20,000, a choice scale 48: 0.15 is more than 60 of these.
    assert!(figures.uniform > 0.25);
    assert!(figures.synthetic < 0.15);
}

#[test]
fn logistic_regression() {
    let figures = logistic_regression::run().unwrap();
    assert!(figures.exact > 0.84);
    // Noise of deviation 6.3 on gradients of about 1,000 rows, twelve deviations and more away.
    let (_, share) = figures.noisy[figures.noisy.len() - 1];
    assert!(share > 0.8, "{share}");
}

#[test]
fn naive_bayes() {
    let figures = naive_bayes::run().unwrap();
    assert!(figures.exact > 0.85);
    // Counts of about a hundred, off by FAR at most.
    let (_, share) = figures.noisy[figures.noisy.len() - 1];
    assert!(share > 0.75, "{share}");
}

#[test]
fn coin_flip_count() {
    let figures = coin_flip_count::run().unwrap();
    // 2^−41
    near(figures.released as f64, 30.0, 40.0);
    // Seeded from here: the patients are public.
    for (seen, share) in figures.noise {
        near(seen, share, 0.003);
    }
    near(figures.loss, 4.0_f64.ln(), 0.03);
}

#[test]
fn exam_survey() {
    for (gamma, price, error, theory) in exam_survey::run().unwrap().rows {
        assert!(price >= ((0.5 + gamma) / (0.5 - gamma)).ln());
        // A mean of 20 squares is 6.25 times its expectation with probability below 1e-15.
        assert!(error < 2.5 * theory, "{error} {theory}");
    }
}

#[test]
fn popular_words() {
    let figures = popular_words::run().unwrap();
    for (estimate, exact) in &figures.words {
        // Ten deviations of the noise; the hash functions are fixed, and so are their collisions.
        near(*estimate, *exact, 10.0 * figures.noise + 2_000.0);
    }
    assert!(figures.curve[0].1 > figures.curve[3].1);
}

/// Seeded: the people are public.
#[test]
fn name_and_shame() {
    let figures = name_and_shame::run().unwrap();
    near(figures.named, 1.0 - 0.99_f64.powi(8), 0.02);
    assert_eq!(figures.refuted, [true, true, false]);
    assert!(!figures.ours);
}

/// Its figures are those of `exam_survey` and `popular_words`.
#[test]
fn local_model() {
    local_model::main().unwrap();
}

#[test]
#[cfg(feature = "ledger")]
fn restart() {
    // The program that is killed is this one, asked for the test below.
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "restart_program", "--ignored", "--nocapture"]);
    let figures = restart::run(command).unwrap();
    let lengths: Vec<usize> = figures.runs.iter().map(Vec::len).collect();
    assert_eq!(lengths, [1, 2, 3]);
    // Each run was told what the runs before it were told.
    assert_eq!(figures.runs[0], figures.runs[2][..1]);
    assert_eq!(figures.runs[1], figures.runs[2][..2]);
    let balance = figures.balance;
    assert_eq!(
        (balance.charges, balance.answers, balance.unanswered),
        (3, 3, 0)
    );
    assert_eq!(balance.spent.to_string(), "ε = 3/4");
    assert_eq!(balance.left.to_string(), "ε = 9/4");
    let n: i64 = figures.runs[2][0]
        .strip_prefix("visits: ")
        .unwrap()
        .parse()
        .unwrap();
    near(n as f64, 10_000.0, FAR * 4.0);
}

#[test]
#[cfg(feature = "ledger")]
#[ignore = "a part of `restart`"]
fn restart_program() {
    if let Some(path) = std::env::var_os("PRIVET_RESTART") {
        restart::program(path.as_ref()).unwrap();
    }
}

/// What a page of the gallery quotes is in its example, and every example has a page and a test.
#[test]
fn the_gallery_quotes_what_is_there() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let index = std::fs::read_to_string(root.join("src/docs/gallery.md")).unwrap();
    let tests = include_str!("examples.rs");
    for entry in std::fs::read_dir(root.join("examples")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|kind| kind != "rs") {
            continue;
        }
        let name = path.file_stem().unwrap().to_str().unwrap();
        let example = std::fs::read_to_string(&path).unwrap();
        let page = root.join(format!("src/docs/gallery/{name}.md"));
        let page = std::fs::read_to_string(page).unwrap_or_else(|_| panic!("a page for {name}"));
        let quoted = page.split("```rust,ignore\n").skip(1);
        for line in quoted.flat_map(|rest| rest.split("```").next().unwrap_or("").lines()) {
            assert!(example.contains(line), "{name} does not say: {line}");
        }
        assert!(
            index.contains(&format!("[`{name}`]")),
            "{name} is not in the gallery"
        );
        assert!(
            tests.contains(&format!("fn {name}()")),
            "{name} is not tested"
        );
    }
}
