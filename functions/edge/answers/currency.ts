import type { About, Entry } from './entry.ts'
import type { AnswerSubject } from './subject.ts'
import type { KeptState } from '#functions/edge/hub/place-state.ts'

/**
 * Whether an answer about a subject is one of today: everything it was made of is public, and of no older version than
 * the edge knows of. A newer one is no mistake: the answer is fresher than what the edge was told. Where it was made of
 * all sources of a data type, it must know of all that are public now.
 */
export function isCurrent(subject: AnswerSubject, entry: Entry, place: KeptState, now: number): boolean {
  const { basis, until } = entry.about
  if (until !== null && now >= until) return false
  // The state is the one it was held against the last time.
  if (entry.checkedBy === place.stamp) return true
  if (!isMadeOfToday(subject, basis, place)) return false
  entry.checkedBy = place.stamp
  return true
}

function isMadeOfToday(subject: AnswerSubject, basis: About['basis'], place: KeptState): boolean {
  const dataType = dataTypeOf(subject, place)
  if (dataType === null || !(`dataType:${dataType}` in basis) || !('timeZone' in basis)) return false
  if (subject.kind === 'insight' && !(`insight:${subject.id}` in basis)) return false
  if (!isBasisOfToday(basis, place)) return false
  return sourcesOf(subject, place, dataType).every((id) => `source:${id}` in basis)
}

/** Whether all that an answer was made of is public, and no newer; whatever was asked. */
export function isBasisOfToday(basis: About['basis'], place: KeptState): boolean {
  return Object.entries(basis).every(([name, value]) => isOf(place, basis, name, value))
}

/**
 * Whether everything that an answer was made of is still public, at whatever versions: it may be given, as what it is, an
 * older one, when none of today can be had.
 */
export function isStillPublic(
  subject: AnswerSubject,
  { about: { basis } }: Entry,
  place: KeptState,
): boolean {
  if (dataTypeOf(subject, place) === null) return false
  if (subject.kind === 'insight' && !(`insight:${subject.id}` in basis)) return false
  return Object.entries(basis).every(([name, value]) => {
    const [, noun = '', id = ''] = /^(\w+):(.*)$/s.exec(name) ?? []
    if (name === 'timeZone') return true
    if (typeof value !== 'number') return false
    if (noun === 'dataType' || noun === 'sources') return own(place.dataTypes, id) !== undefined
    if (noun === 'insight') return own(place.insights, id) !== undefined
    return noun === 'source' && own(place.sources, id) !== undefined
  })
}

/** The data type a subject is of; null for a subject that is not public. */
export function dataTypeOf(
  { kind, id }: AnswerSubject,
  { sources, insights, dataTypes }: KeptState,
): string | null {
  if (kind === 'source') return own(sources, id)?.dataType ?? null
  if (kind === 'insight') return own(insights, id)?.dataType ?? null
  return own(dataTypes, id) === undefined ? null : id
}

/** The sources that an answer about a subject must be made of. */
function sourcesOf({ kind, id }: AnswerSubject, place: KeptState, dataType: string): string[] {
  if (kind === 'source') return [id]
  const sourceId = kind === 'insight' ? own(place.insights, id)?.source : null
  return sourceId ? [sourceId] : ofType(place, dataType)
}

/**
 * Whether one thing that an answer was made of is public and no newer there. What is in no state of the place, as the
 * sources of other places, the edge knows nothing of, so an answer made of it is not kept.
 */
function isOf(place: KeptState, basis: About['basis'], name: string, value: number | string): boolean {
  if (name === 'timeZone') return value === place.timeZone
  const [, noun = '', id = ''] = /^(\w+):(.*)$/s.exec(name) ?? []
  if (typeof value !== 'number') return false
  if (noun === 'dataType') return value >= (own(place.dataTypes, id) ?? Infinity)
  if (noun === 'insight') return value >= (own(place.insights, id)?.version ?? Infinity)
  if (noun === 'source') return value >= (own(place.sources, id)?.version ?? Infinity)
  if (noun !== 'sources') return false
  // All sources of a data type, joined: as many as there were, and the same ones.
  const all = ofType(place, id)
  return all.length === value && all.every((source) => `source:${source}` in basis)
}

const ofType = ({ sources }: KeptState, dataType: string) =>
  Object.keys(sources).filter((id) => sources[id]?.dataType === dataType)

/** A member of what was read as JSON: names come from addresses, and `constructor` is a name like any other. */
function own<T>(record: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
