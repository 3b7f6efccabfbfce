//! Reads the sources: `unsafe` in any form, vaults that are opened, functions without the attribute.
//!
//! Works on tokens, so that the bodies of macros are read like everything else.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cargo_metadata::{Metadata, Package, Target};
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use syn::visit::{self, Visit};

use crate::collect::users_of_privet;
use crate::report::{Defined, Spot};

/// What was found in one package.
#[derive(Debug, Default)]
pub struct Scan {
    pub package: String,
    /// Uses mechanisms: depends on privet, also by way of another package.
    pub uses: bool,
    /// Every `unsafe` token.
    pub unsafe_code: Vec<Spot>,
    /// `unsafe impl`s of privet's traits, among these.
    pub unsafe_impls: Vec<Spot>,
    /// Crate roots without `forbid(unsafe_code)`.
    pub unforbidden: Vec<Spot>,
    /// `Vault::open`, `Vault::load` and `Vault::of_person`.
    pub opened: Vec<Spot>,
    /// Public functions that return a mechanism and are not audited.
    pub unaudited: Vec<Spot>,
    /// Functions with the attribute.
    pub audited: Vec<Spot>,
    /// Files that are no Rust or could not be read, and places that take in a file one cannot name.
    pub unreadable: Vec<Spot>,
    /// All functions, audited or not.
    pub functions: Defined,
    /// What is called by functions that are not audited, as written: `mean::<Eps<1, 2>>`.
    pub calls: BTreeSet<String>,
    /// `Vault` and its other names.
    vaults: BTreeSet<String>,
    /// `Mechanism` and its other names.
    mechanisms: BTreeSet<String>,
}

/// privet's `unsafe` traits.
const TRAITS: [&str; 4] = ["Record", "Category", "Field", "HasPerson"];

/// Reads the sources of a package: its libraries, programs, examples and build script.
///
/// Of privet itself, the examples: its library is what the prices are computed by.
pub fn package(package: &Package, metadata: &Metadata) -> Scan {
    let own = *package.name == "privet";
    let mut scan = Scan {
        package: package.name.to_string(),
        uses: users_of_privet(metadata).contains(&package.id),
        ..Scan::default()
    };
    let root: &Path = metadata.workspace_root.as_std_path();
    let home = package
        .manifest_path
        .parent()
        .map(|p| p.as_std_path().to_path_buf());
    let forbidden = home.as_deref().is_some_and(|home| lints_forbid(home, root));
    let mut files = BTreeSet::new();
    let shipped = |target: &&Target| is_linked(target) && (!own || target.is_example());
    for target in package.targets.iter().filter(shipped) {
        let source = target.src_path.as_std_path();
        files.insert(source.to_path_buf());
        // Modules live beside or below the root file; those of a build script are named by it.
        if let Some(beside) = source.parent().filter(|_| !target.is_custom_build()) {
            walk(beside, Some(beside) == home.as_deref(), &mut files);
        }
        if scan.uses && !target.is_custom_build() && !forbidden && !forbids(source) {
            scan.unforbidden.push(Spot {
                package: scan.package.clone(),
                file: relative(source, root),
                line: 1,
                what: "no `#![forbid(unsafe_code)]`".into(),
            });
        }
    }
    let mut pending: Vec<PathBuf> = files.iter().cloned().collect();
    while let Some(path) = pending.pop() {
        for Named { line, paths, must } in named_by(&path) {
            let there: Vec<PathBuf> = paths.into_iter().filter(|p| p.exists()).collect();
            if must && there.is_empty() {
                scan.unreadable.push(Spot {
                    package: scan.package.clone(),
                    file: relative(&path, root),
                    line: u32::try_from(line).unwrap_or(u32::MAX),
                    what: "takes in a file whose name the scan cannot tell".into(),
                });
            }
            pending.extend(there.into_iter().filter(|file| files.insert(file.clone())));
        }
    }
    let tokens = || files.iter().filter_map(|path| tokens_of(path));
    scan.vaults = names_of("Vault", tokens());
    scan.mechanisms = names_of("Mechanism", tokens());
    for path in &files {
        scan.file(path, root);
    }
    for list in [
        &mut scan.unsafe_code,
        &mut scan.unsafe_impls,
        &mut scan.unforbidden,
        &mut scan.opened,
        &mut scan.unaudited,
        &mut scan.audited,
        &mut scan.unreadable,
    ] {
        list.sort();
        list.dedup();
    }
    scan
}

