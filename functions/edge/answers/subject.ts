/** What a kept answer is about: all of it is public, or the answer is no one's to read from a cache. */
export interface AnswerSubject {
  kind: 'source' | 'dataType' | 'insight'
  id: string
  /** The place the address names; null where it names none, which is only of sources. */
  placeId: string | null
  /** What is asked: `data`, `datum`, `cluster`, `fields`, `values`, `analytics`. */
  verb: string
}

const slug = '[a-z0-9][a-z0-9-]{0,62}'
const id = '[\\w-]{1,64}'
const text = '(?:(?<verb>fields|values|analytics)|data(?:/(?<datum>cluster|\\d{1,19}))?)'

/**
 * The addresses whose answers are kept, by what their answers are made of. Written here and not taken from the tree of
 * endpoints, which a kept answer must not load; `subject.test.ts` holds them against the tree.
 */
const addresses: [kind: AnswerSubject['kind'], pattern: RegExp][] = [
  ['source', new RegExp(`^/v1/(?:places/(?<place>${slug})/)?sources/(?<id>${id})/${text}/?$`)],
  ['dataType', new RegExp(`^/v1/places/(?<place>${slug})/dataTypes/(?<id>${slug})/${text}/?$`)],
  ['insight', new RegExp(`^/v1/places/(?<place>${slug})/insights/(?<id>${id})/(?<verb>analytics)/?$`)],
]

/** What an address asks about; null for one whose answer is not kept. */
export function subjectOf(pathname: string): AnswerSubject | null {
  for (const [kind, pattern] of addresses) {
    const parts = pattern.exec(pathname)?.groups
    if (!parts) continue
    const { datum } = parts
    const verb = parts.verb ?? (datum === undefined ? 'data' : datum === 'cluster' ? datum : 'datum')
    return { kind, id: parts.id ?? '', placeId: parts.place ?? null, verb }
  }
  return null
}
