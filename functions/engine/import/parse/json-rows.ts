import { JsonScanner } from './json-scan.ts'
import type { ParsedSource } from './reading.ts'
import { scanBeginning } from './selectors.ts'
import { isSelected, selectorText } from './selector.ts'

/** A possible location of rows in a JSON document. */
export interface JsonList {
  selector: string
  /** The number of objects in all of its lists, in the inspected part of the document. */
  rows: number
  /** The first names of their members, at most eight, in the order of the document. */
  keys: string[]
}

/** The statistics of a path. */
interface Place {
  path: string[]
  /**
   * Whether it leads to items of lists, or to members of an object that is used as a list; otherwise to
   * single objects.
   */
  isList: boolean
  rows: number
  /** The length of the longest list. */
  longest: number
  /** The number of objects with each name. */
  names: Map<string, number>
}

/** The open levels, from the root. */
interface Level {
  isList: boolean
  /** Whether it is inside a list. */
  isWithinList: boolean
  objects: number
  /** The paths that count its keys. */
  places: Place[]
}

const maxListed = 100
const maxPlaces = 2000
const maxNames = 1000
const namesShown = 8
/** An object with at least this many similar members is treated as a list: its keys are ids. */
const minMembers = 5

/**
 * Finds possible locations of rows in a JSON document, best first: lists of similar objects by their longest
 * list, of equally long ones the outer one; then other lists; then single objects, deepest first. Only the
 * beginning of a long document is inspected. Unreadable if the source cannot be read.
 */
export async function jsonRows(reading: ParsedSource): Promise<JsonList[]> {
  const places = new JsonPlaces()
  const scanner = new JsonScanner({ selectors: [], caps: reading.caps, onValue() {}, ...places.callbacks })
  await scanBeginning(
    reading,
    () => places.isAny,
    (text) => scanner.push({ text, bad: [], ascii: true }),
  )
  return places.listsSoFar()
}

/** The paths of `jsonRows`. */
export async function jsonSelectors(reading: ParsedSource): Promise<string[]> {
  return (await jsonRows(reading)).map(({ selector }) => selector)
}

/** Collects statistics of paths from the structure and keys of a document. */
export class JsonPlaces {
  /** The callbacks for a scanner. */
  readonly callbacks = {
    onOpen: (path: string[], isList: boolean) => this.open(path, isList),
    onName: (name: string) => this.name(name),
    onClose: () => this.close(),
  }
  /** The keys of the document itself. */
  private root: Place = { path: [], isList: false, rows: 1, longest: 1, names: new Map() }
  private single = new Map<string, Place>()
  /** Members of objects outside of lists, by their path with `*` as the last key. */
  private members = new Map<string, Place>()
  private levels: Level[] = []

  get isAny(): boolean {
    return this.single.size > 0
  }

  private open(path: string[], isList: boolean) {
    const outer = this.levels.at(-1)
    const isWithinList = outer !== undefined && (outer.isList || outer.isWithinList)
    const level: Level = { isList, isWithinList, objects: 0, places: [] }
    this.levels.push(level)
    if (!isList && !outer) level.places.push(this.root)
    if (isList || !outer) return
    outer.objects += 1
    const places = [placeAt(this.single, path, outer.isList)]
    if (!isWithinList) places.push(placeAt(this.members, [...path.slice(0, -1), '*'], true))
    for (const place of places) {
      if (!place) continue
      place.rows += 1
      place.longest = Math.max(place.longest, outer.objects)
      level.places.push(place)
    }
  }

  private name(name: string) {
    for (const { names } of this.levels.at(-1)?.places ?? [])
      if (names.has(name) || names.size < maxNames) names.set(name, (names.get(name) ?? 0) + 1)
  }

  private close() {
    this.levels.pop()
  }

  /** Returns the keys of the objects at a path, in which `*` is any step; null without an object. */
  namesAt(steps: string[]): string[] | null {
    if (steps.length === 0) return this.root.names.size ? [...this.root.names.keys()] : null
    const places = [...this.single.values()].filter(({ path }) => isSelected(steps, path, path.length))
    return places.length ? [...new Set(places.flatMap(({ names }) => [...names.keys()]))] : null
  }

  listsSoFar(): JsonList[] {
    for (const place of this.members.values()) if (isUsedLikeList(place)) this.mergePaths(place)
    const places = [...this.single.values()].sort(
      (a, b) =>
        rankPlace(a) - rankPlace(b) ||
        (a.isList ? b.longest - a.longest || a.path.length - b.path.length : b.path.length - a.path.length),
    )
    return places.slice(0, maxListed).map(({ path, rows, names }) => ({
      ...{ selector: selectorText(path), rows },
      keys: [...names.keys()].slice(0, namesShown),
    }))
  }

  /** Merges the paths that differ only in a key which is an id. */
  private mergePaths({ path }: Place) {
    const id = path.length - 1
    const all = [...this.single.values()]
    this.single.clear()
    for (const place of all) {
      const isOfThese = place.path.length > id && path.every((step, i) => i === id || place.path[i] === step)
      const together = isOfThese ? path.concat(place.path.slice(path.length)) : place.path
      const isList = place.isList || (isOfThese && together.length === path.length)
      const target = placeAt(this.single, together, isList)
      if (!target) continue
      target.rows += place.rows
      target.longest = Math.max(target.longest, place.longest)
      for (const [name, count] of place.names) target.names.set(name, (target.names.get(name) ?? 0) + count)
    }
  }
}

/** The statistics of a path; undefined beyond the limit of paths. */
function placeAt(places: Map<string, Place>, path: string[], isList: boolean): Place | undefined {
  const selector = selectorText(path)
  let place = places.get(selector)
  if (!place && places.size < maxPlaces) {
    place = { path: [...path], isList, rows: 0, longest: 0, names: new Map() }
    places.set(selector, place)
  }
  if (place && isList) place.isList = true
  return place
}

const rankPlace = (place: Place) => (!place.isList ? 2 : isAlike(place) ? 0 : 1)

/** Whether at least half of the objects have a key in common. */
const isAlike = ({ rows, names }: Place) => Math.max(0, ...names.values()) * 2 >= rows

/**
 * Whether the members of an object are rows: there are many, and each has on average at least half of all
 * keys.
 */
function isUsedLikeList({ rows, longest, names }: Place): boolean {
  const sum = [...names.values()].reduce((all, count) => all + count, 0)
  return longest >= minMembers && sum > 0 && sum * 2 >= rows * names.size
}