/// Tests and benches are not part of what is shipped.
fn is_linked(target: &Target) -> bool {
    !target.is_test() && !target.is_bench()
}

/// All Rust files below a directory, without packages of their own, and without the tests that lie
/// in a package's `home`.
fn walk(dir: &Path, home: bool, files: &mut BTreeSet<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let kind = entry.file_type();
        if kind.as_ref().is_ok_and(std::fs::FileType::is_dir) {
            let name = entry.file_name().to_string_lossy().into_owned();
            let other = path.join("Cargo.toml").exists()
                || path.join("CACHEDIR.TAG").exists()
                || name.starts_with('.')
                || home && matches!(name.as_str(), "tests" | "benches");
            if !other {
                walk(&path, false, files);
            }
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.insert(path);
        }
    }
}

/// A path as people write it, from the project's root.
pub fn relative(path: &Path, root: &Path) -> String {
    path.strip_prefix(root)
        .unwrap_or(path)
        .display()
        .to_string()
}

/// Whether the manifest forbids `unsafe` for the whole package.
fn lints_forbid(home: &Path, root: &Path) -> bool {
    let read = |dir: &Path| {
        let text = std::fs::read_to_string(dir.join("Cargo.toml")).ok()?;
        text.parse::<toml::Table>().ok()
    };
    let forbids = |lints: Option<&toml::Value>| {
        let level = lints.and_then(|l| l.get("rust")?.get("unsafe_code"));
        let word = level.and_then(|l| l.as_str().or_else(|| l.get("level")?.as_str()));
        word == Some("forbid")
    };
    let Some(manifest) = read(home) else {
        return false;
    };
    let lints = manifest.get("lints");
    let inherited = lints.and_then(|l| l.get("workspace")?.as_bool()) == Some(true);
    if inherited {
        let workspace = read(root);
        forbids(
            workspace
                .as_ref()
                .and_then(|m| m.get("workspace")?.get("lints")),
        )
    } else {
        forbids(lints)
    }
}

fn forbids(source: &Path) -> bool {
    let file = std::fs::read_to_string(source)
        .ok()
        .and_then(|text| syn::parse_file(&text).ok());
    file.is_some_and(|file| {
        file.attrs.iter().any(|attribute| {
            attribute.path().is_ident("forbid")
                && attribute.meta.require_list().is_ok_and(|list| {
                    list.tokens
                        .clone()
                        .into_iter()
                        .any(|t| t.to_string() == "unsafe_code")
                })
        })
    })
}

impl Scan {
    /// Reads one file.
    fn file(&mut self, path: &Path, root: &Path) {
        let name = relative(path, root);
        let package = self.package.clone();
        let spot = |line: usize, what: &str| Spot {
            package: package.clone(),
            file: name.clone(),
            line: u32::try_from(line).unwrap_or(u32::MAX),
            what: what.to_string(),
        };
        let Ok(text) = std::fs::read_to_string(path) else {
            self.unreadable.push(spot(1, "cannot be read"));
            return;
        };
        let Ok(tokens) = text.parse::<TokenStream>() else {
            self.unreadable.push(spot(1, "is not made of Rust tokens"));
            return;
        };
        let mut found = Tokens {
            vaults: self.vaults.clone(),
            ..Tokens::default()
        };
        found.read(tokens, Within::default());
        self.calls.extend(found.calls);
        let line_of = |line: usize| {
            let line = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
            // It is shown on terminals: no control sequences.
            let shown = |c: char| if c.is_control() { ' ' } else { c };
            line.trim().chars().map(shown).collect::<String>()
        };
        for line in found.unsafe_code {
            self.unsafe_code.push(spot(line, &line_of(line)));
        }
        for (line, name) in found.unsafe_impls {
            self.unsafe_impls.push(spot(line, &name));
        }
        for line in found.opened {
            self.opened.push(spot(line, &line_of(line)));
        }
        if let Ok(file) = syn::parse_file(&text) {
            let mut functions = Functions {
                mechanisms: self.mechanisms.clone(),
                ..Functions::default()
            };
            functions.visit_file(&file);
            let names = functions.names.into_iter();
            self.functions.extend(names.map(|f| (name.clone(), f)));
            for (line, name) in functions.unaudited {
                self.unaudited.push(spot(line, &name));
            }
            for (line, name) in functions.audited {
                self.audited.push(spot(line, &name));
            }
        }
    }
}

