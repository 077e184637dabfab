import type { TopLevelSpec } from 'vega-lite'

/**
 * The Vega spec of a chart as plain JSON: what a page stores, so that the reader's browser loads Vega and its
 * interpreter but not the compiler. Throws where vega-lite cannot read the spec.
 */
export async function compileChart(spec: TopLevelSpec): Promise<object> {
  const { compile } = await import('vega-lite')
  return compile(spec).spec
}
