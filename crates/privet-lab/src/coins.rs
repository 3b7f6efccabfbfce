//! Seeded randomness for experiments.

use privet::noise::{self, Entropy, GaussianVariance, LaplaceScale};

use crate::audit::mix;

/// How many values of one scale are drawn at a time.
const STOCK: usize = 1024;

/// The randomness of an experiment. It is repeatable, so it protects nothing.
///
/// Discrete noise is drawn by `privet`'s own samplers; a parameter out of their range gives 0 and
/// makes the audit report an error.
#[derive(Debug)]
pub struct Coins {
    entropy: Entropy,
    words: [u64; 4],
    stock: Vec<(Kind, Vec<i64>)>,
    failed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Laplace(u64, u64),
    Gaussian(u64, u64),
    SteadyLaplace(u64, u64),
    SteadyGaussian(u64, u64),
}

impl Coins {
    /// Coins from a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let words = [1, 2, 3, 4].map(|i| mix(seed ^ mix(i)));
        let mut key = [0; 32];
        for (bytes, word) in key.chunks_exact_mut(8).zip(words) {
            bytes.copy_from_slice(&mix(word).to_le_bytes());
        }
        Coins {
            entropy: Entropy::public(key),
            words,
            stock: Vec::new(),
            failed: false,
        }
    }

    /// 64 fair bits (xoshiro256++).
    #[inline]
    pub fn word(&mut self) -> u64 {
        let s = &mut self.words;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A multiple of 2^−53 in [0, 1).
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Heads with probability `p`, to 2^−53.
    #[inline]
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// An integer below `bound`, uniform to 2^−64; 0 where `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(bound)) >> 64) as u64
    }

    /// Discrete Laplace noise of scale `num`/`den`.
    #[inline]
    pub fn laplace(&mut self, num: u64, den: u64) -> i64 {
        self.draw(Kind::Laplace(num, den))
    }

    /// Discrete Gaussian noise of variance parameter `num`/`den`.
    #[inline]
    pub fn gaussian(&mut self, num: u64, den: u64) -> i64 {
        self.draw(Kind::Gaussian(num, den))
    }

    /// Discrete Laplace noise of scale `num`/`den`, by the sampler that takes constant time.
    #[inline]
    pub fn laplace_constant_time(&mut self, num: u64, den: u64) -> i64 {
        self.draw(Kind::SteadyLaplace(num, den))
    }

    /// Discrete Gaussian noise of variance parameter `num`/`den`, by the sampler that takes constant
    /// time.
    #[inline]
    pub fn gaussian_constant_time(&mut self, num: u64, den: u64) -> i64 {
        self.draw(Kind::SteadyGaussian(num, den))
    }

    /// Coin flips until the first tails, `ratio` being the probability of heads.
    pub fn geometric(&mut self, ratio: f64) -> i64 {
        let mut heads = 0;
        while heads < 10_000 && self.chance(ratio) {
            heads += 1;
        }
        heads
    }

    /// `privet`'s generator, for its other samplers.
    pub fn entropy(&mut self) -> &mut Entropy {
        &mut self.entropy
    }

    /// Whether a parameter was out of range.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.failed
    }

    /// Makes the audit report an error, where a mechanism under test fails.
    pub fn fail(&mut self) {
        self.failed = true;
    }

    #[inline]
    fn draw(&mut self, kind: Kind) -> i64 {
        for (of, stock) in &mut self.stock {
            if *of == kind
                && let Some(noise) = stock.pop()
            {
                return noise;
            }
        }
        self.restock(kind)
    }

    #[cold]
    fn restock(&mut self, kind: Kind) -> i64 {
        let mut fresh = vec![0; STOCK];
        let filled = match kind {
            Kind::Laplace(num, den) => LaplaceScale::new(num.into(), den)
                .map(|scale| noise::laplace_fill(&mut self.entropy, scale, &mut fresh)),
            Kind::Gaussian(num, den) => GaussianVariance::new(num.into(), den)
                .map(|variance| noise::gaussian_fill(&mut self.entropy, variance, &mut fresh)),
            Kind::SteadyLaplace(num, den) => LaplaceScale::new(num.into(), den)
                .map(|scale| noise::laplace_constant_time(&mut self.entropy, scale, &mut fresh)),
            Kind::SteadyGaussian(num, den) => {
                GaussianVariance::new(num.into(), den).map(|variance| {
                    noise::gaussian_constant_time(&mut self.entropy, variance, &mut fresh)
                })
            }
        };
        if !matches!(filled, Some(Ok(()))) {
            self.failed = true;
            return 0;
        }
        let noise = fresh.pop().unwrap_or_default();
        match self.stock.iter_mut().find(|(of, _)| *of == kind) {
            Some((_, stock)) => *stock = fresh,
            None => self.stock.push((kind, fresh)),
        }
        noise
    }
}