/// What a walk over tokens finds; numbers are lines.
#[derive(Default)]
struct Tokens {
    /// `Vault` and its other names in the package.
    vaults: BTreeSet<String>,
    unsafe_code: Vec<usize>,
    unsafe_impls: Vec<(usize, String)>,
    opened: Vec<usize>,
    /// Files that are taken in by name; the modules in braces around the name; `mod name;` is no must.
    files: Vec<(usize, Option<String>, Vec<String>, bool)>,
    modules: Vec<String>,
    calls: BTreeSet<String>,
}

/// What the tokens at hand are part of.
#[derive(Clone, Copy, Default)]
struct Within {
    test: bool,
    audited: bool,
    /// An `impl` of a vault: `Self` is one.
    vault: bool,
    /// The arguments of a macro, which may put them together.
    invoked: bool,
    /// An attribute.
    attribute: bool,
    /// A `use`.
    import: bool,
}

/// What an item or a statement begins with: a field or an arm with `#[cfg(test)]` ends at a comma,
/// and is taken for code that ships.
const ITEMS: [&str; 17] = [
    "async",
    "const",
    "enum",
    "extern",
    "fn",
    "impl",
    "let",
    "macro_rules",
    "mod",
    "pub",
    "static",
    "struct",
    "trait",
    "type",
    "union",
    "unsafe",
    "use",
];

