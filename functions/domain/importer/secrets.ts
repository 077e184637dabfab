import type { ImporterSource, RequestValue } from '#functions/shapes/importer-source.ts'
import { Failure } from '#functions/errors.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import { isSecretName } from '#functions/shapes/secret-name.ts'

/** A secret value of a source: its path, and the origin it is for. */
export interface StoredSecret {
  /** Index of the source. */
  source: number
  /** Below the source: ['headers', 'authorization']. */
  path: string[]
  /** The only origins it serves: that of the address; of a grant also that of where its token is used. */
  origin: string
  value: string
}

/**
 * Extracts the secrets of sources and replaces each by `{ secret: true }`; where that is sent instead of a value the
 * stored one is kept, if it is for the same origin: a secret is never sent to another server. Credentials in the query
 * string of a URL move into `query`. Failure `invalid` for a placeholder without a stored value.
 */
export function extractSecrets(
  sources: ImporterSource[],
  storedSecrets: StoredSecret[],
): { sources: ImporterSource[]; secrets: StoredSecret[] } {
  const secrets: StoredSecret[] = []
  const issues: Issue[] = []

  function withoutSecrets(
    values: Record<string, RequestValue>,
    source: number,
    above: string[],
    ...urls: string[]
  ) {
    const origin = urls.map((url) => new URL(url).origin).join(' ')
    return Object.entries(values).map(([name, value]): [string, RequestValue] => {
      const path = [...above, name]
      const isMarked = typeof value === 'object'
      if (!isMarked && (!isSecretName(name) || value === '')) return [name, value]
      const input = isMarked ? value.secret : String(value)
      const secret = input === true ? findStoredValue(storedSecrets, source, path, origin) : input
      if (secret === undefined) issues.push({ path: ['sources', source, ...path], message: missing })
      else secrets.push({ source, path, origin, value: secret })
      return [name, { secret: true }]
    })
  }

  const cleanSources = sources.map((input, i): ImporterSource => {
    const { url, query } = withoutCredentials(input)
    const { headers, oauth } = input
    const { url: grantUrl, type, ...grant } = oauth?.grant ?? { url: '', type: '' }
    return {
      ...input,
      url,
      ...(query && { query: Object.fromEntries(withoutSecrets(query, i, ['query'], url)) }),
      ...(headers && { headers: Object.fromEntries(withoutSecrets(headers, i, ['headers'], url)) }),
      ...(oauth && {
        oauth: {
          grant: {
            ...Object.fromEntries(withoutSecrets(grant, i, ['oauth', 'grant'], grantUrl, url)),
            url: grantUrl,
            type,
          },
        },
      }),
    }
  })
  if (issues.length) throw new Failure('invalid', { issues })
  return { sources: cleanSources, secrets }
}

const missing = 'No value is stored for this address: send it.'

/** The stored value of a path for an origin: that of the same source, or else the only one. */
function findStoredValue(
  storedSecrets: StoredSecret[],
  source: number,
  path: string[],
  origin: string,
): string | undefined {
  const fitting = storedSecrets.filter(
    (each) => each.origin === origin && each.path.join('\n') === path.join('\n'),
  )
  const same = fitting.find((each) => each.source === source)
  const values = new Set(fitting.map(({ value }) => value))
  return same?.value ?? (values.size === 1 ? fitting[0]?.value : undefined)
}

/** The URL without credentials in its query string, and `query` with them; existing members of `query` take precedence. */
function withoutCredentials({ url, query }: ImporterSource): Pick<ImporterSource, 'url' | 'query'> {
  const [, before = url, question, after = ''] = /^([^?#]*)\?([^#]*)(#.*)?$/.exec(url) ?? []
  if (question === undefined) return { url, query }
  const parts = question.split('&').map((text) => {
    const [[name, value] = ['', '']] = [...new URLSearchParams(text)]
    return { text, name, value }
  })
  const isSecret = ({ name, value }: { name: string; value: string }) => value !== '' && isSecretName(name)
  const hidden = parts.filter(isSecret)
  if (!hidden.length) return { url, query }
  const plainTexts = parts.filter((part) => !isSecret(part)).map(({ text }) => text)
  return {
    url: `${before}${plainTexts.length ? `?${plainTexts.join('&')}` : ''}${after}`,
    query: { ...Object.fromEntries(hidden.map(({ name, value }) => [name, value])), ...query },
  }
}

/** The sources with their secrets put back in place. Only for fetching: the result must not be stored. */
export function withSecrets(sources: ImporterSource[], secrets: StoredSecret[]): ImporterSource[] {
  const result = structuredClone(sources)
  for (const { source, path, value } of secrets) {
    const keys = [...path]
    const last = keys.pop() ?? ''
    let at: unknown = result[source]
    for (const key of keys) at = (at as Record<string, unknown> | undefined)?.[key]
    if (typeof at === 'object' && at !== null) (at as Record<string, unknown>)[last] = value
  }
  return result
}
