import { expect, test } from 'vitest'
import { routeMarkup } from '#app/components/shell/markup.testing.tsx'
import { NoPlace } from '#app/routes/sources/no-place.tsx'
import { OwnPlaces } from './own-places.tsx'

test('each of the own organizations is entered by a button, which goes on to what was requested', async () => {
  const places = ['oakton', 'elmsford'].map((id) => ({ id, name: `City of ${id}` }))
  const html = await routeMarkup(<OwnPlaces places={places} to="/sources/create" />)
  expect(html.match(/action="\/switch"/g)).toHaveLength(2)
  expect(html).toMatch(/City of oakton.*name="placeId" value="oakton".*name="to" value="\/sources\/create"/s)
  expect(await routeMarkup(<OwnPlaces places={[]} to="/" />)).toBe('')
})

test('"Data" of a personal account leads to an organization, except for super admins', async () => {
  const links = async (isSuperAdmin: boolean) =>
    [...(await routeMarkup(<NoPlace isSuperAdmin={isSuperAdmin} hasOwn />)).matchAll(/href="([^"]+)"/g)].map(
      ([, href]) => href,
    )
  expect(await links(false)).toEqual(['/organization/new', '/explore'])
  expect(await links(true)).toEqual(['/explore'])
})
