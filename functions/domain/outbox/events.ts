/** A domain event: stored in the outbox, handled by the consumers of the queue. */
export interface DomainEvent {
  kind: string
  /** Null where it concerns every place. */
  placeId: string | null
  payload: Record<string, unknown>
}

const lists: Record<string, string> = {
  page: 'pages',
  source: 'sources',
  insight: 'insights',
  collection: 'collections',
  dataType: 'dataTypes',
  boundarySet: 'boundarySets',
}

/**
 * The dependency tags that an event makes stale: its row, and the lists that contain it. A page's texts change its own
 * page; its title, publication or visibility change the lists as well. New records of a source change what depends on
 * that source; a page that lists sources with their counts depends on each of them.
 */
export function getEventTags({ kind, placeId: of, payload }: DomainEvent): string[] {
  if (kind === 'translation') return tagsOfTranslation(of, payload)
  const placeId = payload.isOfAll === true ? null : of
  const id = typeof payload.id === 'string' ? payload.id : null
  const sourceId = typeof payload.sourceId === 'string' ? payload.sourceId : null
  const tags: string[] = []
  if (id !== null) tags.push(`${kind}:${id}`)
  if (sourceId !== null && kind !== 'insight') tags.push(`source:${sourceId}`)
  if (kind === 'place' && placeId !== null) tags.push(`place:${placeId}`, 'places:*')
  const list = lists[kind]
  if (list && payload.listChanged !== false) {
    if (placeId !== null) tags.push(`${list}:${placeId}`)
    tags.push(`${list}:*`)
    // A data type is listed where it has a visible source.
    if (kind === 'source' && placeId !== null) tags.push(`dataTypes:${placeId}`, 'dataTypes:*')
  }
  return [...new Set(tags)]
}

/**
 * The tag of what is stale in one language only: pages declare dependencies without a language, and one in `language` is
 * stale where `tagIn(language, tag)` has changed.
 */
export const tagIn = (language: string, tag: string) => `${language} ${tag}`

/** The tags of a translated text: those of its noun, but only in that language. */
function tagsOfTranslation(
  placeId: string | null,
  { language, of, ofId: id }: DomainEvent['payload'],
): string[] {
  if (typeof language !== 'string' || typeof of !== 'string' || typeof id !== 'string') return []
  return getEventTags({ kind: of, placeId, payload: { id } }).map((tag) => tagIn(language, tag))
}
