import { findCircles, getRoom, type Circle } from './circles.ts'
import { findDuplicates, type Duplicate } from './duplicates.ts'
import { findGaps, flows } from './flows.ts'
import { isProduct, readTexts, type Module } from './modules.ts'
import { findUnusedExports } from './unused-exports.ts'

/** Measures of the product's code, without scripts and tests. */
interface House {
  rooms: { room: string; files: number; lines: number }[]
  files: number
  lines: number
  /** Lines of code in tests and scripts. */
  others: number
  /** Files of fewer than 40 lines. */
  short: number
  /** Files directly in `functions` and `functions/domain`. */
  loose: string[]
  circles: Circle[]
  longestFiles: { path: string; lines: number }[]
  longFunctions: { path: string; name: string; line: number; lines: number }[]
  doubleCasts: { path: string; count: number }[]
  /** Double casts without a reason beside them, as `path:line`. */
  bareCasts: string[]
  /** Exports that are only used in their own module, or only in tests. */
  narrowExports: { itself: number; tests: number }
  duplicates: Duplicate[]
  /** For each of the four flows the number of its files, and its gaps. */
  flows: { name: string; stops: number; gaps: string[] }[]
}

/** The maximum length of a function in lines. */
const maxFunctionLines = 80

/**
 * The maximum number of double casts in the product: each bypasses the compiler, for a reason that is given
 * beside it.
 */
const maxDoubleCasts = 15

/** Files that may lie directly in `functions`: those that everything builds on. */
const floor = ['worker', 'context', 'errors', 'settings'].map((name) => `functions/${name}.ts`)

/** Measures modules as returned by `readModules`. */
export function measureHouse(modules: ReadonlyMap<string, Module>): House {
  const product = pickProductModules(modules)
  const byRoom = new Map<string, { files: number; lines: number }>()
  for (const { path, lines } of product) {
    const room = getRoom(path)
    const sizes = byRoom.get(room) ?? { files: 0, lines: 0 }
    byRoom.set(room, { files: sizes.files + 1, lines: sizes.lines + lines })
  }
  const lines = sum(product.map((module) => module.lines))
  const unused = findUnusedExports(modules)
  return {
    rooms: [...byRoom]
      .map(([room, totals]) => ({ room, ...totals }))
      .sort((a, b) => a.room.localeCompare(b.room)),
    files: product.length,
    lines,
    others: sum([...modules.values()].map((module) => module.lines)) - lines,
    short: product.filter((module) => module.lines < 40).length,
    loose: looseIn(product),
    circles: findCircles(product),
    longestFiles: [...product]
      .sort((a, b) => b.lines - a.lines)
      .slice(0, 5)
      .map(({ path, lines }) => ({ path, lines })),
    longFunctions: product
      .flatMap(({ path, functions }) => functions.map((each) => ({ path, ...each })))
      .filter(({ lines }) => lines > maxFunctionLines)
      .sort((a, b) => b.lines - a.lines),
    doubleCasts: product
      .filter(({ doubleCasts }) => doubleCasts > 0)
      .map(({ path, doubleCasts }) => ({ path, count: doubleCasts })),
    bareCasts: listBareCasts(product),
    narrowExports: {
      itself: unused.filter(({ usedBy }) => usedBy === 'itself').length,
      tests: unused.filter(({ usedBy }) => usedBy === 'tests').length,
    },
    duplicates: findDuplicates(readTexts(product.map(({ path }) => path))),
    flows: flows.map((flow) => ({
      name: flow.name,
      stops: flow.stops.length,
      gaps: findGaps(flow, modules),
    })),
  }
}

/**
 * Lists the measures that fail the check, one line each: loose files, circles, gaps in the flows of the
 * README, double casts, names of files that are not in kebab-case.
 */
export function houseFaults(modules: ReadonlyMap<string, Module>): string[] {
  const product = pickProductModules(modules)
  const casts = sum(product.map(({ doubleCasts }) => doubleCasts))
  return [
    ...looseIn(product).map((path) => `${path} lies on the floor: it belongs into a room`),
    ...findCircles(product).map(
      ({ rooms }) => `these rooms import each other in a circle: ${rooms.join(', ')}`,
    ),
    ...flows.flatMap((flow) => findGaps(flow, modules)),
    ...listBareCasts(product).map((place) => `${place}: a double cast without a reason beside it`),
    ...[...modules.keys()]
      .filter((path) => /[A-Z]/.test(path))
      .map((path) => `${path}: names of files and folders are in kebab-case`),
    ...(casts > maxDoubleCasts ? [`there are ${casts} double casts; ${maxDoubleCasts} may be`] : []),
  ]
}

const pickProductModules = (modules: ReadonlyMap<string, Module>) =>
  [...modules.values()].filter(({ path }) => isProduct(path) && !path.endsWith('.config.ts'))

const looseIn = (product: Module[]) =>
  product
    .map(({ path }) => path)
    .filter((path) => /^functions\/(domain\/)?[^/]+$/.test(path) && !floor.includes(path))

const listBareCasts = (product: Module[]) =>
  product.flatMap(({ path, bareCasts }) => bareCasts.map((line) => `${path}:${line}`))

const sum = (numbers: number[]) => numbers.reduce((all, each) => all + each, 0)
