import type { Finding } from './oracle-answer.ts'
import { normalizeText, getCellStart } from './oracle-names.ts'
import { getNumberContext } from './oracle-counts.ts'
import { readSentence, type NameToken, type NumberToken, type Token } from './oracle-reader.ts'
import type { Cell, Column, Coverage, Group, Question } from './oracle.ts'

/*
 * The meaning of a sentence: which values of the file it states, and for which groups and periods. An
 * ambiguous sentence has several.
 */

/** A figure computed from the file: what a sentence about it may state. */
export interface Figure {
  title: string
  type: string
  settings: Record<string, string>
  question: Question
  columns: Column[]
  /** The shown groups in their order, and all groups. */
  visibleGroups: Group[]
  groups: Group[]
  zone: string
  /** The coverage of each date field of the file. */
  coverage: Record<string, Coverage | null>
}

/** A fact of the file: a value and the groups it belongs to. */
export interface Fact {
  value: number
  /** The groups by column. */
  of: Map<number, Cell>
  /** A share, stated in per cent. */
  isShare?: true
  measure: number
}

/** A stated value, with the names beside it and the facts of the file that it matches. */
export interface StatedValue {
  number: NumberToken
  names: NameToken[]
  facts: Fact[]
}

export interface Interpretation {
  figure: Figure
  text: string
  /** The text without names and numbers: the remaining words of the language. */
  words: string
  locale: string
  tokens: Token[]
  facts: Fact[]
  values: StatedValue[]
  counts: NumberToken[]
  /** Numbers and names that match nothing in the file, or something else. */
  untrue: Finding[]
}

export const isCut = ({ visibleGroups, groups }: Figure) => visibleGroups.length < groups.length

/** Returns whether a written number is this value in the written precision. */
export const isWrittenAs = ({ value, decimals }: NumberToken, truth: number): boolean =>
  Math.abs(value - truth) <= 0.5 * 10 ** -decimals * (1 + 1e-9) + 1e-9 * Math.abs(truth)

const isShownAs = (number: NumberToken, fact: Fact): boolean =>
  number.isPercent === (fact.isShare === true) && isWrittenAs(number, fact.value)

export const numberIn = (group: Group, column: number): number | null => {
  const cell = group.cells[column]
  return typeof cell === 'number' && Number.isFinite(cell) ? cell : null
}

export const listMeasures = ({ columns }: Figure) =>
  columns.flatMap(({ isGroup, kind }, i) => (!isGroup && kind === 'number' ? [i] : []))
export const listDimensions = ({ columns }: Figure) =>
  columns.flatMap(({ isGroup }, i) => (isGroup ? [i] : []))

/** Lists all facts of the file about what is shown, of which a sentence may state some. */
export function listFacts(figure: Figure): Fact[] {
  const dimensions = listDimensions(figure)
  const rows = listMeasures(figure).flatMap((measure) =>
    figure.visibleGroups.flatMap((group): Fact[] => {
      const value = numberIn(group, measure)
      const of = new Map(dimensions.map((i) => [i, group.cells[i] ?? null]))
      return value === null ? [] : [{ value, of, measure }]
    }),
  )
  return [...rows, ...sums(rows, figure, dimensions), ...shares(rows, figure)]
}

/** Counts and sums by two groupings can be added up over one of them; nothing else can. */
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

/** Shares exist only of a whole that is shown completely, and for values above zero. */
function shares(rows: Fact[], figure: Figure): Fact[] {
  if (figure.type !== 'pie' || isCut(figure)) return []
  const parts = rows.filter(({ value }) => value > 0)
  const total = parts.reduce((sum, { value }) => sum + value, 0)
  return parts.map((part) => ({ ...part, value: (100 * part.value) / total, isShare: true }))
}

/**
 * Lists numbers that are no values and that any sentence may state: numbers of rows, groups, points and
 * parts.
 */
