import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faults, readModule, withFault } from './faults.ts'
import type { Figure } from './oracle-meaning.ts'
import { checkSentence, rules } from './oracle-rules.ts'
import { openOracle, type FileFields, type Oracle, type Question } from './oracle.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

test('the oracle imports nothing of the product', () => {
  const files = readdirSync(here, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(?:oracle.*(?<!\.test)|language\/.*)\.ts$/.test(name),
  )
  expect(files.length).toBeGreaterThan(12)
  const allowed = new Set([...files.map((name) => `./${name}`), '../oracle-language.ts', '@duckdb/node-api'])
  // The codes of languages, so that one without words does not compile. A type is not run.
  const codes = "import type { Locale } from '#functions/shapes/locale.ts'"
  for (const file of files) {
    const text = readFileSync(join(here, file), 'utf8').replace(codes, '')
    const imported = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name = '']) => name)
    expect(
      imported.filter((name) => !allowed.has(name)),
      file,
    ).toEqual([])
  }
})

test('planted faults match the code they change and the rules that find them', () => {
  const names = new Set(rules.map(({ is }) => is))
  for (const fault of faults) {
    expect(withFault(fault, readModule(fault)), fault.is).not.toBe(readModule(fault))
    expect(fault.expectedRules.filter((rule) => !names.has(rule))).toEqual([])
  }
  expect(
    [...names].filter((rule) => !faults.some(({ expectedRules }) => expectedRules.includes(rule))),
  ).toEqual([])
})

const fields: FileFields = {
  day: { name: 'Day', kind: 'calendar' },
  at: { name: 'At', kind: 'instant' },
  kind: { name: 'Kind', kind: 'text' },
  moment: { name: 'Moment', kind: 'instant' },
  n: { name: 'N', kind: 'number' },
}

/** One record per month from January 2012 to July 2015, warmer in summer; three kinds. */
const months = Array.from({ length: 43 }, (_, i) => {
  const [year, month] = [2012 + Math.floor(i / 12), 1 + (i % 12)]
  const day = `${year}-${String(month).padStart(2, '0')}-01`
  const kind = ['Oak', 'Oak', 'Oak', 'Elm', 'Elm', 'Ash'][i % 6]
  const moment =
    ['2012-01-01T00:00:00Z', '2012-01-01T06:00:00Z', '2012-01-01T12:00:00Z', '2012-01-02T00:00:00Z'][i] ?? ''
  return `${day},${day}T05:30:00Z,${kind},${moment},${10 - Math.round(10 * Math.cos(((month - 1) / 6) * Math.PI)) + i / 100}`
})

const folder = mkdtempSync(join(tmpdir(), 'oracle-'))
let oracle: Oracle
beforeAll(async () => {
  oracle = await openOracle()
  writeFileSync(join(folder, 'file.csv'), `day,at,kind,moment,n\n${months.join('\n')}\n`)
  await oracle.load('file', join(folder, 'file.csv'), fields)
})
afterAll(() => {
  oracle.close()
  rmSync(folder, { recursive: true })
})

const call = (name: string, ...args: unknown[]) => ({ function: name, arguments: args }) as never
const buildField = (key: string) => ({ field: `data.${key}` })

async function buildFigure(question: Question, type: string, maxGroups = Infinity): Promise<Figure> {
  const { columns, groups } = await oracle.answer('file', fields, question, 'UTC')
  const sortedGroups = [...groups].sort((a, b) => {
    const [x, y] = [a.cells[0] ?? '', b.cells[0] ?? '']
    return question.limit === undefined ? (x < y ? -1 : 1) : Number(b.cells[1]) - Number(a.cells[1])
  })
  const coverage = {
    day: await oracle.coverage('file', fields, 'day', 'UTC'),
    at: await oracle.coverage('file', fields, 'at', 'UTC'),
    moment: await oracle.coverage('file', fields, 'moment', 'UTC'),
  }
  const figure = { title: 'Figure', type, settings: {}, question, columns, groups, zone: 'UTC', coverage }
  return { ...figure, visibleGroups: sortedGroups.slice(0, maxGroups) }
}

