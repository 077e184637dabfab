import { expect, test } from 'vitest'
import { kernelContext } from './context.testing.ts'
import { isForeignOrigin, isOwnOrigin, refuseForeign } from './origin.ts'

const own = 'http://hub.test'
const asking = (headers: Record<string, string>) => new Request(`${own}/login`, { method: 'POST', headers })

test.each([
  [{ origin: own }, true, false],
  [{ origin: own, 'sec-fetch-site': 'same-origin' }, true, false],
  [{ 'sec-fetch-site': 'same-origin' }, true, false],
  [{}, false, false],
  [{ 'sec-fetch-site': 'none' }, false, false],
  [{ origin: 'https://evil.example' }, false, true],
  [{ origin: 'null' }, false, true],
  // A plain form of a page that keeps its address to itself, and frames that have no origin.
  [{ origin: 'null', 'sec-fetch-site': 'same-origin' }, true, false],
  [{ origin: 'null', 'sec-fetch-site': 'cross-site' }, false, true],
  [{ origin: 'null', 'sec-fetch-site': 'none' }, false, true],
  [{ origin: 'no address' }, false, true],
  [{ origin: `${own}.evil.example` }, false, true],
  [{ origin: own, 'sec-fetch-site': 'same-site' }, false, true],
  [{ 'sec-fetch-site': 'cross-site' }, false, true],
])('%j: ours %s, foreign %s', (headers, isOurs, isForeign) => {
  const request = asking(headers as Record<string, string>)
  expect(isOwnOrigin(request, own)).toBe(isOurs)
  expect(isForeignOrigin(request, own)).toBe(isForeign)
})

test('a cookie needs the word of a browser, a key without one does not', () => {
  const makeCheck = (headers: Record<string, string>) => () => refuseForeign(asking(headers), kernelContext())
  expect(makeCheck({ cookie: 'a=b' })).toThrow('another site')
  expect(makeCheck({ cookie: 'a=b', origin: own })).not.toThrow()
  expect(makeCheck({ origin: 'https://evil.example' })).toThrow('another site')
  expect(makeCheck({})).not.toThrow()
})
