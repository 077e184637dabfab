import type { Case } from './case.testing.ts'
import type { FaultyCase } from '#functions/engine/import/parse/nasty/case.testing.ts'
import { csvCases } from '#functions/engine/import/parse/nasty/csv.testing.ts'
import { fileCases } from '#functions/engine/import/parse/nasty/files.testing.ts'
import { zipCases } from '#functions/engine/import/parse/nasty/zip.testing.ts'
import { jsonCases } from '#functions/engine/import/parse/nasty/json.testing.ts'
import { xmlCases } from '#functions/engine/import/parse/nasty/xml.testing.ts'

type FlatRow = Record<string, string | number | boolean | null>

const isFlat = (row: unknown): row is FlatRow =>
  typeof row === 'object' &&
  row !== null &&
  !Array.isArray(row) &&
  Object.values(row).every((value) => typeof value !== 'object' || value === null)

/** The test cases of the parsers, imported completely: those whose rows are maps of texts, as texts. */
export function listParserCases(): Case[] {
  return [...csvCases, ...jsonCases, ...xmlCases, ...fileCases, ...zipCases].flatMap(
    (nasty) => buildImportCase(nasty) ?? [],
  )
}

function buildImportCase({
  is,
  parser,
  options,
  source,
  settings,
  good,
  faults = [],
  refusal: fatalError,
}: FaultyCase): Case | null {
  const isBytes = typeof source === 'string' || source instanceof Uint8Array
  if (!isBytes || settings || typeof good === 'number' || !good.every(isFlat)) return null
  const columns = [...new Set(good.flatMap((row) => Object.keys(row)))]
  const keyByColumn = new Map(columns.map((column, i) => [column, column === 'id' ? 'id' : `c${i}`]))
  const fields = columns.length ? columns : ['a']
  const key = (column: string) => keyByColumn.get(column) ?? 'c0'
  const schema = Object.fromEntries(
    fields.map((column) => [key(column), { name: column, type: 'text' as const }]),
  )
  const mapping = Object.fromEntries(fields.map((column) => [key(column), { field: column }]))
  const bad = new Set(faults.map(({ row }) => row)).size
  const isMostlyBad = bad * 2 > good.length + bad
  // A premature end, or mostly bad rows, reject the whole file.
  const isOut = fatalError !== undefined || isMostlyBad
  const texts = good.map((row) =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([, value]) => value !== null && String(value).trim() !== '')
        .map(([column, value]) => [key(column), String(value)]),
    ),
  )
  return {
    is: `${parser}: ${is}`,
    ...{ parser, source, schema, mapping, faults },
    ...(options && { options: { ...options } }),
    good: isOut ? [] : texts.filter((row) => Object.keys(row).length > 0),
    // An HTML page is detected when it is fetched, with a message of its own.
    ...(isOut && {
      refused: /web page/.test(String(fatalError)) ? /web page/ : (fatalError ?? /were refused/),
    }),
  }
}
