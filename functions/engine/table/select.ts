import type { Point, Position } from 'geojson'
import type { Extent } from '#functions/shapes/fields/extent.ts'
import { createZone } from '#functions/shapes/zone.ts'
import { isEmptyAt, type Column, type ColumnFile, type TextValues } from './column-file.ts'
import type { TableFilter, TableState } from './table-state.ts'

/** The rows of a page by their index in the file, the total number, and the number before the page. */
interface Selection {
  rows: number[]
  total: number
  before: number
}

const dayLength = 86_400_000

/**
 * Selects the page of records for a state: filtered, then sorted, those without a value last. Dates are days in
 * `timeZone`. A page after a record that does not exist (any more) is the first one.
 */
export async function selectRows(
  file: ColumnFile,
  state: TableState,
  { timeZone, pageSize }: { timeZone: string; pageSize: number },
): Promise<Selection> {
  const matches = await matchingRows(file, state, timeZone)
  if (state.sort) {
    const column = await file.read(state.sort.key)
    if (column) sortBy(matches, column, state.sort.direction)
  }
  const start = await findPageStart(matches, file, state, pageSize)
  return { rows: [...matches.subarray(start, start + pageSize)], total: matches.length, before: start }
}

/** The places of the records that meet all conditions of a state, in the order of the file. Dates are days of `timeZone`. */
export async function matchingRows(
  file: ColumnFile,
  state: Pick<TableState, 'filters' | 'search' | 'within'>,
  timeZone: string,
): Promise<Uint32Array> {
  const isIn = new Uint8Array(file.rows).fill(1)
  for (const filter of state.filters) {
    const column = await file.read(filter.key)
    const test = column ? buildRowTest(filter, column, timeZone) : () => false
    for (let row = 0; row < file.rows; row += 1) if (isIn[row] && !test(row)) isIn[row] = 0
  }
  if (state.within) await filterByArea(file, isIn)
  if (state.search) await filterByText(file, state.search, isIn)
  const all = new Uint32Array(file.rows)
  let total = 0
  for (let row = 0; row < file.rows; row += 1) if (isIn[row]) all[total++] = row
  return all.subarray(0, total)
}

/** Whether a record meets a condition, by its place in the file. */
function buildRowTest(filter: TableFilter, column: Column, timeZone: string): (row: number) => boolean {
  if (filter.kind === 'none') return (row) => isEmptyAt(column, row)
  if ('at' in column) {
    if (filter.kind === 'range') return () => false
    const accepted =
      filter.kind === 'is' ? wordsEqual(column.words, filter.values) : wordsWith(column.words, filter.text)
    return (row) => accepted[column.at[row] ?? 0] === 1
  }
  const { numbers } = column
  if (filter.kind === 'is') {
    const values: number[] = filter.values.map((value) => Number(value === 'true'))
    return (row) => values.includes(numbers[row] ?? NaN)
  }
  if (filter.kind !== 'range') return () => false
  const [from, below, isBelow] = parseBounds(filter, column, timeZone)
  return (row) => {
    const value = numbers[row] ?? NaN
    return value >= from && (isBelow ? value < below : value <= below) && !isEmptyAt(column, row)
  }
}

/** The ends of a range in the numbers of a column; the upper one is excluded of instants, which reach to the end of their day. */
function parseBounds(
  { from, to }: { from?: string; to?: string },
  { head: { kind } }: Column,
  timeZone: string,
): [from: number, to: number, isBelow: boolean] {
  const parseLimit = (text: string, daysLater: number) => {
    if (kind !== 'day' && kind !== 'instant') return Number(text)
    const wall = Date.parse(`${text}T00:00:00Z`) + daysLater * dayLength
    return kind === 'day' ? wall / dayLength : createZone(timeZone).startOfDay(wall)
  }
  return [
    from === undefined ? -Infinity : parseLimit(from, 0),
    to === undefined ? Infinity : parseLimit(to, kind === 'instant' ? 1 : 0),
    kind === 'instant',
  ]
}

