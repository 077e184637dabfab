import { expect } from 'vitest'
import { betterReadAt, sourceOf, type ReadAt } from '#app/components/importer/parser-guess.ts'
import { mapper } from '#functions/engine/import/map/index.ts'
import { readAll } from '#functions/engine/import/parse/reading.testing.ts'
import { profiler, propose } from '#functions/engine/import/profile/index.ts'
import type { ParserName } from '#functions/shapes/parser/index.ts'
import { sampleOfFile } from './sample.ts'

/** Analyses a file as the wizard does, accepts its proposal, and reads all of it as a run does. */
export async function bringIn({ parser, bytes }: { parser: ParserName; bytes: Uint8Array }) {
  const look = (at: ReadAt) =>
    sampleOfFile(sourceOf('file:sent', parser, at), new File([Uint8Array.from(bytes)], 'a'))
  let at: ReadAt = { selector: '', headerRows: '', leaveOut: '' }
  let sample = await look(at)
  const better = betterReadAt(at, { ...sample, grids: [sample.grid], rows: [] } as never)
  if (better) sample = await look((at = better))
  if (sample.error) return { error: sample.error, at, records: [], notices: [], schema: {} }
  const profile = profiler()
  profile.add(sample.rows)
  const { mapping, schema, columns } = propose(profile.result(), { name: '' })
  const { parserOptions } = sourceOf('file:sent', parser, at)
  const { rows, rejects, notices } = await readAll(parser, bytes, parserOptions as object)
  expect(rejects).toEqual([])
  const map = await mapper(mapping, schema, { timeZone: 'UTC', columns })
  const mapped = rows.map((row) => map(row)).filter((row) => row !== null)
  expect(mapped.flatMap((row) => ('rejects' in row ? row.rejects : []))).toEqual([])
  const records = mapped.flatMap((row) => ('rejects' in row ? [] : [row.value as Record<string, unknown>]))
  return { error: undefined, at, records, notices: notices.map(({ message }) => message), schema }
}