function listCounts(figure: Figure, facts: Fact[]): Set<number> {
  const { visibleGroups, groups } = figure
  const measures = listMeasures(figure)
  const counts = new Set([visibleGroups.length, groups.length])
  for (const measure of measures)
    counts.add(visibleGroups.filter((group) => numberIn(group, measure) !== null).length)
  counts.add(
    visibleGroups.filter((group) => measures.every((measure) => numberIn(group, measure) !== null)).length,
  )
  for (const dimension of listDimensions(figure))
    counts.add(new Set(facts.filter(({ of }) => of.has(dimension)).map(({ of }) => of.get(dimension))).size)
  counts.add(facts.filter(({ value, isShare }) => isShare && value > 0).length)
  // Groups without a date, and partial periods at the ends, may be left out of the count.
  for (const some of listCompleteFactSets(facts, figure))
    counts.add(new Set(some.map(({ of }) => JSON.stringify([...of]))).size)
  if (visibleGroups.length > 0) counts.delete(0)
  return counts
}

/** Yields all ways in which a sentence can be understood. */
export function* understandings(sentence: string, locale: string, figure: Figure): Generator<Interpretation> {
  const facts = listFacts(figure)
  const masks = [figure.title, ...figure.columns.map(({ name }) => name)]
  // All groups are readable, not only the shown ones, to detect a name that should not be there.
  const readings = readSentence(sentence, {
    ...{ columns: figure.columns, groups: figure.groups, locale, zone: figure.zone, masks },
  })
  const text = normalizeText(sentence)
  for (const tokens of readings) {
    const words = without(text, tokens, masks)
    for (const pairing of pairings(tokens, facts, figure, { text, locale }))
      yield { figure, text, words, locale, tokens, facts, ...pairing }
  }
}

function without(text: string, tokens: Token[], masks: string[]): string {
  const chars = [...tokens]
    .reverse()
    .reduce((rest, { from, to }) => `${rest.slice(0, from)} ${rest.slice(to)}`, text)
  return masks.filter(Boolean).reduce((rest, mask) => rest.replaceAll(normalizeText(mask), ' '), chars)
}

type FactPairs = Pick<Interpretation, 'values' | 'counts' | 'untrue'>

/**
 * The meaning of a number: a value of the file, a count, how many others share the value before it, or how
 * many have it in all.
 */
type Role = 'value' | 'count' | 'others' | 'all' | 'none'

/**
 * Lists the possible meanings of a sentence: which numbers are values, and whether names follow their value
 * or precede it.
 */
function pairings(
  tokens: Token[],
  facts: Fact[],
  figure: Figure,
  { text, locale }: Pick<Interpretation, 'text' | 'locale'>,
): FactPairs[] {
  const counts = listCounts(figure, facts)
  const numbers = tokens.filter((token) => token.is === 'number')
  if (figure.type === 'histogram' && numbers.length > 0) return [interpretRangeNumbers(numbers, figure)]
  const hasShares = numbers.some(({ isPercent }) => isPercent)
  const listRoles = (number: NumberToken): Role[] => {
    const beside = getNumberContext(number, text, locale)
    // Beside a percentage a plain number is no value: the base of a share is stated as a count, or not at
    // all.
    const isValue =
      !beside.isOthers &&
      tellsValues(figure) &&
      number.isPercent === hasShares &&
      facts.some((fact) => isShownAs(number, fact))
    const isWhole = number.decimals === 0 && !number.isPercent
    const isCount = beside.isCount && isWhole && counts.has(number.value)
    const isOthers = beside.isOthers && isWhole && number.value >= 1 && tellsValues(figure)
    const roles: Role[] = [
      ...(isValue ? ['value' as const] : []),
      ...(isCount ? ['count' as const] : []),
      ...(isOthers ? ['others' as const] : []),
      ...(beside.isCount && isWhole && tellsValues(figure) ? ['all' as const] : []),
    ]
    return roles.length > 0 ? roles : ['none']
  }
  const options = numbers.map(listRoles)
  let combinations: Role[][] = [[]]
  for (const roles of options.slice(0, 7))
    combinations = combinations.flatMap((before) => roles.map((role) => [...before, role]))
  return combinations.flatMap((roles) =>
    [true, false].map((isNameAfter) => paired(tokens, numbers, roles, { facts, figure, isNameAfter })),
  )
}

