import type { AnswerMetadata, Entry } from './entry.ts'
import type { AnswerSubject } from './subject.ts'
import type { StoredPlaceState } from '#functions/edge/hub/place-state.ts'

/**
 * Whether a cached answer is current: everything it depends on is public, and not older than the versions in
 * the place's state. Newer is fine: the answer is then fresher than the state. An answer on all sources of a
 * data type must include all that are public now. `now` in milliseconds.
 */
export function isCurrent(
  subject: AnswerSubject,
  entry: Entry,
  place: StoredPlaceState,
  now: number,
): boolean {
  const { basis, until } = entry.about
  if (until !== null && now >= until) return false
  // Already checked against this version of the state.
  if (entry.checkedBy === place.stamp) return true
  if (!isMadeOfToday(subject, basis, place)) return false
  entry.checkedBy = place.stamp
  return true
}

function isMadeOfToday(
  subject: AnswerSubject,
  basis: AnswerMetadata['basis'],
  place: StoredPlaceState,
): boolean {
  const dataType = findDataTypeId(subject, place)
  if (dataType === null || !(`dataType:${dataType}` in basis) || !('timeZone' in basis)) return false
  if (subject.kind === 'insight' && !(`insight:${subject.id}` in basis)) return false
  if (!isBasisOfToday(basis, place)) return false
  return listSourceIds(subject, place, dataType).every((id) => `source:${id}` in basis)
}

/** Whether everything that an answer depends on is public, and has no newer version; whatever its subject. */
export function isBasisOfToday(basis: AnswerMetadata['basis'], place: StoredPlaceState): boolean {
  return Object.entries(basis).every(([name, value]) => isDependencyCurrent(place, basis, name, value))
}

/**
 * Whether everything that an answer depends on is still public, at any version: such an answer may be served
 * as an outdated one when no current one is available.
 */
export function isStillPublic(
  subject: AnswerSubject,
  { about: { basis } }: Entry,
  place: StoredPlaceState,
): boolean {
  if (findDataTypeId(subject, place) === null) return false
  if (subject.kind === 'insight' && !(`insight:${subject.id}` in basis)) return false
  return Object.entries(basis).every(([name, value]) => {
    const [, noun = '', id = ''] = /^(\w+):(.*)$/s.exec(name) ?? []
    if (name === 'timeZone') return true
    if (typeof value !== 'number') return false
    if (noun === 'dataType' || noun === 'sources') return findOwnProperty(place.dataTypes, id) !== undefined
    if (noun === 'insight') return findOwnProperty(place.insights, id) !== undefined
    return noun === 'source' && findOwnProperty(place.sources, id) !== undefined
  })
}

/** The data type of a subject; null for a subject that is not public. */
export function findDataTypeId(
  { kind, id }: AnswerSubject,
  { sources, insights, dataTypes }: StoredPlaceState,
): string | null {
  if (kind === 'source') return findOwnProperty(sources, id)?.dataType ?? null
  if (kind === 'insight') return findOwnProperty(insights, id)?.dataType ?? null
  return findOwnProperty(dataTypes, id) === undefined ? null : id
}

/** The sources that an answer on a subject must include. */
function listSourceIds({ kind, id }: AnswerSubject, place: StoredPlaceState, dataType: string): string[] {
  if (kind === 'source') return [id]
  const sourceId = kind === 'insight' ? findOwnProperty(place.insights, id)?.source : null
  return sourceId ? [sourceId] : listTypeSourceIds(place, dataType)
}

/**
 * Whether one dependency of an answer is public and has no newer version. Dependencies outside of the place's
 * state, such as sources of other places, make an answer uncacheable.
 */
function isDependencyCurrent(
  place: StoredPlaceState,
  basis: AnswerMetadata['basis'],
  name: string,
  value: number | string,
): boolean {
  if (name === 'timeZone') return value === place.timeZone
  const [, noun = '', id = ''] = /^(\w+):(.*)$/s.exec(name) ?? []
  if (typeof value !== 'number') return false
  if (noun === 'dataType') return value >= (findOwnProperty(place.dataTypes, id) ?? Infinity)
  if (noun === 'insight') return value >= (findOwnProperty(place.insights, id)?.version ?? Infinity)
  if (noun === 'source') return value >= (findOwnProperty(place.sources, id)?.version ?? Infinity)
  if (noun !== 'sources') return false
  // A join of all sources of a data type: as many as there were, and the same ones.
  const all = listTypeSourceIds(place, id)
  return all.length === value && all.every((source) => `source:${source}` in basis)
}

const listTypeSourceIds = ({ sources }: StoredPlaceState, dataType: string) =>
  Object.keys(sources).filter((id) => sources[id]?.dataType === dataType)

/** An own property of parsed JSON, so that names from addresses such as `constructor` are safe. */
function findOwnProperty<T>(record: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
