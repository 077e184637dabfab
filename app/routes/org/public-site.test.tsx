import { expect, test } from 'vitest'
import { routeMarkup } from '#app/components/shell/markup.testing.tsx'
import { PublicSite } from './public-site.tsx'

const renderSite = (isHub: boolean, isEmpty: boolean) =>
  routeMarkup(
    <PublicSite
      place={{ isHub, version: 3 }}
      hubUrl="https://data.oakton.example"
      ownUrl="https://oakton.hubs.test"
      isEmpty={isEmpty}
    />,
  )

test.each([
  [false, 'value="show"', 'Readers would find it empty'],
  [true, 'Close the hub', 'Readers find it empty'],
])('beside the button of a hub (open: %s) stands that nothing is published', async (isHub, button, words) => {
  const html = await renderSite(isHub, true)
  expect(html).toContain(button)
  expect(html).toContain(words)
  expect(html).toMatch(/href="\/pages".*href="\/sources"/s)
  expect(await renderSite(isHub, false)).not.toContain('nothing is published')
})
