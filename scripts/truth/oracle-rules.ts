import type { Finding } from './oracle-answer.ts'
import { endOfBucket, wallTime } from './oracle-clock.ts'
import { plainText, wallTimeOf } from './oracle-names.ts'
import { readSentence, type SaidName, type SaidNumber, type Token } from './oracle-reader.ts'
import { aliasOf, type Cell, type Column, type Coverage, type Group, type Question } from './oracle.ts'

/*
 * What must hold of a sentence, rule by rule, whatever its words. A rule reads what the sentence names and says, and looks
 * it up in what the file holds.
 */

/** A figure as the file has it: what a sentence about it may say. */
export interface Figure {
  title: string
  type: string
  settings: Record<string, string>
  question: Question
  columns: Column[]
  /** The groups that are shown, in their order, and all there are. */
  shown: Group[]
  groups: Group[]
  zone: string
  /** Of each date field of the file. */
  coverage: Record<string, Coverage | null>
}

/** Something that the file says: a value, and which groups it is of. */
interface Fact {
  value: number
  /** By column. */
  of: Map<number, Cell>
  /** A share, told in percent. */
  isShare?: true
  measure: number
}

/** A value that is said, with the names beside it and what of the file it is. */
interface SaidValue {
  number: SaidNumber
  names: SaidName[]
  facts: Fact[]
}

interface Understood {
  figure: Figure
  text: string
  /** The text without what is named: what is left are words of the language. */
  words: string
  locale: string
  tokens: Token[]
  facts: Fact[]
  values: SaidValue[]
  counts: SaidNumber[]
  /** Numbers and names that are nothing of the file, or of something else. */
  untrue: Finding[]
}

/** A rule, by its name: every way in which a sentence breaks it. */
export interface Rule {
  is: string
  /** `held`: the product must never break it. `open`: it is counted and told, and does not fail. */
  expected: 'held' | 'open'
  broken(said: Understood): string[]
}

const isCut = ({ shown, groups }: Figure) => shown.length < groups.length

/** Words by which a language says that something went up, went down, stayed, or is not whole. */
const lexicon: Record<string, { rise: RegExp; fall: RegExp; same: RegExp; partial: RegExp; nothing: RegExp }> = {
  en: {
    rise: /\b(rose|grew|increased|climbed|went up|up from)\b/i,
    fall: /\b(fell|dropped|decreased|declined|went down|down from)\b/i,
    same: /\b(same)\b/i,
    partial: /\b(partial|so far|incomplete)/i,
    nothing: /\bno data\b/i,
  },
  es: {
    rise: /(aument|subi|creci|increment|alza)/i,
    fall: /(descen|baj[óoa]|ca[yíi]|disminu|reduc)/i,
    same: /\b(igual|mism[oa])\b/i,
    partial: /(parcial|incomplet)/i,
    nothing: /no hay datos/i,
  },
  fr: {
    rise: /(hausse|augment|progress|mont[ée])/i,
    fall: /(baisse|diminu|chut|recul)/i,
    same: /\b(comme|même|inchangé)/i,
    partial: /(partiel|incompl)/i,
    nothing: /pas encore de données/i,
  },
  ar: {
    rise: /(ارتفاع|ارتفع|زاد|زيادة|ازداد)/,
    fall: /(انخفاض|انخفض|تراجع|هبط)/,
    same: /(كما|نفس|دون تغيير)/,
    partial: /(جزئي|غير مكتمل)/,
    nothing: /لا توجد بيانات/,
  },
}

const wordsOf = (locale: string) => {
  const found = lexicon[locale]
  if (!found) throw new Error(`The oracle reads no ${locale}.`)
  return found
}

/** Whether a number that is written is this value, as exactly as it is written. */
const isShownAs = ({ value, decimals, isPercent }: SaidNumber, fact: Fact): boolean =>
  isPercent === (fact.isShare === true) &&
  Math.abs(value - fact.value) <= 0.5 * 10 ** -decimals * (1 + 1e-9) + 1e-9 * Math.abs(fact.value)

const numberIn = (group: Group, column: number): number | null => {
  const cell = group.cells[column]
  return typeof cell === 'number' && Number.isFinite(cell) ? cell : null
}

const measuresOf = ({ columns }: Figure) =>
  columns.flatMap(({ isGroup, kind }, i) => (!isGroup && kind === 'number' ? [i] : []))
const dimensionsOf = ({ columns }: Figure) => columns.flatMap(({ isGroup }, i) => (isGroup ? [i] : []))

