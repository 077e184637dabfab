import { listGroupNames, normalizeText } from './oracle-names.ts'
import type { GivenAnswer } from './oracle-answer.ts'
import type { Cell, Group } from './oracle.ts'
import type { Figure } from './oracle-meaning.ts'
import type { SentenceVerdict } from './oracle-rules.ts'
import { getOracleLanguage } from './oracle-language.ts'

/*
 * False statements derived from true ones: each must be detected. A sentence is changed at the positions at
 * which it was understood.
 */

interface FalseSentence {
  is: string
  sentence: string
}

interface AnswerLie {
  is: string
  answer: GivenAnswer
}

interface Spot {
  from: number
  to: number
}

/** Replaces parts of a text; from the end, so that positions stay valid. */
function replaceSpots(text: string, changes: (Spot & { by: string })[]): string {
  return [...changes]
    .sort((a, b) => b.from - a.from)
    .reduce((rest, { from, to, by }) => `${rest.slice(0, from)}${by}${rest.slice(to)}`, text)
}

/** Formats a number as the language does. */
const formatCount = (value: number, decimals: number, isPercent: boolean, locale: string) =>
  normalizeText(
    new Intl.NumberFormat(locale, {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    }).format(value),
  ) + (isPercent ? '%' : '')

/** Derives all false statements from a sentence that was found true. */
export function buildFalseSentences({ interpretation }: SentenceVerdict): FalseSentence[] {
  const { text, locale, figure, values, counts, facts, tokens } = interpretation
  const { directions, extremes, turningPoints } = getOracleLanguage(locale)
  const lies: FalseSentence[] = []
  const addFalseSentence = (is: string, ...changes: (Spot & { by: string })[]) =>
    lies.push({ is, sentence: replaceSpots(text, changes) })
  const number = (value: number, like: { decimals: number; isPercent: boolean }) =>
    formatCount(value, like.decimals, like.isPercent, locale)
  const isShown = (value: number, decimals: number, truth: number) =>
    Math.abs(value - truth) <= 0.5 * 10 ** -decimals * (1 + 1e-6) + 1e-9 * Math.abs(truth)

  for (const { number: spot, names, facts: matchingFacts } of values) {
    const { value, decimals, isPercent } = spot
    const [fact] = matchingFacts
    if (!fact) continue
    // Away from the true value, because a half may be rounded either way.
    const off = value + (value < fact.value ? -1 : 1) * 10 ** -decimals
    const namedFacts = facts.filter(
      (one) =>
        one.isShare === fact.isShare &&
        (names.length === 0 ||
          names.some(
            (name) => name.cells.includes(one.of.get(name.column) ?? null) && one.of.has(name.column),
          )),
    )
    // Beyond the precision of a double one unit makes no difference.
    if (
      off !== value &&
      Math.abs(value) < 1e15 &&
      !namedFacts.some((one) => isShown(off, decimals, one.value))
    )
      addFalseSentence('a value off by one unit of what is shown', { ...spot, by: number(off, spot) })
    for (const name of names) {
      const column = figure.columns[name.column]
      const other = listDistinctCells(figure, name.column).find(
        (cell) =>
          !name.cells.includes(cell) &&
          namesOfCell(cell, figure, name.column, locale) !== undefined &&
          facts.every(
            (one) =>
              one.of.get(name.column) !== cell ||
              !isShown(value, decimals, one.value) ||
              (one.isShare ?? false) !== isPercent,
          ),
      )
      if (!column || other === undefined) continue
      const isTime = column.kind !== 'text' && column.kind !== 'number'
      const by = namesOfCell(other, figure, name.column, locale) ?? ''
      addFalseSentence(isTime ? 'another period' : 'another group', { ...name, by })
      if (isTime) {
        const [year] = /\b[12]\d{3}\b/.exec(text.slice(name.from, name.to)) ?? []
        if (year !== undefined)
          addFalseSentence('a year that is not there', {
            ...name,
            by: text.slice(name.from, name.to).replaceAll(year, String(Number(year) + 300)),
          })
      }
    }
  }
  const [first, last] = [values[0], values.at(-1)]
  if (first && last && first !== last && first.facts[0] && last.facts[0]) {
    const apart = Math.abs(first.number.value - last.number.value)
    if (apart > 1.5 * 10 ** -first.number.decimals)
      addFalseSentence(
        'two values changed for each other',
        { ...first.number, by: number(last.number.value, last.number) },
        { ...last.number, by: number(first.number.value, first.number) },
      )
    lies.push(...buildFalseExtremes(interpretation))
  }
  for (const [rise, fall] of directions)
    for (const [word, other] of [
      [rise, fall],
      [fall, rise],
    ]) {
      const at = word === undefined ? -1 : interpretation.words.indexOf(word)
      if (word !== undefined && other !== undefined && at >= 0 && values.length > 1)
        lies.push({ is: 'the other direction', sentence: text.replace(word, other) })
    }
  for (const [largest, smallest] of extremes)
    for (const [word, other, sign] of [
      [largest, smallest, -1],
      [smallest, largest, 1],
    ] as const)
      if (text.includes(word) && isCutOff(interpretation, sign))
        lies.push({ is: 'the other end', sentence: text.replace(word, other) })
  const [peak, low] = turningPoints
  for (const [word, other] of [
    [peak, low],
    [low, peak],
  ] as const)
    if (text.includes(word) && values.length === 3)
      lies.push({ is: 'a low instead of a peak', sentence: text.replace(word, other) })
  lies.push(...miscounted(interpretation, (count) => number(count, { decimals: 0, isPercent: false })))
  const total = figure.groups.length
  if (total > figure.visibleGroups.length) {
    const spots = counts.filter(({ value }) => value === total)
    if (spots.length === 1 && spots[0]) {
      addFalseSentence('one more in all', { ...spots[0], by: number(total + 1, spots[0]) })
      addFalseSentence('a cut that is not said', {
        ...spots[0],
        by: number(figure.visibleGroups.length, spots[0]),
      })
    }
  }
  for (const count of counts)
    if (counts.length === 1 && tokens.length === 1 && figure.type !== 'pie')
      addFalseSentence('one more counted', { ...count, by: number(count.value + total + 1, count) })
  return lies
}