impl Tokens {
    fn read(&mut self, tokens: TokenStream, within: Within) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let word = |at: usize| match tokens.get(at) {
            Some(TokenTree::Ident(ident)) => plain(ident),
            _ => String::new(),
        };
        let sign = |at: usize, c: char| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == c);
        let group = |at: usize, d: Delimiter| matches!(tokens.get(at), Some(TokenTree::Group(g)) if g.delimiter() == d);
        // An attribute is about what follows, up to its body.
        let mut item = Within::default();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Ident(ident) => {
                    let line = ident.span().start().line;
                    match plain(ident).as_str() {
                        "unsafe" => {
                            self.unsafe_code.push(line);
                            if word(at + 1) == "impl" {
                                self.unsafe_impl(&tokens[at + 2..], line);
                            }
                        }
                        "open" | "load" | "of_person"
                            if !within.test && !item.test && self.opens(&tokens, at, within) =>
                        {
                            self.opened.push(line);
                        }
                        "include" if sign(at + 1, '!') || word(at + 1) == "as" => {
                            let name = match tokens.get(at + 2) {
                                Some(TokenTree::Group(group)) => only_string(group.stream()),
                                _ => None,
                            };
                            self.files.push((line, name, Vec::new(), true));
                        }
                        "impl" => {
                            // The functions inside have attributes of their own.
                            item.audited = false;
                            item.vault = tokens[at..]
                                .iter()
                                .take_while(|t| !matches!(t, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace))
                                .any(|t| self.is_vault(core::slice::from_ref(t)));
                        }
                        "path" if within.attribute && sign(at + 1, '=') => {
                            let name = tokens.get(at + 2).cloned().into_iter().collect();
                            let name = only_string(name);
                            self.files.push((line, name, self.modules.clone(), true));
                        }
                        "mod" if sign(at + 2, ';') && !within.test && !item.test => {
                            let name = Some(word(at + 1));
                            self.files.push((line, name, self.modules.clone(), false));
                        }
                        _ => {}
                    }
                    let counts = !(within.test || item.test || within.audited || item.audited);
                    let starts = at == 0 || !sign(at - 1, '.') && !sign(at - 1, ':');
                    let declared = at > 0 && matches!(word(at - 1).as_str(), "fn" | "mod" | "as");
                    item.import |= word(at) == "use";
                    let import = within.import || item.import;
                    if counts && word(at) == "as" && at > 0 {
                        // Called under another name, or as a value.
                        self.calls.insert(word(at - 1));
                    } else if counts && starts && !declared {
                        self.calls.extend(called(&tokens[at..], !import));
                    }
                }
                TokenTree::Group(inner) => {
                    if inner.delimiter() == Delimiter::Bracket && at > 0 && sign(at - 1, '#') {
                        let text: String = inner.stream().to_string().split_whitespace().collect();
                        let first = at == 1
                            || sign(at - 2, ';')
                            || group(at - 2, Delimiter::Brace)
                            || group(at - 2, Delimiter::Bracket);
                        let mut next = at + 1;
                        while sign(next, '#') {
                            next += 2;
                        }
                        let whole =
                            ITEMS.contains(&word(next).as_str()) || group(next, Delimiter::Brace);
                        item.test |=
                            first && whole && matches!(text.as_str(), "cfg(test)" | "test");
                        let path = text.split('(').next().unwrap_or_default();
                        item.audited |= path.rsplit("::").next() == Some("audited");
                    }
                    let attribute = at > 0 && sign(at - 1, '#');
                    let inside = Within {
                        test: within.test || item.test,
                        audited: within.audited || item.audited,
                        vault: within.vault || item.vault,
                        invoked: within.invoked
                            || at > 1 && sign(at - 1, '!') && !word(at - 2).is_empty(),
                        attribute: within.attribute || attribute,
                        import: within.import || item.import,
                    };
                    let module = at > 1 && word(at - 2) == "mod";
                    if module {
                        self.modules.push(word(at - 1));
                    }
                    self.read(inner.stream(), inside);
                    if module {
                        self.modules.pop();
                    }
                    if inner.delimiter() == Delimiter::Brace {
                        item = Within::default();
                    }
                }
                TokenTree::Punct(p) if p.as_char() == ';' => item = Within::default(),
                _ => {}
            }
        }
    }

    /// `unsafe impl … Record … for`: the trait's name is the last word before generics and `for`.
    fn unsafe_impl(&mut self, rest: &[TokenTree], line: usize) {
        let mut depth = 0_i32;
        let mut last = String::new();
        for (at, token) in rest.iter().enumerate() {
            match token {
                TokenTree::Punct(p) if p.as_char() == '<' => depth += 1,
                TokenTree::Punct(p) if p.as_char() == '>' => {
                    let arrow = at > 0
                        && matches!(&rest[at - 1], TokenTree::Punct(before)
                            if before.as_char() == '-' && before.spacing() == Spacing::Joint);
                    depth -= i32::from(!arrow);
                }
                TokenTree::Ident(ident) if ident == "for" && depth == 0 => break,
                TokenTree::Ident(ident) if depth == 0 => last = ident.to_string(),
                TokenTree::Group(_) if depth == 0 => break,
                _ => {}
            }
        }
        if TRAITS.contains(&last.as_str()) {
            self.unsafe_impls.push((line, last));
        }
    }

    /// Whether the name at this place opens a vault.
    fn opens(&self, tokens: &[TokenTree], at: usize, within: Within) -> bool {
        let sign = |at: usize, c: char| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == c);
        let named = |token: &TokenTree| self.is_vault(core::slice::from_ref(token));
        if at > 2 && sign(at - 1, ':') && sign(at - 2, ':') {
            // In a macro's body, `$t::open` may be anyone's.
            let own = matches!(&tokens[at - 3], TokenTree::Ident(word) if word == "Self");
            return self.is_vault(&tokens[..at - 2])
                || own && within.vault
                || at > 3 && sign(at - 4, '$');
        }
        let alone = at == 0 || !sign(at - 1, '.') && !sign(at - 1, ':');
        within.invoked && alone && tokens.iter().any(named)
    }

    /// Whether the path before `::open` names a vault: `Vault`, `Vault::<…>`, `<Vault<…>>`.
    fn is_vault(&self, before: &[TokenTree]) -> bool {
        let vault = |token: &TokenTree| matches!(token, TokenTree::Ident(ident) if self.vaults.contains(&plain(ident)));
        match before.last() {
            Some(TokenTree::Punct(p)) if p.as_char() == '>' => {
                let mut depth = 0_i32;
                for (at, token) in before.iter().enumerate().rev() {
                    match token {
                        TokenTree::Punct(p) if p.as_char() == '>' => depth += 1,
                        TokenTree::Punct(p) if p.as_char() == '<' => depth -= 1,
                        token if vault(token) => return true,
                        _ => {}
                    }
                    if depth == 0 {
                        return before[..at].iter().rev().take(3).any(vault);
                    }
                }
                false
            }
            Some(token) => vault(token),
            None => false,
        }
    }
}

