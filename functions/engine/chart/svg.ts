import type { Spec } from 'vega'
import type { TopLevelSpec } from 'vega-lite'
import { BoundedMemory } from '#functions/platform/cache/bounded-memory.ts'
import { compiledText } from './compiled.ts'
import { toStaticSpec } from './still.ts'
import { toDrawing, frameSvg } from './themed-svg.ts'
import type { Drawing, SvgNames } from './themed-svg.ts'
import { insertTexts, withTextPlaceholders } from './text-placeholders.ts'

/** A cache of drawings without text, by spec: it serves the further languages of a page. */
const drawings = new BoundedMemory<Drawing>({
  cost: 4_000_000,
  estimateCost: ({ inside }, spec) => spec.length + inside.length,
})

/**
 * Renders a chart as SVG text: one drawing for both themes (colours are `var(--…)`), with accessible names, without
 * style attributes, scripts or fixed size, so that a page with a strict content policy can contain it. Needs no code
 * generation. `id` must be unique in its page. Throws where the spec is invalid. A chart that differs from a cached one
 * only in its texts is not rendered again.
 */
export async function chartSvg(spec: TopLevelSpec, names: SvgNames): Promise<string> {
  const still = toStaticSpec(spec)
  const plain = withTextPlaceholders(still)
  if (!plain) return frameSvg(toDrawing(await draw(still), names.id), names)
  const key = `${names.id} ${JSON.stringify(plain.spec)}`
  let drawing = drawings.get(key)
  if (drawing === undefined) {
    drawing = toDrawing(await draw(plain.spec), names.id)
    drawings.put(key, drawing)
  }
  return frameSvg({ ...drawing, inside: insertTexts(drawing.inside, plain.texts) }, names)
}

async function draw(still: TopLevelSpec): Promise<string> {
  const vega = await import('vega')
  const { expressionInterpreter } = await import('vega-interpreter')
  const compiled = JSON.parse(await compiledText(still)) as Spec
  const view = new vega.View(vega.parse(compiled, undefined, { ast: true }), {
    renderer: 'none',
    logLevel: vega.Error,
    expr: expressionInterpreter,
  })
  try {
    return await view.toSVG()
  } finally {
    view.finalize()
  }
}