/** Returns whether sentences of a type state values, and not only counts. */
export const tellsValues = ({ type }: Figure) => type !== 'table' && type !== 'scatter'

function paired(
  tokens: Token[],
  numbers: NumberToken[],
  roles: Role[],
  { facts, figure, isNameAfter }: { facts: Fact[]; figure: Figure; isNameAfter: boolean },
): FactPairs {
  const roleByNumber = new Map(numbers.map((number, i) => [number, roles[i] ?? 'none']))
  const values: StatedValue[] = []
  const counts: NumberToken[] = []
  const untrue: Finding[] = []
  const others: { number: NumberToken; at: number; isHeld: typeof isTie }[] = []
  let waiting: NameToken[] = []
  for (const token of tokens) {
    if (token.is === 'name') {
      const last = values.at(-1)
      if (isNameAfter && last) last.names.push(token)
      else waiting.push(token)
      continue
    }
    const role = roleByNumber.get(token)
    if (role === 'value') {
      values.push({ number: token, names: waiting, facts: [] })
      waiting = []
    } else if (role === 'others' || role === 'all')
      others.push({ number: token, at: values.length - 1, isHeld: role === 'all' ? isOfAll : isTie })
    else if (role === 'count') counts.push(token)
    else untrue.push({ rule: 'numbers', why: `${token.value} is nothing of the file` })
  }
  values.at(-1)?.names.push(...waiting)
  const isNameless = listDimensions(figure).length === 0
  const names = values.flatMap(({ names }) => names)
  for (const value of values) {
    const matching = facts.filter((fact) => isShownAs(value.number, fact))
    value.facts = matching.filter((fact) => value.names.some((name) => isNamedBy(fact, name)))
    if (value.names.length === 0) {
      // Either all have the same value, or there is only one.
      const isOfAll =
        values.length === 1 &&
        listCompleteFactSets(facts, figure).some((some) => isSameInAll(value.number, some))
      value.facts = matching
      if (!isNameless && !isOfAll && figure.visibleGroups.length > 1)
        untrue.push({ rule: 'groups', why: `${value.number.value} is said of nothing` })
      continue
    }
    for (const name of value.names)
      if (
        !matching.some((fact) => isNamedBy(fact, name) && isNamedWhole(fact, names)) &&
        !isSameInAll(
          value.number,
          facts.filter((fact) => isNamedBy(fact, name)),
        )
      )
        untrue.push({
          rule: 'groups',
          why: `${value.number.value} is not the value of ${JSON.stringify(name.cells)}`,
        })
  }
  // "3 of 5 are shown" contains only counts; further numbers must be values.
  const mostCounts = isCut(figure) ? 2 : 0
  if (values.length === 0 && counts.length > mostCounts && facts.length > 0 && tellsValues(figure))
    untrue.push({ rule: 'numbers', why: 'only numbers of rows, and no value' })
  for (const value of values) untrue.push(...wrongTogether(value, figure))
  for (const { number, at, isHeld } of others) {
    const value = values[at]
    if (!value || !isHeld(number.value, value, { facts, figure, sentenceNames: names }))
      untrue.push({ rule: 'numbers', why: `no ${number.value} share the value` })
  }
  if (values.length === 0 && facts.length > 0 && figure.type !== 'pie')
    for (const name of waiting)
      untrue.push({ rule: 'groups', why: `${JSON.stringify(name.cells)} is named and nothing is said of it` })
  return { values, counts, untrue }
}

