//! The rules: what each says, why, and what to do. `explain`, SARIF and the page read this.

/// A rule that an audit judges.
pub struct Rule {
    /// As reports and the policy name it.
    pub id: &'static str,
    /// In one sentence.
    pub says: &'static str,
    /// Why it is there.
    pub why: &'static str,
    /// What to do where it is not kept.
    pub fix: &'static str,
}

/// All rules.
pub const RULES: [Rule; 16] = [
    Rule {
        id: "declared-ceiling",
        says: "a function spends at most what its attribute declares",
        why: "`#[audited(at_most = \"1/2\")]` is what reviewers agreed to. The compiler compares in \
              every build; for a vault it rounds, and the audit compares exactly.",
        fix: "Lower what the function costs, or have the reviewers raise the ceiling.",
    },
    Rule {
        id: "function-ceiling",
        says: "a function spends at most what the policy says of it",
        why: "`[functions.\"path::name\"] at_most = \"1/2\"` is an agreement outside of the code, so \
              that a change of the code alone does not lift it.",
        fix: "Lower what the function costs, or have the owner of the policy raise the ceiling.",
    },
    Rule {
        id: "data-ceiling",
        says: "the functions on a data set, and the vaults opened for it, stay within its ceiling",
        why: "`[data.Patient] at_most = \"1\"` holds for what vaults are opened with, which bounds what \
              a program can ever spend, and for the total of the audited functions. `Table<Patient>` and \
              `Table<Patient, Replace>` are about the same people, so that one ceiling holds for both \
              together: what is spent by adding and removing counts twice beside what is spent by \
              replacing.",
        fix: "Open vaults with smaller budgets, drop a function, or have the ceiling raised. If two \
              openers of one data set are about different people, as of two years, give each a record type \
              of its own: then each has a ceiling. If two data sets are about different people, say so: `[data.\"Table<Patient, Replace>\"]` with \
              `different_people = \"why\"`.",
    },
    Rule {
        id: "no-ceiling",
        says: "every data set that a vault is opened for has a ceiling in the policy",
        why: "A ceiling on one table says nothing of another: a vault on a data set that the policy \
              does not name may be opened with any budget.",
        fix: "Say `[data.Name] at_most = \"1\"` for it.",
    },
    Rule {
        id: "unsafe-impl",
        says: "no `unsafe impl` of privet's traits outside trusted packages: use the derives",
        why: "`Record`, `Category`, `Field`, `HasPerson`, `Store`, `ColumnSource` and `RemoteEngine` promise things that the prices rest on. The \
              derives keep these promises; a hand-written `unsafe impl` may not.",
        fix: "Write `#[derive(Record)]`, or list the package under `rules.trusted` after a review.",
    },
    Rule {
        id: "forbid-unsafe",
        says: "packages that use mechanisms say `#![forbid(unsafe_code)]`",
        why: "What a type promises holds in safe code only.",
        fix: "Begin the crate's root with `#![forbid(unsafe_code)]`, or write \
              `unsafe_code = \"forbid\"` under `[lints.rust]` in its manifest.",
    },
    Rule {
        id: "no-unsafe",
        says: "no `unsafe` in scanned packages, macro bodies included",
        why: "`unsafe` code can read private rows and forge budgets. A file that the scan cannot read \
              or name may contain it.",
        fix: "Remove it, move it to a package that is listed under `rules.trusted`, or write an \
              exception with a reason and an expiry date.",
    },
    Rule {
        id: "opens",
        says: "vaults are opened in functions marked `#[audited(opens)]`, in the listed places only, once in each, and returned as they are opened",
        why: "A budget is per opened vault: two vaults on the same people are two budgets. What a \
              vault is opened with is on the audit's list only if the function that opens it says so; a \
              helper that opens one for its callers hides it, and so does an opener that spends of its vault \
              before it returns the rest.",
        fix: "Open the vault in one function with `#[privet::audited(opens)]`, in a file or package that \
              `rules.opens` lists, outside of loops and closures, and return the vault as it is: callers release from it.",
    },
    Rule {
        id: "opened-once",
        says: "an opener is called at one place, which runs once: from `main`, in no loop, closure, thread, task or macro",
        why: "Each call of an opener starts a new budget. The audit adds the budget up once for each \
              opener, and that is the bound only if it runs once.",
        fix: "Call the opener once, in `main` or in a function that `main` calls once, and hand the \
              vault to those who spend it. Arms of one `match` are one call. Where a call runs once for another reason, write an exception.",
    },
    Rule {
        id: "audit-public",
        says: "every public function that returns a mechanism or takes a vault is audited, and nothing public hides one",
        why: "What a library lets others spend is part of its interface.",
        fix: "Put `#[privet::audited]` on it. A function whose price or record is a type parameter of its own, \
              bounded by privet's traits, is priced by its callers and needs none. A structure that holds a mechanism, `impl Trait` and `dyn Any` in its \
              place, a constant, a closure or a channel that takes a vault have no price: return the \
              mechanism itself. A function that takes its vault in a structure of its own \
              takes and returns the vault itself instead, so that the type says what is spent. An audited function \
              answers with one mechanism, and with none beside a vault, since one price is read off its type.",
    },
    Rule {
        id: "as-shipped",
        says: "no type depends on what the audit's build does not share with what ships: `test`, the profile, the target, a build script",
        why: "Prices are read from a test build on this machine. `#[cfg(not(test))] type E = …` beside a \
              cheap twin, a type for another operating system, or one that a build script chooses is \
              not what was audited.",
        fix: "Give the type one definition. Conditions inside of running functions, and on features, \
              which the report states, are fine, and so are names from `std`, texts and letters that make no \
              type, if they are not public. Audit for another machine with `--target`.",
    },
    Rule {
        id: "seen",
        says: "every function with the attribute has a price, every price has a function in the sources, nothing is spent beside the price, and every listed name exists",
        why: "A function inside of another function, under a `cfg` or in a target without the test \
              harness is not seen; a second vault, a vault inside of a structure or a static, a meter or a \
              trait object is not in the price; a typo in the policy would lift a ceiling.",
        fix: "The message says what is not seen, and what to write instead.",
    },
    Rule {
        id: "unscanned",
        says: "every dependency that uses privet is scanned, and so is what the project's own macros write",
        why: "A package from a registry or from git that uses privet can open vaults and spend, and \
              its sources were not read. A procedural macro of the project can write anything: its \
              sources are read, what it writes is not.",
        fix: "List a dependency under `rules.scan`, so that it is read, too, or under `rules.trusted`. \
              A package of procedural macros is trusted after a review.",
    },
    Rule {
        id: "origin",
        says: "what computes the prices is one privet, not a member of the audited workspace, and nothing else goes by its name",
        why: "A member that has the name of privet, a changed copy of it, or another package that a \
              dependency calls `privet`, prints the prices it likes.",
        fix: "Depend on one privet, from the registry, from git or from a path outside of the workspace, and \
              give its name, and those of `core` and `std`, to nothing else.",
    },
    Rule {
        id: "exceptions",
        says: "every exception of the policy is needed and has not expired",
        why: "An exception is a debt with a date. One that matches nothing may be a typo that hides \
              something else tomorrow.",
        fix: "Remove the exception, or have it renewed.",
    },
    Rule {
        id: "no-policy",
        says: "the project has a policy",
        why: "Without `privet.toml` there are no ceilings: the audit is a list of prices, and no \
              price is too high. The exit status is 3.",
        fix: "Write one with `cargo privet init`, or ask for a list with `--without-policy`.",
    },
];

/// The rule of this name.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id)
}

impl Rule {
    /// A page for the terminal.
    pub fn page(&self) -> String {
        let mut first = self.says.chars();
        let says: String = first
            .next()
            .into_iter()
            .flat_map(char::to_uppercase)
            .chain(first)
            .collect();
        format!(
            "{}\n\n{says}.\n\nWhy: {}\n\nWhat to do: {}\n\nIn the policy: `[levels] {} = \"deny\"` (the default), \
             `\"warn\"` or `\"allow\"`.\n",
            self.id, self.why, self.fix, self.id
        )
    }
}
