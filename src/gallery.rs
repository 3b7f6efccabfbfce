#![doc = include_str!("docs/theory_links.md")]
#![doc = include_str!("docs/gallery.md")]

/// One page for each example, with the links that all of them share.
macro_rules! pages {
    ($($name:ident)*) => {$(
        #[doc = include_str!("docs/theory_links.md")]
        #[doc = include_str!(concat!("docs/gallery/", stringify!($name), ".md"))]
        pub mod $name {}
    )*};
}

pages! {
    attacks
    bernoulli_mean
    cdf
    coin_flip_count
    exam_survey
    follow_up
    groups
    hospital
    laplace_accuracy
    local_model
    logistic_regression
    mwem
    naive_bayes
    name_and_shame
    popular_words
    posterior
    prefix_sums
    private_lloyd
    replicability
    restart
    salaries
    two_hospitals
}
