import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { HubHeader } from './hub-header.tsx'
import { HubHome } from './hub-home.tsx'
import type { HubHeaderImage, HubLogos } from './hub-image.ts'

const mark = {
  src: '/m/1/mark.png?preset=thumb',
  srcSet: '/m/1/mark.png?preset=thumb 1x',
  width: 50,
  height: 40,
}
const wide = { src: '/m/2/wide.svg', width: 160, height: 40 }
const small = { src: '/m/3/small.svg', width: 40, height: 40 }

/** The link in the header of a hub. */
function brand(logos: HubLogos): string {
  const place = { id: 'oakton', displayName: 'City of Oakton', hasMap: false, logos }
  const html = renderToStaticMarkup(<HubHeader place={place} currentPath="/" locale="en" />)
  return /<a class="hub-name.*?<\/a>/.exec(html)?.[0] ?? ''
}

test('a place without logos is its name', () => {
  expect(brand({})).toBe('<a class="hub-name" href="/"><span>City of Oakton</span></a>')
})

test('each screen size loads one logo of known dimensions; the name is there as text', () => {
  const html = brand({ mark, wide, small })
  expect(html).toContain('class="hub-name has-wide-logo"')
  expect(html.match(/<source [^>]*>/g)).toEqual([
    '<source media="(min-width: 62.01rem)" srcSet="/m/2/wide.svg" width="160" height="40"/>',
    '<source media="(max-width: 40rem)" srcSet="/m/3/small.svg" width="40" height="40"/>',
  ])
  expect(html.match(/<img /g)).toHaveLength(1)
  expect(html).toMatch(/<img alt="" [^>]*src="\/m\/1\/mark.png\?preset=thumb" [^>]*width="50" height="40"\/>/)
  expect(html).toContain('<span>City of Oakton</span>')
})

test('a missing logo is replaced by one of the others', () => {
  expect(brand({ small })).toMatch(/^[^]*<picture><img [^>]*src="\/m\/3\/small.svg"[^>]*><\/picture>/)
  const only = brand({ wide })
  expect(only).toMatch(/<img [^>]*class="is-roomy" loading="lazy" src="\/m\/2\/wide.svg"/)
  expect(only).not.toContain('<picture>')
})

test('the header image has an alternative text and keeps its focal point', () => {
  const image: HubHeaderImage = {
    src: '/m/4/a.jpg',
    width: 3000,
    height: 1000,
    alt: 'The river',
    keeps: 'top',
  }
  const bare = { cards: [], topics: [], newest: [] }
  const props = {
    title: 'Oakton',
    sections: [],
    numbers: [],
    stories: [],
    domains: [],
    locale: 'en',
    ...bare,
  }
  const html = renderToStaticMarkup(<HubHome {...props} headerImage={image} />)
  expect(html).toMatch(/<img class="home-image is-top" [^>]*width="3000" height="1000" alt="The river"/)
  expect(renderToStaticMarkup(<HubHome {...props} />)).not.toContain('<img')
})