const byYear: Question = {
  aggregations: [
    { alias: 'year', name: 'Year', value: call('bucket', 'year', buildField('day')) },
    { alias: 'records', name: 'Records', value: call('count') },
  ],
  groupings: [{ field: 'year' }],
}
/** By days of instants; the last day is partial, because the data end at six in the morning. */
const byDay: Question = {
  aggregations: [
    { alias: 'day', name: 'Day', value: call('bucket', 'day', buildField('moment')) },
    { alias: 'records', name: 'Records', value: call('count') },
  ],
  groupings: [{ field: 'day' }],
}
const byMonth: Question = {
  aggregations: [
    { alias: 'month', name: 'Month', value: call('bucket', 'month', buildField('day')) },
    { alias: 'n', name: 'Warmth', value: call('average', buildField('n')) },
  ],
  groupings: [{ field: 'month' }],
}
const warmthByYear: Question = {
  aggregations: [
    { alias: 'year', name: 'Year', value: call('bucket', 'year', buildField('day')) },
    { alias: 'n', name: 'Warmth', value: call('average', buildField('n')) },
  ],
  groupings: [{ field: 'year' }],
}
const byKind: Question = {
  aggregations: [
    { alias: 'kind', name: 'Kind', value: buildField('kind') },
    { alias: 'records', name: 'Records', value: call('count') },
  ],
  groupings: [{ field: 'kind' }],
  orderings: [{ value: { field: 'records' }, direction: 'desc' }],
}
const byKindAndYear: Question = {
  aggregations: [
    { alias: 'year', name: 'Year', value: call('bucket', 'year', buildField('day')) },
    { alias: 'kind', name: 'Kind', value: buildField('kind') },
    { alias: 'n', name: 'Warmth', value: call('average', buildField('n')) },
  ],
  groupings: [{ field: 'year' }, { field: 'kind' }],
}

const findBrokenRules = (sentence: string, figure: Figure, locale = 'en') =>
  [...new Set(checkSentence(sentence, locale, figure).findings.map(({ rule }) => rule))].sort()