/** All that the file says about what is shown, of which a sentence may say some. */
function factsOf(figure: Figure): Fact[] {
  const dimensions = dimensionsOf(figure)
  const rows = measuresOf(figure).flatMap((measure) =>
    figure.shown.flatMap((group): Fact[] => {
      const value = numberIn(group, measure)
      const of = new Map(dimensions.map((i) => [i, group.cells[i] ?? null]))
      return value === null ? [] : [{ value, of, measure }]
    }),
  )
  return [...rows, ...sums(rows, figure, dimensions), ...shares(rows, figure)]
}

/** What is counted or added up by two groupings can be added up over one of them; nothing else can. */
function sums(rows: Fact[], figure: Figure, dimensions: number[]): Fact[] {
  if (dimensions.length !== 2 || isCut(figure)) return []
  return dimensions.flatMap((dimension) => {
    const totals = new Map<string, Fact>()
    for (const { value, of, measure } of rows) {
      const { by } = figure.columns[measure] ?? {}
      if (by !== 'count' && by !== 'sum') continue
      const cell = of.get(dimension) ?? null
      const key = JSON.stringify([measure, cell])
      const sum = (totals.get(key)?.value ?? 0) + value
      totals.set(key, { value: sum, of: new Map([[dimension, cell]]), measure })
    }
    return [...totals.values()]
  })
}

/** Shares are of a whole that is shown whole; what is not above zero has none. */
function shares(rows: Fact[], figure: Figure): Fact[] {
  if (figure.type !== 'pie' || isCut(figure)) return []
  const parts = rows.filter(({ value }) => value > 0)
  const whole = parts.reduce((sum, { value }) => sum + value, 0)
  return parts.map((part) => ({ ...part, value: (100 * part.value) / whole, isShare: true }))
}

/** Numbers that are no values and that any sentence may say: how many rows, groups, points and parts there are. */
function countsOf(figure: Figure, facts: Fact[]): Set<number> {
  const { shown, groups } = figure
  const measures = measuresOf(figure)
  const counts = new Set([shown.length, groups.length])
  for (const measure of measures) counts.add(shown.filter((group) => numberIn(group, measure) !== null).length)
  counts.add(shown.filter((group) => measures.every((measure) => numberIn(group, measure) !== null)).length)
  for (const dimension of dimensionsOf(figure))
    counts.add(new Set(facts.filter(({ of }) => of.has(dimension)).map(({ of }) => of.get(dimension))).size)
  counts.add(facts.filter(({ value, isShare }) => isShare && value > 0).length)
  return counts
}

/** All ways in which a sentence can be understood. */
function* understandings(sentence: string, locale: string, figure: Figure): Generator<Understood> {
  const facts = factsOf(figure)
  const masks = [figure.title, ...figure.columns.map(({ name }) => name)]
  // What is left out is named as well where a sentence names what it should not.
  const readings = readSentence(sentence, {
    ...{ columns: figure.columns, groups: figure.groups, locale, zone: figure.zone, masks },
  })
  const text = plainText(sentence)
  for (const tokens of readings) {
    const words = without(text, tokens, masks)
    for (const pairing of pairings(tokens, facts, figure))
      yield { figure, text, words, locale, tokens, facts, ...pairing }
  }
}

function without(text: string, tokens: Token[], masks: string[]): string {
  const chars = [...tokens].reverse().reduce((left, { from, to }) => `${left.slice(0, from)} ${left.slice(to)}`, text)
  return masks.filter(Boolean).reduce((left, mask) => left.replaceAll(plainText(mask), ' '), chars)
}

type Pairing = Pick<Understood, 'values' | 'counts' | 'untrue'>

/** What each number can be: a value of the file, a count, how many others share the value before it. */
type Role = 'value' | 'count' | 'others' | 'none'

