import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { hubSections, type HubSection } from '#functions/shapes/hub-section.ts'
import { slots } from '#functions/edge/search/search-page.ts'
import { AboutPage } from '#app/routes/hub/about-page.tsx'
import { AccessibilityPage } from '#app/routes/hub/accessibility-page.tsx'
import { DomainsIndex } from '#app/routes/hub/domains-index.tsx'
import type { FigureProps } from './figure.tsx'
import { HubError } from './hub-error.tsx'
import { HubHome } from './hub-home.tsx'
import { MapPage } from './map-page.tsx'
import { NotFound } from './not-found.tsx'
import { SearchShell } from '#app/routes/hub/search-shell.tsx'
import { SourcePage } from './source-page.tsx'
import { StoriesIndex } from '#app/routes/hub/stories-index.tsx'
import { StoryPage } from './story-page.tsx'

const locale = 'en'
const figure: FigureProps = { title: 'Rain', svg: '<svg role="img"/>', locale }
const html = (page: ReactElement) => renderToStaticMarkup(page)

const source = (
  <SourcePage
    locale={locale}
    title="Daily weather"
    domain={{ name: 'Weather', href: '/domains' }}
    records={{ count: '1,461 records', period: 'Jan 1, 2012 – Dec 31, 2015' }}
    sentence="284 mm fell in December 2015."
    chart={figure}
    map={{ ...figure, title: 'Gauges', mapHref: '/gauges.json' }}
    table={{ columns: [{ label: 'Date' }], rows: [['2015-12-31']], shownCount: '1', total: '1,461' }}
    downloads={[{ format: 'CSV', href: '/a.csv', rows: 1461, size: '48 kB', date: '31 Dec 2015' }]}
    api={{ request: 'GET https://x/v1/places/p/sources/s/data', docsHref: '/api', docsLabel: 'How' }}
    trust={{
      publisher: { name: 'Office of Open Data' },
      licence: { name: 'CC BY 4.0', href: 'https://creativecommons.org/licenses/by/4.0/' },
      quality: ['No value is missing'],
      tags: [],
      fieldsHref: '/domains/weather/source/daily/fields',
      reportHref: '/domains/weather/source/daily/report',
    }}
    updated={{ date: '31 December 2015', dateTime: '2015-12-31' }}
    related={[{ title: 'Wind', href: '/wind' }]}
  />
)

const home = (sections: readonly HubSection[]) => (
  <HubHome
    {...{ title: 'Seattle', sections, locale, lead: figure, map: { ...figure, title: 'Gauges' } }}
    numbers={[{ label: 'Records', value: '3' }]}
    stories={[{ id: 'rain', title: 'Rain', href: '/rain' }]}
    domains={[{ id: 'weather', name: 'Weather', href: '/domains', sourcesCount: 1 }]}
    {...{ cards: [], topics: [], newest: [] }}
  />
)

const about = {
  html: '<p>We measure.</p>',
  facts: [],
  contact: 'data@city.test',
  licences: { names: [{ name: 'CC BY 4.0', sources: '2 indicators' }], without: 1 },
  feeds: [{ label: 'Changed data', format: 'Atom', href: '/feed.atom' }],
  locale,
}
const tested = {
  testedAt: '2026-11-25',
  tool: 'axe-core 4.11.0',
  browser: 'Chromium 140',
  rules: ['wcag2a'],
  pages: ['/'],
  languages: ['en', 'ar'],
  themes: ['light' as const],
  widths: [320, 1280],
  checks: 4,
  faults: [],
}
const accessibility = { title: 'Accessibility', name: 'Seattle', contact: '', locale }

const pages: [string, ReactElement][] = [
  ['home', home(hubSections)],
  ['stories', <StoriesIndex stories={[]} locale={locale} />],
  ['story', <StoryPage type="blank" title="Grey days" contents={[{ kind: 'divider' }]} locale={locale} />],
  ['domains', <DomainsIndex domains={[]} locale={locale} />],
  ['source', source],
  ['map', <MapPage title="Where" items={[]} locale={locale} />],
  ['about', <AboutPage {...about} />],
  ['accessibility', <AccessibilityPage {...accessibility} results={tested} />],
  ['search', <SearchShell slots={slots} index="/f/a.json" />],
  ['not found', <NotFound locale={locale} />],
  ['error', <HubError status={500} currentPath="/error" locale={locale} />],
]