/** Finds groups named beside a value that do not have it in this combination, or are named twice. */
function wrongTogether({ names, facts }: StatedValue, figure: Figure): Finding[] {
  const width = listDimensions(figure).length
  const keys = names.map(({ column, cells }) => JSON.stringify([column, cells]))
  if (width === 1 && new Set(keys).size < keys.length)
    return [{ rule: 'groups', why: 'a group is named twice for one value' }]
  const pairs = Array.from({ length: names.length / 2 }, (_, i) => names.slice(2 * i, 2 * i + 2))
  const [first] = pairs
  const isPaired =
    width === 2 &&
    names.length % 2 === 0 &&
    pairs.every(
      ([one, another]) =>
        one?.column !== another?.column && one?.column === first?.[0]?.column && another !== undefined,
    )
  const isFact = (pair: NameToken[]) => facts.some((fact) => pair.every((name) => isNamedBy(fact, name)))
  return isPaired && !pairs.every(isFact)
    ? [{ rule: 'groups', why: 'groups are named together that do not have this value' }]
    : []
}

/** Returns whether all that is stated in this way has one value: "1 in all 3 cases". */
function isSameInAll(number: NumberToken, facts: Fact[]): boolean {
  const alike = facts.filter((fact) => (fact.isShare === true) === number.isPercent)
  const width = Math.max(0, ...alike.map(({ of }) => of.size))
  const wholeFacts = alike.filter(({ of }) => of.size === width)
  return wholeFacts.length > 0 && wholeFacts.every((fact) => isShownAs(number, fact))
}

export const isNamedBy = (fact: Fact, { column, cells }: NameToken) =>
  fact.of.has(column) && cells.includes(fact.of.get(column) ?? null)

/** Returns whether every group of a fact is named somewhere in the sentence. */
const isNamedWhole = (fact: Fact, names: NameToken[]) =>
  [...fact.of.keys()].every((column) => names.some((name) => name.column === column && isNamedBy(fact, name)))

interface SharedContext {
  facts: Fact[]
  figure: Figure
  sentenceNames: NameToken[]
}

/** All rows, or those that match a name of the sentence. */
const listFactSets = ({ facts, figure, sentenceNames }: SharedContext): Fact[][] => [
  ...listCompleteFactSets(facts, figure),
  ...sentenceNames.map((name) => facts.filter((fact) => isNamedBy(fact, name))),
]

/** Returns whether so many others have the value as are not named beside it. */
function isTie(others: number, { number, names }: StatedValue, sharing: SharedContext): boolean {
  const width = listDimensions(sharing.figure).length
  const least = Math.max(1, Math.min(width, names.length))
  const allowed = [Math.ceil(names.length / least), names.length]
  return listFactSets(sharing).some((set) => {
    const equal = set.filter((fact) => isShownAs(number, fact))
    const sizes = equal.flatMap((fact) => {
      const { value } = fact
      const alike = equal.filter((one) => joinColumns(one) === joinColumns(fact))
      // Equal as displayed, or exactly equal.
      return [alike.length, alike.filter((one) => one.value === value).length]
    })
    return sizes.some((size) => allowed.some((count) => size - count === others))
  })
}

/** Returns whether there are so many and all of them have the value: "1 in all 3 cases". */
function isOfAll(cases: number, { number }: StatedValue, sharing: SharedContext): boolean {
  const width = listDimensions(sharing.figure).length
  return listFactSets(sharing).some((set) => {
    const wholeFacts = set.filter(({ of, isShare }) => of.size === width && !isShare)
    return wholeFacts.length === cases && isSameInAll(number, wholeFacts)
  })
}

/** The columns of a fact's groups. */
export const joinColumns = ({ of }: Fact): string => [...of.keys()].join()

