import { SaxesParser } from 'saxes'
import { describe, expect, test } from 'vitest'
import { csvMetadata, tableSchemaText } from './csvw.ts'
import { dataJson } from './data-json.ts'
import { dcat, jsonLd } from './dcat.ts'
import type { DatasetFacts, HubFacts } from './facts.ts'
import { atom, jsonFeed, rss, tagUri, type Feed } from './feeds.ts'
import { computeNextUpdateDay } from './cadence.ts'
import { licenceUrl, offeredLicences } from '#functions/shapes/licences.ts'
import { buildOembed, oembedXml } from './oembed.ts'
import { articleThing, catalogueThing, datasetThing } from './schema-org.ts'
import { robots, sitemap, sitemapIndex, type SitemapPage } from './sitemap.ts'
import { terms } from './terms.ts'
import { turtle } from './turtle.ts'

const hostile = '</script><script>alert(1)</script> & "quotes" \u0000\n\\'

const hub: HubFacts = {
  origin: 'https://data.oakton.example',
  authority: 'oakton.hub.example',
  since: '2026-01-02',
  name: 'Oakton',
  description: 'What Oakton knows.',
  language: 'en',
  email: 'hub@example.org',
  updatedAt: '2026-11-20T10:00:00.000Z',
}

const url = `${hub.origin}/domains/call/source/open`
const many = Array.from({ length: 21 }, (_, i) => ({ value: String(i), name: `Tract ${i}` }))
const calls: DatasetFacts = {
  id: 'open',
  title: 'Calls',
  description: 'Calls to the city.',
  url,
  dataTypeId: 'call',
  theme: 'Safety calls',
  topic: 'Climate',
  keywords: ['Safety'],
  licence: 'CC BY 4.0',
  attribution: 'Oakton Police',
  attributionUrl: 'https://police.example/data',
  licenceUrl: null,
  publisher: 'Office of Open Data',
  publisherUrl: 'https://opendata.example/',
  contactName: 'Data desk',
  contact: 'data@oakton.example',
  cadence: 'monthly',
  version: 7,
  count: 1234,
  createdAt: '2026-01-03T00:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  extent: [-74, 40, -73, 41],
  period: { start: '2020-01-01T00:00:00.000Z', end: '2026-11-01T00:00:00.000Z' },
  variables: [
    { name: 'Minutes', description: 'Until help came', unit: 'min', values: [] },
    { name: 'Kind', description: '', unit: '', values: [{ value: '1', name: 'Fire' }] },
    { name: 'Tract', description: '', unit: '', values: many },
  ],
  files: [
    { label: 'CSV', extension: 'csv', mediaType: 'text/csv', url: `${hub.origin}/v1/export.csv` },
    {
      label: 'GeoJSON',
      extension: 'geojson',
      mediaType: 'application/geo+json',
      url: `${hub.origin}/v1/export.geojson`,
    },
  ],
}
const bare: DatasetFacts = {
  ...calls,
  ...{
    id: 'bare',
    url: `${hub.origin}/domains/call/source/bare`,
    title: hostile,
    description: '',
    keywords: [],
    licence: null,
    attribution: null,
    attributionUrl: null,
    publisher: null,
    publisherUrl: null,
    contactName: null,
    contact: null,
    cadence: null,
  },
  ...{ extent: null, period: null, variables: [] },
}

/** The names of an XML document's elements; throws where it is not well-formed. */
function listElementNames(xml: string): string[] {
  const names: string[] = []
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name }) => names.push(name))
  parser.write(xml).close()
  return names
}

describe('custom fields', () => {
  const properties = [
    { key: 'steward', title: 'Steward', value: 'Ann' },
    { key: 'stations', title: 'Stations', value: 12 },
  ]
  const page = { url: `${hub.origin}/dcat`, first: '', previous: null, next: null, last: '', total: 1 }
  const callsWithProperties = { ...calls, properties }
  const values = [
    { '@type': 'PropertyValue', propertyID: 'steward', name: 'Steward', value: 'Ann' },
    { '@type': 'PropertyValue', propertyID: 'stations', name: 'Stations', value: 12 },
  ]
  const buildDataJsonEntry = (facts: DatasetFacts) =>
    (JSON.parse(dataJson(hub, [facts])) as { dataset: object[] }).dataset[0]
  const buildDcatEntry = (profile: 'us' | 'ap', facts: DatasetFacts) =>
    (dcat(profile, hub, [facts], page) as unknown as { dataset: object[] }).dataset[0]

  test.each([
    ['schema.org', datasetThing(hub, callsWithProperties), datasetThing(hub, calls)],
    ['data.json', buildDataJsonEntry(callsWithProperties), buildDataJsonEntry(calls)],
  ])('are properties with key, name and value in %s, and absent without any', (_format, entry, without) => {
    expect(entry).toMatchObject({ additionalProperty: values })
    expect(without).not.toHaveProperty('additionalProperty')
  })

  test.each(['us', 'ap'] as const)('are in DCAT (%s) as well, also as Turtle', (profile) => {
    expect(buildDcatEntry(profile, callsWithProperties)).toMatchObject({
      additionalProperty: [
        { '@type': 'schema:PropertyValue', propertyID: 'steward', propertyName: 'Steward', value: 'Ann' },
        { propertyID: 'stations', propertyName: 'Stations', value: 12 },
      ],
    })
    expect(buildDcatEntry(profile, calls)).not.toHaveProperty('additionalProperty')
    expect(turtle(dcat(profile, hub, [callsWithProperties], page))).toContain('schema:additionalProperty')
  })
})

