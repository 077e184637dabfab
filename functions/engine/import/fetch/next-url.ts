import { parseSelector } from '../parse/selector.ts'
import { FetchError } from './errors.ts'

/**
 * The URL of the next page in a JSON document (or its text in UTF-8), by the first selector with a result. A selector is
 * a dotted path of names and indices, `*` for each; a name may contain dots (`@odata.nextLink`). With brackets it is
 * parsed as JSONPath (`$.links[0]['next']`). Null: there is none, or `null`, `false` or ''. A FetchError `pages` for
 * anything else.
 */
export function findNextPageUrl(document: unknown, selector: string | readonly string[]): string | null {
  const root = document instanceof Uint8Array ? parse(document) : document
  for (const path of [selector].flat()) {
    const parts = path.includes('[') ? parseSelector(path) : path.replace(/^\$\.?/, '').split('.')
    for (const value of valuesAt(root, parts)) {
      if (value === null || value === undefined || value === '' || value === false) continue
      if (typeof value === 'string') return value
      throw new FetchError('pages', 'The nextPageSelector does not lead to an address.', {
        diagnosis: 'What stands there is no text. Choose the member that holds the address of the next page.',
      })
    }
  }
  return null
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw new FetchError('pages', 'The page is not JSON, so no next page can be found in it.')
  }
}

/** All values at a path, in document order. */
function* valuesAt(value: unknown, parts: readonly string[]): Generator<unknown, void> {
  if (!parts.length) {
    yield value
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (parts[0] === '*') {
    for (const each of Object.values(value)) yield* valuesAt(each, parts.slice(1))
    return
  }
  for (let count = parts.length; count > 0; count--) {
    const name = parts.slice(0, count).join('.')
    if (!Object.hasOwn(value, name)) continue
    yield* valuesAt((value as Record<string, unknown>)[name], parts.slice(count))
    return
  }
}