/// The path that tokens begin with, if it is called: `bills::mean::<Eps<1, 2>>`.
fn called(tokens: &[TokenTree], values: bool) -> Option<String> {
    let sign = |at: usize, c: char| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == c);
    let mut text = tokens.first()?.to_string();
    let mut at = 1;
    while sign(at, ':') && sign(at + 1, ':') {
        text += "::";
        at += 2;
        if let Some(TokenTree::Ident(word)) = tokens.get(at) {
            text += &word.to_string();
            at += 1;
        } else {
            let mut depth = 0_i32;
            let start = at;
            while at < tokens.len() && (depth > 0 || at == start) {
                depth += i32::from(sign(at, '<'));
                depth -= i32::from(sign(at, '>') && !sign(at - 1, '-'));
                at += 1;
            }
            text += &compact(&tokens[start..at]);
        }
    }
    let called = matches!(tokens.get(at), Some(TokenTree::Group(group))
        if group.delimiter() == Delimiter::Parenthesis);
    // A function as a value, to be called later: `let f = mean;`, `[mean, total]`.
    let value = values && (tokens.get(at).is_none() || sign(at, ',') || sign(at, ';'));
    (called || value).then_some(text)
}

/// Tokens as the attribute writes them: blanks after commas and between words.
fn compact(tokens: &[TokenTree]) -> String {
    let mut text = String::new();
    for token in tokens {
        match token {
            TokenTree::Punct(sign) if sign.as_char() == ',' => text += ", ",
            TokenTree::Punct(sign) => text.push(sign.as_char()),
            TokenTree::Group(group) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                text += &format!("{open}{}{close}", compact(&inner));
            }
            word => {
                if text.ends_with(|c: char| c.is_alphanumeric() || c == '_') {
                    text.push(' ');
                }
                text += &word.to_string();
            }
        }
    }
    text
}

/// A type of privet's and all of its other names: `use … as`, `type`, and such of these again.
fn names_of(name: &str, files: impl Iterator<Item = TokenStream>) -> BTreeSet<String> {
    fn flat(tokens: TokenStream, into: &mut Vec<String>) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => flat(group.stream(), into),
                TokenTree::Ident(ident) => into.push(plain(&ident)),
                other => into.push(other.to_string()),
            }
        }
    }
    let mut words = Vec::new();
    files.for_each(|tokens| flat(tokens, &mut words));
    let mut names = BTreeSet::from([name.to_string()]);
    loop {
        let known = names.len();
        for (at, word) in words.iter().enumerate() {
            let next = |n: usize| words.get(at + n).map(String::as_str).unwrap_or_default();
            if names.contains(word) && next(1) == "as" {
                names.insert(next(2).to_string());
            }
            if word == "type" {
                let end = words[at..].iter().position(|w| w == ";").unwrap_or(0);
                if words[at..at + end].iter().any(|w| names.contains(w)) {
                    names.insert(next(1).to_string());
                }
            }
        }
        names.remove("_");
        if names.len() == known {
            return names;
        }
    }
}

