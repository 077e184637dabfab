import { fileURLToPath } from 'node:url'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { read } from 'vega'
import { wallTime } from '#functions/shapes/wall-time.ts'

const folder = fileURLToPath(new URL('../../node_modules/vega-datasets/data/', import.meta.url))

/** Reads the rows of a data set of the package, every value as text. */
export function csv(name: string): Record<string, string>[] {
  return read(readFileSync(join(folder, name), 'utf8'), { type: 'csv' }) as Record<string, string>[]
}

/** As `csv`, of a file whose columns are separated by tabs. */
export function tsv(name: string): Record<string, string>[] {
  return read(readFileSync(join(folder, name), 'utf8'), { type: 'tsv' }) as Record<string, string>[]
}

export function json<T>(name: string): T {
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as T
}

/** Parses a number; null for an empty or meaningless cell. */
export function number(text: string | undefined): number | null {
  if (text === undefined || text.trim() === '') return null
  const value = Number(text)
  return Number.isFinite(value) ? value : null
}

/** Trims a text; null for an empty cell or "NA". */
export function text(value: string | undefined): string | null {
  const trimmed = (value ?? '').trim()
  return trimmed === '' || trimmed === 'NA' ? null : trimmed
}

export function point(longitude: number | null, latitude: number | null) {
  return longitude === null || latitude === null
    ? null
    : { type: 'Point', coordinates: [longitude, latitude] }
}

/** Converts a wall-clock time ('2012-01-01T00:00:00') in a time zone to an instant, as ISO text. */
export function instant(wallClock: string, timeZone: string): string {
  const asUtc = Date.parse(`${wallClock}Z`)
  return new Date(2 * asUtc - wallTime(asUtc, timeZone)).toISOString()
}