describe('the oracle', () => {
  test('groups instants by the clock of a zone, and calendar dates without one', async () => {
    const question = (key: string): Question => ({
      aggregations: [
        { alias: 'year', name: 'Year', value: call('bucket', 'year', buildField(key)) },
        { alias: 'records', name: 'Records', value: call('count') },
      ],
      groupings: [{ field: 'year' }],
    })
    const answer = async (key: string, zone: string) => {
      const { groups } = await oracle.answer('file', fields, question(key), zone)
      return groups.map(({ cells }) => cells.join(' ')).sort()
    }
    // Half past five in UTC is the previous evening in Los Angeles, for one record in the previous year.
    expect(await answer('at', 'America/Los_Angeles')).toEqual([
      '2011-01-01T00:00:00 1',
      '2012-01-01T00:00:00 12',
      '2013-01-01T00:00:00 12',
      '2014-01-01T00:00:00 12',
      '2015-01-01T00:00:00 6',
    ])
    expect(await answer('day', 'America/Los_Angeles')).toEqual([
      '2012-01-01 12',
      '2013-01-01 12',
      '2014-01-01 12',
      '2015-01-01 7',
    ])
  })

  test('accepts true sentences, in any wording and in every language', async () => {
    const [years, kinds, monthly] = [
      await buildFigure(byYear, 'line'),
      await buildFigure({ ...byKind, limit: 2 }, 'bar', 2),
      await buildFigure(byMonth, 'line'),
    ]
    const first = monthly.visibleGroups[0]?.cells[1]
    for (const [sentence, figure, locale] of [
      ['Records came to 12 in 2014, the same as in 2012.', years, 'en'],
      ['In 2013 there were 12 Records.', years, 'en'],
      ['Records: 12 en 2014, igual que en 2012.', years, 'es'],
      ['The 2 largest of 3: Oak 22, Elm 14.', kinds, 'en'],
      ['Records, les 2 valeurs les plus élevées sur 3 : de 22 pour Oak à 14 pour Elm.', kinds, 'fr'],
      ['Records، أعلى قيمتين من 3: من ٢٢ لـ Oak إلى ١٤ لـ Elm.', kinds, 'ar'],
      ['Warmth ranged between 0.0 in January 2012 and 20.3 in July 2014.', monthly, 'en'],
      ['Warmth rose from 0.00 in January 2012 to 0.12 in January 2013.', monthly, 'en'],
    ] as const)
      expect([sentence, findBrokenRules(sentence, figure, locale)]).toEqual([sentence, []])
    expect(first).toBe(0)
  })

  test('finds each false statement by the rule it breaks', async () => {
    const [years, kinds, monthly, stack] = [
      await buildFigure(byYear, 'line'),
      await buildFigure({ ...byKind, limit: 2 }, 'bar', 2),
      await buildFigure(byMonth, 'line'),
      await buildFigure(byKindAndYear, 'bar'),
    ]
    const days = await buildFigure(byDay, 'line')
    const warmth = await buildFigure(warmthByYear, 'line')
    // One record, then three, then one.
    const uneven = await buildFigure(
      {
        ...byYear,
        filters: {
          'data.day': { $in: ['2012-03-01', '2013-01-01', '2013-02-01', '2013-03-01', '2014-03-01'] },
        },
      },
      'line',
    )
    const whole = await buildFigure(byKind, 'bar')
    const pie = { ...whole, type: 'pie' }
    expect(findBrokenRules('Oak made up 51.2% of Records, the largest of 3 parts.', pie)).toEqual([])
    expect(findBrokenRules('Elm made up 32.6% of Records, the largest of 3 parts.', pie)).toEqual([
      'extremes',
    ])
    const unordered = {
      ...kinds,
      question: { ...kinds.question, orderings: [{ value: { field: 'kind' }, direction: 'asc' as const }] },
    }
    const brokenRules: Record<string, string[]> = {}
    for (const [sentence, figure, rule] of [
      ['Records came to 12 in 2014, the same as in 2012, of 99 in all.', years, 'numbers'],
      ['Records ranged from 22 for Elm down to 7 for Ash.', whole, 'groups'],
      ['Records ranged from 22 for Oak down to 14 for Elm.', whole, 'extremes'],
      ['Records fell from 0.00 in January 2012 to 0.12 in January 2013.', monthly, 'direction'],
      ['Records ranged from 22 for Oak down to 14 for Elm.', kinds, 'cut'],
      ['Records, 2 of 3, ranged from 22 for Oak down to 14 for Elm.', unordered, 'whole'],
      ['No data yet.', whole, 'empty'],
      ['Records fell from 12 in 2014 to 7 in 2015.', years, 'partial'],
      ['Records fell from 3 on Jan 1, 2012 to 1 on Jan 2, 2012.', days, 'partial days'],
      ['Warmth rose from 0.00 in January 2012 to 20.3 in July 2014.', monthly, 'seasonal'],
      ['Records, the 2 smallest of 3, ranged from 22 for Oak down to 14 for Elm.', kinds, 'rank'],
      ['Warmth came to 10 in 2012, the same as in 2014.', warmth, 'same'],
      ['Records came to 1 in 2014, the same as in 2012.', uneven, 'turns'],
      ['Warmth ranged from 34.6 in 2012 down to 17.8 in 2015.', stack, 'added'],
    ] as const)
      brokenRules[rule] = findBrokenRules(sentence, figure)
    // Each is found by its own rule and by no other: with that rule disabled it would be accepted.
    expect(brokenRules).toEqual(Object.fromEntries(rules.map(({ is }) => [is, [is]])))
  })
})
