import { allLanguages } from '#functions/shapes/locale.ts'
import { describe, expect, test } from 'vitest'
import { find, indexOf, wordsOf, type Findable, type SearchKind } from './index.ts'
import { addressOf, fillResults, pageSize, questionIn, slots } from './search-page.ts'

const entry = (kind: SearchKind, title: string, note = '', domain: string | null = null): Findable => {
  return { kind, title, href: `/${title.replace(/\W+/g, '-')}`, note, domain }
}
const domains = { weather: 'Weather', water: 'Water' }
const index = indexOf({
  domains,
  rows: '/f/rows.json',
  entries: [
    entry('story', 'Zürich rain', 'A wet year'),
    entry('indicator', 'Rainfall', 'Weather', 'weather'),
    entry('indicator', 'Station 10', 'Weather', 'weather'),
    entry('indicator', 'Station 9', 'Weather', 'weather'),
    entry('domain', 'Weather', 'Climate', 'weather'),
    entry('indicator', 'Reservoir levels', 'Water', 'water'),
    entry('story', 'مدرسة المُدُن'),
    entry('story', '東京の天気'),
    entry('story', 'Æbleskiver in Øresund'),
    entry('map', 'Oakton'),
  ],
})
const asked = (text: string, more = {}) => ({ text, kind: null, domain: null, ...more })
const titles = (text: string, locale = 'en') =>
  find(index, asked(text), locale).results.map(({ title }) => title)

describe('finding', () => {
  test.each([
    ['rain', ['Rainfall', 'Zürich rain']],
    ['ZURICH wet', ['Zürich rain']],
    ['weather', ['Rainfall', 'Station 9', 'Station 10', 'Weather']],
    ['snow', []],
    ['   ', []],
    ['?! --', []],
    ['aebleskiver oresund', ['Æbleskiver in Øresund']],
    ['مدرسه المدن', ['مدرسة المُدُن']],
    ['天気', ['東京の天気']],
    ['mapa', ['Oakton']],
  ])('%j finds', (text, found) => expect(titles(text)).toEqual(found))

  test.each([
    ['wether', ['Rainfall', 'Station 9', 'Station 10', 'Weather'], 'one letter left out'],
    ['rianfall', ['Rainfall'], 'two exchanged'],
    ['rainffal', ['Rainfall'], 'two changes of eight letters'],
    ['resevoirr lev', ['Reservoir levels'], 'a typing error and a beginning'],
    ['reservior', ['Reservoir levels'], 'exchanged'],
    ['rin', [], 'no changes of three letters'],
    ['wxxther', [], 'two changes of seven'],
  ])('%j is spelt nearly so', (text, found) => expect(titles(text)).toEqual(found))

  test('what is spelt so leaves out what is only nearly', () => {
    const two = indexOf({
      domains: {},
      rows: '',
      entries: [entry('story', 'Trees'), entry('story', 'Treks')],
    })
    expect(find(two, asked('trees'), 'en').results.map(({ title }) => title)).toEqual(['Trees'])
    expect(find(two, asked('trexs'), 'en').results).toHaveLength(2)
  })

  test('in the order of the language', () => {
    const letters = indexOf({
      domains: {},
      rows: '',
      entries: ['Nz', 'Ñame', 'Na', 'Od'].map((title) => entry('story', title, 'x')),
    })
    const order = (locale: string) => find(letters, asked('x'), locale).results.map(({ title }) => title)
    expect(order('es')).toEqual(['Na', 'Nz', 'Ñame', 'Od'])
    expect(order('en')).toEqual(['Na', 'Ñame', 'Nz', 'Od'])
  })

  test('kinds and domains count what choosing them would give', () => {
    const all = find(index, asked('weather'), 'en')
    expect([all.kinds, all.domains]).toEqual([
      { domain: 1, indicator: 3, story: 0, map: 0 },
      [{ id: 'weather', name: 'Weather', count: 4 }],
    ])
    const chosen = find(index, asked('weather', { kind: 'domain', domain: 'weather' }), 'en')
    expect(chosen.results.map(({ title }) => title)).toEqual(['Weather'])
    expect([chosen.kinds.indicator, chosen.domains[0]?.count]).toEqual([3, 1])
    expect(find(index, asked('weather', { domain: 'water' }), 'en').results).toEqual([])
  })

  test('agrees with looking at everything', () => {
    const letters = ['ab', 'ba', 'abc', 'cab', 'bca', 'abcd', 'dcba', 'aabb', 'bbaacc']
    const entries = Array.from({ length: 60 }, (_, i) =>
      entry('story', [i, i * 7, i * 13].map((n) => letters[n % letters.length]).join(' ')),
    )
    const small = indexOf({ domains: {}, rows: '', entries })
    for (const text of ['a', 'ab', 'abc ba', 'bb ca', 'dc']) {
      const expected = entries.filter(({ title }) =>
        wordsOf(text).every((word) => wordsOf(title).some((each) => each.startsWith(word))),
      )
      const { results } = find(small, asked(text), 'en')
      expect(new Set(results), text).toEqual(new Set(expected))
    }
  })
})

