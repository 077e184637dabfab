import { afterEach, expect, test, vi } from 'vitest'
import { openEngine } from './index.ts'

const open = () => ({
  name: 'firefox' as const,
  open: () => Promise.reject(new Error()),
  close: async () => {},
})
const absent = {
  name: 'firefox' as const,
  open,
  missing: 'Not walked in firefox: apt-get install firefox-esr',
}

afterEach(() => vi.unstubAllEnvs())

test('skips a browser that is not installed with a message, and fails in CI', () => {
  vi.stubEnv('CI', '')
  expect(openEngine(absent)).toBeNull()
  vi.stubEnv('CI', 'true')
  expect(() => openEngine(absent)).toThrow('apt-get install firefox-esr')
  expect(openEngine({ name: 'firefox', open })).not.toBeNull()
})
