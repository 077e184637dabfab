import type { Spec } from 'vega'
import type { TopLevelSpec } from 'vega-lite'
import { compileChart } from './compiled.ts'
import { stillSpec } from './still.ts'
import { themedSvg } from './themed-svg.ts'
import type { SvgNames } from './themed-svg.ts'

/**
 * The SVG text of a chart: one drawing for both themes (colours are `var(--…)`), named for assistive technology,
 * without style attributes, scripts or fixed size, so that it can stand in a page with a strict content policy.
 * Runs where code cannot be made from strings. `id` must be unique in its page. Throws where the spec is unreadable.
 */
export async function chartSvg(spec: TopLevelSpec, names: SvgNames): Promise<string> {
  const vega = await import('vega')
  const { expressionInterpreter } = await import('vega-interpreter')
  const compiled = await compileChart(stillSpec(spec))
  const view = new vega.View(vega.parse(compiled as Spec, undefined, { ast: true }), {
    renderer: 'none',
    logLevel: vega.Error,
    expr: expressionInterpreter,
  })
  try {
    return themedSvg(await view.toSVG(), names)
  } finally {
    view.finalize()
  }
}
