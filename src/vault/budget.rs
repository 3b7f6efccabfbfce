//! Budgets from configuration: a run-time value picks one of the budgets compiled in.

/// Picks a budget type from a list by a run-time [`Price`](crate::Price), and runs code with it.
///
/// Every listed budget is compiled, and each must be enough for the code. The result is a
/// [`privet::Result`](crate::Result): a price that is not listed is
/// [`Error::NoSuchBudget`](crate::Error::NoSuchBudget), which names the ones that are.
///
/// ```
/// use privet::prelude::*;
///
/// #[derive(Record)]
/// struct Patient { age: i64 }
///
/// fn report<B>(vault: Vault<Table<Patient>, B>) -> privet::Result<i64>
/// where
///     Eps<1, 4>: PaidFrom<B>,
///     B: Cost,
/// {
///     Ok(vault.release(rows::<Patient>().count().laplace::<Eps<1, 4>>())?.0)
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let configured = "0.5"; // from a file
/// let answer = privet::budget!(configured.parse()?, [Eps<1, 4>, Eps<1, 2>, Eps<1, 1>], |B| {
///     report::<B>(Vault::open(vec![Patient { age: 71 }]))
/// })??;
/// # let _ = answer;
/// let unlisted = privet::budget!("3".parse()?, [Eps<1, 4>, Eps<1, 2>], |B| B::price());
/// assert_eq!(
///     unlisted.unwrap_err().to_string(),
///     "no budget of ε = 3 was compiled in; choose one of (ε = 1/4), (ε = 1/2)"
/// );
/// # Ok(()) }
/// ```
#[macro_export]
macro_rules! budget {
    ($price:expr, [$($Budget:ty),+ $(,)?], |$B:ident| $body:expr) => {{
        let asked: $crate::Price = $price;
        $(
            if asked == <$Budget as $crate::Cost>::price() {
                #[allow(dead_code)]
                type $B = $Budget;
                $crate::Result::<_>::Ok($body)
            } else
        )+
        {
            $crate::Result::<_>::Err($crate::Error::NoSuchBudget {
                asked: asked.into(),
                offered: ::std::vec![$(<$Budget as $crate::Cost>::price()),+],
            })
        }
    }};
}