fn tokens_of(path: &Path) -> Option<TokenStream> {
    std::fs::read_to_string(path).ok()?.parse().ok()
}

/// `r#open` is `open`.
fn plain(ident: &proc_macro2::Ident) -> String {
    ident.to_string().trim_start_matches("r#").to_string()
}

/// Files that a file takes in by `include!`, `#[path]` or `mod name;`, wherever they may lie.
struct Named {
    line: usize,
    paths: Vec<PathBuf>,
    /// Not only where it is there: a module can also lie elsewhere, or be switched off.
    must: bool,
}

fn named_by(path: &Path) -> Vec<Named> {
    let mut found = Tokens::default();
    if let Some(tokens) = tokens_of(path) {
        found.read(tokens, Within::default());
    }
    let dir = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let own = dir.join(path.file_stem().unwrap_or_default());
    let files = found.files.into_iter();
    files
        .map(|(line, name, modules, must)| {
            let name = name.unwrap_or_default();
            let mut paths = Vec::new();
            for base in [&dir, &own] {
                let base = modules.iter().fold(base.clone(), |base, m| base.join(m));
                if name.is_empty() {
                } else if must {
                    paths.push(base.join(&name));
                } else {
                    paths.push(base.join(format!("{name}.rs")));
                    paths.push(base.join(&name).join("mod.rs"));
                }
            }
            Named { line, paths, must }
        })
        .collect()
}

fn only_string(tokens: TokenStream) -> Option<String> {
    syn::parse2::<syn::LitStr>(tokens)
        .ok()
        .map(|text| text.value())
}

/// Functions with the attribute, and public ones that need it.
#[derive(Default)]
struct Functions {
    mechanisms: BTreeSet<String>,
    names: BTreeSet<String>,
    audited: Vec<(usize, String)>,
    unaudited: Vec<(usize, String)>,
}

impl Functions {
    fn look(&mut self, attributes: &[syn::Attribute], public: bool, signature: &syn::Signature) {
        let line = signature.ident.span().start().line;
        let name = signature.ident.to_string();
        self.names.insert(name.clone());
        let is_audited = |attribute: &syn::Attribute| {
            attribute
                .path()
                .segments
                .last()
                .is_some_and(|s| s.ident == "audited")
        };
        if attributes.iter().any(is_audited) {
            self.audited.push((line, name));
        } else if public && self.names_mechanism(&signature.output) {
            self.unaudited.push((line, name));
        }
    }

