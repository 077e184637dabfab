import { expect, test } from 'vitest'
import { isCurrent } from './currency.ts'
import { toEntry, isEveryones } from './entry.ts'
import type { AnswerSubject } from './subject.ts'
import { basis, oakton } from './testing.ts'

const open: AnswerSubject = { kind: 'source', id: 'open', placeId: null, verb: 'data' }
const calls: AnswerSubject = { kind: 'dataType', id: 'call', placeId: 'oakton', verb: 'analytics' }
const all: AnswerSubject = { kind: 'insight', id: 'all', placeId: 'oakton', verb: 'analytics' }
const one: AnswerSubject = { kind: 'insight', id: 'one', placeId: 'oakton', verb: 'analytics' }
const both = { ...basis, 'source:calm': 2 }
const everything = { ...both, 'insight:all': 3 }
const wood = { 'dataType:tree': 1, 'source:wood': 1 }
const single = { ...basis, 'insight:one': 1 }

function holds(
  subject: AnswerSubject,
  answerBasis: Record<string, number | string>,
  place = oakton(),
  now = 0,
) {
  const about = { headers: {}, next: null, basis: answerBasis, at: 0, until: 5000 }
  return isCurrent(subject, { body: new Uint8Array(), about, checkedBy: null }, { ...place, stamp: 'a' }, now)
}
const { open: openSource, ...others } = oakton().sources

test.each<[string, boolean, AnswerSubject, Record<string, number | string>, object]>([
  ['as it was made', true, open, basis, {}],
  ['of older data', false, open, { ...basis, 'source:open': 6 }, {}],
  ['of newer data than the edge knows', true, open, { ...basis, 'source:open': 8 }, {}],
  ['of an older data type', false, open, { ...basis, 'dataType:call': 3 }, {}],
  ['of a newer data type', true, open, { ...basis, 'dataType:call': 5 }, {}],
  ['of another time zone', false, open, { ...basis, timeZone: 'UTC' }, {}],
  ['of a source that is not public any more', false, open, basis, { sources: others }],
  [
    'of a source of another data type now',
    false,
    open,
    basis,
    { sources: { ...others, open: { version: 7, dataType: 'tree' } } },
  ],
  [
    'that does not say of which source',
    false,
    open,
    { 'dataType:call': 4, timeZone: 'America/New_York' },
    {},
  ],
  [
    'that does not say of which data type',
    false,
    open,
    { timeZone: 'America/New_York', 'source:open': 7 },
    {},
  ],
  ['that does not say of which time zone', false, open, { 'dataType:call': 4, 'source:open': 7 }, {}],
  ['made of another source as well', true, open, both, {}],
  ['made of a private one as well', false, open, { ...basis, 'source:secret': 1 }, {}],
  ['that joins a source of another data type', true, open, { ...basis, ...wood }, {}],
  [
    'that joins one that is not public any more',
    false,
    open,
    { ...basis, ...wood },
    { sources: { open: openSource } },
  ],
  ['that joins older data', false, open, { ...basis, ...wood, 'source:wood': 0 }, {}],
  ['that joins all sources of a data type', true, open, { ...basis, ...wood, 'sources:tree': 1 }, {}],
  [
    'that joins all of them, before another one came',
    false,
    open,
    { ...basis, ...wood, 'sources:tree': 1 },
    { sources: { ...oakton().sources, more: { version: 1, dataType: 'tree' } } },
  ],
  [
    'that joins all of them, of which one was another',
    false,
    open,
    { ...basis, ...wood, 'source:wood': undefined as never, 'sources:tree': 1 },
    {},
  ],
  ['made of what we do not know', false, open, { ...basis, 'observer:x': 1 }, {}],
  ['made of what every object has', false, open, { ...basis, 'source:constructor': 1 }, {}],
  ['a version that is a text', false, open, { ...basis, 'source:open': '7' }, {}],
  ['of all sources of a data type', true, calls, both, {}],
  ['of some of them', false, calls, basis, {}],
  [
    'before another one came',
    false,
    calls,
    both,
    { sources: { ...oakton().sources, more: { version: 1, dataType: 'call' } } },
  ],
  [
    'though one of another data type came',
    true,
    calls,
    both,
    { sources: { ...oakton().sources, more: { version: 1, dataType: 'tree' } } },
  ],
  ['after one left', false, calls, both, { sources: { open: openSource, wood: oakton().sources.wood } }],
  ['of an insight', true, all, everything, {}],
  ['of an insight before it was changed', false, all, { ...everything, 'insight:all': 2 }, {}],
  ['of an insight that does not say so', false, all, both, {}],
  ['of an insight, without one of its sources', false, all, { ...basis, 'insight:all': 3 }, {}],
  ['of an insight that is not public any more', false, all, everything, { insights: {} }],
  ['of an insight of one source', true, one, single, {}],
  ['of an insight of one source that is gone', false, one, single, { sources: others }],
])('an answer %s: %s', (_what, expected, subject, answerBasis, changes) => {
  expect(holds(subject, answerBasis, oakton(changes as never))).toBe(expected)
})

