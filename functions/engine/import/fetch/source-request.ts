import { FetchError } from './errors.ts'
import type { FetchServices } from './ports.ts'
import { splitQuery } from './secrets.ts'
import type { ImporterSource, RequestValue } from '#functions/shapes/importer-source.ts'

/** A source with its secrets in place, as plain text. */
export interface PlainSource {
  url: string
  query: Record<string, string>
  headers: Record<string, string>
  grant: { url: string; type: string; [name: string]: string } | null
  /** All values that must not be shown or sent elsewhere. */
  secrets: string[]
}

/**
 * The request of a source. `knownSecrets`: values that are secret whatever their name; those with secret names, or
 * marked as secrets, are found here. A FetchError `refused` when a secret is missing.
 */
export function toPlainSource(
  ports: FetchServices,
  source: ImporterSource,
  knownSecrets: readonly string[],
): PlainSource {
  const secrets = new Set(knownSecrets)
  const toPlainValues = (values: Record<string, RequestValue> = {}) =>
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
  for (const { name, value } of splitQuery(question)) if (ports.isSecretName(name)) secrets.add(value)
  const headers = Object.entries(toPlainValues(source.headers)).filter(
    ([name, value]) => name !== '' && value !== '',
  )
  const { url, type, ...rest } = source.oauth?.grant ?? { url: '', type: '' }
  return {
    url: source.url,
    query: toPlainValues(source.query),
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    grant: source.oauth ? { ...toPlainValues(rest), url, type } : null,
    secrets: [...secrets],
  }
}

/** Sets query parameters of a URL, replacing those with the same names; the rest keeps its spelling. */
export function withQuery(address: string, values: Record<string, string>): string {
  const [, before = address, question = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(address) ?? []
  const parameters = splitQuery(question).filter(({ name }) => !Object.hasOwn(values, name))
  const newPairs = Object.entries(values).map((pair) => pair.map(encodeURIComponent).join('='))
  const query = [...parameters.map(({ text }) => text), ...newPairs].join('&')
  return query === '' ? before : `${before}?${query}`
}
