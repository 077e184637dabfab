import { describe, expect, test } from 'vitest'
import { allLanguages, type Locale } from '#functions/shapes/locale.ts'
import { toSearchQuestion, find, parseIndex, type SearchKind, type SearchEntry } from './index.ts'
import { buildSearchUrl, fillResults, pageSize, questionIn, slots } from './search-page.ts'
import { nearlySpelled, withLetters } from './spelling.ts'
import { suggest } from './suggest.ts'
import { valueIn } from './value.ts'
import { splitWords } from './words.ts'
import { writeIndex, type SearchDocument } from './write.ts'

const entry = (kind: SearchKind, title: string, note = '', domain: string | null = null): SearchDocument => {
  return { kind, title, href: `/${title.replace(/\W+/g, '-')}`, note, domain }
}
const domains = { weather: 'Weather', water: 'Water' }
const buildIndex = (documents: SearchDocument[], domains = {}) =>
  // Serialized and parsed again, as in storage.
  parseIndex(JSON.parse(JSON.stringify(writeIndex(documents, { domains, rows: '/f/rows.json' }))) as never)
const index = buildIndex(
  [
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
  ].map((each) => (each.domain === 'weather' ? { ...each, names: ['Weather'] } : each)),
  domains,
)
const buildQuestion = (text: string, more = {}) => ({ ...toSearchQuestion(text), ...more })
const byName = { locale: 'en', sort: 'name' } as const
const titles = (text: string) => find(index, buildQuestion(text), byName).results.map(({ title }) => title)

describe('finding', () => {
  test.each([
    ['rain', ['Rainfall', 'Zürich rain']],
    ['ZURICH wet', ['Zürich rain']],
    ['weather', ['Rainfall', 'Station 9', 'Station 10', 'Weather', '東京の天気']],
    ['snow', []],
    ['   ', []],
    ['?! --', []],
    ['aebleskiver oresund', ['Æbleskiver in Øresund']],
    ['مدرسه المدن', ['مدرسة المُدُن']],
    ['天気', ['Rainfall', 'Station 9', 'Station 10', 'Weather', '東京の天気']],
    ['mapa', ['Oakton']],
  ])('%j finds', (text, expectedTitles) => expect(titles(text)).toEqual(expectedTitles))

  test.each([
    ['wether', ['Rainfall', 'Station 9', 'Station 10', 'Weather'], 'one letter left out'],
    ['rianfall', ['Rainfall'], 'two exchanged'],
    ['rainffal', ['Rainfall'], 'two changes of eight letters'],
    ['resevoirr lev', ['Reservoir levels'], 'a typing error and a beginning'],
    ['reservior', ['Reservoir levels'], 'exchanged'],
    ['rin', [], 'no changes of three letters'],
    ['wxxther', [], 'two changes of seven'],
  ])('%j is spelt nearly so', (text, expectedTitles) => expect(titles(text)).toEqual(expectedTitles))

  test('an exact match excludes misspellings', () => {
    const two = buildIndex([entry('story', 'Trees'), entry('story', 'Treks')])
    expect(find(two, buildQuestion('trees'), byName).results.map(({ title }) => title)).toEqual(['Trees'])
    expect(find(two, buildQuestion('trexs'), byName).results).toHaveLength(2)
  })

  test('sorted by the collation of the language', () => {
    const letters = buildIndex(['Nz', 'Ñame', 'Na', 'Od'].map((title) => entry('story', title, 'x')))
    const order = (locale: Locale) =>
      find(letters, buildQuestion('x'), { locale, sort: 'name' }).results.map(({ title }) => title)
    expect(order('es')).toEqual(['Na', 'Nz', 'Ñame', 'Od'])
    expect(order('en')).toEqual(['Na', 'Ñame', 'Nz', 'Od'])
  })

  test('kinds and domains count the results of choosing them', () => {
    const { facets } = find(index, buildQuestion('weather'), byName)
    expect([facets.kind, facets.domain]).toEqual([
      [
        { value: 'domain', name: 'domain', count: 1 },
        { value: 'indicator', name: 'indicator', count: 3 },
        { value: 'story', name: 'story', count: 1 },
      ],
      [{ value: 'weather', name: 'Weather', count: 4 }],
    ])
    const result = find(index, buildQuestion('weather', { kind: 'domain', domain: 'weather' }), byName)
    expect(result.results.map(({ title }) => title)).toEqual(['Weather'])
    expect(result.facets.kind.map(({ count }) => count)).toEqual([1, 3])
    expect(result.facets.domain.map(({ count }) => count)).toEqual([1])
    expect(find(index, buildQuestion('weather', { domain: 'water' }), byName).results).toEqual([])
  })

  test('agrees with a linear scan', () => {
    const letters = ['ab', 'ba', 'abc', 'cab', 'bca', 'abcd', 'dcba', 'aabb', 'bbaacc']
    const entries = Array.from({ length: 60 }, (_, i) =>
      entry('story', [i, i * 7, i * 13].map((n) => letters[n % letters.length]).join(' ')),
    )
    const small = buildIndex(entries)
    for (const text of ['a', 'ab', 'abc ba', 'bb ca', 'dc']) {
      const expected = entries.filter(({ title }) =>
        splitWords(text).every(({ plain }) => splitWords(title).some((each) => each.plain.startsWith(plain))),
      )
      const { results } = find(small, buildQuestion(text), { ...byName, isStrict: true })
      const names = (list: { title: string }[]) => list.map(({ title }) => title).sort()
      expect(names(results), text).toEqual(names(expected))
    }
  })
})

