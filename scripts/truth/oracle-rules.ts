import { isNear, type Finding } from './oracle-answer.ts'
import { endOfBucket, wallTime } from './oracle-clock.ts'
import { getCellStart } from './oracle-names.ts'
import {
  joinColumns,
  listDimensions,
  isCut,
  isNamedBy,
  isWrittenAs,
  listMeasures,
  numberIn,
  tellsValues,
  findTimeAxis,
  understandings,
  listCompleteFactSets,
  type Fact,
  type Figure,
  type StatedValue,
  type Interpretation,
} from './oracle-meaning.ts'
import { getAlias, type Cell, type Column, type Group } from './oracle.ts'
import { getOracleLanguage } from './oracle-language.ts'

/*
 * What must be true of a sentence, rule by rule, whatever its wording. A rule looks up what the sentence
 * names and states in the data of the file.
 */

/** A rule with its name: `listViolations` lists every way in which a sentence breaks it. */
interface Rule {
  is: string
  /**
   * `held`: the product must never break it. `open`: violations are counted and reported, but do not fail.
   */
  expected: 'held' | 'open'
  listViolations(understood: Interpretation): string[]
}

/** Returns the periods for which values are stated, from the earliest to the latest. */
function listPeriods({
  figure,
  values,
}: Interpretation): { time: number; cell: Cell; value: StatedValue; fact: Fact }[] {
  const timeAxis = findTimeAxis(figure)
  if (!timeAxis) return []
  return values
    .flatMap((value) =>
      value.names.flatMap((name) => {
        if (name.column !== timeAxis.at) return []
        const fact = value.facts.find((one) => isNamedBy(one, name))
        const cell = fact?.of.get(timeAxis.at) ?? null
        return fact && cell !== null
          ? [{ time: getCellStart(cell, timeAxis.column, figure.zone), cell, value, fact }]
          : []
      }),
    )
    .sort((a, b) => a.time - b.time)
}

const hasValues = ({ facts }: Interpretation) => facts.length > 0

const year = 365.25 * 86_400_000
/** Buckets that recur every year. */
const seasonal = new Set(['quarter', 'month', 'week', 'day', 'hour'])

/** Returns whether two moments are in the same season of their years, in the precision of the buckets. */
function isSameSeason(one: number, another: number, span: string): boolean {
  const [a, b] = [new Date(one), new Date(another)]
  if (span === 'quarter' || span === 'month') return a.getUTCMonth() === b.getUTCMonth()
  const apart = Math.abs(another - one) % year
  return Math.min(apart, year - apart) <= 7.5 * 86_400_000
}

/** The length of time of a group: a bucket, or a year extracted from a date. */
const findSpan = ({ span, part }: Column): string | undefined => span ?? part

/** Lists the compared periods that the data cover only partly, for buckets of some lengths. */
function partialOnes(understood: Interpretation, spans: ReadonlySet<string>): string[] {
  const timeAxis = findTimeAxis(understood.figure)
  const cells = [...new Set(listPeriods(understood).map(({ cell }) => cell))]
  const { partial } = getOracleLanguage(understood.locale).claims
  // A single period is compared with no other.
  if (
    !timeAxis ||
    !spans.has(findSpan(timeAxis.column) ?? '') ||
    cells.length < 2 ||
    partial.test(understood.words)
  )
    return []
  return cells.flatMap((cell) =>
    isPartial(cell, understood.figure, timeAxis.column)
      ? [`${String(cell)} is compared and is not whole`]
      : [],
  )
}

const longSpans = new Set(['week', 'month', 'quarter', 'year', 'decade'])
const shortSpans = new Set(['day', 'hour'])

/** Returns whether the data leave out clearly more of a bucket than their usual gaps. */
export function isPartial(cell: Cell, figure: Figure, column: Column): boolean {
  const coverage = column.from === undefined ? null : figure.coverage[column.from]
  const span = findSpan(column)
  if (!coverage || !span) return false
  const begin = getCellStart(cell, column, figure.zone)
  const end = endOfBucket(new Date(begin).toISOString().slice(0, 19), span)
  const [first, last] = [wallTime(coverage.from), wallTime(coverage.to)]
  // A calendar day is always complete, and so is the usual distance to the next moment.
  const grain = Math.max(coverage.cadence, column.kind === 'calendar' ? 86_400_000 : 0)
  const clear = Math.max(0.1 * (end - begin), 2 * grain)
  return first - begin > clear || end - last > clear
}

