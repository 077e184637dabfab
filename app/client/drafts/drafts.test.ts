import { expect, test } from 'vitest'
import { draftKeyIn, draftName, draftsIn, keptDays, maxCharacters, type Draft } from './drafts.ts'

/** An in-memory `Storage` with a quota of so many characters. */
function storage(room = Infinity): Storage {
  const items = new Map<string, string>()
  const size = () => [...items].reduce((sum, [name, text]) => sum + name.length + text.length, 0)
  return {
    get length() {
      return items.size
    },
    key: (i) => [...items.keys()][i] ?? null,
    getItem: (name) => items.get(name) ?? null,
    setItem(name, text) {
      if (size() + text.length > room) throw new DOMException('full', 'QuotaExceededError')
      items.set(name, text)
    },
    removeItem: (name) => void items.delete(name),
    clear: () => items.clear(),
  }
}

const day = 86_400_000
const start = Date.UTC(2026, 10, 23)
const key = { userId: 'ada', placeId: 'oakton', thing: 'page/rain', field: 'text.1' }
const draft = (html: string, at = start): Draft => ({
  ...{ texts: { html }, at, version: 3, title: 'Rain', path: '/pages/storytelling/rain/modify' },
})

test('a draft is found by the person who wrote it and by no one else', () => {
  const fakeStorage = storage()
  const drafts = draftsIn(fakeStorage, () => start)
  expect(drafts.store(key, draft('<p>Mine</p>'))).toBe('kept')
  const later = draftsIn(fakeStorage, () => start + day)
  expect(later.get(key)).toEqual(draft('<p>Mine</p>'))
  expect(later.listByUser('ada')).toEqual([{ key, draft: draft('<p>Mine</p>') }])
  expect(later.get({ ...key, userId: 'ben' })).toBeNull()
  expect(later.listByUser('ben')).toEqual([])
  expect(later.get({ ...key, placeId: 'elmsford' })).toBeNull()
  expect(later.get({ ...key, field: 'text' })).toBeNull()
})

test('pending submissions are stored with a draft, and values that are not text are dropped', () => {
  const fakeStorage = storage()
  const drafts = draftsIn(fakeStorage, () => start)
  const pendingTexts = [{ html: '<p>One</p>' }, { html: '<p>Two</p>' }]
  drafts.store(key, { ...draft('<p>Three</p>'), sent: pendingTexts })
  expect(drafts.get(key)?.sent).toEqual(pendingTexts)
  const odd = { ...draft('<p>Three</p>'), sent: [{ html: 7, title: 'Rain' }, null, 'text'] }
  fakeStorage.setItem(draftName(key), JSON.stringify(odd))
  expect(drafts.get(key)?.sent).toEqual([{ title: 'Rain' }])
})

test('draft names are unambiguous, whatever characters their parts have', () => {
  const hostile = { userId: 'a.b', placeId: '', thing: 'x/..%2E', field: 'draft.1.ben' }
  expect(draftKeyIn(draftName(hostile))).toEqual(hostile)
  expect(draftName({ ...key, userId: 'a', placeId: 'b.c' })).not.toBe(
    draftName({ ...key, userId: 'a.b', placeId: 'c' }),
  )
  for (const name of ['', 'draft.1.a', 'draft.2.a/b/c/d', 'draft.1.%/b/c/d', 'theme'])
    expect(draftKeyIn(name)).toBeNull()
})

test('a draft expires after thirty days, and not a day before', () => {
  const fakeStorage = storage()
  draftsIn(fakeStorage, () => start).store(key, draft('old'))
  expect(draftsIn(fakeStorage, () => start + (keptDays - 1) * day).get(key)).not.toBeNull()
  const late = draftsIn(fakeStorage, () => start + keptDays * day + 1)
  expect(late.get(key)).toBeNull()
  fakeStorage.setItem('dark-theme', 'true')
  late.sweep()
  expect(fakeStorage.length).toBe(1)
})

test('a full device reports that it is full and keeps the previous draft', () => {
  const drafts = draftsIn(storage(400), () => start)
  expect(drafts.store(key, draft('short'))).toBe('kept')
  expect(drafts.store(key, draft('x'.repeat(500)))).toBe('full')
  expect(drafts.get(key)?.texts.html).toBe('short')
  const roomy = draftsIn(storage(), () => start)
  expect(roomy.store(key, draft('x'.repeat(maxCharacters)))).toBe('full')
  expect(draftsIn(null, () => start).store(key, draft('short'))).toBe('full')
})

test('all drafts together are bounded', () => {
  const drafts = draftsIn(storage(), () => start)
  const third = 'x'.repeat(Math.floor(maxCharacters / 3))
  const results = [1, 2, 3, 4].map((i) => drafts.store({ ...key, field: String(i) }, draft(third)))
  expect(results).toEqual(['kept', 'kept', 'full', 'full'])
})

test.each(['{', 'null', '[]', '"text"', '{"texts":7,"at":1}', '{"texts":{"html":"x"}}', ''])(
  'what is no draft (%s) counts for nothing, and is swept away',
  (text) => {
    const fakeStorage = storage()
    fakeStorage.setItem(draftName(key), text)
    const drafts = draftsIn(fakeStorage, () => start)
    expect(drafts.get(key)).toBeNull()
    expect(drafts.listByUser('ada')).toEqual([])
    drafts.sweep()
    expect(fakeStorage.length).toBe(0)
  },
)

test('a stored path becomes a link only if it is a path of this site', () => {
  const fakeStorage = storage()
  for (const path of ['//evil.test', 'https://evil.test', 'javascript:alert(1)', '/\\evil.test']) {
    fakeStorage.setItem(draftName(key), JSON.stringify({ ...draft('x'), path }))
    expect(draftsIn(fakeStorage, () => start).get(key)?.path).toBe('/')
  }
})

test('a save removes its draft, but not what was typed after submission', () => {
  const drafts = draftsIn(storage(), () => start)
  drafts.store(key, draft('sent', 100_000 + start))
  drafts.remove(key, 100_000 + start)
  expect(drafts.get(key)).toBeNull()
  drafts.store(key, draft('typed since', 200_000 + start))
  drafts.remove(key, 100_000 + start)
  expect(drafts.get(key)?.texts.html).toBe('typed since')
})

test('an older undecided draft outlives the newer one', () => {
  const drafts = draftsIn(storage(), () => start)
  drafts.store(key, { ...draft('new'), earlier: draft('old', start - day) })
  drafts.remove(key)
  expect(drafts.get(key)).toEqual(draft('old', start - day))
  drafts.remove(key)
  expect(drafts.get(key)).toBeNull()
})

test('signing out removes all drafts of one person, also those that another tab would still write', () => {
  const fakeStorage = storage()
  const drafts = draftsIn(fakeStorage, () => start)
  const ben = { ...key, userId: 'ben' }
  drafts.store(key, draft('ada'))
  drafts.store(ben, draft('ben'))
  drafts.end('ada')
  expect(drafts.listByUser('ada')).toEqual([])
  expect(drafts.listByUser('ben')).toHaveLength(1)
  const otherTab = draftsIn(fakeStorage, () => start)
  expect(otherTab.store(key, draft('again'))).toBe('off')
  expect(otherTab.listByUser('ada')).toEqual([])
  otherTab.resume('ada')
  expect(otherTab.store(key, draft('again'))).toBe('kept')
})
