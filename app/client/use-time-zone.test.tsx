import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { useTimeZone } from './use-time-zone.ts'

function Shown({ placeZone }: { placeZone: string | undefined }) {
  return <>{useTimeZone(placeZone)}</>
}

test("the server writes in the place's own time zone, and in UTC where it knows none", () => {
  expect(renderToStaticMarkup(<Shown placeZone="America/New_York" />)).toBe('America/New_York')
  expect(renderToStaticMarkup(<Shown placeZone={undefined} />)).toBe('UTC')
})