/** What a sentence can mean: which numbers are values, and whether names stand after their value or before it. */
function pairings(tokens: Token[], facts: Fact[], figure: Figure): Pairing[] {
  const counts = countsOf(figure, facts)
  const numbers = tokens.filter((token) => token.is === 'number')
  if (figure.type === 'histogram' && numbers.length > 0) return [inBins(numbers, figure)]
  const rolesOf = (number: SaidNumber): Role[] => {
    const isValue = tellsValues(figure) && facts.some((fact) => isShownAs(number, fact))
    const isCount = number.decimals === 0 && !number.isPercent && counts.has(number.value)
    const isOthers = number.decimals === 0 && !number.isPercent && number.value >= 1 && tellsValues(figure)
    const roles: Role[] = [
      ...(isValue ? ['value' as const] : []),
      ...(isCount ? ['count' as const] : []),
      ...(isOthers ? ['others' as const] : []),
    ]
    return roles.length > 0 ? roles : ['none']
  }
  const options = numbers.map(rolesOf)
  let combinations: Role[][] = [[]]
  for (const roles of options.slice(0, 7))
    combinations = combinations.flatMap((before) => roles.map((role) => [...before, role]))
  return combinations.flatMap((roles) =>
    [true, false].map((isNameAfter) => paired(tokens, numbers, roles, { facts, figure, isNameAfter })),
  )
}

/** Whether sentences of a type say values, and not only how many there are. */
const tellsValues = ({ type }: Figure) => type !== 'table' && type !== 'scatter'

function paired(
  tokens: Token[],
  numbers: SaidNumber[],
  roles: Role[],
  { facts, figure, isNameAfter }: { facts: Fact[]; figure: Figure; isNameAfter: boolean },
): Pairing {
  const roleOf = new Map(numbers.map((number, i) => [number, roles[i] ?? 'none']))
  const values: SaidValue[] = []
  const counts: SaidNumber[] = []
  const untrue: Finding[] = []
  const others: { number: SaidNumber; at: number }[] = []
  let waiting: SaidName[] = []
  for (const token of tokens) {
    if (token.is === 'name') {
      const last = values.at(-1)
      if (isNameAfter && last) last.names.push(token)
      else waiting.push(token)
      continue
    }
    const role = roleOf.get(token)
    if (role === 'value') {
      values.push({ number: token, names: waiting, facts: [] })
      waiting = []
    } else if (role === 'others') others.push({ number: token, at: values.length - 1 })
    else if (role === 'count') counts.push(token)
    else untrue.push({ rule: 'numbers', why: `${token.value} is nothing of the file` })
  }
  values.at(-1)?.names.push(...waiting)
  const isNameless = dimensionsOf(figure).length === 0
  const named = values.flatMap(({ names }) => names)
  for (const value of values) {
    const meant = facts.filter((fact) => isShownAs(value.number, fact))
    value.facts = meant.filter((fact) => value.names.some((name) => isOf(fact, name)))
    if (value.names.length === 0) {
      // All of them may be the same, or there is one.
      const isOfAll = facts.every((fact) => fact.isShare !== value.number.isPercent || isShownAs(value.number, fact))
      value.facts = meant
      if (!isNameless && !isOfAll && figure.shown.length > 1)
        untrue.push({ rule: 'groups', why: `${value.number.value} is said of nothing` })
      continue
    }
    for (const name of value.names)
      if (!meant.some((fact) => isOf(fact, name) && isNamedWhole(fact, named)))
        untrue.push({
          rule: 'groups',
          why: `${value.number.value} is not the value of ${JSON.stringify(name.cells)}`,
        })
  }
  for (const { number, at } of others) {
    const value = values[at]
    if (!value || !isTie(number.value, value, facts, figure))
      untrue.push({ rule: 'numbers', why: `${number.value} others do not share a value` })
  }
  if (values.length === 0 && figure.type !== 'pie')
    for (const name of waiting)
      untrue.push({ rule: 'groups', why: `${JSON.stringify(name.cells)} is named and nothing is said of it` })
  return { values, counts, untrue }
}

const isOf = (fact: Fact, { column, cells }: SaidName) =>
  fact.of.has(column) && cells.includes(fact.of.get(column) ?? null)

/** Whether every group that a fact is of is named somewhere in the sentence. */
const isNamedWhole = (fact: Fact, names: SaidName[]) =>
  [...fact.of.keys()].every((column) => names.some((name) => name.column === column && isOf(fact, name)))

/** Whether so many others have the value as are not named beside it. */
function isTie(others: number, { number, names }: SaidValue, facts: Fact[], figure: Figure): boolean {
  const equal = facts.filter((fact) => isShownAs(number, fact))
  const width = Math.max(1, Math.min(dimensionsOf(figure).length, names.length))
  const said = [Math.ceil(names.length / width), names.length]
  // As exactly as it is shown, or exactly; over all rows, or of those in which a name of the sentence holds.
  const sizes = equal.flatMap((fact) => {
    const same = equal.filter(({ value, of }) => value === fact.value && of.size === fact.of.size)
    return [
      same.length,
      equal.filter(({ of }) => of.size === fact.of.size).length,
      ...names.map((name) => same.filter((one) => isOf(one, name)).length),
    ]
  })
  // All that there are of what is named may be said as well: "in all 3 cases on 13 April".
  const isOfAll = names.some((name) => {
    const all = facts.filter((fact) => isOf(fact, name) && !fact.isShare)
    return all.length === others && all.every((fact) => isShownAs(number, fact))
  })
  return isOfAll || sizes.some((size) => said.some((count) => size - count === others))
}

