import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { OwnActivity, describeOwnActivity, type OwnLine } from './own-activity.tsx'

const line: OwnLine = {
  ...{
    id: '1',
    at: '2026-01-02T03:04:05Z',
    verb: 'signedIn',
    targetType: 'user',
    targetId: 'ada',
    targetName: '',
  },
  ...{ actorId: 'ada', ipPrefix: '203.0.113.0' },
}

test('entries say in words what happened, and from which network', () => {
  const text = renderToStaticMarkup(<OwnActivity lines={[line]} total={31} />)
  expect(text).toContain('Signed in')
  expect(text).toContain('network 203.0.113.0')
  expect(text).toContain('The newest 1 of 31.')
  expect(renderToStaticMarkup(<OwnActivity lines={[]} total={0} />)).toContain('Nothing yet.')
})

test.each([
  [{}, 'Signed in'],
  [{ verb: 'signInFailed', actorId: null }, 'A sign-in failed'],
  [{ verb: 'factorRemoved' }, 'Second factor removed'],
  [{ verb: 'factorRemoved', actorId: null }, 'Second factor removed by an operator'],
  [{ verb: 'expired', targetType: 'key', targetName: 'Old' }, 'Key “Old” expired'],
  [
    { verb: 'accessOpened', targetType: 'place', targetId: 'oakton', targetName: 'Why' },
    'Opened the organization oakton: Why',
  ],
  [{ verb: 'accessEnded', targetType: 'place', targetId: 'oakton' }, 'Left the organization oakton'],
  [{ verb: 'created', targetType: 'key', targetName: 'New' }, 'Key “New” made'],
])('%o is "%s"', (changes, text) => {
  expect(describeOwnActivity({ ...line, ...changes })).toBe(text)
})