describe('facets', () => {
  const rent = {
    ...entry('indicator', 'Rents', '', 'weather'),
    ...{
      topic: 'Housing',
      formats: ['CSV', 'GeoJSON'],
      places: ['Texas'],
      years: [2001, 2019] as [number, number],
    },
  }
  const tax = {
    ...entry('indicator', 'Rents and taxes'),
    topic: 'Money',
    formats: ['CSV'],
    years: [2019, 2020] as [number, number],
  }
  const some = buildIndex([rent, tax, entry('story', 'Rents rise')])
  const findRents = (more = {}) => find(some, buildQuestion('rents', more), byName)

  test('count and filter by topic, format, place and period', () => {
    const { facets } = findRents()
    expect(facets.topic.map(({ value, count }) => [value, count])).toEqual([
      ['Housing', 1],
      ['Money', 1],
    ])
    expect(facets.format.map(({ value, count }) => [value, count])).toEqual([
      ['CSV', 2],
      ['GeoJSON', 1],
    ])
    expect(facets.period.map(({ value, count }) => [value, count])).toEqual([
      ['2020-2029', 1],
      ['2010-2019', 2],
      ['2000-2009', 1],
    ])
    expect(findRents({ topic: 'Money' }).results.map(({ title }) => title)).toEqual(['Rents and taxes'])
    expect(findRents({ place: 'Texas', format: 'GeoJSON' }).results.map(({ title }) => title)).toEqual([
      'Rents',
    ])
    expect(findRents({ period: '2020' }).results.map(({ title }) => title)).toEqual(['Rents and taxes'])
    expect(findRents({ period: '1990-1999' }).results).toEqual([])
  })

  test('count only what is visible', () => {
    const result = find(some, buildQuestion('rents'), {
      ...byName,
      isShown: ({ title }) => title !== 'Rents',
    })
    expect(result.results).toHaveLength(2)
    expect(result.facets.place).toEqual([])
    expect(suggest(some, 'ren', { locale: 'en', isShown: () => false })).toEqual([])
  })
})

describe('corrections', () => {
  const findCorrection = (text: string) => find(index, buildQuestion(text), byName).meant
  test.each([
    ['rianfall', 'rainfall'],
    ['reservior levels', 'reservoir levels'],
    ['zurihc', 'zürich'],
    ['rainfall', null],
    ['zzzzzz', null],
  ])('of %j: %j', (text, instead) => expect(findCorrection(text)).toBe(instead))

  test('half of the words are enough if no entry has all', () => {
    const some = find(index, buildQuestion('reservoir levels tomorrow'), byName)
    expect([some.results.map(({ title }) => title), some.isPartial]).toEqual([['Reservoir levels'], true])
    const strict = find(index, buildQuestion('reservoir tomorrow'), { ...byName, isStrict: true })
    expect([strict.results, strict.isPartial]).toEqual([[], false])
  })
})

