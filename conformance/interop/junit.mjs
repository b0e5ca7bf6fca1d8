// Reads a JUnit report as CI systems do, and says what it found, as JSON: node junit.mjs REPORT SCHEMA
//
// The schema says whether the report may look as it does; the parser is what programs that show such reports are built on.
import { readFileSync } from "node:fs";
import parser from "test-results-parser";
import { validateXML } from "xmllint-wasm";

const [report, schema] = process.argv.slice(2);
const xml = { fileName: "report.xml", contents: readFileSync(report, "utf8") };
const { errors } = await validateXML({ xml, schema: readFileSync(schema, "utf8") });
const found = { errors: errors.map((e) => e.message), statuses: {}, messages: {}, failed: 0, broken: 0, skipped: 0 };
if (errors.length === 0) {
  for (const suite of parser.parse({ type: "junit", files: [report] }).suites) {
    found.failed += suite.failed;
    found.broken += suite.errors;
    found.skipped += suite.skipped;
    for (const test of suite.cases) {
      found.statuses[test.name] = test.status;
      if (test.failure) found.messages[test.name] = test.failure;
    }
  }
}
console.log(JSON.stringify(found));
