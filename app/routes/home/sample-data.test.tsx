import { expect, test } from 'vitest'
import { routeMarkup } from '#app/components/shell/markup.testing.tsx'
import { SampleData, type SampleDataProps } from './sample-data.tsx'

const renderSample = (props: SampleDataProps) => routeMarkup(<SampleData {...props} />)
const about = {
  ...{ name: 'Earthquakes of one week', records: 297, attribution: 'U.S. Geological Survey' },
  ...{ attributionUrl: 'https://earthquake.usgs.gov/', licence: 'U.S. Government work, public domain' },
}
const none = { isPresent: false, refusal: null, about, things: [], goes: [], stays: [] }
const buttons = (html: string) => [...html.matchAll(/value="(\w+)"/g)].map(([, intent]) => intent)

test('offers an organization without data the sample, with its origin, and not to one with data of its own', async () => {
  const html = await renderSample({ sample: none, whoMay: null })
  expect(buttons(html)).toEqual(['addSample'])
  for (const word of ['297', 'U.S. Geological Survey', 'public domain']) expect(html).toContain(word)
  expect(await renderSample({ sample: { ...none, refusal: 'There are data.' }, whoMay: null })).toBe('')
})

test('one button removes the sample, below what is removed with it and what stays; others are told who may', async () => {
  const sample = {
    ...{ ...none, isPresent: true, refusal: 'They are here.' },
    things: [{ noun: 'source' as const, id: 's1', name: 'Sample: Earthquakes' }],
    goes: [{ noun: 'observer' as const, id: 'o1', name: 'Strong ones' }],
    stays: [{ noun: 'page' as const, id: 'p1', name: 'Our story', because: 'Without its figures.' }],
  }
  const html = await renderSample({ sample, whoMay: null })
  expect(buttons(html)).toEqual(['removeSample'])
  expect(html).toMatch(/href="\/sources\/s1".*Strong ones.*Our story.*Without its figures/s)
  const deniedHtml = await renderSample({
    sample,
    whoMay: 'Only people with the role Administrator may remove sample data.',
  })
  expect(buttons(deniedHtml)).toEqual([])
  expect(deniedHtml).toContain('Only people with the role Administrator')
})
