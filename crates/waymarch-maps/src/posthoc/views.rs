//! How Posthoc draws the events.

use std::io::{Error, Result, Write};

use super::TraceForm;

/// The part before the events. Expressions in `${{ }}` are JavaScript that Posthoc evaluates for each event `$`.
const VIEWS: &str = r##"version: 1.4.0
views:
  ground:
    - $: rect
      $if: ${{ $.type === 'map' }}
      $for:
        $to: ${{ $.closed.length }}
      x: ${{ $.closed[$.i][0] }}
      y: ${{ $.closed[$.i][1] }}
      width: ${{ $.closed[$.i][2] }}
      height: 1
      fill: ${{ color.blueGrey }}
  node:
    - $: rect
      $if: ${{ ['source', 'destination', 'generating', 'updating', 'expanding', 'closing'].includes($.type) }}
      x: ${{ $.x }}
      y: ${{ $.y }}
      width: 1
      height: 1
      fill: ${{ color[$.type] }}
  jump:
    - $: path
      $if: ${{ $.tx !== undefined && ['generating', 'updating'].includes($.type) }}
      points:
        - x: ${{ $.px + 0.5 }}
          y: ${{ $.py + 0.5 }}
        - x: ${{ $.tx + 0.5 }}
          y: ${{ $.ty + 0.5 }}
        - x: ${{ $.x + 0.5 }}
          y: ${{ $.y + 0.5 }}
      line-width: 0.15
      fill: ${{ color.amber }}
  route:
    - $: path
      $if: ${{ $.px !== undefined && $.type === 'solution' }}
      points:
        - x: ${{ $.px + 0.5 }}
          y: ${{ $.py + 0.5 }}
        - x: ${{ $.x + 0.5 }}
          y: ${{ $.y + 0.5 }}
      line-width: 0.5
      fill: ${{ color.end }}
  main:
    - $: ground
    - $: node
    - $: jump
    - $: route
pivot:
  x: ${{ $.x + 0.5 }}
  y: ${{ $.y + 0.5 }}
  scale: 1
"##;

/// Writes everything before the first event.
pub(super) fn write(out: &mut impl Write, form: TraceForm) -> Result<()> {
    match form {
        TraceForm::Yaml => write!(out, "{VIEWS}events:"),
        TraceForm::Json => {
            let views: serde_json::Value = serde_saphyr::from_str(VIEWS).map_err(Error::other)?;
            let text = serde_json::to_string_pretty(&views).map_err(Error::other)?;
            // The last brace is written after the events.
            write!(out, "{},\n  \"events\": [", text.strip_suffix("\n}").unwrap_or(&text))
        }
    }
}
