import { isJsonObject, type Json, type JsonObject } from './json.ts'

/** A still spec with placeholders for its texts: the drawing is the same in every language. */
interface PlaceholderSpec<Spec> {
  spec: Spec
  /** The texts by the number of their mark. */
  texts: string[]
}

// Letters that no language has: the private use area of Unicode
const [open, close] = ['\ue0f0', '\ue0f1']
const mark = /\ue0f0(\d+)\ue0f1/g

/** As `labelExpr` in `frame.ts` writes it. */
const labels = /^\((\{.*\})\)(\[[^\]]*\])$/s

/**
 * Replaces the texts of a still spec by placeholders: those of ticks and text layers, which are laid out before, so that
 * the drawing does not depend on them. Tooltips are removed. Equal texts have the same placeholder, and empty ones stay.
 * Null for a spec that contains a placeholder.
 */
export function withTextPlaceholders<Spec extends object>(still: Spec): PlaceholderSpec<Spec> | null {
  const json = JSON.stringify(still)
  if (json.includes(open)) return null
  const texts: string[] = []
  const markers = new Map<string, string>()
  const toMarker = (text: string): string => {
    if (text.trim() === '') return text
    const before = markers.get(text)
    if (before !== undefined) return before
    const marker = `${open}${texts.push(text) - 1}${close}`
    markers.set(text, marker)
    return marker
  }
  const mark = (value: Json): Json =>
    typeof value === 'string' ? toMarker(value) : Array.isArray(value) ? value.map(mark) : value
  const hasTips = json.includes('"field":"tip"')
  const row = (value: Json): Json => {
    if (!isJsonObject(value)) return value
    const { tip, ...rest } = value
    const datum = hasTips && tip !== undefined ? { ...rest, tip } : rest
    return 'text' in datum ? { ...datum, text: mark(datum.text ?? null) } : datum
  }
  const expression = (value: Json | undefined): Json | undefined => {
    const [, map, at] = (typeof value === 'string' && labels.exec(value)) || []
    if (map === undefined || at === undefined) return value
    const entries = Object.entries(JSON.parse(map) as Record<string, Json>).map(([key, label]) => [
      key,
      mark(label),
    ])
    return `(${JSON.stringify(Object.fromEntries(entries))})${at}`
  }
  const walk = (value: Json | undefined, name: string): Json | undefined => {
    if (Array.isArray(value)) return value.map((each) => walk(each, '') ?? null)
    if (!isJsonObject(value)) return value
    const entries = Object.entries(value).map(([key, part]): [string, Json | undefined] => {
      if (name === 'data' && key === 'values' && Array.isArray(part)) return [key, part.map(row)]
      if (key === 'labelExpr') return [key, expression(part)]
      return [key, walk(part, key)]
    })
    return Object.fromEntries(entries)
  }
  // A spec is JSON, whatever type it has.
  const { description: _, ...visible } = still as unknown as JsonObject
  // The walk preserves the type.
  const spec = walk(visible, '') as unknown as Spec
  return { spec, texts }
}

/** Inserts texts into a drawing with placeholders, escaped as Vega does it. */
export function insertTexts(svg: string, texts: string[]): string {
  return svg.replace(mark, (_, at: string) =>
    (texts[Number(at)] ?? '').trim().replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;'),
  )
}