describe('suggestions', () => {
  const suggestions = (text: string) => suggest(index, text, { locale: 'en' })
  test.each([
    ['rai', ['rain', 'rainfall', 'Zürich rain']],
    ['zürich ra', ['zürich rain', 'zürich rainfall']],
    ['', []],
    ['?!', []],
    ['qqqq', []],
  ])('for %j', (text, expectedSuggestions) => expect(suggestions(text)).toEqual(expectedSuggestions))
})

test('a value is found if all of its words are in the text', () => {
  const createEntry = (title: string) => ({
    ...entry('indicator', title),
    columns: [['state', 'State', ['New York', 'Texas'], ['NY', 'TX']]] as [
      string,
      string,
      string[],
      string[],
    ][],
  })
  expect(valueIn(createEntry('Airports'), 'airports texas')).toEqual({
    key: 'state',
    name: 'State',
    value: 'Texas',
    code: 'TX',
  })
  expect(valueIn(createEntry('Airports'), 'york')).toBeNull()
  expect(valueIn(createEntry('Airports'), 'new york')?.code).toBe('NY')
  expect(valueIn(createEntry('Texas airports'), 'texas')).toBeNull()
})

describe('hostile queries', () => {
  test.each([
    ['ten thousand letters', 'a'.repeat(10_000)],
    ['ten thousand words', 'rain wind '.repeat(1000)],
    ['a script', '<script>alert(1)</script>'],
    ['punctuation', '!?.,;:-_()[]{}"\'\\/'],
    ['marks of direction', '\u202e\u2067rain\u2069\u202c'],
    ['emoji', '🌧️👩‍👩‍👧‍👦🏳️‍🌈'],
    ['half a sign', '\ud83c'],
    ['combining marks', 'r\u0301\u0301\u0301ain'],
    ['nothing', '\u0000'],
  ])('%s is answered in time', (_name, text) => {
    const startMs = performance.now()
    const question = questionIn(new URLSearchParams({ search: text }))
    const pageQuestion = { ...question, locale: 'en' as const, languages: allLanguages }
    const page = fillResults(
      Object.values(slots).join(),
      pageQuestion,
      find(index, pageQuestion, { ...pageQuestion, sort: 'relevance' }),
    )
    suggest(index, text, { locale: 'en' })
    expect(page).not.toContain('<script')
    expect(performance.now() - startMs).toBeLessThan(500)
  })
})

