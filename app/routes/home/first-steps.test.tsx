import { renderToStaticMarkup } from 'react-dom/server'
import { StaticRouter } from 'react-router-dom/server.js'
import { expect, test } from 'vitest'
import { FirstSteps, type FirstStepsProps } from './first-steps.tsx'

const shown = (props: FirstStepsProps) =>
  renderToStaticMarkup(
    <StaticRouter location="/home">
      <FirstSteps {...props} />
    </StaticRouter>,
  )

test.each([
  [{ hasData: false, hasChart: false, isHub: false }, 1, '/sources/create'],
  [{ hasData: true, hasChart: false, isHub: false }, 2, '/insights/create'],
  [{ hasData: true, hasChart: true, isHub: false }, 3, '/org/manage/hub'],
  // A hub may be opened before it has anything: the step that is left is the first.
  [{ hasData: false, hasChart: false, isHub: true }, 2, '/sources/create'],
])('%j: %i steps are done, and the one action leads to %s', (props, done, to) => {
  const html = shown(props)
  expect(html.match(/>Done</g)?.length ?? 0).toBe(done)
  expect([...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([to])
})

test('an organization with everything sees no introduction', () => {
  expect(shown({ hasData: true, hasChart: true, isHub: true })).toBe('')
})