/** A sentence about ranges: so many of all values lie in one. */
function inBins(numbers: SaidNumber[], figure: Figure): Pairing {
  const dimension = dimensionsOf(figure)[0] ?? 0
  const measure = measuresOf(figure).find((i) => i !== dimension) ?? 0
  const points = figure.shown.flatMap((group) => {
    const [at, count] = [numberIn(group, dimension), numberIn(group, measure)]
    return at === null || count === null ? [] : [{ at, count }]
  })
  const total = points.reduce((sum, { count }) => sum + count, 0)
  const rest = isCut(figure) ? numbers.slice(-2) : []
  const [count, all, low, high] = isCut(figure) ? numbers.slice(0, -2) : numbers
  const counts = rest.filter(({ value }) => value === figure.shown.length || value === figure.groups.length)
  const untrue: Finding[] = []
  if (!count || !all || !low || !high || numbers.length !== 4 + rest.length)
    return { values: [], counts, untrue: [{ rule: 'numbers', why: `${numbers.length} numbers about a range` }] }
  if (all.value !== total) untrue.push({ rule: 'numbers', why: `${all.value} values instead of ${total}` })
  const edge = ({ value, decimals }: SaidNumber) => ({ value, off: 0.5 * 10 ** -decimals + 1e-9 * Math.abs(value) })
  const [from, to] = [edge(low), edge(high)]
  const within = (a: number, b: number, isWhole: boolean) =>
    points.filter(({ at }) => at >= a && (isWhole ? at <= b : at < b)).reduce((sum, one) => sum + one.count, 0)
  const most = within(from.value - from.off, to.value + to.off, true)
  const least = within(from.value + from.off, to.value - to.off, false)
  if (count.value > most || count.value < Math.min(least, most))
    untrue.push({ rule: 'numbers', why: `${count.value} values in the range instead of ${least} to ${most}` })
  return { values: [], counts: [count, all, ...counts], untrue }
}

/** The column of time among the groupings, with its bucket; undefined without one. */
function timeOf({ columns }: Figure): { at: number; column: Column } | undefined {
  const at = columns.findIndex(
    ({ isGroup, kind }) => isGroup && (kind === 'calendar' || kind === 'wall' || kind === 'instant'),
  )
  const column = columns[at]
  return column ? { at, column } : undefined
}

/** The periods that values are said of, from the earliest to the latest. */
function periodsOf({ figure, values }: Understood): { time: number; cell: Cell; value: SaidValue; fact: Fact }[] {
  const dated = timeOf(figure)
  if (!dated) return []
  return values
    .flatMap((value) =>
      value.names.flatMap((name) => {
        if (name.column !== dated.at) return []
        const fact = value.facts.find((one) => isOf(one, name))
        const cell = fact?.of.get(dated.at) ?? null
        return fact && cell !== null
          ? [{ time: wallTimeOf(cell, dated.column, figure.zone), cell, value, fact }]
          : []
      }),
    )
    .sort((a, b) => a.time - b.time)
}

const hasValues = ({ facts }: Understood) => facts.length > 0

const year = 365.25 * 86_400_000
/** Buckets that come again every year. */
const seasonal = new Set(['quarter', 'month', 'week', 'day', 'hour'])

/** Whether two moments are at the same time of their years, as exactly as buckets are. */
function isSameSeason(one: number, another: number, span: string): boolean {
  const [a, b] = [new Date(one), new Date(another)]
  if (span === 'quarter' || span === 'month') return a.getUTCMonth() === b.getUTCMonth()
  const apart = Math.abs(another - one) % year
  return Math.min(apart, year - apart) <= 7.5 * 86_400_000
}

