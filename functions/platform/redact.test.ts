import { afterEach, describe, expect, test, vi } from 'vitest'
import { logLine, redact } from './redact.ts'
import { reportIn } from '#functions/api/request-context.ts'
import type { Env } from '#functions/settings.ts'

/** Put together here, so that no file holds what looks like a secret. */
const word = 'hunter2' + 'canary'
const hex = 'ab12'.repeat(16)
const random = 'Zm9vYmFy'.repeat(6)

/** Texts of errors with a secret in each, and what has to be left to tell what happened. */
const cases: [what: string, text: string, left: string][] = [
  [
    'a connection string',
    `connect failed: postgres://app:${word}@db.example:5432/hub`,
    'db.example:5432/hub',
  ],
  [
    'a user alone',
    `GET https://${word}@feeds.example/a.csv answered 401`,
    'feeds.example/a.csv answered 401',
  ],
  ['a parameter', `GET https://feeds.example/a.csv?page=2&token=${word}&x=1 answered 500`, 'page=2'],
  ['an API key', `https://api.example/v1?api_key=${word}`, 'https://api.example/v1'],
  ['a key', `https://api.example/v1?key=${word}`, 'https://api.example/v1'],
  ['a signature', `https://b.example/o?X-Amz-Signature=${word}&X-Amz-Date=1`, 'X-Amz-Date=1'],
  ['a code of single sign-on', `/login/sso/callback?code=${word}&state=${word}`, '/login/sso/callback'],
  ['a bearer', `refused: Authorization: Bearer ${word}`, 'refused'],
  ['basic authentication', `sent Basic ${btoa(`app:${word}`)}`, 'sent Basic'],
  ['a cookie', `cookie: __Host-session=${word}`, 'cookie'],
  ['JSON', `{"clientSecret":"${word}","issuer":"https://id.example"}`, 'https://id.example'],
  ['JSON within JSON', `{\\"password\\":\\"${word}\\",\\"at\\":1}`, 'at'],
  ['an object as a program prints it', `{ password: '${word}', port: 5432 }`, '5432'],
  ['a key of ours', `no row for ${'cpk_'}${word}${random.slice(0, 30)}`, 'no row for'],
  ['a hash of a token', `duplicate key: (${hex})`, 'duplicate key'],
  ['a session', `bad cookie ${random}.${random}`, 'bad cookie'],
  ['an e-mail address', `no mailbox for ada.${word}@example.org`, 'no mailbox for'],
]

describe.each(cases)('%s', (_what, text, left) => {
  const secrets = [word, hex, random, 'ada.', btoa(`app:${word}`)]
  afterEach(() => vi.restoreAllMocks())

  test('is taken out, and the rest stays', () => {
    const line = redact(text)
    for (const secret of secrets) expect(line).not.toContain(secret)
    expect(line).toContain(left)
  })

  test('is in no line of the log, wherever it stands in the error', () => {
    const lines: string[] = []
    vi.spyOn(console, 'error').mockImplementation((...args: unknown[]) => void lines.push(args.join(' ')))
    const env = {
      ENVIRONMENT: 'production',
      AUTH_SECRET: 'x'.repeat(40),
      APP_HOST: 'a.test',
      PUBLIC_HOST: 'b.test',
      SCHEME: 'https',
      MAIL_FROM: 'Hub <hub@example.com>',
      SUPPORT_URL: 'https://support.test',
      DATABASE_URL: 'postgres://db.test/hub',
    }
    for (const error of [new Error(text), text, new Error('outer', { cause: new Error(text) })])
      reportIn(env as unknown as Env, error, { during: 'a test', url: text })
    expect(lines).toHaveLength(3)
    for (const secret of secrets) expect(lines.join('\n')).not.toContain(secret)
    // Still lines of JSON.
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ during: 'a test' })
  })
})

test('a member that is named as a secret is says nothing, however deep', () => {
  const line = logLine({
    during: 'x',
    importer: { clientSecret: word, headers: [{ Cookie: word }], rows: 3 },
  })
  expect(line).not.toContain(word)
  expect(JSON.parse(line)).toMatchObject({ during: 'x', importer: { rows: 3 } })
})

test('what is no secret stays as it is', () => {
  for (const line of [
    '{"during":"sweepHubs","error":"TypeError: Cannot read properties of undefined (reading \'id\')"}',
    'relation "data.t_calls" does not exist',
    'seattle-wa: not published as it should be, what is up stays up: Error: 503',
    '2026-11-23T18:00:00.000Z 5f3c9a52-1f6e-4c1a-9a34-0d1b2c3d4e5f',
    'keyset of 12 rows, monkey: 3',
    'insight seattle-temperature of https://data.example/domains/weather',
  ])
    expect(redact(line)).toBe(line)
})