/**
 * Returns whether one of the groups that were left out is beyond the shown ones: then those are not the
 * largest (`sign` 1) or smallest (-1) of all.
 */
function isCutOff({ figure, values }: SentenceVerdict['interpretation'], sign: number): boolean {
  const measure = values[0]?.facts[0]?.measure
  if (measure === undefined) return false
  const isShown = new Set(figure.visibleGroups)
  const listValues = (groups: Group[]) =>
    groups.flatMap(({ cells }) => (typeof cells[measure] === 'number' ? sign * cells[measure] : []))
  const beyond = Math.max(...listValues(figure.groups.filter((group) => !isShown.has(group))))
  const edge = Math.min(...listValues(figure.visibleGroups))
  return beyond - edge > 1e-6 * Math.abs(edge)
}

/**
 * Increases the number of groups that share a value by one, where the file leaves no doubt about it: neither
 * as written nor exactly.
 */
function miscounted(
  { figure, text, tokens, values, counts, facts }: SentenceVerdict['interpretation'],
  format: (count: number) => string,
): FalseSentence[] {
  const groups = figure.columns.filter(({ isGroup }) => isGroup)
  if (groups.length !== 1 || groups[0]?.kind !== 'text') return []
  return tokens.flatMap((token) => {
    if (token.is !== 'number' || counts.includes(token)) return []
    if (values.some((value) => value.number === token)) return []
    const value = values.findLast(({ number }) => number.from < token.from)
    const [fact] = value?.facts ?? []
    if (!value || !fact) return []
    const unit = 0.5 * 10 ** -value.number.decimals
    const neighbours = facts.filter((one) => Math.abs(one.value - fact.value) <= 2 * unit)
    if (neighbours.some((one) => one.value !== fact.value)) return []
    return [
      {
        is: 'one more that share a value',
        sentence: replaceSpots(text, [{ ...token, by: format(token.value + 1) }]),
      },
    ]
  })
}

const listDistinctCells = ({ groups }: Figure, column: number): Cell[] => [
  ...new Set(groups.map(({ cells }) => cells[column] ?? null)),
]

function namesOfCell(cell: Cell, { columns, zone }: Figure, at: number, locale: string): string | undefined {
  const column = columns[at]
  // A single digit or a dash would be read as something else.
  return (
    column &&
    listGroupNames(cell, column, locale, zone).whole.find((name) => name.length > 2 && !/^\d+$/.test(name))
  )
}

