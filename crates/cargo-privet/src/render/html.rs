//! One page that a privacy officer can open: no network, no other files.

use core::fmt::{self, Display, Write};

use crate::price::share;
use crate::report::{DataSet, Function, Kind, Part, Report, Spot};

/// An audit as a page.
pub fn render(report: &Report) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = page(report, &mut out);
    out
}

fn page(report: &Report, out: &mut String) -> fmt::Result {
    let project = Text(&report.project);
    write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <title>Privacy audit of {project}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    )?;
    let verdict = match report.violations.len() {
        0 => "<p class=\"verdict good\">All rules are kept.</p>".to_string(),
        n => format!(
            "<p class=\"verdict bad\">{} of the rules.</p>",
            count(n, "violation")
        ),
    };
    write!(
        out,
        "<header>\n<h1>Privacy audit of {project}</h1>\n{verdict}\n\
         <p class=\"fine\">{} on {}. Prices are read from types before any data exists; \
         no function was called. privet {}, cargo-privet {}.</p>\n\
         <label class=\"search\">Search <input id=\"search\" type=\"search\" \
         placeholder=\"function, file, price\" autocomplete=\"off\"></label>\n\
         <p id=\"none\" hidden>Nothing matches.</p>\n</header>\n<main>\n",
        count(report.functions.len(), "audited function"),
        count(report.data.len(), "data set"),
        Text(&report.privet),
        Text(&report.tool)
    )?;
    if !report.violations.is_empty() {
        out.push_str("<section class=\"violations\">\n<h2>Not kept</h2>\n<ul>\n");
        for v in &report.violations {
            writeln!(
                out,
                "<li class=\"entry\"><strong>{}</strong> {} <span class=\"where\">{}:{}</span></li>",
                Text(&v.rule),
                Code(&v.message),
                Text(&v.file),
                v.line
            )?;
        }
        out.push_str("</ul>\n</section>\n");
    }
    for data in &report.data {
        data_set(report, data, out)?;
    }
    trust(report, out)?;
    write!(
        out,
        "</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn data_set(report: &Report, data: &DataSet, out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "<section class=\"data\">\n<h2><code>{}</code></h2>",
        Text(&data.name)
    )?;
    let limit = data
        .ceiling
        .as_ref()
        .map(|c| ("ceiling", c))
        .or(data.budget.as_ref().map(|b| ("budget", b)));
    let mut bars = vec![("audited functions spend", &data.total)];
    bars.extend(
        data.budget
            .as_ref()
            .map(|budget| ("vaults are opened with", budget)),
    );
    for (what, amount) in bars {
        let against = limit.map_or(String::new(), |(name, limit)| {
            format!(" of {name} {}", limit.text)
        });
        let percent = limit
            .and_then(|(_, limit)| share(amount.price()?, limit.price()?))
            .map(|share| share * 100.0);
        let label = match percent {
            Some(percent) => format!("{what} {}{against}, {percent:.0} %", amount.text),
            None => format!("{what} {}{against}", amount.text),
        };
        writeln!(out, "<p class=\"amount\">{}</p>", Text(&label))?;
        if let Some(percent) = percent {
            let over = if percent > 100.0 { " over" } else { "" };
            writeln!(
                out,
                "<div class=\"bar{over}\" role=\"img\" aria-label=\"{}\"><span style=\"width:{:.2}%\"></span></div>",
                Text(&label),
                percent.clamp(0.0, 100.0)
            )?;
        }
    }
    writeln!(
        out,
        "<p class=\"meaning\">What the total means to one person: {}.</p>",
        Text(&data.total.meaning)
    )?;
    out.push_str("<ul class=\"tree\">\n");
    let opens = report
        .functions
        .iter()
        .filter(|f| f.data == data.name && f.kind == Kind::Opens);
    for function in opens {
        leaf(function, &function.name, out)?;
    }
    for id in &data.roots {
        if let Some(function) = report.function(id) {
            branch(report, function, &function.name, &mut Vec::new(), out)?;
        }
    }
    out.push_str("</ul>\n</section>\n");
    Ok(())
}

fn branch<'a>(
    report: &'a Report,
    function: &'a Function,
    text: &str,
    above: &mut Vec<&'a str>,
    out: &mut String,
) -> fmt::Result {
    if function.parts.is_empty() || above.contains(&function.id.as_str()) {
        return leaf(function, text, out);
    }
    above.push(&function.id);
    out.push_str("<li class=\"entry\"><details open><summary>");
    line(function, text, out)?;
    out.push_str("</summary>\n<ul>\n");
    for part in &function.parts {
        let text = called(part);
        match part.id.as_deref().and_then(|id| report.function(id)) {
            Some(function) => branch(report, function, &text, above, out)?,
            None => writeln!(
                out,
                "<li class=\"entry\"><div class=\"line\"><code class=\"name\">{}</code> \
                 <span class=\"fine\">an instance that is not listed: priced in its whole</span></div></li>",
                Text(&text)
            )?,
        }
    }
    above.pop();
    out.push_str("</ul></details></li>\n");
    Ok(())
}

