import type { Context } from '#functions/context.ts'

/** The versions of the data behind an answer, by `source:{id}` and the like: integers that only grow, or texts that name a state. */
export type Versions = Record<string, number | string>

/**
 * The nouns that a response can depend on; `files`: the prepared files of a source; `profile`: statistics
 * of its fields; `use`: which stories use a source and what they show, by the ids of both.
 */
type DependencyNoun =
  | 'boundary'
  | 'boundarySet'
  | 'collection'
  | 'dataType'
  | 'files'
  | 'insight'
  | 'page'
  | 'place'
  | 'profile'
  | 'source'
  | 'use'

/** The dependencies of a response: when one of them changes, stored pages that contain the response are rendered again. */
interface Dependencies {
  /** Rows by noun and id, of which the answer shows something, as their names. */
  rows?: Partial<Record<DependencyNoun, readonly string[]>>
  /** Lists of a noun: of a place, or (null) of all places. */
  lists?: Partial<Record<DependencyNoun, string | null>>
  /**
   * Rows whose content is shown (records, an answer), not only their names. A stored page is withheld as soon as one of
   * these is no longer public, even when it cannot be rendered again.
   */
  shows?: Partial<Record<'source' | 'insight', readonly string[]>>
}

/** The versions of the data behind an answer, for caches and for conditional requests. */
interface DataVersions {
  versions: Versions
  /** The answer also depends on the present time, so equal versions do not mean an equal answer. */
  isOfNow?: boolean
}

type Dependent = Pick<Context, 'depends' | 'basis'>

/**
 * The only way to declare the dependencies of a response. Versions are declared before the data are read, so that a
 * response made during a change carries the older ones. A client that already has the response of these versions gets
 * 304 (`NotModified`) before anything is read.
 */
export function dependsOn(ctx: Dependent, on: Dependencies): void
export function dependsOn(ctx: Dependent, on: Dependencies & DataVersions): Promise<void>
export function dependsOn(ctx: Dependent, on: Dependencies & Partial<DataVersions>): void | Promise<void> {
  const { rows = {}, lists = {}, shows = {}, versions, isOfNow } = on
  for (const [noun, ids] of [...Object.entries(rows), ...Object.entries(shows)])
    for (const id of ids) ctx.depends.add(`${noun}:${id}`)
  for (const [noun, ids] of Object.entries(shows))
    for (const id of ids) ctx.depends.add(`shows:${noun}:${id}`)
  for (const [noun, placeId] of Object.entries(lists)) ctx.depends.add(`${noun}s:${placeId ?? '*'}`)
  if (versions) return ctx.basis(versions, isOfNow)
}

/** Adds the dependency tags of another answer that this one contains. */
export function dependsAs(ctx: Pick<Context, 'depends'>, other: ReadonlySet<string>): void {
  for (const tag of other) ctx.depends.add(tag)
}

/** The versions that a response declared. */
export interface AnswerBasis {
  basis: Versions
  isOfNow: boolean
}

export const emptyBasis = (): AnswerBasis => ({ basis: {}, isOfNow: false })

/** Collects in `basis` the versions that responses of this context declare. */
export function collectVersions(ctx: Pick<Context, 'basis'>, basis: AnswerBasis): void {
  ctx.basis = async (versions, isOfNow = false) => {
    Object.assign(basis.basis, versions)
    basis.isOfNow ||= isOfNow
  }
}
