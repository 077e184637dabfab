import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

test('cells that need it are quoted, geometry is GeoJSON, null is nothing', () => {
  const rows = [{ name: 'A "b", c', at: { type: 'Point', coordinates: [1, 2] }, rain: null }]
  expect(csvOf(['name', 'at', 'rain'], rows)).toBe(
    'name,at,rain\r\n"A ""b"", c","{""type"":""Point"",""coordinates"":[1,2]}",\r\n',
  )
})