/**
 * Replaces the last of two extremes by a group from the middle: each value is true, but that one is not the
 * minimum.
 */
function buildFalseExtremes({
  figure,
  values,
  facts,
  text,
  locale,
  words,
}: SentenceVerdict['interpretation']): FalseSentence[] {
  const last = values.at(-1)
  const [name] = last?.names ?? []
  const turns = getOracleLanguage(locale).directions.flat()
  if (
    !last ||
    !name ||
    last.names.length !== 1 ||
    values.length !== 2 ||
    turns.some((word) => words.includes(word))
  )
    return []
  if (figure.columns.filter(({ isGroup }) => isGroup).length !== 1) return []
  const column = figure.columns[name.column]
  if (!column || column.kind === 'calendar' || column.kind === 'wall' || column.kind === 'instant') return []
  const unit = 10 ** -Math.min(...values.map(({ number }) => number.decimals))
  const [most, least] = [values[0]?.number.value ?? 0, last.number.value]
  const middle = facts.find(
    ({ value, of, isShare }) =>
      !isShare &&
      of.get(name.column) !== null &&
      Math.abs(value - most) > 1.1 * unit &&
      Math.abs(value - least) > 1.1 * unit,
  )
  const by = middle && namesOfCell(middle.of.get(name.column) ?? null, figure, name.column, locale)
  if (!middle || by === undefined) return []
  const countText = formatCount(
    Number(middle.value.toFixed(last.number.decimals)),
    last.number.decimals,
    false,
    locale,
  )
  return [
    {
      is: 'a least that is not the least',
      sentence: replaceSpots(text, [
        { ...last.number, by: countText },
        { ...name, by },
      ]),
    },
  ]
}

/** Derives all false answers from an answer that was found true. */
export function liesOfAnswer(answer: GivenAnswer, figure: Figure): AnswerLie[] {
  const { columns, question } = figure
  const { results } = answer
  const lies: AnswerLie[] = []
  const at = Math.floor(results.length / 2)
  const row = results[at]
  const withRow = (changes: Record<string, unknown>) => ({
    ...answer,
    results: results.map((one, i) => (i === at ? changes : one)),
  })
  for (const { alias, isGroup, kind, by } of columns) {
    const value = row?.[alias]
    if (!row) break
    if (!isGroup && typeof value === 'number') {
      const isCount = by === 'count' || by === 'distinctCount'
      // The parts of a sum can be so large that a millionth of the sum is below their precision.
      const off = isCount
        ? value + 1
        : value + Math.max(Math.abs(value) * 1e-6, 1e-6 * getLargestScale(figure, alias), 1e-9)
      lies.push({ is: 'a value that is off', answer: withRow({ ...row, [alias]: off }) })
      lies.push({ is: 'a value that is missing', answer: withRow({ ...row, [alias]: null }) })
    }
    if (isGroup && typeof value === 'string' && kind !== 'text') {
      const day = value.length === 10
      const early = new Date(Date.parse(value) - 86_400_000).toISOString()
      lies.push({ is: 'a day early', answer: withRow({ ...row, [alias]: day ? early.slice(0, 10) : early }) })
    }
  }
  if (row && columns.some(({ isGroup }) => isGroup)) {
    lies.push({
      is: 'a row that is missing',
      answer: { ...answer, results: results.filter((one) => one !== row) },
    })
    lies.push({ is: 'a row that comes twice', answer: { ...answer, results: [...results, row] } })
  }
  lies.push({ is: 'one more in all', answer: { ...answer, total: answer.total + 1 } })
  if (answer.cutTotal !== undefined) {
    const { cutTotal: _unsaid, ...rest } = answer
    lies.push({ is: 'a cut that is not said', answer: rest })
  }
  const [ordering] = question.orderings ?? []
  const alias = ordering && (ordering.value as { field: string }).field
  const [first, last] = [results[0], results.at(-1)]
  const column = columns.find((one) => one.alias === alias)
  if (alias !== undefined && first && last && column?.kind !== 'text' && first[alias] !== last[alias])
    lies.push({ is: 'another order', answer: { ...answer, results: [...results].reverse() } })
  return lies
}

const getLargestScale = ({ columns, groups }: Figure, alias: string) => {
  const at = columns.findIndex((column) => column.alias === alias)
  return groups.reduce((most, { scales }) => Math.max(most, scales[at] ?? 0), 0)
}