    fn names_mechanism(&self, output: &syn::ReturnType) -> bool {
        struct Finds<'a>(&'a BTreeSet<String>, bool);
        impl Visit<'_> for Finds<'_> {
            fn visit_path(&mut self, path: &syn::Path) {
                let last = path.segments.last().map(|s| plain(&s.ident));
                self.1 |= last.is_some_and(|name| self.0.contains(&name));
                visit::visit_path(self, path);
            }
        }
        let mut finds = Finds(&self.mechanisms, false);
        finds.visit_return_type(output);
        finds.1
    }

    fn returns_mechanism(&self, output: TokenStream) -> bool {
        output.into_iter().any(|token| match token {
            TokenTree::Group(group) => self.returns_mechanism(group.stream()),
            TokenTree::Ident(ident) => self.mechanisms.contains(&plain(&ident)),
            _ => false,
        })
    }

    /// Functions that a macro writes: `pub fn` in its body or its arguments.
    fn look_into(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let is = |at: usize, text: &str| tokens.get(at).is_some_and(|t| t.to_string() == text);
        let (mut audited, mut public) = (false, false);
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Ident(word) if word == "pub" => public = true,
                TokenTree::Ident(word) if word == "fn" && public && !audited => {
                    let output = tokens[at..]
                        .iter()
                        .skip_while(|t| t.to_string() != "-")
                        .take_while(|t| !matches!(t, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace))
                        .take_while(|t| t.to_string() != ";");
                    if self.returns_mechanism(output.cloned().collect()) {
                        let name = 1 + at + usize::from(is(at + 1, "$"));
                        let name = tokens.get(name).map_or(String::new(), ToString::to_string);
                        self.unaudited.push((word.span().start().line, name));
                    }
                }
                TokenTree::Group(group) => {
                    let text = group.stream().to_string();
                    audited |= at > 0 && is(at - 1, "#") && text.contains("audited");
                    self.look_into(group.stream());
                    if group.delimiter() == Delimiter::Brace {
                        (audited, public) = (false, false);
                    }
                }
                _ if token.to_string() == ";" => (audited, public) = (false, false),
                _ => {}
            }
        }
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute
                    .meta
                    .require_list()
                    .is_ok_and(|l| l.tokens.to_string() == "test")
    })
}

