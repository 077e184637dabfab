import type { Spec } from 'vega'
import type { ChartTheme } from './palette.ts'
import { themedSpec } from './themed-spec.ts'
import { makeTooltip } from './tooltip.ts'

/**
 * Draws the live chart of a compiled spec into an element, in the colours of a theme, with its values under the
 * pointer. Vega comes only now, and its interpreter keeps it from making code of strings. Gives the function that
 * takes the chart away again; throws, and leaves no tooltip behind, where the spec cannot be drawn.
 */
export async function hydrateChart(
  element: HTMLElement,
  vegaSpec: object,
  theme: ChartTheme,
): Promise<() => void> {
  const [vega, { expressionInterpreter }] = await Promise.all([import('vega'), import('vega-interpreter')])
  const tooltip = makeTooltip(element.ownerDocument)
  try {
    const runtime = vega.parse(themedSpec(vegaSpec, theme) as Spec, undefined, { ast: true })
    const view = new vega.View(runtime, {
      renderer: 'svg',
      container: element,
      hover: false,
      logLevel: vega.Error,
      expr: expressionInterpreter,
      tooltip: (_handler: unknown, event: MouseEvent | null, _item: unknown, value: unknown) =>
        tooltip.show(event, value),
    })
    await view.runAsync()
    // As wide as its place, like the drawing it replaces
    const drawing = element.querySelector('svg')
    drawing?.setAttribute('width', '100%')
    drawing?.removeAttribute('height')
    drawing?.setAttribute('class', 'chart-drawing')
    drawing?.setAttribute('font-variant', 'tabular-nums')
    return () => {
      view.finalize()
      tooltip.remove()
      element.replaceChildren()
    }
  } catch (error) {
    tooltip.remove()
    throw error
  }
}