/**
 * Returns whether the data do not cover all days of a bucket, or all of a bucket of at most a day: then it
 * may be called partial.
 */
export function isUncovered(cell: Cell, figure: Figure, column: Column): boolean {
  const coverage = column.from === undefined ? null : figure.coverage[column.from]
  const span = findSpan(column)
  if (!coverage || !span || cell === null) return false
  const day = 86_400_000
  const begin = getCellStart(cell, column, figure.zone)
  const end = endOfBucket(new Date(begin).toISOString().slice(0, 19), span)
  const grain = shortSpans.has(span) && column.kind !== 'calendar' ? 1 : day
  return wallTime(coverage.from) - begin >= grain || end - wallTime(coverage.to) > grain
}

/** Stacked bars of values that cannot be added up. */
const isStackOfMeans = (figure: Figure): boolean =>
  figure.type === 'bar' &&
  listDimensions(figure).length === 2 &&
  listMeasures(figure).some((i) => !['count', 'sum'].includes(figure.columns[i]?.by ?? ''))

/** The rules for sentences. */
export const rules: Rule[] = [
  {
    is: 'numbers',
    expected: 'held',
    listViolations: ({ untrue, figure }) =>
      untrue.flatMap(({ rule, why }) => (rule === 'numbers' && !isStackOfMeans(figure) ? [why] : [])),
  },
  {
    is: 'groups',
    expected: 'held',
    listViolations: ({ untrue, figure }) =>
      untrue.flatMap(({ rule, why }) => (rule === 'groups' && !isStackOfMeans(figure) ? [why] : [])),
  },
  {
    // Means, extremes and distinct counts cannot be added up: false statements about stacked bars are
    // reported separately.
    is: 'added',
    expected: 'held',
    listViolations: ({ untrue, figure }) => (isStackOfMeans(figure) ? untrue.map(({ why }) => why) : []),
  },
  {
    is: 'direction',
    expected: 'held',
    listViolations(understood) {
      const { rise, fall } = getOracleLanguage(understood.locale).claims
      const [isRise, isFall] = [rise.test(understood.words), fall.test(understood.words)]
      if (isRise === isFall) return []
      const periods = listPeriods(understood)
      const [first, last] = [periods[0], periods.at(-1)]
      if (!first || !last || first.time === last.time) return ['a direction without two periods']
      const isTrue = isRise ? last.fact.value > first.fact.value : last.fact.value < first.fact.value
      // A difference that is not displayed does not count.
      return isTrue && first.value.number.value !== last.value.number.value
        ? []
        : [`${isRise ? 'rose' : 'fell'} from ${first.fact.value} to ${last.fact.value}`]
    },
  },
  {
    is: 'same',
    expected: 'held',
    listViolations(understood) {
      const { same, nearly } = getOracleLanguage(understood.locale).claims
      if (!same.test(understood.words) || nearly.test(understood.words)) return []
      const periods = listPeriods(understood)
      const [first, last] = [periods[0], periods.at(-1)]
      return first && last && !isNear(first.fact.value, last.fact.value)
        ? [`${first.fact.value} is not the same as ${last.fact.value}`]
        : []
    },
  },
  {
    // A value well beyond both ends of a change must be stated too.
    is: 'turns',
    expected: 'held',
    listViolations(understood) {
      const { figure, facts, words, locale } = understood
      const { rise, fall, same } = getOracleLanguage(locale).claims
      const timeAxis = findTimeAxis(figure)
      const span = timeAxis && findSpan(timeAxis.column)
      const periods = listPeriods(understood)
      const [first, last] = [periods[0], periods.at(-1)]
      if (!timeAxis || !first || !last || listDimensions(figure).length > 1 || periods.length !== 2) return []
      if (![rise, fall, same].some((one) => one.test(words)) || (span !== 'year' && span !== 'decade'))
        return []
      const [low, high] = [first.fact.value, last.fact.value].sort((a, b) => a - b)
      const unit = 1.5 * 10 ** -first.value.number.decimals
      return facts.flatMap(({ value, of, measure }) => {
        const cell = of.get(timeAxis.at) ?? null
        if (cell === null || measure !== first.fact.measure) return []
        const time = getCellStart(cell, timeAxis.column, figure.zone)
        const isBetween = time > first.time && time < last.time
        const isBeyond = value > (high ?? 0) + unit || value < (low ?? 0) - unit
        return isBetween && isBeyond ? [`${value} in ${cell} lies beyond both ends, unsaid`] : []
      })
    },
  },
  {
    is: 'extremes',
    expected: 'held',
    listViolations(understood) {
      const { figure, values } = understood
      const fuller = understood.untrue.flatMap(({ rule, why }) => (rule === 'extremes' ? [why] : []))
      if (fuller.length > 0) return fuller
      const { rise, fall, same } = getOracleLanguage(understood.locale).claims
      if ([rise, fall, same].some((words) => words.test(understood.words))) return turns(understood)
      const shares = understood.facts.filter(({ isShare }) => isShare).map(({ value }) => value)
      const small = values.find(({ number }) => number.isPercent && !isWrittenAs(number, Math.max(...shares)))
      if (small) return [`${small.number.value} % is not the largest share`]
      const compared = values.filter(({ number }) => !number.isPercent)
      if (compared.length < 2) return []
      const numbers = compared.map(({ number }) => number.value)
      const [most, least] = [Math.max(...numbers), Math.min(...numbers)]
      if (most === least) return []
      const areExtremes = (facts: Fact[]) => {
        const all = facts.map(({ value }) => value)
        const decimals = Math.min(...compared.map(({ number }) => number.decimals))
        const areClose = (a: number, b: number) =>
          Math.abs(a - b) <= 0.5 * 10 ** -decimals * (1 + 1e-9) + 1e-9 * Math.abs(b)
        return all.length > 0 && areClose(most, Math.max(...all)) && areClose(least, Math.min(...all))
      }
      return candidates(understood).some(areExtremes)
        ? []
        : [`neither ${most} and ${least} are the most and the least of ${figure.visibleGroups.length}`]
    },
  },
  {
    is: 'cut',
    expected: 'held',
    listViolations({ figure, counts, text, locale }) {
      if (!isCut(figure) || getOracleLanguage(locale).claims.nothing.test(text)) return []
      const total = figure.groups.length
      return counts.some(({ value }) => value === total)
        ? []
        : [`${figure.visibleGroups.length} of ${total}, unsaid`]
    },
  },
  {
    is: 'whole',
    expected: 'held',
    listViolations(understood) {
      const { figure, values } = understood
      if (!isCut(figure) || values.length < 2 || findTimeAxis(figure)) return []
      const [ordering] = figure.question.orderings ?? []
      const by = ordering && figure.columns.find(({ alias }) => alias === getAlias(ordering.value))
      return by && !by.isGroup ? [] : ['a range of some groups that are neither the most nor the least']
    },
  },
  {
    is: 'rank',
    expected: 'held',
    listViolations({ figure, words, locale, values }) {
      const { most, least } = getOracleLanguage(locale).claims
      const isMost = most.test(words)
      const measure = values[0]?.facts[0]?.measure
      if (!isCut(figure) || isMost === least.test(words) || measure === undefined) return []
      const sign = isMost ? 1 : -1
      const pickMeasureValues = (groups: Group[]) => groups.flatMap((group) => numberIn(group, measure) ?? [])
      const isShown = new Set(figure.visibleGroups)
      const edge = Math.min(...pickMeasureValues(figure.visibleGroups).map((value) => sign * value))
      const beyond = pickMeasureValues(figure.groups.filter((group) => !isShown.has(group))).filter(
        (value) => sign * value > edge && !isNear(sign * value, edge),
      )
      return beyond.length > 0 ? [`${beyond.length} that are left out lie beyond`] : []
    },
  },
  {
    is: 'empty',
    expected: 'held',
    listViolations(understood) {
      const { figure, text, locale, tokens } = understood
      const saysNothing = getOracleLanguage(locale).claims.nothing.test(text)
      const some = figure.groups.some((group) =>
        listMeasures(figure).some((i) => numberIn(group, i) !== null),
      )
      const asks = listMeasures(figure).length > 0
      if (asks && !some && tellsValues(figure) && tokens.some(({ is }) => is === 'number')) {
        return hasValues(understood) || isCut(figure) ? [] : ['numbers of nothing']
      }
      const isWhole = figure.type === 'scatter' || figure.type === 'pie' || figure.type === 'histogram'
      return saysNothing && some && !isWhole ? ['“no data”, and there are some'] : []
    },
  },
  {
    is: 'partial',
    expected: 'held',
    listViolations: (understood) => partialOnes(understood, longSpans),
  },
  {
    // Days and hours within which the data begin or end.
    is: 'partial days',
    expected: 'held',
    listViolations: (understood) => partialOnes(understood, shortSpans),
  },
  {
    is: 'seasonal',
    expected: 'held',
    listViolations(understood) {
      const timeAxis = findTimeAxis(understood.figure)
      const { rise, fall, same } = getOracleLanguage(understood.locale).claims
      const span = timeAxis?.column.span
      if (!timeAxis || !span || !seasonal.has(span)) return []
      if (![rise, fall, same].some((words) => words.test(understood.words))) return []
      const periods = listPeriods(understood)
      const [first, last] = [periods[0], periods.at(-1)]
      if (!first || !last || last.time - first.time < 1.9 * year || isSameSeason(first.time, last.time, span))
        return []
      return [`${String(first.cell)} is compared with ${String(last.cell)}`]
    },
  },
]