describe.each(pages)('the %s page', (_, page) => {
  it('it has one first heading, and nothing that a strict policy blocks', () => {
    expect(html(page).match(/<h1/g)).toHaveLength(1)
    expect(html(page)).not.toMatch(/ style=|<script|<style|\son[a-z]+=|javascript:/)
  })
})

describe('the first page', () => {
  const headings = (sections: readonly HubSection[]) =>
    [...html(home(sections)).matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map(([, text]) => text)

  it('has the sections that a place wants, in its order', () => {
    expect(headings(hubSections)).toEqual(['Key numbers', 'Rain', 'Featured stories', 'Domains Data', 'Maps'])
    expect(headings(['map', 'stories'])).toEqual(['Maps', 'Featured stories'])
    expect(headings([])).toEqual([])
  })
  it('leads nowhere that it does not show', () => {
    expect(html(home(['numbers', 'chart']))).not.toMatch(/href="(\/datastories|\/domains|\/map)"/)
  })
})

describe('an indicator', () => {
  const text = html(source).replace(/<[^>]+>/g, '')
  it.each([
    '284 mm',
    '1,461 records, Jan 1, 2012 – Dec 31, 2015',
    '284 mm fell in December 2015.',
    'The first 1 of 1,461 rows.',
    '1,461 rows · 48 kB · data of 31 Dec 2015',
    'GET https://x/v1/places/p/sources/s/data',
    'CC BY 4.0',
    'Wind',
  ])('says %s', (words) => expect(text).toContain(words))
})

describe('a story', () => {
  it('shows every kind of block in order, rich text as it was sanitised', () => {
    const page = html(
      <StoryPage
        type="storytelling"
        title="Rain"
        locale={locale}
        contents={[
          { kind: 'text', html: '<p>It <strong>rained</strong>.</p>' },
          { kind: 'insight', figure },
          { kind: 'number', numbers: [{ label: 'Rain', value: '284', unit: 'mm' }] },
          {
            kind: 'image',
            image: { src: '/a.jpg', alt: 'A wet street', width: 3, height: 2, credit: 'A. B.' },
          },
          { kind: 'video', src: '/a.mp4', title: 'The storm', captionsSrc: '/a.vtt' },
          { kind: 'embed', href: 'https://example.org', title: 'Elsewhere' },
          { kind: 'steps', figure, steps: [{ html: '<p>One</p>' }, { html: '<p>Two</p>' }] },
        ]}
      />,
    )
    const marks = [
      '<strong>rained',
      'class="figure"',
      'number-value',
      'A wet street',
      '<track',
      'Elsewhere',
      '<p>Two',
    ]
    const places = marks.map((mark) => page.indexOf(mark))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places).not.toContain(-1)
  })
})

describe('statements', () => {
  const text = (page: ReactElement) =>
    html(page)
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')

  it('about names the contact and the licences in use', () => {
    const pageText = text(<AboutPage {...about} />)
    for (const words of ['data@city.test', 'CC BY 4.0 2 indicators', '1 indicator names no licence.'])
      expect(pageText).toContain(words)
    expect(html(<AboutPage {...about} />)).toContain('href="mailto:data@city.test"')
    expect(text(<AboutPage {...about} contact="" />)).toContain('has not named a contact')
  })

  it('accessibility shows the findings with their date, and says so where there are none', () => {
    const page = (results: typeof tested | null) => <AccessibilityPage {...accessibility} results={results} />
    const pageText = text(page(tested))
    for (const words of [
      'November 25, 2026',
      'axe-core 4.11.0, Chromium 140',
      'English, العربية',
      '320, 1,280',
    ])
      expect(pageText).toContain(words)
    expect(pageText).toContain('No fault was found.')
    const faults = [{ rule: 'color-contrast', pages: 3 }]
    expect(html(<AccessibilityPage {...accessibility} results={{ ...tested, faults }} />)).toContain(
      '1 fault: <bdi>color-contrast (3)',
    )
    expect(text(page(null))).toContain('No result is on record')
    expect(text(page(null))).not.toContain('No fault was found')
  })
})

describe('error pages', () => {
  it('use the words of the product', () => {
    const text = (page: ReactElement) => html(page).replaceAll('&#x27;', "'")
    expect(text(<NotFound locale={locale} />)).toContain("Sorry, that page doesn't exist!")
    expect(text(<NotFound locale={locale} />)).toMatch(/<a[^>]*href="\/"[^>]*data-back=""[^>]*>Back<\/a>/)
    expect(text(<HubError status={500} currentPath="/error" locale={locale} />)).toContain(
      'Uh-oh! Something went wrong.',
    )
  })
})
