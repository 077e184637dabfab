import { isPlainObject } from '#functions/shapes/fields/plain.ts'
import type { SourceRow } from '../row.ts'
import { columnProfile, type ColumnProfile } from './column.ts'
import { countPair, pairIn, type PairCounts } from './pairs.ts'
import { Tally, type TallyState } from './tally.ts'
import { isShape } from './texts.ts'

export { columnsIn, compare } from './compare.ts'
export { openWords } from './missing.ts'
export { propose, type FieldEvidence, type Proposal } from './propose.ts'

const maxDepth = 5
const maxColumns = 1000

/** The profile of all rows. */
export interface Profile {
  rows: number
  /** Rows that are no maps of values. */
  others: number
  /** In the order in which they first came, members of maps at their dot path. */
  columns: ColumnProfile[]
  pairs: PairCounts[]
  /** Whether there were more than 1,000 columns, which are profiled. */
  isCut: boolean
}

/** A profiler between two steps of a run: plain JSON. */
export interface ProfilerState {
  rows: number
  others: number
  isCut: boolean
  columns: [path: string, tally: TallyState][]
  pairs: PairCounts[]
}

export interface Profiler {
  /** Adds rows, in the order of the source. */
  add(rows: readonly SourceRow[]): void
  /** Merges another profiler, whose rows come after its own. */
  merge(other: Profiler): void
  result(): Profile
  toJSON(): ProfilerState
}

/** A map of the row: the column of each member, and the members that are maps themselves. */
interface Node {
  prefix: string
  columns: Map<string, Tally>
  maps: Map<string, Node>
  pair: { counts: PairCounts; latitude: string; longitude: string } | null
}

/** A new profiler. Its memory is bounded by the number of columns, not of rows. */
export function profiler(): Profiler {
  return profilerFrom({ rows: 0, others: 0, isCut: false, columns: [], pairs: [] })
}

/** The columns and the pairs of coordinates that were seen so far, by their paths. */
interface ProfileState {
  tallies: Map<string, Tally>
  pairs: Map<string, PairCounts>
  isCut: boolean
}

/** Restores a profiler from its state. */
export function profilerFrom(state: ProfilerState): Profiler {
  let { rows, others } = state
  const columns: ProfileState = {
    tallies: new Map(state.columns.map(([path, state]) => [path, Tally.from(state)])),
    pairs: new Map(state.pairs.map((pair) => [pair.latitude, { ...pair }])),
    isCut: state.isCut,
  }
  const root = node('')
  return {
    add(list) {
      for (const { at, value } of list) {
        rows += 1
        if (isPlainObject(value)) addValues(columns, value, root, 1, at.row)
        else others += 1
      }
    },
    merge(other) {
      const state = other.toJSON()
      rows += state.rows
      others += state.others
      mergeColumns(columns, state)
    },
    result: () => ({
      rows,
      others,
      columns: [...columns.tallies].map(([path, tally]) => columnProfile(path, tally, rows)),
      pairs: pairsInOrder(columns),
      isCut: columns.isCut,
    }),
    toJSON: () => ({
      rows,
      others,
      isCut: columns.isCut,
      columns: [...columns.tallies].map(([path, tally]) => [path, structuredClone(tally.toJSON())]),
      pairs: [...columns.pairs.values()].map((pair) => ({ ...pair })),
    }),
  }
}

/**
 * The pairs with rows that have both numbers, in the order of their latitudes' columns: they are found when both columns are,
 * which is another order where profiles of parts are merged.
 */
function pairsInOrder({ tallies, pairs }: ProfileState): PairCounts[] {
  return [...tallies.keys()].flatMap((path) => {
    const pair = pairs.get(path)
    return pair && pair.both > 0 ? [{ ...pair }] : []
  })
}

function node(prefix: string): Node {
  return { prefix, columns: new Map(), maps: new Map(), pair: null }
}

/** The tally of a member of a map, created on first use; undefined beyond the limit of columns. */
function addColumn(state: ProfileState, parent: Node, key: string): Tally | undefined {
  const path = parent.prefix + escape(key)
  let tally = state.tallies.get(path)
  if (!tally) {
    if (state.tallies.size >= maxColumns) {
      state.isCut = true
      return undefined
    }
    tally = new Tally()
    state.tallies.set(path, tally)
  }
  parent.columns.set(key, tally)
  const pair = parent.pair ? null : pairIn(parent.columns.keys())
  if (pair) parent.pair = { ...pair, counts: pairAt(state, parent.prefix, pair) }
  return tally
}

function pairAt(
  { pairs }: ProfileState,
  prefix: string,
  pair: { latitude: string; longitude: string },
): PairCounts {
  const latitude = prefix + escape(pair.latitude)
  let counts = pairs.get(latitude)
  if (!counts) {
    counts = {
      latitude,
      longitude: prefix + escape(pair.longitude),
      both: 0,
      good: 0,
      zero: 0,
      swapped: 0,
    }
    pairs.set(latitude, counts)
  }
  return counts
}

/** Adds a map of values: a row, or a nested map. */
function addValues(
  state: ProfileState,
  map: Record<string, unknown>,
  parent: Node,
  depth: number,
  row: number,
): void {
  for (const key of Object.keys(map)) {
    const value = map[key]
    const tally = parent.columns.get(key) ?? addColumn(state, parent, key)
    if (!tally) continue
    if (depth >= maxDepth || !isPlainObject(value) || isShape(value)) {
      tally.add(value, row)
      continue
    }
    tally.addMap(row)
    let inner = parent.maps.get(key)
    if (!inner) parent.maps.set(key, (inner = node(`${parent.prefix}${escape(key)}.`)))
    addValues(state, value, inner, depth + 1, row)
  }
  const { pair } = parent
  if (pair) countPair(pair.counts, map[pair.latitude], map[pair.longitude])
}

/** Merges the columns of another profiler, whose rows come after. */
function mergeColumns(into: ProfileState, state: ProfilerState) {
  into.isCut ||= state.isCut
  for (const [path, tally] of state.columns) {
    const own = into.tallies.get(path)
    if (own) own.merge(Tally.from(tally))
    else if (into.tallies.size < maxColumns) into.tallies.set(path, Tally.from(tally))
    else into.isCut = true
  }
  for (const pair of state.pairs) {
    const own = into.pairs.get(pair.latitude)
    if (!own) into.pairs.set(pair.latitude, { ...pair })
    else for (const name of ['both', 'good', 'zero', 'swapped'] as const) own[name] += pair[name]
  }
}

/** A dot of a name is no step of a path. */
const escape = (key: string) => key.replaceAll('.', '\\.')
