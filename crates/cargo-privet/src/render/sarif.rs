//! SARIF 2.1.0, for code scanning: what is not kept, with a page on each rule.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::fresh::sha256;
use crate::place::lexical;
use crate::report::{Report, Violation};
use crate::rules::RULES;

use super::without_policy;

/// An audit as SARIF.
pub fn render(report: &Report) -> String {
    let rules: Vec<Value> = RULES
        .iter()
        .map(|rule| {
            json!({
                "id": rule.id,
                "name": rule.id,
                "shortDescription": { "text": rule.says },
                "fullDescription": { "text": format!("{}. {}", rule.says, rule.why) },
                "help": {
                    "text": rule.page(),
                    "markdown": format!("**{}**\n\n{}\n\n{}", rule.says, rule.why, rule.fix),
                },
                "defaultConfiguration": { "level": "error" },
                "properties": { "tags": ["privacy", "security"], "precision": "high" },
            })
        })
        .collect();
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let mut result = |violation: &Violation, level: &str, why: Option<(&str, &str)>| {
        let Violation {
            rule,
            message,
            file,
            line,
        } = violation;
        let uri = uri(&report.made.inside, file);
        // Lines move; what is wrong in which file does not. A second one of the same is numbered.
        let same = format!("{rule}\0{uri}\0{message}");
        let number = seen.entry(same.clone()).or_default();
        *number += 1;
        let fingerprint = sha256(format!("{same}\0{number}").as_bytes());
        let mut result = json!({
            "ruleId": rule,
            "ruleIndex": RULES.iter().position(|r| r.id == rule),
            "level": level,
            "message": { "text": message },
            "locations": [{
                "physicalLocation": {
                    "artifactLocation": { "uri": uri, "uriBaseId": "%SRCROOT%" },
                    "region": { "startLine": line },
                },
            }],
            "partialFingerprints": { "privet/v1": fingerprint },
        });
        if let Some((reason, expires)) = why {
            result["suppressions"] = json!([{
                "kind": "external",
                "status": "accepted",
                "justification": format!("{reason} (until {expires})"),
            }]);
        }
        result
    };
    let mut results: Vec<Value> = Vec::new();
    results.extend(report.violations.iter().map(|v| result(v, "error", None)));
    results.extend(report.warnings.iter().map(|v| result(v, "warning", None)));
    results.extend(
        without_policy(report)
            .iter()
            .map(|v| result(v, "warning", None)),
    );
    results.extend(
        report
            .excepted
            .iter()
            .map(|e| result(&e.violation, "note", Some((&e.reason, &e.expires)))),
    );
    let prices: Vec<Value> = report
        .functions
        .iter()
        .map(|f| json!({ "function": f.id, "data": f.data, "price": f.price.text }))
        .collect();
    let sarif = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "cargo-privet",
                "version": report.tool,
                "semanticVersion": report.tool,
                "rules": rules,
            }},
            "automationDetails": { "id": "privet/" },
            "originalUriBaseIds": {
                "%SRCROOT%": { "description": { "text": "The root of the repository." } },
            },
            "columnKind": "unicodeCodePoints",
            "results": results,
            "properties": {
                "verdict": report.verdict,
                "policy": report.policy,
                "unseen": report.unseen,
                "prices": prices,
            },
        }],
    });
    format!("{sarif:#}\n")
}

/// A path from the project's root as a URI from the repository's.
fn uri(inside: &str, file: &str) -> String {
    let path = lexical(&std::path::Path::new(inside).join(file));
    let mut uri = String::new();
    for byte in path.display().to_string().replace('\\', "/").bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri += &format!("%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_from_the_repositorys_root() {
        assert_eq!(uri("", "src/a b.rs"), "src/a%20b.rs");
        assert_eq!(uri("crates/x/", "src/lib.rs"), "crates/x/src/lib.rs");
        assert_eq!(uri("crates/x/", "../y/src/lib.rs"), "crates/y/src/lib.rs");
    }
}
