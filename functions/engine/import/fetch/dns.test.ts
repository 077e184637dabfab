import { describe, expect, test } from 'vitest'
import { createResolver } from './dns.ts'
import { catchError } from './testing.ts'

const { signal } = new AbortController()
type Record = [type: number, data: string]

/** A resolver for DNS over HTTPS that answers by name and type. */
function resolving(zone: { [question: string]: Record[] | number | string }) {
  const queries: string[] = []
  const fetch = (async (input: string, { headers }: { headers: { accept: string } }) => {
    const { searchParams, origin } = new URL(input)
    expect([origin, headers.accept]).toEqual(['https://dns.test', 'application/dns-json'])
    const key = `${searchParams.get('name')} ${searchParams.get('type')}`
    queries.push(key)
    const answer = zone[key]
    if (typeof answer === 'string') return new Response(answer)
    if (typeof answer === 'number') return Response.json({ Status: answer })
    return Response.json({ Status: 0, Answer: answer?.map(([type, data]) => ({ type, data })) })
  }) as typeof globalThis.fetch
  return {
    queries,
    resolve: (host: string) => createResolver(fetch, 'https://dns.test/dns-query?ct=json')(host, signal),
  }
}

describe('A name resolves to', () => {
  test('all A and AAAA records, also those of its aliases', async () => {
    const { resolve, queries } = resolving({
      'a.org 1': [
        [5, 'b.org.'],
        [1, '192.0.2.1'],
        [1, '192.0.2.2'],
      ],
      'a.org 28': [
        [5, 'b.org.'],
        [28, '2001:db8::1'],
      ],
    })
    expect(await resolve('a.org')).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1'])
    expect(queries.length).toBe(2)
  })

  test('the addresses of its aliases if the resolver returns only these', async () => {
    const { resolve } = resolving({
      'a.org 1': [[5, 'b.org.']],
      'b.org 1': [[5, 'c.internal.']],
      'c.internal 1': [[1, '10.0.0.1']],
    })
    expect(await resolve('a.org')).toEqual(['10.0.0.1'])
  })

  test('nothing if the name does not exist', async () => {
    expect(await resolving({ 'a.org 1': 3, 'a.org 28': 3 }).resolve('a.org')).toEqual([])
  })

  test.each([[2], ['not json'], ['{}'], ['x'.repeat(100_000)]])(
    'a temporary error if the resolver answers %.20s for one record type',
    async (answer) => {
      const { resolve } = resolving({ 'a.org 1': [[1, '192.0.2.1']], 'a.org 28': answer })
      expect(await catchError(resolve('a.org'))).toMatchObject({ code: 'dns', isTemporary: true })
    },
  )

  test('an error if aliases are cyclic', async () => {
    const { resolve, queries } = resolving({ 'a.org 1': [[5, 'a.org.']] })
    expect(await catchError(resolve('a.org'))).toMatchObject({ code: 'dns', isTemporary: false })
    expect(queries.length).toBe(10)
  })
})