describe('sitemaps', () => {
  const pages: SitemapPage[] = [
    {
      urls: { en: 'https://h.example/a?b&c', es: 'https://h.example/es/a?b&c' },
      updatedAt: '2026-11-20T10:00:00.000Z',
    },
    { urls: { en: 'https://h.example/<x>' }, updatedAt: null },
  ]
  test('list each page once per language, with links to all of its languages', () => {
    const xml = sitemap(pages)
    expect(listElementNames(xml).filter((name) => name === 'url')).toHaveLength(3)
    expect(listElementNames(xml).filter((name) => name === 'xhtml:link')).toHaveLength(3 + 3 + 2)
    expect(xml).toContain(
      '<url><loc>https://h.example/a?b&amp;c</loc><lastmod>2026-11-20T10:00:00.000Z</lastmod><xhtml:link rel="alternate" hreflang="en" href="https://h.example/a?b&amp;c"/>',
    )
    expect(xml).toContain('hreflang="x-default"')
    expect(xml).toContain('<loc>https://h.example/&lt;x&gt;</loc><xhtml:link')
  })
  test('an index lists its parts', () => {
    expect(listElementNames(sitemapIndex(['https://h.example/sitemaps/1.xml?a&b']))).toEqual([
      'sitemapindex',
      'sitemap',
      'loc',
    ])
  })
  test('robots.txt allows everything but searches and queries', () => {
    const text = robots(hub.origin)
    expect(text).toContain('Sitemap: https://data.oakton.example/sitemap.xml')
    expect(text).toContain('Disallow: /*?search=')
  })
})

describe('feeds', () => {
  const feed: Feed = {
    id: tagUri(hub, 'catalogue'),
    title: hostile,
    description: hostile,
    url: `${hub.origin}/domains?a&b`,
    language: 'ar',
    author: hostile,
    updatedAt: calls.updatedAt,
    entries: [
      {
        id: tagUri(hub, 'source', 'o p/en', 7),
        title: hostile,
        url: `${url}?a&b`,
        updatedAt: calls.updatedAt,
        publishedAt: calls.createdAt,
        text: hostile,
        author: hostile,
      },
    ],
  }
  test('ids are tag URIs with the permanent hostname', () => {
    expect(feed.entries[0]?.id).toBe('tag:oakton.hub.example,2026-01-02:source/o%20p%2Fen/7')
  })
  test('Atom is well-formed and has the elements that RFC 4287 requires of a feed and an entry', () => {
    const names = listElementNames(atom(feed, `${hub.origin}/feed.atom`))
    expect(atom(feed, '')).toContain('xml:lang="ar"')
    const entry = names.indexOf('entry')
    expect(names.slice(0, entry)).toEqual(
      expect.arrayContaining(['id', 'title', 'updated', 'author', 'link']),
    )
    expect(names.slice(entry)).toEqual([
      ...['entry', 'id', 'title', 'link', 'published', 'updated', 'summary', 'author', 'name'],
    ])
  })
  test('JSON Feed 1.1 has its version, and id and content of each item', () => {
    const read = JSON.parse(jsonFeed(feed, `${hub.origin}/feed.json`)) as Record<string, unknown>
    expect(read).toMatchObject({
      ...{ version: 'https://jsonfeed.org/version/1.1', title: hostile, language: 'ar' },
    })
    expect((read.items as object[])[0]).toMatchObject({
      ...{ id: feed.entries[0]?.id, content_text: hostile },
      authors: [{ name: hostile }],
    })
  })
  test('RSS 2.0 is well-formed and has dates of RFC 822', () => {
    const xml = rss(feed, `${hub.origin}/api/feed/rss/2.0`)
    expect(listElementNames(xml)).toContain('guid')
    expect(xml).toContain('<language>ar</language>')
    expect(xml).toContain('<pubDate>Fri, 20 Nov 2026 10:00:00 GMT</pubDate>')
  })
})

