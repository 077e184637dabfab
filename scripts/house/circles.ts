import type { Module } from './modules.ts'

/** Rooms that import each other directly or indirectly (an import cycle), and the imports between them. */
export interface Circle {
  rooms: string[]
  imports: { from: string; to: string; count: number }[]
}

/** Files directly in `functions` that belong to the platform: ports, errors and settings. */
const platformFiles = ['context', 'errors', 'settings'].map((name) => `functions/${name}.ts`)

/**
 * Returns the room of a module: a folder of `functions` or `app`; `functions/*` or `app/*` for files directly
 * in them.
 */
export function getRoom(path: string): string {
  const [top = '', second = '', third] = path.split('/')
  if (top !== 'functions' && top !== 'app') return top
  if (platformFiles.includes(path)) return 'functions/platform'
  return third === undefined ? `${top}/*` : `${top}/${second}`
}

/**
 * Finds the import cycles between rooms: strongly connected components of more than one room, largest first.
 * Imports of types count, because a reader has to follow them as well.
 */
export function findCircles(modules: Iterable<Module>): Circle[] {
  const edges = new Map<string, Map<string, number>>()
  for (const { path, imports } of modules) {
    const from = getRoom(path)
    const targets = edges.get(from) ?? new Map<string, number>()
    edges.set(from, targets)
    for (const to of new Set(imports.filter(({ isPackage }) => !isPackage).map((each) => each.from))) {
      const room = getRoom(to)
      if (room !== from) targets.set(room, (targets.get(room) ?? 0) + 1)
    }
  }
  return findComponents(edges)
    .filter((rooms) => rooms.length > 1)
    .map((rooms) => ({
      rooms: rooms.sort(),
      imports: rooms.flatMap((from) =>
        [...(edges.get(from) ?? [])]
          .filter(([to]) => rooms.includes(to))
          .map(([to, count]) => ({ from, to, count })),
      ),
    }))
    .sort((a, b) => b.rooms.length - a.rooms.length)
}

/** Finds strongly connected components by Tarjan's algorithm (SIAM Journal on Computing 1, 1972). */
function findComponents(edges: ReadonlyMap<string, ReadonlyMap<string, number>>): string[][] {
  const indexes = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const components: string[][] = []
  const visit = (room: string) => {
    indexes.set(room, indexes.size)
    lowest.set(room, indexes.get(room)!)
    stack.push(room)
    for (const next of edges.get(room)?.keys() ?? []) {
      if (!indexes.has(next)) {
        visit(next)
        lowest.set(room, Math.min(lowest.get(room)!, lowest.get(next)!))
      } else if (stack.includes(next)) {
        lowest.set(room, Math.min(lowest.get(room)!, indexes.get(next)!))
      }
    }
    if (lowest.get(room) === indexes.get(room)) components.push(stack.splice(stack.indexOf(room)))
  }
  for (const room of edges.keys()) if (!indexes.has(room)) visit(room)
  return components
}
