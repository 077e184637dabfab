import { expect, test } from 'vitest'
import { licenceChoice, licenceChoices, metadataIn, otherLicence } from './metadata-form.ts'

const form = (fields: Record<string, string>) => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  return metadataIn(data)
}

test('tags are split at commas, and empty inputs are null', () => {
  expect(form({ tags: ' fire, , flood,', topic: ' ', cadence: '', contact: ' a@b.example ' })).toEqual({
    ...{ tags: ['fire', 'flood'], topic: null, publisher: null, publisherUrl: null, contactName: null },
    ...{ contact: 'a@b.example', cadence: null, licence: null, licenceUrl: null },
  })
})

test("a licence of the list has the list's URL, a custom one the URL beside it", () => {
  const licenceUrl = 'https://own.example/terms'
  expect(form({ licence: 'CC BY 4.0 (attribution)', otherLicence: 'x', licenceUrl })).toMatchObject({
    licence: 'CC BY 4.0 (attribution)',
    licenceUrl: null,
  })
  expect(form({ licence: otherLicence, otherLicence: 'Our terms', licenceUrl })).toMatchObject({
    licence: 'Our terms',
    licenceUrl,
  })
})

test.each([
  [null, ''],
  ['CC BY 4.0', 'CC BY 4.0'],
  ['U.S. Government work, public domain', 'U.S. Government work, public domain'],
  ['Our terms', otherLicence],
])('saving a source with the licence %s leaves it unchanged', (licence, choice) => {
  expect(licenceChoice(licence)).toBe(choice)
  const values = licenceChoices(licence).map(({ value }) => value)
  expect(values).toContain(choice)
  expect(new Set(values).size).toBe(values.length)
  expect(form({ licence: choice, otherLicence: licence ?? '' }).licence).toBe(licence)
})
