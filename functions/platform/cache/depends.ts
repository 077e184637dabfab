import type { Context } from '#functions/context.ts'

/** What data an answer was made of: versions by `source:{id}` and so on, integers that only grow, and texts that name a state. */
export type Versions = Record<string, number | string>

/** The nouns that an answer can be made of; `files`: the prepared files of a source. */
type DependencyNoun =
  'boundary' | 'collection' | 'dataType' | 'files' | 'insight' | 'page' | 'place' | 'source'

/** What an answer was made of: when one of these changes, a stored page with this answer is made again. */
interface Dependencies {
  /** Rows, by their noun and id: what they are called, say. */
  rows?: Partial<Record<DependencyNoun, readonly string[]>>
  /** Lists of a noun: of a place, or (null) of all places. */
  lists?: Partial<Record<DependencyNoun, string | null>>
  /**
   * Rows whose content is shown (records, an answer), not only what they are called. A stored page that shows it is withheld as
   * soon as one of them is not public any more, also where it cannot be made again.
   */
  shows?: Partial<Record<'source' | 'insight', readonly string[]>>
}

/** Of which versions of the data an answer is made, for caches and for who has the answer already. */
interface DataVersions {
  versions: Versions
  /** The answer is also made of what time it is, so that the same versions do not make it the same. */
  isOfNow?: boolean
}

type Dependent = Pick<Context, 'depends' | 'basis'>

/**
 * The one way to say what an answer depends on. Versions are said before the data are read: an answer made while they change
 * carries the older ones. Who has the answer made of them already is told so at once (`NotModified`), and nothing is
 * read.
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

/** Notes on an answer what another one, that it was made of, depends on. */
export function dependsAs(ctx: Pick<Context, 'depends'>, other: ReadonlySet<string>): void {
  for (const tag of other) ctx.depends.add(tag)
}

/** What an answer said of the versions it is made of, while it was made. */
export interface AnswerBasis {
  basis: Versions
  isOfNow: boolean
}

export const emptyBasis = (): AnswerBasis => ({ basis: {}, isOfNow: false })

/** Writes all that an answer of this context says of its versions into `made`. */
export function noteVersions(ctx: Pick<Context, 'basis'>, made: AnswerBasis): void {
  ctx.basis = async (versions, isOfNow = false) => {
    Object.assign(made.basis, versions)
    made.isOfNow ||= isOfNow
  }
}
