//! A ledger as one page: no network, no other files, no script.

use std::fmt::Write;

use super::history::History;

const STYLE: &str = "\
body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b}
.bar{display:flex;height:1.2rem;background:#e8e8e8;border-radius:3px;overflow:hidden}
.spent{background:#b3422f}.leased{background:#e0a93b}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid #ddd}
td.price{white-space:nowrap}.fine{color:#555}code{overflow-wrap:anywhere}
@media (prefers-color-scheme:dark){body{background:#161616;color:#e4e4e4}.bar{background:#333}th,td{border-color:#333}.fine{color:#aaa}}
";

pub fn render(history: &History) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write(history, &mut out);
    out
}

fn write(history: &History, out: &mut String) -> std::fmt::Result {
    let file = text(&history.file);
    write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'\">\n<title>Privacy ledger {file}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>Privacy ledger</h1>\n\
         <p class=\"fine\">{file}: {} records, each chained to the one before. \
         Head <code>{}</code></p>\n",
        history.records, history.head
    )?;
    for account in &history.accounts {
        let (spent, leased) = account.shares;
        write!(
            out,
            "<section>\n<h2>{}</h2>\n<div class=\"bar\" role=\"img\" \
             aria-label=\"spent {}, set aside {}, left {}\">\
             <div class=\"spent\" style=\"width:{:.2}%\"></div>\
             <div class=\"leased\" style=\"width:{:.2}%\"></div></div>\n\
             <p>Spent {} of {}; set aside {}; left {}.</p>\n\
             <p class=\"fine\">If all of it is spent: {}.</p>\n</section>\n",
            text(&account.name),
            account.spent,
            account.leased,
            account.left,
            100.0 * spent.min(1.0),
            100.0 * leased.min(1.0),
            account.spent,
            account.cap,
            account.leased,
            account.left,
            text(&account.meaning)
        )?;
    }
    out.push_str(
        "<h2>Charges</h2>\n<table>\n<thead><tr><th>time (UTC)</th><th>account</th><th>program</th>\
         <th>release</th><th>price</th><th>answer</th></tr></thead>\n<tbody>\n",
    );
    for charge in &history.charges {
        writeln!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"price\">{}</td><td>{}</td></tr>",
            charge.time,
            text(&charge.account),
            text(&charge.program),
            text(&charge.release),
            charge.price,
            charge.state()
        )?;
    }
    out.push_str("</tbody>\n</table>\n</body>\n</html>\n");
    Ok(())
}

fn text(raw: &str) -> String {
    raw.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