/** Returns the column of time among the groupings, with its index; undefined without one. */
export function findTimeAxis({ columns }: Figure): { at: number; column: Column } | undefined {
  const at = columns.findIndex(({ isGroup, kind, part }) => isGroup && isTime(kind, part))
  const column = columns[at]
  return column ? { at, column } : undefined
}

const isTime = (kind: Column['kind'], part: string | undefined) =>
  kind === 'calendar' || kind === 'wall' || kind === 'instant' || part === 'year' || part === 'decade'

/**
 * Lists the sets of facts that a sentence may call all: every fact, or only those of periods that the data
 * cover, without the first or the last period or both, and without those that have no date.
 */
export function listCompleteFactSets(facts: Fact[], figure: Figure): Fact[][] {
  const timeAxis = findTimeAxis(figure)
  if (!timeAxis) return [facts]
  const timeIn = ({ of }: Fact) => (of.has(timeAxis.at) ? (of.get(timeAxis.at) ?? null) : undefined)
  const times = [...new Set(facts.map(timeIn))]
    .filter((cell) => cell !== null && cell !== undefined)
    .sort(
      (a, b) => getCellStart(a, timeAxis.column, figure.zone) - getCellStart(b, timeAxis.column, figure.zone),
    )
  const [first, last] = [times[0], times.at(-1)]
  const without = (...cells: (Cell | undefined)[]) =>
    facts.filter((fact) => timeIn(fact) === undefined || !cells.includes(timeIn(fact)))
  return [
    facts,
    without(null),
    ...[[first], [last], [first, last]].flatMap((ends) => [without(...ends), without(null, ...ends)]),
  ]
}

/** Reads a sentence about ranges: so many of all values are in one. */
function interpretRangeNumbers(numbers: NumberToken[], figure: Figure): FactPairs {
  const dimension = listDimensions(figure)[0] ?? 0
  const measure = listMeasures(figure).find((i) => i !== dimension) ?? 0
  const points = figure.visibleGroups.flatMap((group) => {
    const [at, count] = [numberIn(group, dimension), numberIn(group, measure)]
    return at === null || count === null ? [] : [{ at, count }]
  })
  const total = points.reduce((sum, { count }) => sum + count, 0)
  const rest = isCut(figure) ? numbers.slice(-2) : []
  const [count, all, low, high] = isCut(figure) ? numbers.slice(0, -2) : numbers
  const counts = rest.filter(
    ({ value }) => value === figure.visibleGroups.length || value === figure.groups.length,
  )
  const untrue: Finding[] = []
  if (!count || !all || !low || !high || numbers.length !== 4 + rest.length)
    return {
      values: [],
      counts,
      untrue: [{ rule: 'numbers', why: `${numbers.length} numbers about a range` }],
    }
  if (all.value !== total) untrue.push({ rule: 'numbers', why: `${all.value} values instead of ${total}` })
  const edge = ({ value, decimals }: NumberToken) => ({
    value,
    off: 0.5 * 10 ** -decimals + 1e-9 * Math.abs(value),
  })
  const [from, to] = [edge(low), edge(high)]
  const countValuesBetween = (a: number, b: number, isWhole: boolean) =>
    points
      .filter(({ at }) => at >= a && (isWhole ? at <= b : at < b))
      .reduce((sum, one) => sum + one.count, 0)
  const most = countValuesBetween(from.value - from.off, to.value + to.off, true)
  const least = countValuesBetween(from.value + from.off, to.value - to.off, false)
  if (count.value > most || count.value < Math.min(least, most))
    untrue.push({ rule: 'numbers', why: `${count.value} values in the range instead of ${least} to ${most}` })
  // A range of that width that contains the most frequent value has at least that many.
  const fullest = Math.max(...points.map((one) => one.count))
  if (fullest > count.value)
    untrue.push({ rule: 'extremes', why: `${fullest} have one value, and ${count.value} are in the range` })
  return { values: [], counts: [count, all, ...counts], untrue }
}
