import { toWallClock } from './oracle-clock.ts'
import { getAlias, type Cell, type Column, type Group, type Question, type TrueAnswer } from './oracle.ts'

/* Compares an answer of `/v1` with the file. */

/** An answer as returned by the API. */
export interface GivenAnswer {
  results: Record<string, unknown>[]
  /** `meta.total`: the number of groups. */
  total: number
  /** `output.total`: only present when a limit cut groups off. */
  cutTotal?: number
}

/** A false statement: the rule it breaks, and how. */
export interface Finding {
  rule: string
  why: string
}

/** The groups of an answer in its order, each matched in the file. */
interface AnswerComparison {
  findings: Finding[]
  visibleGroups: Group[]
}

/** Returns whether two numbers are equal up to rounding: a sum is only as exact as its largest parts. */
export const isNear = (value: number, expected: number, scale = 0): boolean =>
  value === expected ||
  Math.abs(value - expected) <= Math.max(1e-9 * Math.max(Math.abs(value), Math.abs(expected)), 1e-13 * scale)

/** Converts a cell of an answer to the oracle's form; undefined for an invalid value. */
function toCell(value: unknown, { kind }: Column, zone: string): Cell | undefined {
  if (value === null || value === undefined) return null
  switch (kind) {
    case 'point':
      return toPoint(value)
    case 'text':
      return typeof value === 'string' ? value : undefined
    case 'number':
      return typeof value === 'number' ? value : undefined
    case 'calendar':
      return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined
    case 'instant':
      return typeof value === 'string' && value.endsWith('Z') ? Date.parse(value) : undefined
    case 'wall':
      return typeof value === 'string' && value.endsWith('Z')
        ? toDayBucket(Date.parse(value), zone)
        : undefined
  }
}

function toPoint(value: unknown): string | undefined {
  const { type, coordinates } = value as { type?: unknown; coordinates?: unknown }
  return type === 'Point' && Array.isArray(coordinates) ? coordinates.join(' ') : undefined
}

/**
 * Returns the day that begins at an instant in a time zone: at midnight, or at the first hour of a day
 * without midnight.
 */
function toDayBucket(instant: number, zone: string): string {
  const wall = toWallClock(instant, zone)
  const isBegin = toWallClock(instant - 1, zone).slice(0, 10) < wall.slice(0, 10)
  return isBegin || wall.endsWith('T00:00:00') ? `${wall.slice(0, 10)}T00:00:00` : wall
}

const toGroupKey = (columns: Column[], cells: Cell[]) =>
  JSON.stringify(columns.flatMap(({ isGroup }, i) => (isGroup ? [cells[i] ?? null] : [])))

/** Finds every difference between an answer and the file. */
export function compareAnswer(
  answer: GivenAnswer,
  { columns, groups }: TrueAnswer,
  question: Question,
  zone: string,
): AnswerComparison {
  const findings: Finding[] = []
  const find = (rule: string, problem: string) => findings.push({ rule, why: problem })
  const groupsByKey = new Map(groups.map((group) => [toGroupKey(columns, group.cells), group]))
  const shownGroups: Group[] = []
  const seenKeys = new Set<string>()
  for (const row of answer.results) {
    const cells = columns.map((column) => toCell(row[column.alias], column, question.timezone ?? zone))
    if (cells.some((cell) => cell === undefined)) find('values', `no such cells: ${JSON.stringify(row)}`)
    const key = toGroupKey(columns, cells as Cell[])
    const expectedGroup = groupsByKey.get(key)
    if (seenKeys.has(key)) find('groups', `${key} comes twice`)
    seenKeys.add(key)
    if (!expectedGroup) {
      find('groups', `${key} is no group of the file`)
      continue
    }
    shownGroups.push(expectedGroup)
    for (const [i, { alias, isGroup, by, kind }] of columns.entries()) {
      if (isGroup) continue
      const [actual, expected] = [cells[i], expectedGroup.cells[i]]
      const isExact = kind !== 'number' || by === 'count' || by === 'distinctCount'
      const isSame =
        typeof actual === 'number' && typeof expected === 'number' && !isExact
          ? isNear(actual, expected, expectedGroup.scales[i])
          : actual === expected
      if (!isSame) find('values', `${alias} of ${key} is ${String(actual)}, in the file ${String(expected)}`)
    }
  }
  const remaining = Math.max(0, groups.length - (question.offset ?? 0))
  const rows = Math.min(remaining, question.limit ?? Infinity)
  if (answer.results.length !== rows) find('groups', `${answer.results.length} rows instead of ${rows}`)
  if (answer.total !== groups.length) find('total', `${answer.total} in all instead of ${groups.length}`)
  const total = groups.length > rows ? groups.length : undefined
  if (answer.cutTotal !== total) find('total', `cut from ${answer.cutTotal} instead of ${total}`)
  for (const problem of listOrderProblems(shownGroups, groups, columns, question)) find('order', problem)
  return { findings, visibleGroups: shownGroups }
}

/** Finds where rows are not in the requested order, or a row that belongs before them was left out. */
function listOrderProblems(
  shownGroups: Group[],
  all: Group[],
  columns: Column[],
  question: Question,
): string[] {
  const orderings = (question.orderings ?? []).map(({ value, direction }) => ({
    at: columns.findIndex(({ alias }) => alias === getAlias(value)),
    sign: direction === 'desc' ? -1 : 1,
  }))
  if (orderings.length === 0) return []
  const compare = (a: Group, b: Group) => {
    for (const { at, sign } of orderings) {
      const order = compareCells(a.cells[at] ?? null, b.cells[at] ?? null, a.scales[at] ?? 0)
      if (order === null) return 0
      if (order !== 0) return order * sign
    }
    return 0
  }
  const misplaced = shownGroups.slice(1).flatMap((group, i) => {
    const before = shownGroups[i]
    return before && compare(before, group) > 0
      ? [`${JSON.stringify(before.cells)} stands before ${JSON.stringify(group.cells)}`]
      : []
  })
  const [first, last] = [shownGroups[0], shownGroups.at(-1)]
  if (!first || !last) return misplaced
  const isShown = new Set(shownGroups)
  const hiddenGroups = all.filter((group) => !isShown.has(group))
  const before = hiddenGroups.filter((group) => compare(group, last) < 0).length
  const after = hiddenGroups.filter((group) => compare(group, first) > 0).length
  const offset = question.offset ?? 0
  if (before > offset)
    misplaced.push(`${before} groups come before the last row and are left out, ${offset} may`)
  if (hiddenGroups.length - after < offset) misplaced.push('groups that come later are skipped')
  return misplaced
}

const letters = new Intl.Collator('en')

/**
 * Compares two cells; nulls come last in ascending order. Null when common collations disagree on the order
 * of two texts.
 */
function compareCells(a: Cell, b: Cell, scale: number): number | null {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  if (typeof a === 'number' && typeof b === 'number') return isNear(a, b, scale) ? 0 : a - b
  const plain = a < b ? -1 : a > b ? 1 : 0
  return letters.compare(String(a), String(b)) === plain ? plain : null
}