fn called(part: &Part) -> String {
    match part.times {
        1 => part.call.clone(),
        times => format!("{times} × {}", part.call),
    }
}

fn leaf(function: &Function, text: &str, out: &mut String) -> fmt::Result {
    out.push_str("<li class=\"entry\"><div class=\"plain\">");
    line(function, text, out)?;
    out.push_str("</div></li>\n");
    Ok(())
}

fn line(function: &Function, text: &str, out: &mut String) -> fmt::Result {
    write!(
        out,
        "<span class=\"line\"><code class=\"name\">{}</code> <b class=\"price\">{}</b>",
        Text(text),
        Text(&function.price.text)
    )?;
    let mut notes = Vec::new();
    match (&function.kind, &function.vault) {
        (Kind::Opens, _) => notes.push("opens a vault".to_string()),
        (_, Some(vault)) => notes.push(format!(
            "a vault goes in with {} and comes out with {}",
            vault.goes_in.text, vault.comes_out.text
        )),
        _ => {}
    }
    notes.extend(
        function
            .price
            .odds
            .as_ref()
            .map(|odds| format!("shifts an attacker's conclusions by a factor of at most {odds}")),
    );
    notes.extend(
        function
            .price
            .implies
            .iter()
            .map(|text| format!("implies {text}")),
    );
    notes.extend(
        function
            .declared
            .as_ref()
            .map(|c| format!("declared at most {}", c.text)),
    );
    notes.extend(
        function
            .ceiling
            .as_ref()
            .map(|c| format!("policy: at most {}", c.text)),
    );
    write!(
        out,
        " <span class=\"where\">{}:{}</span><span class=\"fine\">{}</span></span>",
        Text(&function.file),
        function.line,
        Text(&notes.join(" · "))
    )
}

fn trust(report: &Report, out: &mut String) -> fmt::Result {
    let trust = &report.trust;
    out.push_str("<section>\n<h2>What this rests on</h2>\n<h3>Assumed</h3>\n<ul>\n");
    for text in &trust.assumptions {
        writeln!(out, "<li>{}</li>", Code(text))?;
    }
    out.push_str("</ul>\n");
    spots("Vaults are opened", &trust.opened, out)?;
    spots("<code>unsafe</code> code", &trust.unsafe_code, out)?;
    packages("Trusted packages", &trust.trusted, out)?;
    packages("Scanned packages", &trust.scanned, out)?;
    packages(
        "Dependencies that were not scanned",
        &trust.not_scanned,
        out,
    )?;
    out.push_str("</section>\n");
    Ok(())
}

fn spots(title: &str, spots: &[Spot], out: &mut String) -> fmt::Result {
    writeln!(out, "<h3>{title}</h3>")?;
    if spots.is_empty() {
        out.push_str("<p class=\"fine\">None found.</p>\n");
        return Ok(());
    }
    out.push_str("<ul>\n");
    for spot in spots {
        writeln!(
            out,
            "<li class=\"entry\"><code>{}</code> <span class=\"where\">{}:{}</span></li>",
            Text(&spot.what),
            Text(&spot.file),
            spot.line
        )?;
    }
    out.push_str("</ul>\n");
    Ok(())
}

fn packages(title: &str, names: &[String], out: &mut String) -> fmt::Result {
    writeln!(out, "<h3>{title}</h3>\n<p class=\"names\">")?;
    if names.is_empty() {
        out.push_str("None.");
    }
    for name in names {
        write!(out, "<code>{}</code> ", Text(name))?;
    }
    out.push_str("</p>\n");
    Ok(())
}

/// Text in a page.
struct Text<'a>(&'a str);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '&' => f.write_str("&amp;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// Text in which `` `…` `` is code.
struct Code<'a>(&'a str);

impl Display for Code<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, part) in self.0.split('`').enumerate() {
            if at % 2 == 1 {
                write!(f, "<code>{}</code>", Text(part))?;
            } else {
                Text(part).fmt(f)?;
            }
        }
        Ok(())
    }
}

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(
            Text("<b a=\"1\">&'").to_string(),
            "&lt;b a=&quot;1&quot;&gt;&amp;&#39;"
        );
        assert_eq!(
            Code("use `Vec<T>` & go").to_string(),
            "use <code>Vec&lt;T&gt;</code> &amp; go"
        );
    }
}
