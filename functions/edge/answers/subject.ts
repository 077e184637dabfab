/** The subject of a cached answer. */
export interface AnswerSubject {
  kind: 'source' | 'dataType' | 'insight'
  id: string
  /** The place in the address; null where there is none, which only addresses of sources allow. */
  placeId: string | null
  /** The endpoint: `data`, `datum`, `cluster`, `fields`, `values`, `analytics`. */
  verb: string
}

const slug = '[a-z0-9][a-z0-9-]{0,62}'
const id = '[\\w-]{1,64}'
const text = '(?:(?<verb>fields|values|analytics)|data(?:/(?<datum>cluster|\\d{1,19}))?)'

/**
 * The addresses with cached answers, by kind of subject. Listed here instead of being derived from the
 * endpoint tree, which a cached answer must not load; `subject.test.ts` compares both.
 */
const addresses: [kind: AnswerSubject['kind'], pattern: RegExp][] = [
  ['source', new RegExp(`^/v1/(?:places/(?<place>${slug})/)?sources/(?<id>${id})/${text}/?$`)],
  ['dataType', new RegExp(`^/v1/places/(?<place>${slug})/dataTypes/(?<id>${slug})/${text}/?$`)],
  ['insight', new RegExp(`^/v1/places/(?<place>${slug})/insights/(?<id>${id})/(?<verb>analytics)/?$`)],
]

/** The subject of an address; null for one whose answer is not cached. */
export function parseSubject(pathname: string): AnswerSubject | null {
  for (const [kind, pattern] of addresses) {
    const parts = pattern.exec(pathname)?.groups
    if (!parts) continue
    const { datum } = parts
    const verb = parts.verb ?? (datum === undefined ? 'data' : datum === 'cluster' ? datum : 'datum')
    return { kind, id: parts.id ?? '', placeId: parts.place ?? null, verb }
  }
  return null
}
