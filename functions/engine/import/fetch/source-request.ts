import { FetchError } from './errors.ts'
import type { FetchServices } from './ports.ts'
import { parametersOf } from './secrets.ts'
import type { ImporterSource, RequestValue } from '#functions/shapes/importerSource.ts'

/** A source with its secrets in place, as plain text. */
export interface PlainSource {
  url: string
  query: Record<string, string>
  headers: Record<string, string>
  grant: { url: string; type: string; [name: string]: string } | null
  /** Every value that must not be shown or sent elsewhere. */
  secrets: string[]
}

/**
 * A source as it is sent. `knownSecrets` are values that are secret whatever their name; those that are by their name or are
 * marked so in the source are found here. A FetchError `refused` when a secret is missing in it.
 */
export function plainOf(
  ports: FetchServices,
  source: ImporterSource,
  knownSecrets: readonly string[],
): PlainSource {
  const secrets = new Set(knownSecrets)
  const plain = (values: Record<string, RequestValue> = {}) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]): [string, string] => {
        const isMarked = typeof value === 'object'
        if (isMarked && value.secret === true)
          throw new FetchError('refused', 'A secret of this source is missing: send it again.')
        const text = String(isMarked ? value.secret : value)
        if (isMarked || ports.isSecretName(name)) secrets.add(text)
        return [name, text]
      }),
    )
  const [, question = ''] = /\?([^#]*)/.exec(source.url) ?? []
  for (const { name, value } of parametersOf(question)) if (ports.isSecretName(name)) secrets.add(value)
  const headers = Object.entries(plain(source.headers)).filter(([name, value]) => name !== '' && value !== '')
  const { url, type, ...rest } = source.oauth?.grant ?? { url: '', type: '' }
  return {
    url: source.url,
    query: plain(source.query),
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    grant: source.oauth ? { ...plain(rest), url, type } : null,
    secrets: [...secrets],
  }
}

/** An address with parameters: those it has of the same names are left out, the rest of it keeps its spelling. */
export function withQuery(address: string, values: Record<string, string>): string {
  const [, before = address, question = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(address) ?? []
  const parameters = parametersOf(question).filter(({ name }) => !Object.hasOwn(values, name))
  const added = Object.entries(values).map((pair) => pair.map(encodeURIComponent).join('='))
  const query = [...parameters.map(({ text }) => text), ...added].join('&')
  return query === '' ? before : `${before}?${query}`
}