/** How much of a bucket the data leave out, where that is clearly more than their usual gaps. */
function isPartial(cell: Cell, figure: Figure, column: Column): boolean {
  const coverage = column.from === undefined ? null : figure.coverage[column.from]
  if (!coverage || !column.span) return false
  const begin = wallTimeOf(cell, column, figure.zone)
  const end = endOfBucket(new Date(begin).toISOString().slice(0, 19), column.span)
  const [first, last] = [wallTime(coverage.from), wallTime(coverage.to)]
  // A day of a calendar is there as a whole, and so is the stretch to the next moment that is usual.
  const grain = Math.max(coverage.cadence, column.kind === 'calendar' ? 86_400_000 : 0)
  const clear = Math.max(0.1 * (end - begin), 2 * grain)
  return first - begin > clear || end - last > clear
}

/** Bars in parts of what cannot be added up. */
const isStackOfMeans = (figure: Figure): boolean =>
  figure.type === 'bar' &&
  dimensionsOf(figure).length === 2 &&
  measuresOf(figure).some((i) => !['count', 'sum'].includes(figure.columns[i]?.by ?? ''))

/** What a sentence must be, by rule. */
export const rules: Rule[] = [
  {
    is: 'numbers',
    expected: 'held',
    broken: ({ untrue, figure }) =>
      untrue.flatMap(({ rule, why }) => (rule === 'numbers' && !isStackOfMeans(figure) ? [why] : [])),
  },
  {
    is: 'groups',
    expected: 'held',
    broken: ({ untrue, figure }) =>
      untrue.flatMap(({ rule, why }) => (rule === 'groups' && !isStackOfMeans(figure) ? [why] : [])),
  },
  {
    // Means, extremes and counts of different things make no sum: what is untrue of bars in parts is told apart.
    is: 'added',
    expected: 'open',
    broken: ({ untrue, figure }) => (isStackOfMeans(figure) ? untrue.map(({ why }) => why) : []),
  },
  {
    is: 'direction',
    expected: 'held',
    broken(said) {
      const { rise, fall } = wordsOf(said.locale)
      const [isRise, isFall] = [rise.test(said.words), fall.test(said.words)]
      if (isRise === isFall) return []
      const periods = periodsOf(said)
      const [first, last] = [periods[0], periods.at(-1)]
      if (!first || !last || first.time === last.time) return ['a direction without two periods']
      const isTrue = isRise ? last.fact.value > first.fact.value : last.fact.value < first.fact.value
      return isTrue ? [] : [`${isRise ? 'rose' : 'fell'} from ${first.fact.value} to ${last.fact.value}`]
    },
  },
  {
    is: 'extremes',
    expected: 'held',
    broken(said) {
      const { figure, values } = said
      const { rise, fall, same } = wordsOf(said.locale)
      if ([rise, fall, same].some((words) => words.test(said.words))) return []
      const compared = values.filter(({ number }) => !number.isPercent)
      if (compared.length < 2) return []
      const numbers = compared.map(({ number }) => number.value)
      const [most, least] = [Math.max(...numbers), Math.min(...numbers)]
      if (most === least) return []
      const isTold = (facts: Fact[]) => {
        const all = facts.map(({ value }) => value)
        const decimals = Math.min(...compared.map(({ number }) => number.decimals))
        const near = (a: number, b: number) => Math.abs(a - b) <= 0.5 * 10 ** -decimals * (1 + 1e-9) + 1e-9 * Math.abs(b)
        return all.length > 0 && near(most, Math.max(...all)) && near(least, Math.min(...all))
      }
      return candidates(said).some(isTold)
        ? []
        : [`neither ${most} and ${least} are the most and the least of ${figure.shown.length}`]
    },
  },
  {
    is: 'cut',
    expected: 'held',
    broken({ figure, counts, text, locale }) {
      if (!isCut(figure) || wordsOf(locale).nothing.test(text)) return []
      const total = figure.groups.length
      return counts.some(({ value }) => value === total) ? [] : [`${figure.shown.length} of ${total}, unsaid`]
    },
  },
  {
    is: 'whole',
    expected: 'open',
    broken(said) {
      const { figure, values } = said
      if (!isCut(figure) || values.length < 2 || timeOf(figure)) return []
      const [ordering] = figure.question.orderings ?? []
      const by = ordering && figure.columns.find(({ alias }) => alias === aliasOf(ordering.value))
      return by && !by.isGroup ? [] : ['a range of some groups that are neither the most nor the least']
    },
  },
  {
    is: 'empty',
    expected: 'open',
    broken(said) {
      const { figure, text, locale, tokens } = said
      const saysNothing = wordsOf(locale).nothing.test(text)
      const some = figure.groups.some((group) => measuresOf(figure).some((i) => numberIn(group, i) !== null))
      if (!some && tellsValues(figure) && tokens.some(({ is }) => is === 'number')) {
        return hasValues(said) || isCut(figure) ? [] : ['numbers of nothing']
      }
      const isWhole = figure.type === 'scatter' || figure.type === 'pie' || figure.type === 'histogram'
      return saysNothing && some && !isWhole ? ['“no data”, and there are some'] : []
    },
  },
  {
    is: 'partial',
    expected: 'open',
    broken(said) {
      const dated = timeOf(said.figure)
      const { partial } = wordsOf(said.locale)
      const cells = [...new Set(periodsOf(said).map(({ cell }) => cell))]
      // What is told of one period alone is compared with no other.
      if (!dated || cells.length < 2 || partial.test(said.words)) return []
      return cells.flatMap((cell) =>
        isPartial(cell, said.figure, dated.column) ? [`${String(cell)} is compared and is not whole`] : [],
      )
    },
  },
  {
    is: 'seasonal',
    expected: 'open',
    broken(said) {
      const dated = timeOf(said.figure)
      const { rise, fall, same } = wordsOf(said.locale)
      const span = dated?.column.span
      if (!dated || !span || !seasonal.has(span)) return []
      if (![rise, fall, same].some((words) => words.test(said.words))) return []
      const periods = periodsOf(said)
      const [first, last] = [periods[0], periods.at(-1)]
      if (!first || !last || last.time - first.time < 1.9 * year || isSameSeason(first.time, last.time, span)) return []
      return [`${String(first.cell)} is compared with ${String(last.cell)}`]
    },
  },
]

