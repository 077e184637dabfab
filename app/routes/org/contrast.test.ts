import { expect, test } from 'vitest'
import { adviceOn, checkContrast } from './contrast.ts'

test.each(['#ec7945', '#ffff00', '#000000', '#ffffff', '#123456', '#7fffd4', 'no colour'])(
  'everything shown of %s is readable',
  (colour) => {
    for (const theme of ['light', 'dark'] as const)
      for (const { name, ratio, required } of checkContrast(colour, theme))
        expect([name, theme, ratio >= required]).toEqual([name, theme, true])
  },
)

test('says in which theme a colour is hard to read', () => {
  expect(adviceOn('#ffff00')).toContain('the light theme')
  expect(adviceOn('#26252e')).toContain('the dark theme')
  expect(adviceOn('#808080')).toContain('both themes')
})