describe('catalogues', () => {
  const page = {
    url: `${hub.origin}/catalog/dcat-ap-3/2.ttl`,
    ...{
      first: `${hub.origin}/catalog/dcat-ap-3.ttl`,
      previous: `${hub.origin}/catalog/dcat-ap-3.ttl`,
      next: null,
    },
    ...{ last: `${hub.origin}/catalog/dcat-ap-3/2.ttl`, total: 1001 },
  }
  test('DCAT-US 1.1 has every field that its schema requires, for datasets with and without details', () => {
    const read = JSON.parse(dataJson(hub, [calls, bare])) as {
      conformsTo: string
      dataset: Record<string, unknown>[]
    }
    expect(read.conformsTo).toBe('https://project-open-data.cio.gov/v1.1/schema')
    for (const dataset of read.dataset) {
      for (const name of [
        'title',
        'description',
        'keyword',
        'modified',
        'publisher',
        'contactPoint',
        'identifier',
        'accessLevel',
      ])
        expect(dataset[name], name).toBeTruthy()
    }
    expect(read.dataset.map(({ contactPoint }) => contactPoint)).toEqual([
      { '@type': 'vcard:Contact', fn: 'Data desk', hasEmail: 'mailto:data@oakton.example' },
      { '@type': 'vcard:Contact', fn: 'Oakton', hasEmail: 'mailto:hub@example.org' },
    ])
    expect(read.dataset[0]).toMatchObject({
      accrualPeriodicity: 'R/P1M',
      publisher: { name: 'Office of Open Data' },
    })
    expect(read.dataset[1]).not.toHaveProperty('accrualPeriodicity')
    expect(read.dataset[0]).toMatchObject({
      license: 'https://creativecommons.org/licenses/by/4.0/',
      spatial: '-74,40,-73,41',
      temporal: '2020-01-01T00:00:00.000Z/2026-11-01T00:00:00.000Z',
      identifier: 'oakton.hub.example/open',
    })
    expect(read.dataset[1]).not.toHaveProperty('license')
  })
  test.each(['us', 'ap'] as const)('DCAT 3 (%s) has the mandatory properties of its profile', (profile) => {
    const read = JSON.parse(jsonLd(dcat(profile, hub, [calls, bare], page))) as Record<string, unknown>
    for (const name of ['title', 'description', 'publisher', 'dataset']) expect(read[name], name).toBeTruthy()
    for (const dataset of read.dataset as Record<string, unknown>[]) {
      for (const name of ['title', 'description', 'identifier', 'publisher', 'contactPoint'])
        expect(dataset[name], name).toBeTruthy()
      for (const each of dataset.distribution as Record<string, unknown>[])
        expect(each.accessURL).toBeTruthy()
    }
    expect((read.dataset as object[])[0]).toMatchObject({
      publisher: { '@id': 'https://opendata.example/', name: 'Office of Open Data' },
      contactPoint: { fn: 'Data desk', hasEmail: 'mailto:data@oakton.example' },
      accrualPeriodicity: 'http://publications.europa.eu/resource/authority/frequency/MONTHLY',
    })
    expect((read.dataset as object[])[1]).toMatchObject({ publisher: { name: 'Oakton' } })
    expect(read.view).toMatchObject({ totalItems: 1001, previous: page.previous })
    expect(read.view).not.toHaveProperty('next')
  })
  test('the JSON-LD context defines every term in use', () => {
    const read = JSON.parse(jsonLd(dcat('ap', hub, [calls], page))) as object
    const names = new Set<string>()
    JSON.stringify({ ...read, '@context': undefined }, (name, value: unknown) => {
      if (name !== '' && !/^[@\d]/.test(name)) names.add(name)
      return value
    })
    expect([...names].filter((name) => !Object.hasOwn(terms, name))).toEqual([])
  })
  test('Turtle has each statement once and closes every literal', () => {
    const text = turtle(dcat('ap', hub, [calls, bare], page))
    expect(text.match(/^<https:\/\/data\.oakton\.example\/#publisher> a/gm)).toHaveLength(1)
    expect(text).toContain('dct:modified "2026-11-20T10:00:00.000Z"^^xsd:dateTime')
    expect(text).toContain('dct:title "</script><script>alert(1)</script> & \\"quotes\\" \\n\\\\"')
    expect(text).toContain('dcat:bbox "POLYGON((-74 40,-73 40,-73 41,-74 41,-74 40))"^^geo:wktLiteral')
    expect(text).toContain('dct:license <https://creativecommons.org/licenses/by/4.0/>')
    expect(text).toContain('hydra:totalItems 1001')
    // Outside of texts and addresses every statement ends.
    const bones = text.replace(/"(?:[^"\\\n]|\\.)*"/g, '""').replace(/<[^<>\s]*>/g, '<>')
    expect(bones).not.toMatch(/[\\]|""[^\s;,.\]^]/)
    for (const block of bones.trim().split('\n\n')) expect(block.endsWith('.')).toBe(true)
  })
  test('translated texts are language-tagged beside the original; others stay plain texts', () => {
    const translations = [
      { language: 'es', title: 'Llamadas', theme: 'Llamada', keywords: ['fuego'] },
      { language: 'ar', description: 'وصف', keywords: [] },
    ]
    const tree = dcat('ap', hub, [{ ...calls, translations }, bare], page)
    const [read, plain] = (JSON.parse(jsonLd(tree)) as { dataset: Record<string, unknown>[] }).dataset
    const toEnglishText = (text: string) => ({ '@value': text, '@language': 'en' })
    const toSpanishText = (text: string) => ({ '@value': text, '@language': 'es' })
    expect(read?.title).toEqual([toEnglishText(calls.title), toSpanishText('Llamadas')])
    expect(read?.description).toEqual([
      toEnglishText(calls.description),
      { '@value': 'وصف', '@language': 'ar' },
    ])
    expect(read?.keyword).toEqual([
      ...[calls.theme, ...calls.keywords].map(toEnglishText),
      ...['Llamada', 'fuego'].map(toSpanishText),
    ])
    expect(read?.theme).toMatchObject([
      { prefLabel: [toEnglishText(calls.theme), toSpanishText('Llamada')] },
      {},
    ])
    expect(plain?.title).toBe(bare.title)
    const text = turtle(tree)
    expect(text).toContain(`dct:title "${calls.title}"@en, "Llamadas"@es ;`)
    expect(text).toContain('"وصف"@ar')
  })
  test('a term without a definition is an error', () => {
    expect(() => turtle({ '@id': 'https://h.example/', unheard: 'of' })).toThrow('no short name unheard')
  })
  test.each([
    ['CC BY 4.0', 'https://creativecommons.org/licenses/by/4.0/'],
    ['cc-by-sa-4.0', 'https://creativecommons.org/licenses/by-sa/4.0/'],
    ['CC0-1.0', 'https://creativecommons.org/publicdomain/zero/1.0/'],
    ['ODbL 1.0', 'https://opendatacommons.org/licenses/odbl/1-0/'],
    ['https://example.org/terms', 'https://example.org/terms'],
    ['U.S. Government work, public domain', 'https://www.usa.gov/government-works'],
    [
      'Open Government Licence 3.0 (UK)',
      'https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/',
    ],
    // Another government's is another licence.
    ['Open Government Licence - Canada', null],
    ['Ask us', null],
    ['CC BY-ND 4.0', null],
    [null, null],
  ])('the URL of the licence %s is %s', (name, address) => {
    expect(licenceUrl(name)).toBe(address)
  })
})