/** Checks the stated maximum or minimum between the ends of a rise or a fall. */
function turns(understood: Interpretation): string[] {
  const { peak, low } = getOracleLanguage(understood.locale).claims
  const periods = listPeriods(understood)
  const [first, last] = [periods[0], periods.at(-1)]
  return periods.flatMap(({ time, fact, value }) => {
    if (time === first?.time || time === last?.time) return []
    const isTurn = candidates(understood).some((facts) => {
      const all = facts.map((one) => one.value)
      return isWrittenAs(value.number, Math.max(...all)) || isWrittenAs(value.number, Math.min(...all))
    })
    const ends = [first?.fact.value ?? NaN, last?.fact.value ?? NaN]
    const isPeak = peak.test(understood.words)
    const isBeyond = isPeak ? fact.value > Math.max(...ends) : fact.value < Math.min(...ends)
    if (isPeak !== low.test(understood.words) && !isBeyond)
      return [`${fact.value} is no ${isPeak ? 'peak' : 'low'} between ${ends.join(' and ')}`]
    return isTurn ? [] : [`${fact.value} is neither the most nor the least`]
  })
}

/** Lists the sets of facts whose maximum and minimum a sentence may state. */
function candidates({ figure, facts, values }: Interpretation): Fact[][] {
  const names = values.flatMap(({ names }) => names)
  const kinds = new Set(facts.map((fact) => `${joinColumns(fact)} ${fact.measure}`))
  const apart = [...kinds].map((kind) =>
    facts.filter((fact) => `${joinColumns(fact)} ${fact.measure}` === kind && !fact.isShare),
  )
  const timeAxis = findTimeAxis(figure)
  // Several series may be stated for one time.
  const moments = timeAxis ? names.filter(({ column }) => column === timeAxis.at) : []
  return apart.flatMap((set) => [
    ...listCompleteFactSets(set, figure),
    ...moments.map((name) => set.filter((fact) => isNamedBy(fact, name))),
  ])
}