test('an answer that depends on the current time expires', () => {
  expect([4999, 5000].map((now) => holds(open, basis, oakton(), now))).toEqual([true, false])
})

test('an entry checked against one state is checked again with the next', () => {
  const entry = {
    body: new Uint8Array(),
    about: { headers: {}, next: null, basis, at: 0, until: null },
    checkedBy: null,
  }
  expect(isCurrent(open, entry, { ...oakton(), stamp: 'a' }, 0)).toBe(true)
  expect(isCurrent(open, entry, { ...oakton(), stamp: 'a' }, 0)).toBe(true)
  expect(isCurrent(open, entry, { ...oakton({ sources: others }), stamp: 'b' }, 0)).toBe(false)
  expect(isCurrent(open, entry, { ...oakton(), stamp: 'c' }, 0)).toBe(true)
})

const json = { 'content-type': 'application/json', 'cache-control': 'public, max-age=0, must-revalidate' }

test.each<[string, boolean, number, Record<string, string>]>([
  ['an answer for everyone', true, 200, json],
  ['a refusal', false, 404, json],
  ['another status', false, 201, json],
  ['a cookie', false, 200, { ...json, 'set-cookie': 'a=b' }],
  ['for one', false, 200, { ...json, 'cache-control': 'private, no-cache' }],
  ['for no cache', false, 200, { ...json, 'cache-control': 'public, no-store' }],
  ['of no word about it', false, 200, { 'content-type': 'application/json' }],
  ['other by a header', false, 200, { ...json, vary: 'accept-language' }],
  ['a file', false, 200, { ...json, 'content-type': 'text/csv' }],
])('%s may be cached: %s', (_what, expected, status, headers) =>
  expect(isEveryones(new Response('{}', { status, headers }))).toBe(expected),
)

test('only headers that do not depend on the request are cached', () => {
  const headers = new Headers({
    ...json,
    etag: '"a"',
    'x-request-id': 'r',
    'ratelimit-policy': 'p',
    link: '<l>',
  })
  const body = new TextEncoder().encode('{"results":[],"meta":{"next":"token"}}')
  const entry = toEntry(headers, body, { basis, isOfNow: true }, 61_000)
  const about = { headers: { ...json, etag: '"a"' }, next: 'token', basis, at: 61_000, until: 120_000 }
  expect(entry?.about).toEqual(about)
  expect(toEntry(headers, body, { basis: {}, isOfNow: false }, 0)).toBeNull()
  expect(toEntry(headers, new Uint8Array(9_000_000), { basis, isOfNow: false }, 0)).toBeNull()
  const quoting = new TextEncoder().encode('{"results":["\\"next\\":"],"next":"x"}')
  expect(toEntry(headers, quoting, { basis, isOfNow: false }, 0)?.about).toMatchObject({
    next: null,
    until: null,
  })
})