/** Marks the selected words by number; 0 is no value and is never selected. */
function wordsEqual(words: string[], values: string[]): Uint8Array {
  const accepted = new Uint8Array(words.length + 1)
  for (const value of values) {
    const number = words.indexOf(value) + 1
    if (number > 0) accepted[number] = 1
  }
  return accepted
}

function wordsWith(words: string[], text: string): Uint8Array {
  const accepted = new Uint8Array(words.length + 1)
  const part = text.toLowerCase()
  words.forEach((word, i) => {
    if (word.toLowerCase().includes(part)) accepted[i + 1] = 1
  })
  return accepted
}

/** The points of the one column of points, as a dictionary; null where the file has none. */
async function readPoints(file: ColumnFile): Promise<{ points: Position[]; at: TextValues['at'] } | null> {
  const pointKey = file.columns.find(({ field }) => field.type === 'point')?.key
  const column = pointKey === undefined ? undefined : await file.read(pointKey)
  if (!column || !('at' in column)) return null
  return { points: column.words.map((word) => (JSON.parse(word) as Point).coordinates), at: column.at }
}

/** The box around the points of all records; null without any. */
export async function pointsExtent(file: ColumnFile): Promise<Extent | null> {
  const { points } = (await readPoints(file)) ?? { points: [] }
  if (points.length === 0) return null
  const box: Extent = [180, 90, -180, -90]
  for (const [lon = 0, lat = 0] of points) {
    box[0] = Math.min(box[0], lon)
    box[1] = Math.min(box[1], lat)
    box[2] = Math.max(box[2], lon)
    box[3] = Math.max(box[3], lat)
  }
  return box
}

/** Keeps the records whose point is in the area that the file was opened for; none where it was opened for none. */
async function filterByArea(file: ColumnFile, isIn: Uint8Array) {
  const { isInside = () => false } = file
  const column = await readPoints(file)
  if (!column) return void isIn.fill(0)
  const { points, at } = column
  const accepted = new Uint8Array(points.length + 1)
  points.forEach(([lon = NaN, lat = NaN], i) => {
    if (isInside(lon, lat)) accepted[i + 1] = 1
  })
  for (let row = 0; row < file.rows; row += 1) if (!accepted[at[row] ?? 0]) isIn[row] = 0
}

/** Keeps the records with a text in any text column, or in their id. */
async function filterByText(file: ColumnFile, text: string, isIn: Uint8Array) {
  const isFound = new Uint8Array(file.rows)
  const markMatches = ({ words, at }: TextValues) => {
    const accepted = wordsWith(words, text)
    if (accepted.includes(1))
      for (let row = 0; row < file.rows; row += 1) if (accepted[at[row] ?? 0]) isFound[row] = 1
  }
  markMatches(await file.readIds())
  for (const { key, kind } of file.columns) {
    const column = kind === 'text' ? await file.read(key) : undefined
    if (column && 'at' in column) markMatches(column)
  }
  for (let row = 0; row < file.rows; row += 1) if (!isFound[row]) isIn[row] = 0
}

/** Sorts records; equal ones keep the order of the file, and those without a value are last in both directions. */
function sortBy(rows: Uint32Array, column: Column, direction: 'asc' | 'desc') {
  const values: ArrayLike<number> = 'at' in column ? column.at : column.numbers
  const sign = direction === 'asc' ? 1 : -1
  rows.sort((a, b) => {
    const [isEmptyA, isEmptyB] = [isEmptyAt(column, a), isEmptyAt(column, b)]
    if (isEmptyA || isEmptyB) return Number(isEmptyA) - Number(isEmptyB) || a - b
    return sign * ((values[a] ?? 0) - (values[b] ?? 0)) || a - b
  })
}

/** The index at which the page begins. */
async function findPageStart(
  matches: Uint32Array,
  file: ColumnFile,
  { after, before }: TableState,
  pageSize: number,
) {
  const id = after ?? before
  if (id === null) return 0
  const ids = await file.readIds()
  const number = ids.words.indexOf(id) + 1
  const at = number === 0 ? -1 : matches.findIndex((row) => ids.at[row] === number)
  if (at < 0) return 0
  return after !== null ? at + 1 : Math.max(0, at - pageSize)
}