/** A sentence in the interpretation in which most of it is true, and what is false even then. */
export interface SentenceVerdict {
  findings: Finding[]
  interpretation: Interpretation
}

const isHeld = new Set(rules.filter(({ expected }) => expected === 'held').map(({ is }) => is))

/** Finds what is false in a sentence, by rule. The most benevolent interpretation counts. */
export function checkSentence(sentence: string, locale: string, figure: Figure): SentenceVerdict {
  let best: (SentenceVerdict & { weight: number }) | undefined
  for (const understood of understandings(sentence, locale, figure)) {
    const findings = rules.flatMap(({ is, listViolations }) =>
      listViolations(understood).map((problem) => ({ rule: is, why: problem })),
    )
    const weight = findings.reduce((sum, { rule }) => sum + (isHeld.has(rule) ? 1000 : 1), 0)
    if (best === undefined || weight < best.weight) best = { findings, interpretation: understood, weight }
    if (weight === 0) break
  }
  if (!best) throw new Error(`A sentence without a reading: ${sentence}`)
  return best
}

/** Summarizes the statements of a sentence, which must be the same in every language. */
export function gist({ interpretation }: SentenceVerdict): string {
  const values = interpretation.values.map(({ number, names }) =>
    JSON.stringify([number.value, names.map(({ column, cells }) => JSON.stringify([column, cells])).sort()]),
  )
  return values.sort().join(' ')
}
