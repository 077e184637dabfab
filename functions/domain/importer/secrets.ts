import type { ImporterSource, RequestValue } from '#functions/shapes/importerSource.ts'
import { Failure } from '#functions/errors.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import { isSecretName } from '#functions/shapes/secretName.ts'

/** A secret value of a source: where it stood, and whom it is for. */
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
 * Takes what is secret out of sources. Where a value stood, `{ secret: true }` stands then; where that stood already the
 * stored value is kept, if it is for the same origin: a secret does not follow its source to another server. Credentials
 * in the query of an address move into `query`. Failure `invalid` for a value that is not there to be kept.
 */
export function takeSecrets(
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
      const secret = input === true ? storedFor(storedSecrets, source, path, origin) : input
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

/** The value stored under a path for an origin: that of the same source, else the only one there is. */
function storedFor(
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

/** The address without what is secret in its query, and the query with it; what `query` says already stays. */
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
