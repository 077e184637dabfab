import { parsers } from '#functions/shapes/parser/index.ts'
import { describe, expect, test } from 'vitest'
import { readAll } from '../reading.testing.ts'
import { binaryCases } from './binary.testing.ts'
import type { FaultyCase } from './case.testing.ts'
import { csvCases } from './csv.testing.ts'
import { fileCases } from './files.testing.ts'
import { zipCases } from './zip.testing.ts'
import { jsonCases } from './json.testing.ts'
import { xmlCases } from './xml.testing.ts'

const cases = [...csvCases, ...jsonCases, ...xmlCases, ...fileCases, ...zipCases, ...binaryCases]

/** Numbers of seeded and located faults, of expected and returned good rows, and of changed values. */
const tally = { seeded: 0, located: 0, good: 0, came: 0, changed: 0 }

async function check({ parser, source, options, settings, good, faults = [], notice, refusal }: FaultyCase) {
  const read = await readAll(parser, source, options, settings)
  const expected = typeof good === 'number' ? good : good.length
  const located = faults.filter(({ row, field, line, says }) =>
    read.rejects.some(
      (reject) =>
        reject.at.row === row &&
        reject.field === field &&
        (line === undefined || reject.at.line === line) &&
        (!says || says.test(reject.message)),
    ),
  )
  tally.seeded += faults.length
  tally.located += located.length
  tally.good += expected
  tally.came += Math.min(expected, read.rows.length)
  if (typeof good !== 'number')
    tally.changed += read.values.filter(
      (value) => !good.some((one) => JSON.stringify(one) === JSON.stringify(value)),
    ).length
  expect.soft(read.refusal ?? '', 'refused').toMatch(refusal ?? /^$/)
  if (typeof good === 'number') expect.soft(read.rows.length).toBe(good)
  else expect.soft(read.values).toEqual(good)
  expect
    .soft(read.rejects.map(({ at, field }) => [at.row, field]))
    .toEqual(faults.map(({ row, field }) => [row, field]))
  expect.soft(read.rejects.map(({ message }) => message).length).toBe(faults.length)
  expect.soft(located, JSON.stringify(read.rejects)).toHaveLength(faults.length)
  if (notice) expect.soft(read.notices.map(({ message }) => message).join('\n')).toMatch(notice)
  expect(read.rows.length + new Set(read.rejects.map(({ at }) => at.row)).size).toBe(
    read.batches.at(-1)?.cursor.rows ?? 0,
  )
}

describe.each(Object.keys(parsers))('%s', (parser) => {
  for (const nasty of cases.filter((each) => each.parser === parser)) test(nasty.is, () => check(nasty))
})

test('locates every seeded fault, returns good rows, and changes no value silently', () => {
  console.log(`${cases.length} nasty sources: ${JSON.stringify(tally)}`)
  expect(cases.length).toBeGreaterThanOrEqual(60)
  expect(tally.located).toBe(tally.seeded)
  expect(tally.came / tally.good).toBeGreaterThanOrEqual(0.99)
  expect(tally.changed).toBe(0)
})