/** Sets of facts of which a sentence may tell the most and the least: all, or without what is not whole at the ends. */
function candidates(said: Understood): Fact[][] {
  const { figure, facts, values } = said
  const named = values.flatMap(({ names }) => names)
  const groupsOf = ({ of }: Fact) => [...of.keys()].join()
  const kinds = new Set(facts.map(groupsOf))
  const sets = [...kinds].map((kind) => facts.filter((fact) => groupsOf(fact) === kind && !fact.isShare))
  const measures = measuresOf(figure)
  const apart = sets.flatMap((set) => measures.map((measure) => set.filter((fact) => fact.measure === measure)))
  const dated = timeOf(figure)
  if (!dated) return apart
  const timeIn = ({ of }: Fact) => (of.has(dated.at) ? (of.get(dated.at) ?? null) : null)
  const times = [...new Set(facts.map(timeIn))]
    .filter((cell) => cell !== null)
    .sort((a, b) => wallTimeOf(a, dated.column, figure.zone) - wallTimeOf(b, dated.column, figure.zone))
  const [first, last] = [times[0], times.at(-1)]
  return apart.flatMap((set) => [
    set,
    set.filter((fact) => timeIn(fact) !== first),
    set.filter((fact) => timeIn(fact) !== last),
    set.filter((fact) => timeIn(fact) !== first && timeIn(fact) !== last),
    // Several series at one time.
    ...named.filter(({ column }) => column === dated.at).map((name) => set.filter((fact) => isOf(fact, name))),
  ])
}

/** A sentence in the way of understanding it in which most of it is true, and what is untrue even so. */
export interface Judged {
  findings: Finding[]
  said: Understood
}

const isHeld = new Set(rules.filter(({ expected }) => expected === 'held').map(({ is }) => is))

/** What is untrue in a sentence, by rule. Whoever reads it benevolently finds no less. */
export function judge(sentence: string, locale: string, figure: Figure): Judged {
  let best: (Judged & { weight: number }) | undefined
  for (const said of understandings(sentence, locale, figure)) {
    const findings = rules.flatMap(({ is, broken }) => broken(said).map((why) => ({ rule: is, why })))
    const weight = findings.reduce((sum, { rule }) => sum + (isHeld.has(rule) ? 1000 : 1), 0)
    if (best === undefined || weight < best.weight) best = { findings, said, weight }
    if (weight === 0) break
  }
  if (!best) throw new Error(`A sentence without a reading: ${sentence}`)
  return best
}

/** What a sentence says, in short: which must be the same in every language. */
export function gist({ said }: Judged): string {
  const values = said.values.map(({ number, names }) =>
    JSON.stringify([number.value, names.map(({ column, cells }) => JSON.stringify([column, cells])).sort()]),
  )
  return values.sort().join(' ')
}
