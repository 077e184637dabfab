import type { TopLevelSpec } from 'vega-lite'
import { BoundedMemory } from '#functions/platform/cache/bounded-memory.ts'
import { splitAtPlaceholders, joinParts, liftParts, type Chunks } from './spec-parts.ts'

/**
 * The compiled Vega spec of a chart as JSON: pages store it, so that browsers load Vega and its interpreter but not the
 * compiler. Throws where vega-lite cannot compile the spec.
 */
export async function compileChart(spec: TopLevelSpec): Promise<object> {
  const { compile } = await import('vega-lite')
  return compile(spec).spec
}

/** Compiled specs by their shape; `whole` where a part could not be put back. */
const specs = new BoundedMemory<Chunks | 'whole'>({
  cost: 4_000_000,
  estimateCost: (chunks, shape) => shape.length + (chunks === 'whole' ? 0 : chunks.join('').length),
})

/**
 * The JSON text of `compileChart`, byte for byte. A spec that differs from an earlier one only in rows, ticks or
 * language is not compiled again: that takes ten times as long as everything else.
 */
export async function compiledText(spec: TopLevelSpec): Promise<string> {
  const parted = liftParts(spec)
  if (!parted) return JSON.stringify(await compileChart(spec))
  const shape = JSON.stringify(parted.shape)
  const before = specs.get(shape)
  if (before === 'whole') return JSON.stringify(await compileChart(spec))
  if (before) return joinParts(before, parted.parts)
  const chunks = splitAtPlaceholders(JSON.stringify(await compileChart(parted.shape as TopLevelSpec)))
  specs.put(shape, chunks ?? 'whole')
  return chunks ? joinParts(chunks, parted.parts) : JSON.stringify(await compileChart(spec))
}
