import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { buildZip } from '#functions/engine/import/parse/files.testing.ts'
import { importFile } from './messy.testing.ts'

const importZip = (files: Record<string, string | Uint8Array>, name = 'data.zip') =>
  importFile({ name, bytes: buildZip(files) })

/** A published file of the package of Vega's data sets, as its authors have it. */
const vega = (name: string) =>
  readFileSync(new URL(`../../../node_modules/vega-datasets/data/${name}`, import.meta.url))

const place = (name: string, at: string) =>
  `<Placemark><name>${name}</name><Point><coordinates>${at}</coordinates></Point></Placemark>`
const kml = (...places: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>${places.join('')}</Document></kml>`
const track = (name: string, ...points: string[]) =>
  `<?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>${name}</name><trkseg>${points
    .map((point) => `<trkpt ${point}/>`)
    .join('')}</trkseg></trk></gpx>`
const park = (name: string, at: [number, number]) => ({
  type: 'Feature',
  properties: { name },
  geometry: { type: 'Point', coordinates: at },
})
const parks = (...features: object[]) => JSON.stringify({ type: 'FeatureCollection', features })

test('the earthquakes of a week, as the survey publishes them, come out of an archive with a note in it', async () => {
  const { error, at, records, notices } = await importZip({
    'all_week.geojson': vega('earthquakes.json'),
    'readme.txt': 'From the survey.',
  })
  expect([error, at]).toEqual([undefined, expect.objectContaining({ parser: 'geojson', zip: 'yes' })])
  expect(records).toHaveLength(1707)
  expect(records[0]).toMatchObject({ mag: 2, place: '4km W of Castaic, CA' })
  expect(notices).toContain('Files of the archive that are not read: readme.txt.')
})

test('KML comes out of an archive whatever its files are called, and of the archive that KMZ is', async () => {
  const files = { 'a.kml': kml(place('Elm', '1,2')), 'b.kml': kml(place('Oak', '3,4')) }
  const zipped = await importZip(files)
  expect(zipped.at).toMatchObject({ parser: 'kml', zip: 'yes' })
  expect(zipped.records.map(({ name }) => name)).toEqual(['Elm', 'Oak'])
  expect(zipped.notices).toContain(
    'The archive has 2 files of type KML, read one after another: a.kml, b.kml. One of them can be chosen instead.',
  )
  const kmz = await importZip({ 'doc.kml': kml(place('Elm', '1,2')), 'files/a.png': 'x' }, 'a.kmz')
  expect([kmz.at.parser, kmz.at.zip, kmz.records.length]).toEqual(['kmz', '', 1])
})

test('each GPX of an archive is a line', async () => {
  const { at, records } = await importZip({
    'mon.gpx': track('Monday', 'lat="1" lon="2"', 'lat="3" lon="4"'),
    'tue.gpx': track('Tuesday', 'lat="5" lon="6"', 'lat="7" lon="8"'),
  })
  expect([at.parser, at.zip, records.length]).toEqual(['gpx', 'yes', 2])
})

test('of several formats the one with the most bytes is read, and the rest is named', async () => {
  const { at, records, notices } = await importZip({
    'parks.csv': 'name\nElm\n',
    'maps/parks.geojson': parks(park('Elm', [1, 2]), park('Oak', [3, 4])),
    'licence.pdf': '%PDF-',
  })
  expect([at.parser, at.zip]).toEqual(['geojson', 'yes'])
  expect(records.map(({ name }) => name)).toEqual(['Elm', 'Oak'])
  expect(notices).toContain('Files of the archive that are not read: parks.csv, licence.pdf.')
})

// Both were packed by Info-ZIP 3.0, the first with a password.
const locked =
  'UEsDBAoACQAAAMBje10OzjiqGgAAAA4AAAAJABwAdHJlZXMuY3N2VVQJAAPIdwlryHcJa3V4CwABBAAAAAAEAAAAALpT6KfO00tA1oUBYp2JiW56TUY2ZYmjJ51uUEsHCA7OOKoaAAAADgAAAFBLAQIeAwoACQAAAMBje10OzjiqGgAAAA4AAAAJABgAAAAAAAEAAACkgQAAAAB0cmVlcy5jc3ZVVAUAA8h3CWt1eAsAAQQAAAAABAAAAABQSwUGAAAAAAEAAQBPAAAAbQAAAAAA'
const nested =
  'UEsDBAoAAAAAAMBje13wJeLLtgAAALYAAAAJABwAaW5uZXIuemlwVVQJAAPIdwlryHcJa3V4CwABBAAAAAAEAAAAAFBLAwQKAAAAAADAY3tdDs44qg4AAAAOAAAACQAcAHRyZWVzLmNzdlVUCQADyHcJa8h3CWt1eAsAAQQAAAAABAAAAABpZCxuYW1lCjEsT2FrClBLAQIeAwoAAAAAAMBje10OzjiqDgAAAA4AAAAJABgAAAAAAAEAAACkgQAAAAB0cmVlcy5jc3ZVVAUAA8h3CWt1eAsAAQQAAAAABAAAAABQSwUGAAAAAAEAAQBPAAAAUQAAAAAAUEsBAh4DCgAAAAAAwGN7XfAl4su2AAAAtgAAAAkAGAAAAAAAAAAAAKSBAAAAAGlubmVyLnppcFVUBQADyHcJa3V4CwABBAAAAAAEAAAAAFBLBQYAAAAAAQABAE8AAAD5AAAAAAA='

test.each([
  [
    'with a password',
    Buffer.from(locked, 'base64'),
    'The archive is protected by a password: pack it without one.',
  ],
  [
    'of archives',
    Buffer.from(nested, 'base64'),
    'Archives within an archive are not unpacked, and it has nothing else that is read: inner.zip. Unpack it and choose inner.zip itself.',
  ],
  [
    'of pictures',
    buildZip({ 'a.png': 'x' }),
    'The archive has no file that is read out of archives: it has a.png. Unpack it and choose a file of one of the formats.',
  ],
])('an archive %s is refused with what to do', async (_what, bytes, words) => {
  expect((await importFile({ name: 'data.zip', bytes })).error).toBe(words)
})
