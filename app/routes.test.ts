import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
})

/** The route table as it is read where `NODE_ENV` is this. */
async function tableFor(environment: string): Promise<string> {
  vi.resetModules()
  vi.stubEnv('NODE_ENV', environment)
  const { default: table } = await import('./routes.ts')
  return JSON.stringify(table)
}

test('the gallery has an address in development, and is in no build', async () => {
  expect(await tableFor('development')).toContain('routes/gallery/gallery.tsx')
  const productionTable = await tableFor('production')
  expect(productionTable).toContain('routes/explore/explore.tsx')
  expect(productionTable).not.toContain('gallery')
})
