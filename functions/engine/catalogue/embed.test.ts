import { expect, test } from 'vitest'
import { embedPage, maxBytes, maxMapBytes } from './embed.ts'

const hostile = '</script><script>alert(1)</script> & "quotes" \u0000\n\\'
const url = 'https://data.oakton.example/domains/call/source/open'

const input = {
  ...{ title: hostile, text: hostile, date: '20 November 2026', place: 'Oakton', url, value: '' },
  ...{
    language: 'en' as const,
    wide: '<svg class="w"/>',
    narrow: '<svg class="n"/>',
    picture: { path: '/og/x.png', width: 1200, height: 630 },
    ...{
      script: '/hub/hub-1.js',
      live: null,
      map: null,
      explore: 'Explore this chart',
      legend: [],
      other: null,
    },
  },
}

test('a frame has only the script of hub pages, escapes texts, and links to the hub', () => {
  const html = embedPage(input)
  expect(html.match(/<script[^]*?<\/script>/gi)).toEqual([
    '<script type="module" src="/hub/hub-1.js"></script>',
  ])
  expect(html).toContain(`<a href="${url}" target="_blank" rel="noopener">Oakton · 20 November 2026</a>`)
  expect(html).toContain('class="w"')
  expect(html).toContain('<html lang="en" dir="ltr" data-embed>')
  expect(embedPage({ ...input, language: 'ar' })).toContain('<html lang="ar" dir="rtl" data-embed>')
})

test('a chart in a frame names the files of its live version, and stays within its size limit', () => {
  const live = { name: hostile, chart: '/f/1.json', narrow: '/f/2.json', answer: '/f/3.json' }
  const html = embedPage({ ...input, live })
  expect(html).toContain(
    'data-chart-href="/f/1.json" data-chart-href-narrow="/f/2.json" data-answer-href="/f/3.json"',
  )
  expect(html).not.toContain(hostile)
  expect(html).toMatch(/<button type="button" data-explore hidden>Explore this chart</)
  const full = embedPage({ ...input, live, wide: `<svg>${'x'.repeat(16_000)}</svg>` })
  expect(new TextEncoder().encode(full).length).toBeLessThanOrEqual(maxBytes)
})

test('a map in a frame has its switches and legend, and names the files of its live version', () => {
  const map = {
    ...{ href: '/f/map.json', layers: 'On the map', explore: 'Explore this map' },
    switches: [
      { key: 'layer-1', name: hostile, fill: 'var(--cat-1)', isOn: true },
      { key: 'names"]{}', name: 'Names', isOn: false },
    ],
    legend: [
      { label: '1 – 9', fill: 'var(--seq-4)' },
      { label: 'No data', fill: 'var(--map-land)', isHatched: true },
    ],
  }
  const html = embedPage({ ...input, map })
  expect(html).toContain('data-map data-map-href="/f/map.json">')
  // In a story it has the name by which an address gives its state.
  expect(embedPage({ ...input, map: { ...map, name: hostile } })).toMatch(
    /map\.json" data-figure="(?!<)[^"]*">/,
  )
  expect(html).toMatch(/data-map-switch="layer-1" checked>[^]*data-map-switch="names&quot;\]\{\}">/)
  expect(html).toContain('[data-map-switch="names"]:not(:checked)) .map-names{display:none}')
  expect(html.match(/<li>/g)).toHaveLength(2)
  // The colours that the legend names, in both themes.
  expect(html.match(/--seq-4:#/g)).toHaveLength(2)
  // Regions without a value are hatched in the legend as on the map, and nothing else is.
  expect(html.match(/M0 6L6 0/g)).toHaveLength(1)
  expect(html).toMatch(/M0 6L6 0[^<]*<\/?[^<]*(?:<\/svg>)?[^<]*No data<\/li>/)
  expect(html).not.toMatch(/ style=/)
  expect(html).not.toContain(hostile)
  expect(html).toMatch(/<button type="button" data-explore hidden>Explore this map</)
})

test('leaves out what is too large: first the wide drawing, then both in favour of an image', () => {
  const large = `<svg>${'é'.repeat(maxBytes)}</svg>`
  expect(embedPage({ ...input, wide: large })).toContain('class="n"')
  const html = embedPage({ ...input, wide: large, narrow: large })
  expect(html).toContain('<img src="/og/x.png" width="1200" height="630"')
  expect(new TextEncoder().encode(html).length).toBeLessThanOrEqual(maxBytes)
})

test('draws a map of up to 60 kB; a larger one is an image, without switches, which would have no effect', () => {
  const map = { href: '/f/map.json', layers: 'Layers', explore: 'Explore', switches: [], legend: [] }
  const drawing = (bytes: number) => `<svg>${'a'.repeat(bytes)}</svg>`
  const mapPage = embedPage({ ...input, map, wide: drawing(50_000), narrow: '' })
  expect(mapPage).toContain(drawing(50_000))
  const html = embedPage({ ...input, map, wide: drawing(maxMapBytes), narrow: '' })
  expect(html).toMatch(/<div class="figure-plot" data-plot><img src="\/og\/x.png"/)
  expect(html).toContain('figure:has([data-plot]>img):not(.is-live) :is(fieldset,.legend){display:none}')
})