describe('the page of results', () => {
  const page = `<div data-search-index="/f/a.json"><h1>${slots.heading}</h1>${slots.found}<a href="/${slots.asked}">es</a></div>`
  const buildPageQuestion = (text: string, more = {}) => ({
    ...{
      ...buildQuestion(text),
      sort: 'relevance' as const,
      page: 1,
      locale: 'en' as const,
      languages: allLanguages,
    },
    ...more,
  })
  const renderPage = (text: string, more = {}) =>
    fillResults(
      page,
      buildPageQuestion(text, more),
      find(index, buildPageQuestion(text, more), buildPageQuestion(text, more)),
    )

  test('search text and results are escaped', () => {
    const nasty = '<img src=x onerror=alert(1)>$&'
    const choice = { value: nasty, name: nasty, count: 1 }
    const text = fillResults(page, buildPageQuestion(nasty), {
      results: [
        {
          kind: 'story',
          title: nasty,
          href: '/"x',
          note: nasty,
          domain: nasty,
          topic: nasty,
          formats: [nasty],
        },
      ],
      facets: {
        kind: [],
        topic: [choice, choice],
        domain: [choice, choice],
        format: [choice, choice],
        place: [choice, choice],
        period: [],
        cadence: [],
      },
      meant: nasty,
      isPartial: false,
    })
    expect(text).not.toContain('<img')
    expect(text).toContain('1 search results')
    expect(text).toContain('href="/&quot;x"')
    expect(renderPage('nothing so')).toContain('No results!')
    expect(renderPage('nothing so')).not.toContain('class="results"')
    expect(renderPage('[[found]]')).toContain('<h1>Results for “[[found]]”</h1>')
  })

  test('an untranslated text is marked on pages in another language', () => {
    const entry = { kind: 'story' as const, title: 'Rain', href: '/r', note: 'Of rain', domain: null }
    const facets = { kind: [], topic: [], domain: [], format: [], place: [], period: [], cadence: [] }
    const result = (original: SearchEntry['original'], locale: 'ar' | 'es') =>
      fillResults(page, buildPageQuestion('rain', { locale }), {
        ...{ results: [{ ...entry, ...(original && { original }) }], facets, meant: null, isPartial: false },
      })
    expect(result(['title', 'note'], 'ar')).toContain(
      '<a class="result-title" lang="en" dir="ltr" href="/ar/r">Rain</a><p class="muted" lang="en" dir="ltr">',
    )
    expect(result(['title'], 'es')).toContain('lang="en" href="/es/r">Rain</a><p class="muted">Of rain')
    expect(result(undefined, 'ar')).toContain('<a class="result-title" href="/ar/r">')
  })

  test('filters by links and shows the choices, in its language', () => {
    const all = renderPage('weather')
    expect(all).toContain(
      'href="/search?search=weather&amp;kind=indicator"><bdi>Indicator</bdi> <span class="count">3</span>',
    )
    expect(all).toContain(
      '<a rel="nofollow" href="/search?search=weather" aria-current="true"><bdi>All</bdi>',
    )
    const es = renderPage('weather', { locale: 'es', kind: 'indicator' })
    expect(es).toContain('3 resultados de búsqueda')
    expect(es).toContain(
      'href="/es/search?search=weather&amp;kind=indicator" aria-current="true"><bdi>Indicador',
    )
    expect(es).toContain('href="/es/Rainfall"')
  })

  test('offers a correction, and a sort order', () => {
    expect(renderPage('rianfall')).toContain('href="/search?search=rainfall">Did you mean “rainfall”?</a>')
    expect(renderPage('weather')).toContain('href="/search?search=weather&amp;sort=name"')
  })

  test('without text it offers choices and no result count', () => {
    const empty = renderPage('')
    expect(empty).toContain('<h1>Search</h1>')
    expect(empty).toContain('kind=story')
    expect(empty).not.toMatch(/role="status"|class="results"|No results/)
    expect(renderPage('', { kind: 'story' })).toContain('4 search results')
  })

  test('links to the records with a value', () => {
    const columns = [['state', 'State', ['Texas']]] as [string, string, string[]][]
    const airports = { ...entry('indicator', 'Airports'), columns, hasTable: true as const }
    const renderResults = (has: SearchDocument) =>
      fillResults(
        page,
        buildPageQuestion('texas'),
        find(buildIndex([has]), buildPageQuestion('texas'), buildPageQuestion('texas')),
      )
    expect(renderResults(airports)).toContain(
      'href="/Airports/data?is.state=Texas">Records where State is Texas</a>',
    )
    expect(renderResults({ ...entry('indicator', 'Airports'), columns })).not.toContain('/data?')
  })

  test('fifty per page', () => {
    const many = buildIndex(Array.from({ length: 2 * pageSize + 1 }, (_, i) => entry('story', `Story ${i}`)))
    const renderResultsPage = (number: number) => {
      const of = buildPageQuestion('story', { page: number })
      return fillResults(page, of, find(many, of, of))
    }
    expect(renderResultsPage(1)).toContain(
      '<a rel="next nofollow" href="/search?search=story&amp;page=2">Next</a>',
    )
    expect(renderResultsPage(1).match(/class="tag"/g)).toHaveLength(pageSize)
    expect(renderResultsPage(3)).toContain('Page 3 of 3')
    expect(renderResultsPage(3).match(/class="tag"/g)).toHaveLength(1)
    expect(renderResultsPage(999)).toBe(renderResultsPage(3).replaceAll('page=3', 'page=999'))
  })

  test('shows facts, and sorts by them', () => {
    const source = (title: string, more: Partial<SearchDocument>) => ({
      ...entry('indicator', title),
      ...more,
    })
    const list = buildIndex([
      source('Old', { count: 12, updated: '2019-02-03', years: [2001, 2018], topic: 'water' }),
      source('New', {
        count: 3,
        updated: '2026-03-01',
        cadence: 'monthly',
        formats: ['CSV'],
        topic: 'Water',
      }),
      source('Bare', { topic: 'Water' }),
    ])
    const ask = (params: string) => {
      const of = {
        ...questionIn(new URLSearchParams(params)),
        locale: 'en' as const,
        languages: allLanguages,
      }
      const match = find(list, of, of)
      return { names: match.results.map(({ title }) => title), html: fillResults(page, of, match), match }
    }
    const all = 'kind=indicator'
    expect(ask(all).names).toEqual(['Bare', 'New', 'Old'])
    expect(ask(`${all}&sort=updated`).names).toEqual(['New', 'Old', 'Bare'])
    expect(ask(`${all}&sort=records`).names).toEqual(['Old', 'New', 'Bare'])
    expect(ask('cadence=monthly').names).toEqual(['New'])
    expect(ask(`${all}&cadence=sometimes`).names).toHaveLength(3)
    expect(ask('topic=WATER&sort=updated').names).toEqual(['New', 'Old', 'Bare'])
    expect(ask(all).match.facets.topic).toEqual([{ value: 'Water', name: 'Water', count: 3 }])
    const { html } = ask(`${all}&sort=updated`)
    expect(html).toContain('<h1>All indicators</h1>')
    for (const fact of [
      '2001–2018',
      '12 records',
      'data of February 3, 2019',
      'New data: Every month',
      'CSV',
    ])
      expect(html).toContain(`<li><bdi>${fact}</bdi></li>`)
    expect(html).not.toContain('Relevance')
    expect(html).toMatch(/sort=updated"[^>]*aria-current="true"><bdi>Newest data/)
    expect(ask(all).html).toMatch(/aria-current="true"><bdi>Name</)
  })

  test('a URL survives a round trip', () => {
    const question = {
      ...{
        text: 'rain & wind',
        kind: 'story',
        topic: 'A & B',
        domain: 'weather',
        format: 'CSV',
        place: 'Texas',
      },
      ...{ period: '2010-2019', cadence: 'monthly', sort: 'records' as const, page: 4 },
    }
    const address = buildSearchUrl({ ...question, locale: 'fr', languages: allLanguages })
    expect(questionIn(new URL(address, 'http://hub').searchParams)).toEqual(question)
    const read = (search: string) => questionIn(new URLSearchParams(search))
    expect(read('search=+').text).toBe('')
    expect(read('search=a&kind=nothing&page=-1&domain=&period=20&sort=odd')).toEqual({
      ...{ ...toSearchQuestion('a'), sort: 'relevance', page: 1 },
    })
  })
})

test('misspellings agree with the edit distance, for random words', () => {
  /** The optimal string alignment distance of two texts, by its definition. */
  const distance = (a: string, b: string): number => {
    const table = Array.from({ length: a.length + 1 }, (_, i) =>
      Array.from({ length: b.length + 1 }, (_each, j) => (i === 0 ? j : j === 0 ? i : 0)),
    )
    const getCell = (i: number, j: number) => table[i]?.[j] ?? 0
    for (let i = 1; i <= a.length; i += 1)
      for (let j = 1; j <= b.length; j += 1) {
        let cost = Math.min(
          getCell(i - 1, j) + 1,
          getCell(i, j - 1) + 1,
          getCell(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        )
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
          cost = Math.min(cost, getCell(i - 2, j - 2) + 1)
        const row = table[i]
        if (row) row[j] = cost
      }
    return getCell(a.length, b.length)
  }
  let state = 7
  const pickRandom = (most: number) => (state = (state * 48_271) % 2_147_483_647) % most
  const words = [
    ...new Set(
      Array.from({ length: 400 }, () =>
        Array.from({ length: 2 + pickRandom(9) }, () => 'abc'[pickRandom(3)]).join(''),
      ),
    ),
  ]
  const letters = withLetters(words)
  for (let i = 0; i < 60; i += 1) {
    const text = Array.from({ length: 4 + pickRandom(7) }, () => 'abc'[pickRandom(3)]).join('')
    const most = text.length >= 8 ? 2 : 1
    const expected = words.filter((word) =>
      Array.from({ length: word.length + 1 }, (_, end) => distance(text, word.slice(0, end))).some(
        (each) => each <= most,
      ),
    )
    const matches = [...nearlySpelled(letters, text)].map(({ at }) => words[at])
    expect(matches, text).toEqual(expected)
  }
})
