import { isJsonObject, type Json, type JsonObject } from './json.ts'

/** A spec in two: what decides how it compiles, and what compiling only carries along. */
interface SpecParts {
  /** The spec with placeholders for its parts. Specs of the same shape compile to the same but for their parts. */
  shape: unknown
  /** The JSON of each part; for lists, without brackets. */
  parts: string[]
}

/**
 * Placeholders are this number plus an index of six digits: unlikely in data, and small enough to be an exact
 * integer.
 */
const first = 987_610_000_000
const sign = /("?)-?98761(\d{7})\1/g

/** Text chunks and the indices of parts between them. */
export type Chunks = (string | number)[]

/**
 * Extracts the parts of a vega-lite spec that the compiler does not interpret: data rows, ticks with their texts, the
 * description, and domain ends. Equal parts have the same placeholder, since the compiler merges equal data. Domain ends
 * keep their sign, and zeros stay, since whether zero is included affects the scale. Null for a spec that contains a
 * placeholder.
 */
export function liftParts(spec: object): SpecParts | null {
  const parts: string[] = []
  const indexes = new Map<string, number>()
  let nextIndex = 0
  const addPart = (json: string): number => {
    const at = indexes.get(json) ?? parts.push(json) - 1
    indexes.set(json, at)
    nextIndex += 1
    return first + at
  }
  const text = (value: Json | undefined) => String(addPart(JSON.stringify(value)))
  const list = (values: Json[]) => [addPart(JSON.stringify(values).slice(1, -1))]
  const end = (value: number) =>
    value === 0 ? 0 : value < 0 ? -addPart(JSON.stringify(value)) : addPart(JSON.stringify(value))

  const lift = (value: Json | undefined, name: string): Json | undefined => {
    if (Array.isArray(value)) return value.map((each) => lift(each, '') ?? null)
    if (!isJsonObject(value)) return value
    const copy: JsonObject = {}
    for (const [key, part] of Object.entries(value)) {
      if (name === 'data' && key === 'values' && isFilled(part)) copy[key] = list(part)
      else if (name === 'axis' && key === 'values' && isFilled(part)) copy[key] = list(part)
      else if (name === 'axis' && key === 'values' && isJsonObject(part) && typeof part.expr === 'string')
        copy[key] = { expr: text(part.expr) }
      else if (name === 'axis' && key === 'labelExpr') copy[key] = text(part)
      else if (name === 'spec' && key === 'description') copy[key] = text(part)
      else if (name === 'scale' && key === 'domain' && value.zero !== undefined && isSpan(part))
        copy[key] = part.map(end)
      else copy[key] = lift(part, key)
    }
    return copy
  }
  const shape = lift(spec as JsonObject, 'spec')
  const own = JSON.stringify(shape).match(sign)?.length ?? 0
  return own === nextIndex ? { shape, parts } : null
}

const isFilled = (value: Json | undefined): value is Json[] => Array.isArray(value) && value.length > 0
const isSpan = (value: Json | undefined): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'number')

/** Splits a JSON text at its placeholders; null where one is inside a longer text, so that its part could not be inserted. */
export function splitAtPlaceholders(json: string): Chunks | null {
  const chunks: Chunks = []
  let from = 0
  for (const { index, 0: text, 2: digits = '' } of json.matchAll(sign)) {
    const isWhole =
      /[[:,]$/.test(json.slice(index - 1, index)) && /^[\],}]/.test(json.slice(index + text.length))
    if (!isWhole) return null
    chunks.push(json.slice(from, index), Number(digits))
    from = index + text.length
  }
  return [...chunks, json.slice(from)]
}

/** The text with its parts in their places. */
export const joinParts = (chunks: Chunks, parts: string[]): string =>
  chunks.map((chunk) => (typeof chunk === 'number' ? parts[chunk] : chunk)).join('')