test('finds the URL of each offered licence by its title', () => {
  for (const { title, url } of offeredLicences) expect(licenceUrl(title), title).toBe(url)
  expect(licenceUrl('Ours', 'https://own.example/terms')).toBe('https://own.example/terms')
  // For a listed licence the list takes precedence over a given URL.
  expect(licenceUrl('CC BY 4.0', 'https://own.example/terms')).toBe(
    'https://creativecommons.org/licenses/by/4.0/',
  )
})

test.each([
  ['daily', '2024-02-28', '2024-02-29'],
  ['weekly', '2026-12-28', '2027-01-04'],
  ['fortnightly', '2026-11-20', '2026-12-04'],
  ['monthly', '2026-01-31', '2026-02-28'],
  ['quarterly', '2026-11-30', '2027-02-28'],
  ['yearly', '2024-02-29', '2025-02-28'],
  ['everyTwoYears', '2024-02-29', '2026-02-28'],
  ['irregular', '2026-11-20', null],
  ['never', '2026-11-20', null],
  ['continuous', '2026-11-20', null],
] as const)('after %s data of %s the next update is expected on %s', (cadence, last, next) => {
  expect(computeNextUpdateDay(cadence, last)).toBe(next)
})

describe('structured data of pages and files', () => {
  test('a Dataset has what search engines require, with a description of sufficient length', () => {
    const thing = datasetThing(hub, calls)
    expect(thing).toMatchObject({
      '@type': 'Dataset',
      name: 'Calls',
      version: '7',
      isAccessibleForFree: true,
    })
    expect(String(thing.description).length).toBeGreaterThan(49)
    expect(thing.spatialCoverage).toEqual({
      '@type': 'Place',
      geo: { '@type': 'GeoShape', box: '40 -74 41 -73' },
    })
    expect(thing.variableMeasured).toEqual([
      { '@type': 'PropertyValue', name: 'Minutes', description: 'Until help came', unitText: 'min' },
      {
        ...{ '@type': 'PropertyValue', name: 'Kind' },
        valueReference: [{ '@type': 'PropertyValue', value: '1', name: 'Fire' }],
      },
      // Long lists of codes are left out.
      'Tract',
    ])
    expect(datasetThing(hub, bare)).not.toHaveProperty('license')
  })
  test('a hub is a DataCatalog, a story an Article', () => {
    expect(catalogueThing(hub)).toMatchObject({ '@type': 'DataCatalog', name: 'Oakton' })
    const story = {
      id: 's',
      title: 'x'.repeat(200),
      summary: '',
      author: null,
      url,
      publishedAt: calls.createdAt,
      updatedAt: calls.updatedAt,
    }
    const thing = articleThing(hub, story)
    expect(String(thing.headline)).toHaveLength(110)
    expect(thing.image).toBe('https://data.oakton.example/og/pages/s.png')
    expect(thing.author).toMatchObject({ '@type': 'Organization', name: 'Oakton' })
    expect(articleThing(hub, { ...story, author: 'Ada & Bo' }).author).toEqual({ name: 'Ada & Bo' })
  })
  test('CSV on the Web has a column for each field, with its type and bounds', () => {
    const fields = [
      {
        name: 'minutes',
        title: 'Minutes',
        type: 'number',
        unit: 'min',
        constraints: { minimum: 0, required: true },
      },
      { name: 'place.longitude', title: 'Place: longitude', type: 'number' },
      {
        name: 'tags',
        title: 'Tags',
        type: 'list',
        itemType: 'string',
        delimiter: ', ',
        constraints: { maxLength: 3 },
      },
      { name: 'at', title: 'At', type: 'datetime' },
      {
        ...{ name: 'kind', title: 'Kind', type: 'number', additive: true as const },
        ...{ enumLabels: { 1: 'Fire' }, missingValues: ['', '-9'] },
      },
    ]
    const read = JSON.parse(csvMetadata(calls, fields)) as {
      url: string
      tableSchema: { columns: unknown[] }
    }
    expect(read.url).toBe(`${hub.origin}/v1/export.csv`)
    expect(read.tableSchema.columns).toEqual([
      {
        name: 'minutes',
        titles: ['minutes', 'Minutes'],
        datatype: { base: 'number', minimum: 0 },
        required: true,
        'schema:unitText': 'min',
      },
      { name: 'place.longitude', titles: ['place.longitude', 'Place: longitude'], datatype: 'number' },
      { name: 'tags', titles: ['tags', 'Tags'], datatype: 'string', separator: ', ' },
      { name: 'at', titles: ['at', 'At'], datatype: 'datetime' },
      {
        ...{ name: 'kind', titles: ['kind', 'Kind'], datatype: 'number', null: ['', '-9'] },
        'schema:valueReference': [
          { '@type': 'schema:PropertyValue', 'schema:value': '1', 'schema:name': 'Fire' },
        ],
      },
    ])
    expect(JSON.parse(tableSchemaText(fields))).toEqual({ fields, missingValues: [''] })
  })
})

describe('embedding', () => {
  test('oEmbed returns a frame for a source and a link for a story, within the requested size', () => {
    const subject = { title: hostile, place: 'Oakton', isFigure: true }
    const buildLocation = (path: string, base = '') => ({ origin: hub.origin, path, base })
    const rich = buildOembed(buildLocation('/domains/call/source/open'), subject, {
      width: 400,
      height: undefined,
    })
    expect(rich).toMatchObject({
      version: '1.0',
      type: 'rich',
      width: 400,
      height: 240,
      thumbnail_width: 400,
    })
    expect(rich.html).toContain('src="https://data.oakton.example/embed/domains/call/source/open"')
    expect(rich.html).not.toContain('<script')
    const link = buildOembed(buildLocation('/pages/storytelling/s/preview'), subject, {})
    expect(link).toMatchObject({ type: 'link', thumbnail_url: 'https://data.oakton.example/og/pages/s.png' })
    expect(link).not.toHaveProperty('html')
    expect(listElementNames(oembedXml(rich)).slice(0, 3)).toEqual(['oembed', 'version', 'type'])
  })
})
