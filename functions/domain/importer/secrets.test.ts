import { describe, expect, test } from 'vitest'
import { extractSecrets, withSecrets, type StoredSecret } from './secrets.ts'
import type { ImporterSource } from '#functions/shapes/importer-source.ts'
import { isSecretName } from '#functions/shapes/secret-name.ts'

const source = (rest: Partial<ImporterSource> = {}): ImporterSource => ({
  url: 'https://data.example.com/a.csv',
  parser: 'csv',
  ...rest,
})
const placeholder = { secret: true } as const

test.each([
  ...[
    'Authorization',
    'X-Api-Key',
    'apikey',
    'api_key',
    'key',
    'access_token',
    '$$app_token',
    'clientSecret',
  ],
  ...['Cookie', 'password', 'X-Amz-Signature', 'Ocp-Apim-Subscription-Key', 'sig', 'client_assertion', 'jwt'],
])('%s is secret by its name', (name) => expect(isSecretName(name)).toBe(true))

test.each([
  'accept',
  'author',
  'keyword',
  'passengers',
  'client_id',
  'username',
  '$limit',
  'design',
  'format',
])('%s is not', (name) => expect(isSecretName(name)).toBe(false))

describe('a secret', () => {
  const sourcesWithSecrets = [
    source({
      url: 'https://data.example.com/a.csv?year=1&api_key=in-url#x',
      query: { token: 'in-query', page: 2, plain: { secret: 'marked' } },
      headers: { authorization: 'in-header', accept: 'text/csv' },
      oauth: {
        grant: {
          url: 'https://login.example.com/t',
          type: 'password',
          client_id: 'me',
          client_secret: 'in-grant',
        },
      },
    }),
  ]

  test('is replaced by a placeholder; put back, everything is as before', () => {
    const { sources, secrets } = extractSecrets(sourcesWithSecrets, [])
    expect(sources).toEqual([
      {
        url: 'https://data.example.com/a.csv?year=1#x',
        parser: 'csv',
        query: { api_key: placeholder, token: placeholder, page: 2, plain: placeholder },
        headers: { authorization: placeholder, accept: 'text/csv' },
        oauth: {
          grant: {
            url: 'https://login.example.com/t',
            type: 'password',
            client_id: 'me',
            client_secret: placeholder,
          },
        },
      },
    ])
    expect(secrets.map(({ value, origin }) => [value, origin])).toEqual([
      ['in-url', 'https://data.example.com'],
      ['in-query', 'https://data.example.com'],
      ['marked', 'https://data.example.com'],
      ['in-header', 'https://data.example.com'],
      ['in-grant', 'https://login.example.com https://data.example.com'],
    ])
    expect(withSecrets(sources, secrets)[0]).toMatchObject({
      query: { api_key: 'in-url', token: 'in-query', plain: 'marked' },
      headers: { authorization: 'in-header' },
      oauth: { grant: { client_secret: 'in-grant' } },
    })
    expect(extractSecrets(sources, secrets)).toEqual({ sources, secrets })
  })

  test('a template in the address stays unchanged', () => {
    const { sources } = extractSecrets([source({ url: 'https://x.example.com/{file}.csv?n={n}&key=1' })], [])
    expect(sources[0]).toMatchObject({
      url: 'https://x.example.com/{file}.csv?n={n}',
      query: { key: placeholder },
    })
  })
})

describe('a placeholder that is sent back', () => {
  const buildPlaceholderSource = (url: string) => source({ url, headers: { authorization: placeholder } })
  const buildStoredSecret = (at: number, value: string): StoredSecret => ({
    source: at,
    path: ['headers', 'authorization'],
    origin: 'https://data.example.com',
    value,
  })
  const refusal = (sources: ImporterSource[], secrets: StoredSecret[]) => {
    try {
      extractSecrets(sources, secrets)
      return null
    } catch (error) {
      return (error as { issues: { path: unknown[] }[] }).issues.map(({ path }) => path.join('.'))
    }
  }

  test('keeps the value, wherever in the list the source is now', () => {
    const { secrets } = extractSecrets(
      [source(), buildPlaceholderSource('https://data.example.com/b.csv')],
      [buildStoredSecret(0, 'a')],
    )
    expect(secrets).toMatchObject([{ source: 1, value: 'a' }])
  })

  test('does not send it to another server, scheme or port', () => {
    for (const url of [
      'https://evil.example.org/',
      'http://data.example.com/',
      'https://data.example.com:8443/',
    ])
      expect(refusal([buildPlaceholderSource(url)], [buildStoredSecret(0, 'a')])).toEqual([
        'sources.0.headers.authorization',
      ])
  })

  test('of a grant is not kept when its token would be sent elsewhere', () => {
    const granted = (url: string) =>
      source({
        url,
        oauth: { grant: { url: 'https://login.example.com/t', type: 'password', password: placeholder } },
      })
    const word = {
      source: 0,
      path: ['oauth', 'grant', 'password'],
      origin: 'https://login.example.com https://data.example.com',
      value: 'a',
    }
    expect(refusal([granted('https://data.example.com/other')], [word])).toBeNull()
    expect(refusal([granted('https://evil.example.org/')], [word])).toEqual([
      'sources.0.oauth.grant.password',
    ])
  })

  test('is rejected where nothing is stored, or the match is ambiguous', () => {
    expect(refusal([buildPlaceholderSource('https://data.example.com/')], [])).toEqual([
      'sources.0.headers.authorization',
    ])
    const three = [source(), source(), buildPlaceholderSource('https://data.example.com/')]
    expect(refusal(three, [buildStoredSecret(0, 'a'), buildStoredSecret(1, 'b')])).toEqual([
      'sources.2.headers.authorization',
    ])
    expect(
      refusal(three, [buildStoredSecret(0, 'a'), buildStoredSecret(1, 'b'), buildStoredSecret(2, 'c')]),
    ).toBeNull()
  })
})
