import { renderToStaticMarkup } from 'react-dom/server'
import { StaticRouter } from 'react-router-dom/server.js'
import { expect, test } from 'vitest'
import { FirstSteps, type FirstStepsProps } from './first-steps.tsx'

const renderSteps = (props: FirstStepsProps) =>
  renderToStaticMarkup(
    <StaticRouter location="/home">
      <FirstSteps {...props} />
    </StaticRouter>,
  )

const none: FirstStepsProps = {
  ...{ hasData: false, hasChart: false, hasPage: false, hasPublished: false, isHub: false },
}
const charted = { hasData: true, hasChart: true }

test.each<[Partial<FirstStepsProps>, number, string]>([
  [{}, 1, '/sources/create'],
  [{ hasData: true }, 2, '/insights/create'],
  // Data and charts are the organization's own until something is published: the hub would be empty.
  [charted, 3, '/pages/create'],
  [{ ...charted, hasPage: true }, 3, '/pages'],
  [{ ...charted, hasPublished: true }, 4, '/org/manage/hub'],
  // A hub may be opened before it has anything: the step that is left is the first.
  [{ isHub: true }, 2, '/sources/create'],
  [{ ...charted, isHub: true }, 4, '/pages/create'],
])('%j: %i steps are done, and the one action leads to %s', (props, done, to) => {
  const html = renderSteps({ ...none, ...props })
  expect(html.match(/>Done</g)?.length ?? 0).toBe(done)
  expect([...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([to])
})

test('an organization with everything sees no introduction', () => {
  expect(renderSteps({ ...charted, hasPage: true, hasPublished: true, isHub: true })).toBe('')
})