impl Visit<'_> for Functions {
    fn visit_macro(&mut self, item: &syn::Macro) {
        self.look_into(item.tokens.clone());
    }

    fn visit_item_fn(&mut self, item: &syn::ItemFn) {
        if !is_test(&item.attrs) {
            let public = matches!(item.vis, syn::Visibility::Public(_));
            self.look(&item.attrs, public, &item.sig);
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &syn::ImplItemFn) {
        let public = matches!(item.vis, syn::Visibility::Public(_));
        self.look(&item.attrs, public, &item.sig);
    }

    fn visit_item_mod(&mut self, item: &syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Tokens {
        let tokens: TokenStream = text.parse().expect("tokens");
        let mut found = Tokens {
            vaults: names_of("Vault", core::iter::once(tokens.clone())),
            ..Tokens::default()
        };
        found.read(tokens, Within::default());
        found
    }

    #[test]
    fn calls_outside_of_audited_functions_are_seen() {
        let found = read(
            "fn main() { let a = mean::<Eps<1,2>>(x); b.total(); println!(\"{}\", m::total()) }
             #[privet::audited] fn f() -> M { inner() }
             #[audited] impl P { #[audited(at_most = \"1\")] fn g() { inner() } fn h() { outer() } }
             #[test] fn t() { inner() }",
        );
        let calls: Vec<&str> = found.calls.iter().map(String::as_str).collect();
        assert!(calls.contains(&"mean::<Eps<1, 2>>"), "{calls:?}");
        assert!(
            calls.contains(&"m::total") && calls.contains(&"outer"),
            "{calls:?}"
        );
        assert!(
            !calls.contains(&"inner") && !calls.contains(&"total"),
            "{calls:?}"
        );
        let found = read("use a::{b, c as d}; fn main() { let f = e; run(&[g, h::i::<2>]) }");
        for (name, seen) in [
            ("b", false),
            ("c", true),
            ("e", true),
            ("g", true),
            ("h::i::<2>", true),
        ] {
            assert_eq!(
                found.calls.contains(name),
                seen,
                "{name}: {:?}",
                found.calls
            );
        }
    }

    #[test]
    fn unsafe_is_found_in_the_bodies_of_macros() {
        let found =
            read("macro_rules! m { () => { \n unsafe { f() } } }\n#[unsafe(no_mangle)] fn g() {}");
        assert_eq!(found.unsafe_code, [2, 3]);
        assert!(
            read("// unsafe\n/// unsafe\nfn f() { let s = \"unsafe\"; }")
                .unsafe_code
                .is_empty()
        );
    }

    #[test]
    fn hand_written_promises_are_told_from_other_unsafe_impls() {
        let found = read(
            "unsafe impl<T: Fn() -> u8> privet::Record for Row<T> {}\nunsafe impl Send for X {}",
        );
        assert_eq!(found.unsafe_impls, [(1, "Record".to_string())]);
        assert_eq!(found.unsafe_code.len(), 2);
    }

    #[test]
    fn vaults_are_seen_under_other_names_and_not_in_tests() {
        for opens in [
            "fn f() { Vault::open(x) }",
            "fn f() { privet::Vault::<Table<P>, Eps<1, 1>>::open(x) }",
            "fn f() { <Vault<Table<P>, Eps<1, 1>>>::load(x) }",
            "use privet::Vault as V; fn f() { V::open(x) }",
            "type V = Vault<Table<P>, Eps<1, 1>>; fn f() { V::open(x) }",
            "fn f() { x.map(Vault::open) }",
            "fn f() { Vault::of_person(x) }",
            "fn f() { Vault::r#open(x) }",
            "type A<B> = Vault<Table<P>, B>; type V = A<Eps<1, 1>>; fn f() { V::open(x) }",
            "impl Fresh for Vault<Table<P>, Eps<1, 1>> { fn f() { Self::open(x) } }",
            "fn f() { S { #[cfg(test)] a: 1, b: Vault::open(x) } }",
            "fn f() { match x { #[cfg(test)] 1 => 2, _ => Vault::open(x) } }",
            "fn f<#[cfg(test)] const N: usize>() { Vault::open(x) }",
            "macro_rules! m { ($t:ident) => { $t::open(x) } }",
            "fn f() { call!(Vault open)(x) }",
        ] {
            assert_eq!(read(opens).opened, [1], "{opens}");
        }
        for not in [
            "fn f() { File::open(x) }",
            "impl Fresh for File { fn f() { Self::open(x) } }",
            "fn f() { call!(File open)(x) }",
            "#[cfg(test)] #[allow(dead_code)] pub fn f<A, B>() { Vault::open(x) }",
            "#[cfg(test)] mod tests { fn f() { Vault::open(x) } }",
            "#[test] fn f() { Vault::open(x) }",
        ] {
            assert!(read(not).opened.is_empty(), "{not}");
        }
        assert_eq!(
            read("#[cfg(test)] mod tests {}\nfn f() { Vault::open(x) }").opened,
            [2]
        );
    }

    #[test]
    fn public_functions_that_return_a_mechanism_need_the_attribute() {
        let text = "pub fn a() -> Mechanism<T, i64, E> {}
             #[privet::audited] pub fn b() -> privet::Mechanism<T, i64, E> {}
             fn c() -> Mechanism<T, i64, E> {}
             impl P { pub fn d(&self) -> Option<Mechanism<T, i64, E>> {} }
             #[cfg(test)] mod tests { pub fn e() -> Mechanism<T, i64, E> {} }
             type M = Mechanism<T, i64, E>; use privet::Mechanism as N;
             pub fn g() -> M {}
             pub fn h() -> Result<N<T, i64, E>> {}
             macro_rules! m { ($i:ident) => {
                 pub fn $i() -> Mechanism<T, i64, E> {}
                 #[audited] pub fn j() -> Mechanism<T, i64, E> {}
                 fn k(m: Mechanism<T, i64, E>) -> u8 {}
             } }
             m! { pub fn l() -> M {} }";
        let file = syn::parse_file(text).expect("a file");
        let tokens: TokenStream = text.parse().expect("tokens");
        let mut functions = Functions {
            mechanisms: names_of("Mechanism", core::iter::once(tokens)),
            ..Functions::default()
        };
        functions.visit_file(&file);
        let names = |list: &[(usize, String)]| list.iter().map(|f| f.1.clone()).collect::<Vec<_>>();
        assert_eq!(names(&functions.unaudited), ["a", "d", "g", "h", "i", "l"]);
        assert_eq!(names(&functions.audited), ["b"]);
    }
}
