import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Figure } from './figure.tsx'
import type { FigureProps } from './figure.tsx'
import { uniqueIds } from './unique-ids.ts'

const clipped = '<svg role="img"><clipPath id="c0"><path d="M0 0"/></clipPath><g clip-path="url(#c0)"/></svg>'
const figure: FigureProps = {
  title: 'Rain by month',
  sentence: '284 mm fell in December.',
  svg: clipped,
  table: { columns: [{ label: 'Month' }, { label: 'Rain', isNumber: true }], rows: [['December', '284 mm']] },
  csvHref: '/rain.csv',
  locale: 'en',
}
const markup = (more: Partial<FigureProps> = {}) => renderToStaticMarkup(<Figure {...figure} {...more} />)

describe('a figure', () => {
  it('is complete without scripts: title, sentence, picture, table, file', () => {
    const html = markup()
    expect(html).toMatch(/<figure class="figure" aria-labelledby="([^"]+)"><figcaption[^>]*><h3 id="\1"/)
    expect(html).toContain('284 mm fell in December.')
    expect(html).toMatch(/<input type="radio"[^>]*data-view="picture"[^>]*checked=""\/><span>Chart</)
    expect(html).toMatch(/<input type="radio"[^>]*data-view="table"[^>]*\/><span>Table</)
    expect(html).toContain('tabindex="0" role="region" aria-label="Table: Rain by month"')
    expect(html).toContain('<td class="is-number">284 mm</td>')
    expect(html).toContain('<a class="figure-csv" href="/rain.csv" download="">Download CSV</a>')
    expect(html).not.toContain('<button')
  })

  it('has a name but no heading if the page has just said it', () => {
    const html = markup({ variant: 'plain', level: 2 })
    expect(html).not.toMatch(/<h\d/)
    expect(html).toMatch(
      /aria-labelledby="([^"]+)"><figcaption[^>]*><span id="\1" class="sr-only">Rain by month</,
    )
  })

  it('has no picture box for a sentence or a table', () => {
    const html = markup({ svg: '', isSaid: true })
    expect(html).not.toContain('figure-plot')
    expect(html).toContain('<p class="figure-sentence is-said">')
  })

  it('offers to explore only what can be hydrated, and hides the button until then', () => {
    expect(markup({ chartHref: '/rain.json' })).toMatch(
      /data-chart="" data-chart-href="\/rain.json".*<button[^>]*hidden="">Explore this chart<\/button>/,
    )
    const map = markup({ mapHref: '/rain.map.json', chartHref: '/rain.json' })
    expect(map).toContain('data-map-href="/rain.map.json"')
    expect(map).not.toContain('data-chart')
  })

  it('keeps the ids of two pictures apart', () => {
    const html = markup({ svgNarrow: clipped })
    const ids = [...html.matchAll(/<clipPath id="([^"]+)"/g)].map((m) => m[1])
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) expect(html).toContain(`clip-path="url(#${id})"`)
  })

  it('references stored drawings, at once without scripts, and reserves their space', () => {
    const html = markup({
      ...{ svgNarrow: clipped, note: 'Of the weather service.' },
      storedDrawing: { href: '/f/1.svg', wide: '0 0 800 300', narrow: '0 0 340 300' },
    })
    const [, id] = /<figure[^>]* aria-labelledby="([^"]+)"/.exec(html) ?? []
    const [, note] = /<p id="([^"]+)" class="figure-note">/.exec(html) ?? []
    for (const [which, room] of [
      ['wide', '0 0 800 300'],
      ['narrow', '0 0 340 300'],
    ])
      expect(html).toContain(
        `<div class="figure-${which}"><svg role="img" aria-labelledby="${id}" aria-describedby="${note}" viewBox="${room}">` +
          `<use data-href="/f/1.svg#${which}"></use></svg>` +
          `<noscript><svg aria-hidden="true" viewBox="${room}"><use href="/f/1.svg#${which}"></use></svg></noscript></div>`,
      )
    expect(html).not.toContain('clipPath')
  })

  it('has notes on layers that the style sheet hides with their layers', () => {
    const html = markup({
      note: [
        { layer: 'layer-1', text: 'Schools: 2 records are not in this picture.' },
        { layer: 'layer-2', text: 'Trees: A larger circle stands for more records.' },
      ],
    })
    expect(html).toContain('<span class="map-layer-1">Schools: 2 records are not in this picture. </span>')
    expect(html).toContain('<span class="map-layer-2">Trees: A larger circle')
  })

  it('explains colours in a legend', () => {
    const html = markup({
      legend: { unit: 'mm', classes: [{ label: '0 – 10', fill: 'var(--seq-1)' }], missing: 2 },
    })
    expect(html).toContain('0 – 10')
    expect(html).toContain('No data')
    expect(html).toContain('fill="var(--seq-1)"')
  })
})

describe('unique ids', () => {
  it('rewrite every kind of reference and leave other addresses alone', () => {
    const svg =
      '<svg aria-labelledby="t d"><title id="t"/><desc id="d"/><path id="p"/><use href="#p"/>' +
      '<a href="#elsewhere"/><rect fill="url(\'#p\')" stroke="url(#other)"/></svg>'
    expect(uniqueIds(svg, 'x')).toBe(
      '<svg aria-labelledby="x-t x-d"><title id="x-t"/><desc id="x-d"/><path id="x-p"/><use href="#x-p"/>' +
        '<a href="#elsewhere"/><rect fill="url(\'#x-p\')" stroke="url(#other)"/></svg>',
    )
  })
})
