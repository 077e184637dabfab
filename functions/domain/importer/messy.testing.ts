import { expect } from 'vitest'
import {
  parserOfName,
  buildImporterSource,
  tryBetter,
  unsaid,
} from '#app/components/importer/parser-guess.ts'
import type { TrialResult } from '#app/components/importer/trial.ts'
import { mapper } from '#functions/engine/import/map/index.ts'
import { readAll } from '#functions/engine/import/parse/reading.testing.ts'
import { profiler, propose } from '#functions/engine/import/profile/index.ts'
import { sampleOfFile } from './sample.ts'

/** Analyses a file of this name as the wizard does, accepts its proposal, and reads all of it as a run does. */
export async function importFile({ name, bytes }: { name: string; bytes: Uint8Array }) {
  const { tried: sample, reading } = await tryBetter(
    { ...unsaid, parser: parserOfName(name) },
    ({ parser, ...at }) =>
      sampleOfFile(buildImporterSource('file:sent', parser, at), new File([Uint8Array.from(bytes)], name)),
    (sample) => ({ ...sample, grids: [sample.grid], archives: [sample.archive] }) as unknown as TrialResult,
  )
  const { parser, ...at } = reading
  if (sample.error) return { error: sample.error, at: reading, records: [], notices: [], schema: {} }
  const profile = profiler()
  profile.add(sample.rows)
  const { mapping, schema, columns } = propose(profile.result(), { name: '' })
  const { parserOptions } = buildImporterSource('file:sent', parser, at)
  const { rows, rejects, notices } = await readAll(parser, bytes, parserOptions as object)
  expect(rejects).toEqual([])
  const map = await mapper(mapping, schema, { timeZone: 'UTC', columns })
  const outcomes = rows.map((row) => map(row)).filter((row) => row !== null)
  expect(outcomes.flatMap((row) => ('rejects' in row ? row.rejects : []))).toEqual([])
  const records = outcomes.flatMap((row) => ('rejects' in row ? [] : [row.value as Record<string, unknown>]))
  return { error: undefined, at: reading, records, notices: notices.map(({ message }) => message), schema }
}
