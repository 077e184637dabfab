import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { MapPage } from './map-page.tsx'

test('of several layers the first is shown, others by choice, and names by the place’s setting', () => {
  const layer = (key: string) => ({
    key,
    name: key,
    href: '/domains',
    items: [{ key: `${key}:1`, name: 'One' }],
  })
  const html = renderToStaticMarkup(
    <MapPage
      title="Map"
      map={{ title: 'Map', svg: '<svg></svg>', locale: 'en' }}
      items={[]}
      layers={[layer('values'), layer('layer-1'), layer('layer-2')]}
      names={{ key: 'names', isOn: true }}
      locale="en"
    />,
  )
  const inputs = html.match(/<input[^>]*data-map-switch[^>]*>/g) ?? []
  const on = inputs
    .filter((input) => input.includes('checked'))
    .map((input) => /switch="([^"]+)"/.exec(input)?.[1])
  expect(inputs).toHaveLength(4)
  expect(on).toEqual(['values', 'names'])
})