describe('the page of results', () => {
  const page =
    `<div data-search-index="/f/a.json"><h1>${slots.query}</h1><p>${slots.count}</p>` +
    (['kinds', 'domains', 'results', 'pages'] as const)
      .map((name) => `<ul id="${name}"><li>${slots[name]}</li></ul>`)
      .join('')
  const shown = (text: string, more = {}) => ({
    ...asked(text),
    page: 1,
    locale: 'en' as const,
    languages: allLanguages,
    ...more,
  })
  const filled = (text: string, more = {}) =>
    fillResults(page, shown(text, more), find(index, shown(text, more), 'en'))

  test('what was asked and found is text, whatever it holds', () => {
    const nasty = '<img src=x onerror=alert(1)>$&'
    const found = {
      results: [{ kind: 'story' as const, title: nasty, href: '/"x', note: nasty, domain: nasty }],
      kinds: { domain: 0, indicator: 0, story: 1, map: 0 },
      domains: [nasty, 'b'].map((id) => ({ id, name: nasty, count: 1 })),
    }
    const text = fillResults(page, shown(nasty), found)
    expect(text).not.toContain('<img')
    expect(text).toContain('1 search results')
    expect(text).toContain('href="/&#34;x"')
    expect(filled('nothing so')).toContain('<p>No results!</p>')
    expect(filled('nothing so')).toContain('<ul id="results"></ul>')
    expect(filled('[[results]]')).toContain('<h1>[[results]]</h1>')
  })

  test('narrows by links and says what is chosen, in its language', () => {
    const all = filled('weather')
    expect(all).toContain('href="/?search=weather&#38;kind=indicator">Indicator <span class="count">3</span>')
    expect(all).toContain('<a href="/?search=weather" aria-current="true">All</a>')
    const es = filled('weather', { locale: 'es', kind: 'indicator' })
    expect(es).toContain('3 resultados de búsqueda')
    expect(es).toContain('href="/es?search=weather&#38;kind=indicator" aria-current="true">Indicador')
    expect(es).toContain('href="/es/Rainfall"')
    expect(filled('oakton')).toContain('<ul id="kinds"></ul>')
  })

  test('fifty on a page', () => {
    const many = indexOf({
      domains: {},
      rows: '',
      entries: Array.from({ length: 2 * pageSize + 1 }, (_, i) => entry('story', `Story ${i}`)),
    })
    const at = (number: number) =>
      fillResults(page, shown('story', { page: number }), find(many, asked('story'), 'en'))
    expect(at(1)).toContain('<a rel="next" href="/?search=story&#38;page=2">Next</a>')
    expect(at(1).match(/class="tag"/g)).toHaveLength(pageSize)
    expect(at(3)).toContain('Page 3 of 3')
    expect(at(3).match(/class="tag"/g)).toHaveLength(1)
    expect(at(999)).toBe(at(3))
  })

  test('an address is read as it is written', () => {
    const question = { text: 'rain & wind', kind: 'story' as const, domain: 'weather', page: 4 }
    const address = addressOf({ ...question, locale: 'fr', languages: allLanguages })
    expect(questionIn(new URL(address, 'http://hub').searchParams)).toEqual(question)
    const read = (search: string) => questionIn(new URLSearchParams(search))
    expect(read('search=+')).toBeNull()
    expect(read('search=a&kind=nothing&page=-1&domain=')).toEqual({
      ...{ text: 'a', kind: null, domain: null, page: 1 },
    })
  })
})
