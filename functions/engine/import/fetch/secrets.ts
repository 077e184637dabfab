import type { FetchRequest } from './ports.ts'
import { decodePercents } from '#functions/shapes/percent-encoding.ts'

const mask = '***'

/** All values of a request that must not be shown: its secrets and tokens. Longest first. */
export function getSecrets({ secrets = [], token }: FetchRequest): string[] {
  return [...new Set([...secrets, ...(token?.issued ?? [])])]
    .filter((value) => value !== '')
    .sort((a, b) => b.length - a.length)
}

/**
 * A URL for display: secret parameters, by value or name, and secrets elsewhere in it are masked; without fragment.
 * Null: not a URL.
 */
export function maskSecrets(
  address: string,
  secrets: readonly string[],
  isSecretName: (name: string) => boolean,
): string | null {
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  const path = withoutSpellings(url.pathname, secrets)
  const maskedAddress = `${withoutSpellings(url.origin, secrets)}${holds(decodePercents(path) ?? path, secrets) ? `/${mask}` : path}`
  const parts = splitQuery(url.search).map(({ text, name, value }) => {
    if (holds(name, secrets)) return mask
    const isSecret = value !== '' && (isSecretName(name) || holds(value, secrets))
    return isSecret ? `${text.slice(0, text.indexOf('='))}=${mask}` : text
  })
  return parts.length ? `${maskedAddress}?${parts.join('&')}` : maskedAddress
}

/** A URL of another origin, without parameters whose value is a secret. Null when a secret occurs elsewhere in it. */
export function withoutSecrets(url: URL, secrets: readonly string[]): URL | null {
  const clean = new URL(url)
  const parts = splitQuery(url.search)
  const safeParameters = parts.filter(({ value }) => !secrets.includes(value))
  if (safeParameters.length < parts.length) clean.search = safeParameters.map(({ text }) => text).join('&')
  clean.hash = ''
  return holds(clean.href, secrets) || holds(decodePercents(clean.href) ?? clean.href, secrets) ? null : clean
}

/** Whether one of the values of the query is a secret. */
export function hasSecretParameter(url: URL, secrets: readonly string[]): boolean {
  return splitQuery(url.search).some(({ value }) => secrets.includes(value))
}

/** A query in its own spelling, part by part. */
export function splitQuery(search: string): { text: string; name: string; value: string }[] {
  const query = search.replace(/^\?/, '')
  if (query === '') return []
  return query.split('&').map((text) => {
    const [[name, value] = ['', '']] = [...new URLSearchParams(text)]
    return { text, name, value }
  })
}

/** Shorter secrets occur in texts by chance, so only whole values are matched. */
const shortest = 4

function holds(text: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => secret === text || (secret.length >= shortest && text.includes(secret)))
}

function withoutSpellings(text: string, secrets: readonly string[]): string {
  let masked = text
  for (const secret of secrets.filter(({ length }) => length >= shortest))
    for (const spelling of [secret, encodeURIComponent(secret), encodeURI(secret)])
      masked = masked.replaceAll(spelling, mask)
  return masked
}
