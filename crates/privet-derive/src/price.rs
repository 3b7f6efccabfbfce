//! A ceiling as written, `"1/2"`, turned into a cost type, `Eps<1, 2>`.

use proc_macro::TokenStream;

use crate::tokens::code;

const USAGE: &str = "write a price: `1/2`, `0.5`, `rho = 1/8` or `eps = 1/2, delta = 1e-6`";

/// The cost type of a price, or what is wrong with it.
pub(crate) fn ceiling(text: &str) -> Result<TokenStream, String> {
    spelled(text).map(|cost| code(&cost, &[]))
}

fn spelled(text: &str) -> Result<String, String> {
    let (mut epsilon, mut rho, mut delta) = (None, None, None);
    for part in text.split(',') {
        let (name, value) = part.split_once('=').unwrap_or(("eps", part));
        let slot = match name.trim() {
            "ε" | "eps" | "epsilon" => &mut epsilon,
            "ρ" | "rho" => &mut rho,
            "δ" | "delta" => &mut delta,
            _ => return Err(USAGE.to_string()),
        };
        let value = fraction(value.trim()).ok_or(USAGE)?;
        if slot.replace(value).is_some() {
            return Err(USAGE.to_string());
        }
    }
    match (epsilon, rho, delta) {
        (Some(epsilon), None, None) => Ok(format!("::privet::Eps<{}>", cost(epsilon)?)),
        (None, Some(rho), None) => Ok(format!("::privet::Rho<{}>", cost(rho)?)),
        (Some(epsilon), None, Some(delta)) => Ok(format!(
            "::privet::Approx<::privet::Eps<{}>, ::privet::Delta<{}>>",
            cost(epsilon)?,
            failure(delta)?
        )),
        _ => Err(USAGE.to_string()),
    }
}

/// `NUM, DEN` or `NUM, DEN, WHOLE` in the range of costs, in lowest terms where those are short.
fn cost((num, den): (u128, u128)) -> Result<String, String> {
    // The first denominator that fits is the one of lowest terms, found without a common divisor: the
    // one Euclid is in the library, which depends on this crate.
    (1..=1024)
        .chain((4..=9).map(|k| 10_u128.pow(k)))
        .find_map(|down| {
            let scaled = num.checked_mul(down)?;
            let up = scaled / den;
            let (whole, rest) = (up / down, up % down);
            match up {
                _ if scaled % den > 0 => None,
                0..=1024 => Some(format!("{up}, {down}")),
                _ if down <= 1024 && whole < 1024 => Some(format!("{rest}, {down}, {whole}")),
                _ => None,
            }
        })
        .ok_or_else(|| {
            "this ceiling is not a short fraction up to 1024: the denominator is 1 to 1024, or a power of \
             ten up to 10^9 with a numerator of 0 to 1024"
                .to_string()
        })
}

/// `A, K` with δ = A·10^-K.
fn failure((num, den): (u128, u128)) -> Result<String, String> {
    (1..=30)
        .find_map(|k| {
            let scaled = num.checked_mul(10_u128.pow(k))?;
            let digits = scaled / den;
            (scaled % den == 0 && digits <= 1024 && num < den).then(|| format!("{digits}, {k}"))
        })
        .ok_or_else(|| {
            "this δ is not A·10^-K with A at most 1024, K at most 30 and δ below 1".to_string()
        })
}

/// An exact fraction from `3/4`, `0.75` or `75e-2`.
fn fraction(text: &str) -> Option<(u128, u128)> {
    if let Some((num, den)) = text.split_once('/') {
        let (num, den) = (digits(num.trim_end())?, digits(den.trim_start())?);
        return (den != 0).then_some((num, den));
    }
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let value = digits(&format!("{whole}{part}"))?;
    let shift = exponent.checked_sub(i32::try_from(part.len()).ok()?)?;
    let power = 10_u128.checked_pow(shift.unsigned_abs())?;
    if shift < 0 {
        Some((value, power))
    } else {
        Some((value.checked_mul(power)?, 1))
    }
}

fn digits(text: &str) -> Option<u128> {
    (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ceilings_are_read_exactly() {
        let spelled = |text| spelled(text).map(|cost| cost.replace("::privet::", ""));
        for (text, cost) in [
            ("1/2", "Eps<1, 2>"),
            ("0.5", "Eps<1, 2>"),
            ("0", "Eps<0, 1>"),
            ("6/8", "Eps<3, 4>"),
            ("2048/4096", "Eps<1, 2>"),
            ("1000/1024", "Eps<125, 128>"),
            ("3/2000", "Eps<15, 10000>"),
            ("1024", "Eps<1024, 1>"),
            ("12.345", "Eps<69, 200, 12>"),
            ("3071/3", "Eps<2, 3, 1023>"),
            ("1e-9", "Eps<1, 1000000000>"),
            ("ρ = 1/8", "Rho<1, 8>"),
            ("eps = 1/2, delta = 1e-6", "Approx<Eps<1, 2>, Delta<1, 6>>"),
            ("delta=0.00025,epsilon=1", "Approx<Eps<1, 1>, Delta<25, 5>>"),
        ] {
            assert_eq!(spelled(text).as_deref(), Ok(cost));
        }
        for text in [
            "",
            "a",
            "1/0",
            "-1",
            "1/2/3",
            "1025",
            "3073/3",
            "12.3456789",
            "0.12345",
            "rho = 1, eps = 1",
            "eps = 1, eps = 2",
            "delta = 1e-6",
            "eps = 1, delta = 1",
            "eps = 1, delta = 1e-31",
            "1e-40",
            "1e99",
        ] {
            assert!(spelled(text).is_err(), "{text}");
        }
    }
}
