//! SARIF 2.1.0, for code scanning: violations as errors, prices as notes.

use serde_json::{Value, json};

use crate::policy::RULES;
use crate::report::Report;

/// An audit as SARIF.
pub fn render(report: &Report) -> String {
    let mut rules: Vec<Value> = RULES
        .iter()
        .map(|(id, text)| {
            json!({
                "id": id,
                "shortDescription": { "text": text },
                "defaultConfiguration": { "level": "error" },
            })
        })
        .collect();
    rules.push(json!({
        "id": "price",
        "shortDescription": { "text": "what an audited function may spend" },
        "defaultConfiguration": { "level": "note" },
    }));
    let result = |rule: &str, level: &str, text: String, file: &str, line: u32| {
        json!({
            "ruleId": rule,
            "level": level,
            "message": { "text": text },
            "locations": [{
                "physicalLocation": {
                    "artifactLocation": { "uri": uri(file), "uriBaseId": "%SRCROOT%" },
                    "region": { "startLine": line },
                },
            }],
        })
    };
    let mut results: Vec<Value> = report
        .violations
        .iter()
        .map(|v| result(&v.rule, "error", v.message.clone(), &v.file, v.line))
        .collect();
    results.extend(report.functions.iter().map(|f| {
        let text = format!(
            "`{}` on {}: {}: {}",
            f.name, f.data, f.price.text, f.price.meaning
        );
        result("price", "note", text, &f.file, f.line)
    }));
    let sarif = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "cargo-privet",
                "version": report.tool,
                "rules": rules,
            }},
            "results": results,
        }],
    });
    format!("{sarif:#}\n")
}

/// A relative path as a URI.
fn uri(file: &str) -> String {
    let mut uri = String::new();
    for byte in file.replace('\\', "/").bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri += &format!("%{byte:02X}");
        }
    }
    uri
}
