import { describe, expect, test } from 'vitest'
import { resolverOf } from './dns.ts'
import { failureOf } from './testing.ts'

const { signal } = new AbortController()
type Record = [type: number, data: string]

/** What a resolver of DNS over HTTPS answers, by name and type. */
function resolving(zone: { [asked: string]: Record[] | number | string }) {
  const asked: string[] = []
  const fetch = (async (input: string, { headers }: { headers: { accept: string } }) => {
    const { searchParams, origin } = new URL(input)
    expect([origin, headers.accept]).toEqual(['https://dns.test', 'application/dns-json'])
    const key = `${searchParams.get('name')} ${searchParams.get('type')}`
    asked.push(key)
    const found = zone[key]
    if (typeof found === 'string') return new Response(found)
    if (typeof found === 'number') return Response.json({ Status: found })
    return Response.json({ Status: 0, Answer: found?.map(([type, data]) => ({ type, data })) })
  }) as typeof globalThis.fetch
  return {
    asked,
    resolve: (host: string) => resolverOf(fetch, 'https://dns.test/dns-query?ct=json')(host, signal),
  }
}

describe('A name leads to', () => {
  test('every A and AAAA, also of what it is an alias of', async () => {
    const { resolve, asked } = resolving({
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
    expect(asked.length).toBe(2)
  })

  test('what its aliases lead to where the resolver stops at them', async () => {
    const { resolve } = resolving({
      'a.org 1': [[5, 'b.org.']],
      'b.org 1': [[5, 'c.internal.']],
      'c.internal 1': [[1, '10.0.0.1']],
    })
    expect(await resolve('a.org')).toEqual(['10.0.0.1'])
  })

  test('nothing when there is no such name', async () => {
    expect(await resolving({ 'a.org 1': 3, 'a.org 28': 3 }).resolve('a.org')).toEqual([])
  })

  test.each([[2], ['not json'], ['{}'], ['x'.repeat(100_000)]])(
    'nothing known when the resolver says %.20s for one of both',
    async (answer) => {
      const { resolve } = resolving({ 'a.org 1': [[1, '192.0.2.1']], 'a.org 28': answer })
      expect(await failureOf(resolve('a.org'))).toMatchObject({ code: 'dns', isTemporary: true })
    },
  )

  test('nothing when aliases lead in a circle', async () => {
    const { resolve, asked } = resolving({ 'a.org 1': [[5, 'a.org.']] })
    expect(await failureOf(resolve('a.org'))).toMatchObject({ code: 'dns', isTemporary: false })
    expect(asked.length).toBe(10)
  })
})
