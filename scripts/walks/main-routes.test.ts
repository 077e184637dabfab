import { expect, test } from 'vitest'
import table from '#app/routes.ts'
import { mainRoutes } from './main-routes.ts'

type Entry = (typeof table)[number]

/** The layout of the hub's own pages, which `public` walks. */
const hubLayout = 'routes/modes/hub.tsx'

/** Screens that are not walked for every role, and why. */
const exceptions: Record<string, string> = {
  '/login/sso': 'Leads to an identity provider, which the demo has none of.',
  '/login/sso/start': 'As above.',
  '/login/sso/callback': 'As above.',
  '/account/connect': 'As above.',
  '/places/:placeId/observers/:observerId/unsubscribe': 'Asks for the signed link of an email.',
  '/late-data/unsubscribe': 'As above.',
  '/places/:placeId/error-reports/unsubscribe': 'As above.',
  '/duplicate/:noun/:id': 'Walked with one noun: /duplicate/insights/{insightId}.',
  '/many/:noun': 'Walked with one noun: /many/insights.',
  '/*': 'Walked with a path that nothing has: /no-such-page-anywhere.',
}

/** The paths of the workspace's screens: routes without a component answer programs, and layouts have no path. */
function listScreenPaths(entries: readonly Entry[]): string[] {
  return entries.flatMap(({ path, file, index, children }) =>
    file === hubLayout
      ? []
      : [
          ...(file.endsWith('.tsx') && (path !== undefined || index) ? [`/${path ?? ''}`] : []),
          ...listScreenPaths((children ?? []) as Entry[]),
        ],
  )
}

/** A path without the names of its parameters, or what it asks for. */
const toPathPattern = (path: string): string => path.replace(/\?.*/, '').replaceAll(/:\w+|\{\w+\}/g, '*')

test('every screen of the workspace is walked for every role, or is an exception with a reason', () => {
  const walked = new Set(mainRoutes.map(toPathPattern))
  const screens = listScreenPaths(table)
  expect(screens.length).toBeGreaterThan(90)
  const forgotten = screens.filter((path) => !walked.has(toPathPattern(path)) && !(path in exceptions))
  expect(forgotten).toEqual([])
})

test('an exception is a screen that is not walked', () => {
  const walked = new Set(mainRoutes.map(toPathPattern))
  const screens = new Set(listScreenPaths(table))
  for (const path of Object.keys(exceptions))
    expect([path, screens.has(path), walked.has(toPathPattern(path))]).toEqual([path, true, false])
})
